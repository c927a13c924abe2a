/** Who is told of changes, and how that went. Settings of a deployment: no part of an export. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Subscriptions: each is a place in the feed of changes and an address. Times are milliseconds, as of `Date.now()`. */
export const webhooks = sqliteTable('webhooks', {
  // Never given twice: whoever still delivers for one that is gone must not meet another.
  id: integer().primaryKey({ autoIncrement: true }),
  url: text().notNull(),
  description: text(),
  /** Null: all, also those that later versions add. */
  resources: text({ mode: 'json' }).$type<string[]>(),
  /** Sealed, as `admin/webhooks/secrets.ts` does. */
  secret: text().notNull(),
  /** The one before, sealed, which signs as well until `old_secret_expires`. */
  old_secret: text(),
  old_secret_expires: integer(),
  date_created: text().notNull(),

  /** The cursor up to which all is delivered, and the floor it came with. */
  position: integer().notNull(),
  floor: integer().notNull(),
  /** Name of the batch that is being delivered, and the cursor that it ends at; both null between two. */
  batch_id: text(),
  batch_until: integer(),
  /** Random name of whoever delivers just now: nobody else may say how it went. */
  lease: text(),
  /** Until when nobody else begins; in the past, when it was worked on last. */
  leased_until: integer().notNull(),

  /** Attempts that failed since the last that did not, what the last of them met, and when the next is due. */
  failures: integer().notNull(),
  error: text(),
  next_attempt: integer(),
  date_delivered: text(),
  enabled: integer({ mode: 'boolean' }).notNull(),
  /** Why the service itself disabled it, and when. */
  disabled_reason: text(),
  date_disabled: text(),
})

/** The last attempts of each subscription. */
export const webhook_attempts = sqliteTable(
  'webhook_attempts',
  {
    webhook_id: integer()
      .notNull()
      .references(() => webhooks.id),
    /** Counts the attempts of one subscription. */
    number: integer().notNull(),
    date: text().notNull(),
    /** What the header `webhook-id` said. */
    batch_id: text().notNull(),
    type: text().$type<'changes' | 'test'>().notNull(),
    /** Null where there was no answer. */
    status: integer(),
    error: text(),
    milliseconds: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhook_id, table.number] })],
)
