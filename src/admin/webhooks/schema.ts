/** Subscriptions and attempts as they come in and go out, and what is sent to subscribers. */
import { z } from 'zod'
import { RESOURCES } from '../../db/changes.ts'
import {
  dateTime,
  filledText,
  formatDateTime,
  LONG_URL,
  list,
  optionalText,
  text,
  unique,
} from '../../fields/values.ts'
import { formatCursor } from '../../resources/changes/cursor.ts'
import { change } from '../../resources/changes/present.ts'
import type { StoredWebhook } from './store.ts'

const names = RESOURCES.map((name) => `\`${name}\``).join(', ')

const fields = {
  url: filledText(LONG_URL).describe(
    'Where changes are sent: an https URL of a public host, without credentials. On a machine where ' +
      '`ALLOW_PRIVATE_PHOTO_URLS` is `"true"` also http to that machine itself',
  ),
  resources: list(
    z.string().refine((name) => RESOURCES.includes(name), `must be one of ${RESOURCES.join(', ')}`),
    { min: 1, max: 100 },
  )
    .overwrite(unique)
    .nullish()
    .describe(`Only changes of these: ${names}; null: all, also those that later versions add`),
  description: optionalText().nullish().describe('What it is for'),
}

const after = text().nullish()

export const webhookInput = z
  .object({
    ...fields,
    after: after.describe('A cursor of `/api/changes`: where it begins. Without it, at the present'),
  })
  .meta({ id: 'WebhookInput', description: 'A subscription as it is made' })

export const webhookUpdate = z
  .object({
    ...fields,
    url: fields.url.optional(),
    enabled: z
      .boolean()
      .optional()
      .describe('`true` goes on where it stood, at once, whatever was to be waited for; `false` stops it'),
    after: after.describe('A cursor of `/api/changes`: where it goes on instead'),
  })
  .meta({ id: 'WebhookUpdate', description: 'What is changed of a subscription' })

export const webhook = z
  .object({
    id: z.int().describe('Id of the subscription'),
    url: z.string().describe('Where changes are sent'),
    description: z.string().nullable().describe('What it is for'),
    resources: z.array(z.string()).nullable().describe('Only changes of these; null: all'),
    enabled: z.boolean().describe('Whether anything is sent'),
    disabled_reason: z.string().nullable().describe('Why the service disabled it; null when it did not'),
    date_disabled: dateTime().nullable().describe('When the service disabled it'),
    cursor: z.string().describe('Up to where in `/api/changes` all is delivered'),
    failures: z.int().describe('Attempts that failed since the last that did not'),
    error: z.string().nullable().describe('What the last of them met'),
    next_attempt: dateTime()
      .nullable()
      .describe('When it is tried again; null: as soon as something changes'),
    date_delivered: dateTime().nullable().describe('When changes were delivered last'),
    old_secret_expires: dateTime().nullable().describe('Until when the secret before signs as well'),
    date_created: dateTime().describe('When it was made'),
  })
  .meta({ id: 'Webhook', description: 'A subscription without its secret' })

export const newWebhook = webhook
  .extend({
    secret: z.string().describe('What deliveries are signed with: `whsec_` and base64. Shown here alone'),
  })
  .meta({ id: 'NewWebhook', description: 'A subscription whose secret was just made' })

export const webhookAttempt = z
  .object({
    date: dateTime().describe('When it began'),
    webhook_id: z
      .string()
      .describe('The header `webhook-id`: name of the batch, the same when it is sent again'),
    type: z.enum(['changes', 'test']).describe('What was sent'),
    status: z.int().nullable().describe('Status of the answer; null when there was none'),
    error: z.string().nullable().describe('Why it counts as failed; null: delivered'),
    milliseconds: z.int().describe('How long it took'),
  })
  .meta({ id: 'WebhookAttempt', description: 'An attempt to deliver' })

/** The JSON of a subscription. `deployment` is part of every cursor. */
export function presentWebhook(row: StoredWebhook, deployment: string): z.output<typeof webhook> {
  const { id, url, description, resources, enabled, disabled_reason, date_disabled } = row
  const { position, floor, failures, error, next_attempt, date_delivered, date_created } = row
  return {
    id,
    url,
    description,
    resources,
    enabled,
    disabled_reason,
    date_disabled,
    cursor: formatCursor(deployment, { position, floor }),
    failures,
    error,
    next_attempt: presentMoment(next_attempt),
    date_delivered,
    old_secret_expires: presentMoment(row.old_secret_expires),
    date_created,
  }
}

/** The JSON of a subscription whose secret was just made: the only answer that shows it. */
export function presentNewWebhook(
  row: StoredWebhook,
  deployment: string,
  secret: string,
): z.output<typeof newWebhook> {
  return { ...presentWebhook(row, deployment), secret }
}

function presentMoment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatDateTime(new Date(milliseconds))
}

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
