/** Schemas and JSON of subscriptions, attempts and deliveries. */
import { z } from 'zod'
import { RESOURCES } from '../../db/changes.ts'
import {
  dateTime,
  filledText,
  formatDateTime,
  LONG_URL,
  list,
  named,
  optionalText,
  shownBy,
  text,
  unique,
} from '../../fields/values.ts'
import { formatCursor } from '../../resources/changes/cursor.ts'
import { change } from '../../resources/changes/present.ts'
import type { StoredWebhook } from './store.ts'

const names = RESOURCES.map((name) => `\`${name}\``).join(', ')

const fields = {
  url: filledText(LONG_URL).describe(
    'Where changes are sent: an https URL of a public host, without credentials. If ' +
      '`ALLOW_PRIVATE_PHOTO_URLS` is `"true"`, http to the same machine is allowed as well',
  ),
  resources: list(
    z.string().refine((name) => RESOURCES.includes(name), `must be one of ${RESOURCES.join(', ')}`),
    { min: 1, max: 100 },
  )
    .overwrite(unique)
    .nullish()
    .describe(`Only changes of these: ${names}; null: all, including those that later versions add`),
  description: optionalText().nullish().describe('What it is for'),
}

const after = text().nullish()

export const webhookInput = named('WebhookInput', 'A new subscription', {
  ...fields,
  after: after.describe('A cursor of `/api/changes` at which deliveries start. Without it, they start now'),
})

export const webhookUpdate = named('WebhookUpdate', 'Changes of a subscription', {
  ...fields,
  url: fields.url.optional(),
  enabled: z
    .boolean()
    .optional()
    .describe(
      '`true` continues at the cursor at once, without waiting for a retry; `false` stops deliveries',
    ),
  after: after.describe('A cursor of `/api/changes` at which deliveries continue instead'),
})

export const webhook = named('Webhook', 'A subscription without its secret', {
  id: z.int().describe('Id of the subscription'),
  url: z.string().describe('Where changes are sent'),
  description: z.string().nullable().describe('What it is for'),
  resources: z.array(z.string()).nullable().describe('Only changes of these; null: all'),
  enabled: z.boolean().describe('Whether anything is sent'),
  disabled_reason: z.string().nullable().describe('Why the service disabled it; null when it did not'),
  date_disabled: dateTime().nullable().describe('When the service disabled it'),
  cursor: z.string().describe('Position in `/api/changes` up to which everything is delivered'),
  failures: z.int().describe('Failed attempts since the last successful one'),
  error: z.string().nullable().describe('Error of the last failed attempt'),
  next_attempt: dateTime()
    .nullable()
    .describe('When delivery is tried again; null: as soon as something changes'),
  date_delivered: dateTime().nullable().describe('When changes were delivered last'),
  old_secret_expires: dateTime()
    .nullable()
    .describe('Until when deliveries are also signed with the old secret'),
  date_created: dateTime().describe('When it was made'),
})

export const newWebhook = webhook
  .extend({
    secret: z
      .string()
      .describe('Secret that deliveries are signed with: `whsec_` and base64. Shown only here'),
  })
  .meta({ id: 'NewWebhook', description: 'A subscription whose secret was just made' })

export const webhookAttempt = named('WebhookAttempt', 'An attempt to deliver', {
  date: dateTime().describe('When it began'),
  webhook_id: z.string().describe('The header `webhook-id`: id of the batch, the same when it is sent again'),
  type: z.enum(['changes', 'test']).describe('What was sent'),
  status: z.int().nullable().describe('Status of the answer; null when there was none'),
  error: z.string().nullable().describe('Why it counts as failed; null: delivered'),
  milliseconds: z.int().describe('How long it took'),
})

/** The JSON of a subscription. `deployment` is part of every cursor. */
export function presentWebhook(row: StoredWebhook, deployment: string): z.output<typeof webhook> {
  return shownBy(webhook, {
    ...row,
    cursor: formatCursor(deployment, row),
    next_attempt: presentMoment(row.next_attempt),
    old_secret_expires: presentMoment(row.old_secret_expires),
  })
}

function presentMoment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatDateTime(new Date(milliseconds))
}

export const delivery = named('WebhookDelivery', 'A message to a subscriber', {
  type: z
    .enum(['changes', 'test'])
    .describe('Type of the message. A receiver answers 2xx to types that it does not know'),
  timestamp: z.iso.datetime().describe('When this attempt was made, in UTC'),
  data: z.array(change).max(100).describe('1 to 100 changes, oldest first; empty in a test'),
})

export const deliveryHeaders = z.object({
  'webhook-id': z.string().describe('Id of the batch, the same when it is sent again'),
  'webhook-timestamp': z.string().describe('When this attempt was made, in seconds since 1970'),
  'webhook-signature': z
    .string()
    .describe(
      'One or two signatures separated by a space, each `v1,` and the HMAC-SHA256, in base64, of `webhook-id`, ' +
        '`webhook-timestamp` and the body, joined by dots',
    ),
})
