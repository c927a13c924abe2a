/**
 * Merges contacts, and undoes it. All is one transaction, which the versions of the contacts guard: what names the others is
 * noted, and what is noted is moved, so that nothing written meanwhile is forgotten. A merged contact keeps its values, and counts
 * as deleted.
 */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { selectNewest } from '../../../db/changes.ts'
import type { Database, Results } from '../../../db/client.ts'
import { valuesOf } from '../../../db/conditions.ts'
import { recordReplyText } from '../../../db/idempotency-store.ts'
import { mergeRecord } from '../../../db/merge.ts'
import { ON_HOLD, samePersons } from '../../../db/merged-contacts.ts'
import { idList, isNotDeleted, NOT_DELETED, selectMissing } from '../../../db/references.ts'
import { allOf, updateRecord, updateRow } from '../../../db/rows.ts'
import { type SqlFragment, sqlStatement } from '../../../db/statements.ts'
import { contacts as table } from '../../../db/tables/contacts.ts'
import { changesOf, enterChanges } from '../../../db/trail.ts'
import { formatDateTime, id, ids, named } from '../../../fields/values.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import { ApiError } from '../../../http/errors.ts'
import { updatedBody, updatedReply } from '../../../http/reply/envelope.ts'
import type { Draft } from '../../../http/request/check.ts'
import { type ContactRow, LINKS, selectContact, selectContacts } from '../queries.ts'
import { NO_DEFAULTS } from '../references.ts'
import { resolveContact } from '../resolve.ts'
import { contactUpdate } from '../schema.ts'
import {
  type Counted,
  countReferences,
  forgetChanged,
  forgetMerges,
  isAsCounted,
  mergeOwn,
  moveReferences,
  type NotedReference,
  noteReferences,
  selectNoted,
} from './moves.ts'
import { idsIn } from './places.ts'
import { mergedValues } from './values.ts'

const MAX_CONTACTS = 10
const MAX_REFERENCES = 5000
/** For how many days a merge can be undone. */
const UNDO_DAYS = 30
/** Merges that cannot be undone any more, of which one merge forgets what they have moved. */
const MAX_FORGOTTEN = 10

/** `fields` names no consents: the latest of all contacts count. */
const { created_by: _, consents: __, ...decided } = contactUpdate.shape

export const contactMerge = named('ContactMerge', 'The body that merges contacts into one', {
  contacts: ids({ min: 1, max: MAX_CONTACTS }).describe('Who is merged into it: ids of contacts'),
  fields: named(
    'MergedFields',
    'Whose value wins, by field',
    Object.fromEntries(
      Object.keys(decided).map((name) => [
        name,
        id().nullish().describe(`Whose \`${name}\` wins: the id of a contact`),
      ]),
    ),
  ).nullish(),
})

export const mergedBody = named('ContactMerged', 'The contact, and what names it now', {
  ...updatedBody.shape,
  moved: z.record(z.string(), z.int()).describe('How many records name the contact instead, by resource'),
})

export const contactUnmerge = named('ContactUnmerge', 'The body that undoes the merge of a contact', {
  contact_id: id().describe('The contact that was merged into it'),
})

export const restoredBody = named('ContactRestored', 'The contact that is as before the merge', {
  status: updatedBody.shape.status,
  restored_id: z.int().describe('Id of the contact'),
  stayed: z
    .array(
      named('StayedRecord', 'A record', {
        resource: z.string().describe('Its path after `/api/`'),
        id: z.int().describe('Its id'),
      }),
    )
    .describe('Records that have changed since in what named the contact: they stay as they are'),
})

/** Refuses resources whose records the caller may not write. */
type RequireWrite = (resources: readonly string[]) => void

const selectHolds = (contacts: readonly number[]) =>
  sqlStatement<{ reason: string }>(sql`select reason from contact_holds
    where contact_id in (${samePersons(valuesOf(contacts))}) order by contact_id limit 1`)
const IS_NOT_HELD = { text: `id not in (${sqlStatement(ON_HOLD).sql})`, params: [] }

/** Throws 409 for a contact on hold: neither what names it nor what it says may come to another. */
function requireNotHeld([hold]: { reason: string }[]): void {
  if (hold) throw new ApiError(409, `On hold: ${hold.reason}`)
}

/** The statements that record the reply to a call. */
const recordAnswer = (record: RecordRef, answer: object) =>
  recordReplyText(record.idempotentCall, record.resource, { text: '?', params: [record.id] }, () => ({
    text: '?',
    params: [JSON.stringify(answer)],
  }))

/** The statements that change columns of a contact, and enter the call, also where none of its values change. */
function writeContact(contact: ContactRow, changed: Partial<ContactRow>, guard: SqlFragment | null) {
  const values = { ...changed, date_updated: formatDateTime(new Date()) }
  const changes = changesOf('contacts', contact, values)
  return {
    row: updateRow(table, contact, values, [], guard),
    trail: enterChanges('contacts', [{ id: contact.id, version: contact.version + 1, changes }]),
  }
}

/** The statements that make a contact one that is merged, or one that is there again. */
const setMerged = (contact: ContactRow, into: number | null) =>
  writeContact(contact, { is_deleted: into !== null, merged_into: into }, IS_NOT_HELD)

const undoableSince = () => formatDateTime(new Date(Date.now() - UNDO_DAYS * 24 * 3600 * 1000))

/**
 * Merges contacts into the one of `record`. Throws 404, 412, 400, 403, and 409 if one is on hold, too much would move or other
 * calls keep changing them.
 */
export async function mergeContacts(
  db: Database,
  record: RecordRef,
  draft: Draft<z.output<typeof contactMerge>>,
  { requireWrite, isTrial }: { requireWrite: RequireWrite; isTrial: boolean },
) {
  const { id } = record
  const named = idList(draft.values.contacts)
  const [contacts, into] = [idsIn(...named), idsIn(id)]
  const references = [{ field: 'contacts', table: 'contacts', ids: named, where: NOT_DELETED }]
  const reading = {
    current: selectContact({ id }),
    lookups: {
      missing: selectMissing(references),
      others: selectContacts(sql`where id in (${contacts}) and ${isNotDeleted}`),
      holds: selectHolds([id, ...named]),
      counted: countReferences(contacts),
      newest: selectNewest(),
    },
  }
  let answer = mergedReply(id, [])
  const decide = (current: ContactRow, found: Results<typeof reading.lookups>) => {
    draft.refuseAll(found.missing)
    if (named.includes(id)) draft.refuse('contacts', `Invalid contacts: ${id} is the contact itself`)
    const winners = draft.values.fields ?? {}
    for (const [name, winner] of Object.entries(winners))
      if (winner != null && winner !== id && !named.includes(winner))
        draft.refuse(`fields.${name}`, `Invalid fields.${name}: must be one of ${[id, ...named].join(', ')}`)
    draft.complete()
    const others = named.flatMap((other) => found.others.filter((row) => row.id === other))
    const values = mergedValues(current, others, winners).complete()
    const counted = found.counted.flat()
    requireWrite(counted.map(({ resource }) => resource))
    requireNotHeld(found.holds)
    const total = counted.reduce((sum, one) => sum + one.references, 0)
    if (total > MAX_REFERENCES) throw new ApiError(409, `Too many references: ${total}`)
    answer = mergedReply(id, counted)
    const recording = recordAnswer(record, answer)
    const now = formatDateTime(new Date())
    const { columns, ...lists } = resolveContact(values, NO_DEFAULTS, current)
    const date_converted_to_client =
      [current, ...others].find((row) => row.date_converted_to_client)?.date_converted_to_client ?? null
    const change = { columns: { ...columns, date_converted_to_client }, ...lists }
    const guard = allOf(isAsCounted(contacts, into, counted), IS_NOT_HELD)
    const moves = { contacts, into }
    const writes = {
      // A living contact may have been merged before: an import has given it back.
      old: forgetMerges(
        sql`contact_id in (${contacts}) or contact_id in (
          select contact_id from contact_merges where date < ${undoableSince()} order by date limit ${MAX_FORGOTTEN})`,
      ),
      merges: sqlStatement(sql`insert or replace into contact_merges (contact_id, into_id, date)
        select value, ${into}, ${now} from json_each(${JSON.stringify(named)})`),
      noted: noteReferences(moves, counted, found.newest[0]?.cursor ?? 0),
      record: updateRecord(table, LINKS, current, change, { guard }) ?? writeContact(current, {}, guard),
      others: others.map((other) => setMerged(other, id)),
      moved: moveReferences('merge', moves, new Set(counted.map(({ resource }) => resource))),
      // What came with the values of the others.
      own: columns.custom_fields ? mergeOwn(moves) : null,
    }
    return { writes: isTrial ? null : writes, recording }
  }
  await mergeRecord(db, record, reading, decide, { isQueued: false })
  return answer
}

const mergedReply = (id: number, counted: readonly Counted[]) => ({
  ...updatedReply(id),
  moved: Object.fromEntries(counted.map(({ resource, records }) => [resource, records])),
})

/**
 * Gives a contact back that was merged into the one of `record`, with what names it no longer. Throws as `mergeContacts` does.
 */
export async function unmergeContact(
  db: Database,
  record: RecordRef,
  draft: Draft<z.output<typeof contactUnmerge>>,
  requireWrite: RequireWrite,
) {
  const { id } = record
  const { contact_id = 0 } = draft.values
  const [contact, into] = [idsIn(contact_id), idsIn(id)]
  const reading = {
    // Also of one that was deleted since. Of one that is merged itself, that merge is undone first.
    current: selectContacts(sql`where id = ${id} and (${isNotDeleted} or (
      merged_into is null and is_erased = 0 and exists (
        select 1 from contact_merges where contact_id = ${contact_id} and into_id = ${id})))`),
    lookups: {
      merged: selectContacts(sql`where id = ${contact_id} and merged_into = ${id} and is_erased = 0`),
      merges: sqlStatement<{ date: string }>(
        sql`select date from contact_merges where contact_id = ${contact_id} and into_id = ${id}`,
      ),
      holds: selectHolds([id, contact_id]),
      noted: selectNoted(contact, into),
    },
  }
  let answer = { status: 200, restored_id: contact_id, stayed: [] as { resource: string; id: number }[] }
  const decide = (current: ContactRow, found: Results<typeof reading.lookups>) => {
    const [merged] = found.merged
    if (contact_id && !merged)
      draft.refuse('contact_id', `Invalid contact_id: ${contact_id} is not merged into ${id}`)
    else if (contact_id && !((found.merges[0]?.date ?? '') >= undoableSince()))
      draft.refuse(
        'contact_id',
        `Invalid contact_id: ${contact_id} was merged more than ${UNDO_DAYS} days ago, or by an import`,
      )
    draft.complete()
    if (!merged) return null
    const [changed, moving] = [1, 0].map((is) =>
      found.noted.flat().filter(({ is_changed }) => is_changed === is),
    ) as [NotedReference[], NotedReference[]]
    const resources = new Set(moving.map(({ resource }) => resource))
    requireWrite([...resources])
    requireNotHeld(found.holds)
    const stayed = Map.groupBy(changed, ({ resource, id }) => `${resource} ${id}`)
    answer = {
      ...answer,
      stayed: [...stayed.values()].flatMap(([one]) => (one ? { resource: one.resource, id: one.id } : [])),
    }
    const guard = allOf(IS_NOT_HELD, {
      text: `(select count(*) from contact_merge_references where into_id = ? and contact_id = ?) = ?`,
      params: [id, contact_id, moving.length],
    })
    return {
      forgotten: forgetChanged(contact, into),
      record: writeContact(current, {}, guard),
      merged: setMerged(merged, null),
      moved: moveReferences('restore', { contacts: contact, into }, resources),
      undone: forgetMerges(sql`contact_id = ${contact}`),
      recording: recordAnswer(record, answer),
    }
  }
  await mergeRecord(db, record, reading, decide, { isQueued: false })
  return answer
}
