/** Subscriptions and attempts as they are shown: never with a secret, but where it was just made. */
import { z } from 'zod'
import { dateTime, formatDateTime } from '../../fields/values.ts'
import { formatCursor } from '../../resources/changes/cursor.ts'
import type { StoredWebhook } from './store.ts'

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

/** A subscription as it is shown. `deployment` is in every cursor. */
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

function presentMoment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatDateTime(new Date(milliseconds))
}
