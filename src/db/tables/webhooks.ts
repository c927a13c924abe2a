/** Webhooks and their deliveries. They are settings of a deployment and not part of an export. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idOf } from './links.ts'

/** Subscriptions: a URL and a position in the change feed. Times are milliseconds, as in `Date.now()`. */
export const webhooks = sqliteTable('webhooks', {
  // Never reused: a run that still delivers for a deleted webhook must not affect a new one.
  id: integer().primaryKey({ autoIncrement: true }),
  url: text().notNull(),
  description: text(),
  /** Null means all resources, including those that later versions add. */
  resources: text({ mode: 'json' }).$type<string[]>(),
  /** The signing secret, encrypted (`admin/webhooks/secrets.ts`). */
  secret: text().notNull(),
  /** The previous secret, encrypted. It also signs until `old_secret_expires`. */
  old_secret: text(),
  old_secret_expires: integer(),
  date_created: text().notNull(),

  /** The cursor up to which everything is delivered, and the floor that belongs to it. */
  position: integer().notNull(),
  floor: integer().notNull(),
  /** Name of the batch in delivery, and its last cursor; both null between batches. */
  batch_id: text(),
  batch_until: integer(),
  /** Random token of the run that delivers. Only that run may record the result. */
  lease: text(),
  /** End of the lease. After a delivery it is in the past and shows when the webhook was last worked on. */
  leased_until: integer().notNull(),

  /** Failed attempts since the last success, the error of the last one, and when the next is due. */
  failures: integer().notNull(),
  error: text(),
  next_attempt: integer(),
  date_delivered: text(),
  enabled: integer({ mode: 'boolean' }).notNull(),
  /** Why and when the service disabled the webhook. */
  disabled_reason: text(),
  date_disabled: text(),
})

/** The latest delivery attempts of each subscription. */
export const webhook_attempts = sqliteTable(
  'webhook_attempts',
  {
    webhook_id: idOf(webhooks),
    /** Number of the attempt, counted per subscription. */
    number: integer().notNull(),
    date: text().notNull(),
    /** The value of the header `webhook-id`. */
    batch_id: text().notNull(),
    type: text().$type<'changes' | 'test'>().notNull(),
    /** HTTP status of the reply; null without a reply. */
    status: integer(),
    error: text(),
    milliseconds: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhook_id, table.number] })],
)
