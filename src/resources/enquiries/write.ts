/** Writes enquiries, in two round trips: the first reads the references, and the second writes. */
import { handling } from '../../catalogue/enquiry.ts'
import { batch, type Database } from '../../db/client.ts'
import { definitionsUnchanged, selectDefinitions } from '../../db/definitions.ts'
import { recordReply } from '../../db/idempotency-store.ts'
import { createRecord } from '../../db/merge.ts'
import { idList, type MissingReference, selectMissing } from '../../db/references.ts'
import { insertRow, newestId } from '../../db/rows.ts'
import { textStatement } from '../../db/statements.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { pick } from '../../fields/derive.ts'
import { emptyForNull, formatDateTime, jsonBytes, withoutUndefined } from '../../fields/values.ts'
import type { WriteContext } from '../../http/concurrency/entity-tags.ts'
import type { Draft } from '../../http/request/check.ts'
import { markNewest } from './mail.ts'
import { LINKS, selectEnquiry } from './queries.ts'
import { columnsOf, newReference } from './resolve.ts'
import { checkEnquiry, type EnquiryDraft, ERASED, type NamedListings, referencesOf } from './rules.ts'
import type { EnquiryInput, EnquiryUpdate } from './schema.ts'

/** What is decided about a valid enquiry before it is stored. */
export interface Screening {
  listings: NamedListings
  /** Id of the key, if anybody may hold it: its enquiries are bounded, and those with the hidden field are dropped. */
  sentBy: string | null
  /** Throws if the enquiry must not be stored. */
  admit?: (input: EnquiryInput) => Promise<void>
  /** Mails a stored enquiry, behind the reply. */
  mail: () => void
}

export interface CreatedEnquiry {
  id: number
  reference: string
}

/**
 * Stores an enquiry. One that a program has filled in is answered alike and dropped. Throws 400, 429, and what `admit`
 * throws.
 * @param answer makes the body of the reply
 */
export async function createEnquiry<Reply extends object>(
  db: Database,
  draft: EnquiryDraft,
  context: WriteContext,
  { listings, sentBy, admit, mail }: Screening,
  answer: (created: CreatedEnquiry) => Reply,
): Promise<Reply> {
  draft.dropNulls()
  const references = referencesOf(draft.values, listings)
  const reference = newReference()
  const answerFor = (id: number) => answer({ id, reference })
  let admitted: Promise<void> | undefined
  const prepare = async () => {
    const { locations, subtypes } = draft.values.search ?? {}
    const isPlaced = idList(locations).length > 0 || idList(subtypes).length > 0
    const { missing, definitions } = await batch(db, {
      missing: selectMissing(references),
      definitions: isPlaced ? selectDefinitions() : null,
    })
    const [found] = definitions ?? []
    draft.refuseAll(missing)
    checkEnquiry(draft)
    const input = draft.complete()
    // Only once, even if the write is tried again.
    admitted ??= admit?.(input)
    await admitted
    const columns = columnsOf(input, reference)
    const sent = sentBy === null ? {} : { sent_by: sentBy, bytes: jsonBytes(columns) }
    return {
      // What is sought has no foreign keys that would keep it.
      row: insertRow(enquiries, { ...columns, ...sent }, found && definitionsUnchanged(found.definitions)),
      rest: { marked: db.sendsMails ? markNewest() : null },
      answer: answerFor,
    }
  }
  if (sentBy !== null && draft.values.website?.trim()) {
    return answerFor(await dropEnquiry(db, (await prepare()).row, context, answerFor))
  }
  const { reply, results } = await createRecord(db, { ...context, table: enquiries }, prepare)
  if (results.marked?.length) mail()
  return reply
}

/** Stores and deletes an enquiry in one transaction, so that the answer is that of one which stays. */
async function dropEnquiry(
  db: Database,
  row: ReturnType<typeof insertRow>,
  { idempotentCall }: WriteContext,
  answer: (id: number) => object,
): Promise<number> {
  const newest = newestId(enquiries)
  const { stored } = await batch(db, {
    stored: row,
    recording: recordReply(idempotentCall, 'enquiries', newest, answer),
    dropped: textStatement(`delete from enquiries where id = ${newest.text}`),
    // The deletion is the newest change, whose cursor no client has seen.
    feed: textStatement(
      `delete from changes where resource = 'enquiries' and cursor = (select max(cursor) from changes)`,
    ),
  })
  return stored[0]?.id ?? 0
}

export const enquiryWrites = {
  resource: 'enquiries' as const,
  table: enquiries,
  links: LINKS,
  current: selectEnquiry,
  lookups: ({ users }: Partial<EnquiryUpdate>) => ({
    missing: selectMissing([{ field: 'users', table: 'users', ids: idList(users) }]),
  }),
  decide(
    draft: Draft<EnquiryUpdate>,
    { missing }: { missing: MissingReference[] },
    current: { is_erased: boolean; status: string } | null,
  ) {
    draft.refuseAll(missing)
    // A restore takes the line of an erased enquiry as blank.
    if (current?.is_erased && draft.values.notes) draft.refuse('notes', ERASED)
    const { users, ...sent } = draft.complete()
    const columns = pick(handling, sent)
    const moved = columns.status !== undefined && columns.status !== current?.status
    const dated = moved ? { ...columns, status_date: formatDateTime(new Date()) } : columns
    return { change: { columns: dated, ...withoutUndefined({ users: emptyForNull(users) }) } }
  },
}
