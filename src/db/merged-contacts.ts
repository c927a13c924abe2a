/**
 * Contacts that were merged into others. They count as deleted, and are the same person. Who others were merged into may be
 * merged, too, so all of these follow the column `merged_into` to its ends. They are selects of ids, for `in (…)`.
 */
import { type SQL, sql } from 'drizzle-orm'

const DOWN = sql.raw('select contacts.id from found cross join contacts on contacts.merged_into = found.id')
const UP = sql.raw(`select contacts.merged_into from found cross join contacts on contacts.id = found.id
  where contacts.merged_into is not null`)

/** What is reached from `ids`, a select of ids, with them. A loop ends, too. */
const reached = (ids: SQL, ...steps: SQL[]) =>
  sql`select id from (with recursive found(id) as (${sql.join([sql`select * from (${ids})`, ...steps], sql` union `)}) select id from found)`

/** `ids`, and the contacts that were merged into them. */
export const withMerged = (ids: SQL): SQL => reached(ids, DOWN)

/** `ids`, and the contacts that they were merged into. */
export const withTargets = (ids: SQL): SQL => reached(ids, UP)

/** `ids`, and all contacts of the same persons. */
export const samePersons = (ids: SQL): SQL => reached(ids, DOWN, UP)

/** Contacts of persons on hold. */
export const ON_HOLD = samePersons(sql.raw('select contact_id from contact_holds'))

/** SQL for why the person of a contact is on hold. */
export const reasonOfHold = (contact: SQL): SQL =>
  sql`(select reason from contact_holds where contact_id in (${samePersons(sql`select ${contact}`)}))`
