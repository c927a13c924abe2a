/** What is sent to subscribers, for the documentation. */
import { z } from 'zod'
import { change } from '../../resources/changes/present.ts'

export const delivery = z
  .object({
    type: z
      .enum(['changes', 'test'])
      .describe('What it is; of types that a receiver does not know it says 2xx'),
    timestamp: z.iso.datetime().describe('When this attempt was made, in UTC'),
    data: z.array(change).max(100).describe('1 to 100 changes, oldest first; of a test none'),
  })
  .meta({ id: 'WebhookDelivery', description: 'What a subscriber is sent' })

export const deliveryHeaders = z.object({
  'webhook-id': z.string().describe('Name of the batch, the same when it is sent again'),
  'webhook-timestamp': z.string().describe('When this attempt was made, in seconds since 1970'),
  'webhook-signature': z
    .string()
    .describe(
      'One or two signatures separated by a space, each `v1,` and the HMAC-SHA256, in base64, of `webhook-id`, ' +
        '`webhook-timestamp` and the body, joined by dots',
    ),
})
