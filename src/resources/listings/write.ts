/**
 * Writes listings. A new listing whose references exist takes one round trip. Any other write takes two: the first
 * reads what the rules need, and the second writes. A guard compares the version that was read, so concurrent merges
 * never lose a key.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { changeRecord, createRecord, mergeRecord } from '../../db/merge.ts'
import { selectRecordVersion } from '../../db/record-versions.ts'
import { staysFound } from '../../db/references.ts'
import { addLinks, allOf, insertRow, newestId, updateRecord } from '../../db/rows.ts'
import { type SqlFragment, type Statement, sqlStatement, textStatement } from '../../db/statements.ts'
import { listing_contacts, listing_tag_links, listing_users, listings } from '../../db/tables/listings.ts'
import { enterChangesWhere } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { RecordRef, WriteContext } from '../../http/concurrency/entity-tags.ts'
import { notFound } from '../../http/errors.ts'
import { createdReply, updatedReply } from '../../http/reply/envelope.ts'
import { beginMatching, matchedAfter } from '../matching/begin.ts'
import { movesOf } from '../matching/listing-view.ts'
import { finishBegunMatching } from '../matching/run.ts'
import {
  definitionsHold,
  expectFound,
  LANGUAGE,
  type ListingLookups,
  readLookups,
  referencesHold,
  referencesOf,
  selectLookups,
} from './references.ts'
import { type ListingChange, resolveListing } from './resolve.ts'
import { type ListingDraft, validateListing } from './rules.ts'
import { selectStoredListing } from './stored.ts'

const LINKS = {
  tags: listing_tag_links,
  contacts: listing_contacts,
  users: listing_users,
}

/** Stores a new draft listing and returns its id. Throws 400. */
export async function createListing(
  db: Database,
  draft: ListingDraft,
  context: WriteContext,
): Promise<number> {
  draft.dropNulls()
  const { values } = draft
  const { id } = await createRecord(
    db,
    { ...context, table: listings },
    async () => {
      const { results } = await batch(db, { results: selectLookups(values) })
      const lookups = readLookups(results)
      validateListing(draft, lookups, null)
      return insertStatements(resolveListing(draft.complete(), lookups, null), lookupsHold(draft, lookups))
    },
    () => insertOptimistically(draft),
  )
  return id
}

/** The guard that what rules were checked against still holds, and that no contact of `draft` is deleted. */
function lookupsHold({ values }: ListingDraft, lookups: ListingLookups): SqlFragment | null {
  return allOf(definitionsHold(lookups), staysFound(referencesOf(values), lookups.missing))
}

/** The statements of an optimistic insert, whose guard verifies the references. Null if the body alone is invalid. */
function insertOptimistically(draft: ListingDraft) {
  const trial = draft.fork()
  const expected = expectFound(trial.values)
  validateListing(trial, expected, null)
  if (!trial.isComplete) return null
  const change = resolveListing(trial.complete(), expected, null)
  return insertStatements(change, referencesHold(trial.values, expected))
}

function insertStatements({ columns, translation, ...lists }: ListingChange, guard: SqlFragment | null) {
  const now = formatDateTime(new Date())
  // A draft matches no request, so there is nothing to match.
  const row = { ...columns, matched_version: 1, date_created: now, date_updated: now }
  return {
    row: insertRow(listings, row, guard),
    rest: {
      links: addLinks(LINKS, listings, lists),
      texts: translation ? storeTexts(newestId(listings), translation) : null,
    },
    answer: createdReply,
  }
}

/** Merges the keys of `draft` into a listing. Throws 404, 412, 400, and 409 if other calls keep changing it. */
export async function updateListing(db: Database, record: RecordRef, draft: ListingDraft): Promise<void> {
  // The creator never changes, so the key is not even validated.
  delete draft.values.created_by
  const reading = {
    current: selectStoredListing(record.id, draft.values),
    lookups: selectLookups(draft.values),
  }
  const stored = await mergeRecord(db, record, reading, (current, results) => {
    const lookups = readLookups(results)
    // At each attempt, as another call may have changed the listing.
    validateListing(draft, lookups, current)
    const { translation, ...change } = resolveListing(draft.complete(), lookups, current)
    const { id } = current
    // Any other listing matched nothing before and matches nothing now.
    const moves = current.status === 'active' ? movesOf({ ...change.columns, ...change }, current) : []
    const writes = updateRecord(listings, LINKS, current, change, {
      guard: lookupsHold(draft, lookups),
      extraAssignments: moves ? [matchedAfter(id, moves)] : [],
    })
    return (
      writes && {
        ...writes,
        texts: translation
          ? [storeTexts({ text: '?', params: [id] }, translation), dropEmptyTexts(id)]
          : null,
        matching: moves?.length === 0 ? null : beginMatching(id, moves === null || current.is_matched === 1),
      }
    )
  })
  if (stored?.results.matching) await finishBegunMatching(db, stored.results.matching)
}

/** The statements that set the status of a listing; the results of `matching` are for `finishBegunMatching`. */
export function changeStatus(id: number, to: string) {
  return {
    trail: enterChangesWhere(listings, sql`id = ${id} and status <> ${to}`, {
      changed: sql`json_object('status', json_array(status, ${to}))`,
      others: sql`iif(code is null, '["code"]', '[]')`,
    }),
    row: sqlStatement(sql`update listings set
      status = ${to},
      status_date = datetime('now'),
      date_updated = datetime('now'),
      version = version + 1,
      code = coalesce(code, ${freeCode})
      where id = ${id} and status <> ${to}`),
    matching: beginMatching(id),
  }
}

/** Sets the status of a listing. Leaving draft for the first time assigns its code. Throws 404. */
export async function setStatus(db: Database, record: RecordRef, to: string): Promise<void> {
  const { id } = record
  const { results } = await changeRecord(
    db,
    record,
    {
      known: textStatement<{ id: number }>('select id from listings where id = ?', [id]),
      ...changeStatus(id, to),
      recordVersion: selectRecordVersion(record),
    },
    updatedReply(id),
  )
  const { known, recordVersion, matching } = results
  if (known.length === 0) throw notFound(record.name)
  if (recordVersion[0]) record.reportVersion(recordVersion[0])
  await finishBegunMatching(db, matching)
}

/**
 * SQL for the code, such as `RES-00042`. If an imported listing has that code already, the id is appended once more.
 */
const freeCode = sql.raw(`(
  select case when exists (select 1 from listings other where other.code = wanted.code)
    then wanted.code || '-' || listings.id else wanted.code end
  from (select upper(substr(case listings.category when 'other' then 'oth' else listings.category end, 1, 3))
    || '-' || printf('%05d', listings.id) as code) wanted)`)

/** The statement that stores the texts of the listing `id` in one language. */
function storeTexts(id: SqlFragment, translation: NonNullable<ListingChange['translation']>): Statement {
  const { language_id, title, description } = translation
  const texts = [
    ...(title === undefined ? [] : ['title = excluded.title']),
    ...(description === undefined ? [] : ['description = excluded.description']),
  ]
  return textStatement(
    `insert into listing_translations (listing_id, language_id, title, description)
    values (${id.text}, ${LANGUAGE}, ?, ?) on conflict do update set ${texts.join(', ')}`,
    [...id.params, language_id, title ?? null, description ?? null],
  )
}

function dropEmptyTexts(id: number): Statement {
  return textStatement(
    'delete from listing_translations where listing_id = ? and title is null and description is null',
    [id],
  )
}
