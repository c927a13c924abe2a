/** The `webhooks` of the document: the calls that the service makes. */

import { ADMINISTRATION } from '../admin/tag.ts'
import { delivery, deliveryHeaders } from '../admin/webhooks/schema.ts'
import type { Json, Schemas } from './schemas.ts'

/** Describes a delivery to a subscription, and the replies of its receiver. */
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
      'Sent to the `url` of each subscription (`/admin/webhooks`), in order and at least once. The signature follows ' +
      'https://www.standardwebhooks.com. A receiver verifies the signature, replies within 10 seconds, and does slow ' +
      'work afterwards. See [Webhooks](/docs/webhooks.md).',
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Delivered; the body does not matter' },
      410: { description: 'The receiver wants no more deliveries: the subscription is disabled' },
      default: {
        description: 'Not delivered, also for redirects: it is sent again with the same `webhook-id`',
      },
    },
  }
  return { changes: { post } }
}
