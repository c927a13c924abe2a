/** What the service itself sends: the `webhooks` of the document. */

import { ADMINISTRATION } from '../admin/tag.ts'
import { delivery, deliveryHeaders } from '../admin/webhooks/schema.ts'
import type { Json, Schemas } from './schemas.ts'

/** The delivery of a subscription, and what its receiver answers. */
export function describeWebhooks(schemas: Schemas): Json {
  const [tag] = ADMINISTRATION
  const parameters = Object.entries(deliveryHeaders.shape).map(([name, header]) => {
    const { description, ...schema } = schemas.of(header, 'output')
    return { name, in: 'header', required: true, description, schema }
  })
  const schema = schemas.of(delivery, 'output')
  const post = {
    operationId: 'receiveChanges',
    tags: [tag],
    summary: 'Receive changes',
    description:
      'Sent to the `url` of each subscription (`/admin/webhooks`), signed as https://www.standardwebhooks.com has it: at ' +
      'least once, in order. A receiver verifies the signature, answers within 10 seconds, and does slow work afterwards. ' +
      'See [Webhooks](/docs/webhooks.md).',
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Delivered; the body does not matter' },
      410: { description: 'The receiver wants no more: the subscription is disabled' },
      default: { description: 'Not delivered, redirects too: it is sent again, under the same `webhook-id`' },
    },
  }
  return { changes: { post } }
}
