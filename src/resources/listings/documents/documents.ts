/**
 * Listings as they are read most: their standard form as compact text, stored once it was made, so that reading a listing
 * again reads one row and presents nothing. A document is good for one `version` of its listing, one `form` of the code, and
 * one count of `location_renames`, as it shows the names of places. What is not good is made anew, and stored behind
 * the answer; nobody has to remember to drop anything.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, runStatement } from '../../../db/client.ts'
import { isOneOf } from '../../../db/conditions.ts'
import type { Page } from '../../../db/page.ts'
import { recordVersionColumns, selectRecordVersion } from '../../../db/record-versions.ts'
import { sqlStatement, textStatement } from '../../../db/statements.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import representations from '../../../http/concurrency/representations.json' with { type: 'json' }
import type { RecordVersion } from '../../../http/context.ts'
import { notFound } from '../../../http/errors.ts'
import { describeFailure, log } from '../../../http/log.ts'
import { type Filters, type ListingRow, pageQuery, selectListings } from '../queries.ts'
import { compactListing } from './compact.ts'

/** Most characters that one answer stores: a parameter of D1 has 2 MB. What finds no room is made anew each time. */
const MAX_STORED = 500_000

const SELECT_RENAMES = 'select count from location_renames where id = 1'

/** Ids of listings and their documents, null where there is no good one. */
const SELECT_DOCUMENT = 'select listings.id, documents.document'
const FROM_LISTINGS = `from listings
  left join listing_documents documents on documents.listing_id = listings.id
    and documents.version = listings.version and documents.form = '${representations}'
    and documents.renames = (${SELECT_RENAMES})`

const SELECT_ONE = `${SELECT_DOCUMENT}, ${recordVersionColumns('listings', 'listings.id')} ${FROM_LISTINGS} where listings.id = ?`

interface StoredDocument {
  id: number
  document: string | null
}

/** A document that is not stored yet. */
interface NewDocument {
  id: number
  version: number
  document: string
}

/** Takes over work that the answer does not wait for. */
type WaitUntil = (work: Promise<void>) => void

/** A listing's document. Throws 404. */
export async function readDocument(db: Database, record: RecordRef, waitUntil: WaitUntil): Promise<string> {
  const [stored] = await runStatement(
    db,
    textStatement<StoredDocument & RecordVersion>(SELECT_ONE, [record.id]),
  )
  if (!stored) throw notFound(record.name)
  if (stored.document !== null) {
    record.reportVersion(stored)
    return stored.document
  }
  const {
    stamp: [recordVersion],
    rows,
  } = await batch(db, { stamp: selectRecordVersion(record), rows: selectUncached([record.id]) })
  const [made] = makeDocuments(db, rows, recordVersion?.names ?? 0, waitUntil)
  // It can have gone in between.
  if (!made || !recordVersion) throw notFound(record.name)
  record.reportVersion(recordVersion)
  return made.document
}

/** The documents of one page, newest listing first, and how many listings match in all. */
export async function readDocuments(
  db: Database,
  filters: Filters,
  waitUntil: WaitUntil,
): Promise<Page<string>> {
  const { ids, total } = pageQuery(filters)
  // The total is a row of its own, behind the others: no row of an empty page could tell it.
  const page = sql`${sql.raw(`${SELECT_DOCUMENT}, null as total ${FROM_LISTINGS}`)} where listings.id in (${ids})
    union all select null, null, (${total}) order by 1 desc`
  const { rows } = await batch(db, { rows: sqlStatement<StoredDocument & { total: number }>(page) })
  const counted = rows.pop()
  return { rows: await completeDocuments(db, rows, waitUntil), total: counted?.total ?? 0 }
}

/** The documents of `stored`, in its order; those that it lacks take a second round trip. */
async function completeDocuments(
  db: Database,
  stored: StoredDocument[],
  waitUntil: WaitUntil,
): Promise<string[]> {
  const missing = stored.filter(({ document }) => document === null).map(({ id }) => id)
  if (missing.length === 0) return stored.map(({ document }) => document ?? '')
  const { rows, renames } = await batch(db, {
    rows: selectUncached(missing),
    renames: textStatement<{ count: number }>(SELECT_RENAMES),
  })
  const made = makeDocuments(db, rows, renames[0]?.count ?? 0, waitUntil)
  const documents = new Map(made.map(({ id, document }) => [id, document]))
  return stored.flatMap(({ id, document }) => document ?? documents.get(id) ?? [])
}

function selectUncached(ids: number[]) {
  return selectListings(sql`where ${isOneOf(sql`listings.id`, ids)}`)
}

/**
 * Makes documents, and has them stored later.
 * @param renames the count of `location_renames` when `rows` were read
 */
function makeDocuments(
  db: Database,
  rows: ListingRow[],
  renames: number,
  waitUntil: WaitUntil,
): NewDocument[] {
  const made = rows.map(
    (row): NewDocument => ({ id: row.id, version: row.version, document: compactListing(row) }),
  )
  waitUntil(storeDocuments(db, made, renames))
  return made
}

/** Stores documents whose listings are still what they were made of. Never fails: what is not stored is made again. */
async function storeDocuments(db: Database, made: NewDocument[], renames: number): Promise<void> {
  let space = MAX_STORED
  const fitting = made.filter(({ document }) => {
    const fits = document.length <= space
    if (fits) space -= document.length
    return fits
  })
  if (fitting.length === 0) return
  const rows = JSON.stringify(fitting.map(({ id, version, document }) => [id, version, document]))
  try {
    // Nothing is written where somebody was faster.
    const storing =
      sqlStatement(sql`insert into listing_documents (listing_id, version, form, renames, document)
      select listings.id, listings.version, ${representations}, count, made.value ->> 2
      from json_each(${rows}) made
      join listings on listings.id = made.value ->> 0 and listings.version = made.value ->> 1
      join location_renames on location_renames.id = 1 and count = cast(${renames} as integer)
      where true
      on conflict do update set
        version = excluded.version, form = excluded.form, renames = excluded.renames, document = excluded.document
        where (version, form, renames) <> (excluded.version, excluded.form, excluded.renames)`)
    await runStatement(db, storing)
  } catch (error) {
    log('error', { work: 'storing documents of listings', ...describeFailure(error) })
  }
}
