/**
 * Listings as they are read most: their standard form as compact text, stored once it was made, so that reading a listing
 * again reads one row and presents nothing. A document is good for one `version` of its listing, one hash of the code
 * that presents it, and one count of `location_renames`, as it shows the names of places. Where there is none, the same
 * statement gives the row, and the document that is made of it is stored after the response.
 */
import { sql } from 'drizzle-orm'
import { type Database, runStatement } from '../../../db/client.ts'
import type { Page } from '../../../db/page.ts'
import { recordVersionColumns } from '../../../db/record-versions.ts'
import { select, sqlStatement, textStatement } from '../../../db/statements.ts'
import { listings } from '../../../db/tables/listings.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import representations from '../../../http/concurrency/representations.json' with { type: 'json' }
import type { RecordVersion } from '../../../http/context.ts'
import { notFound } from '../../../http/errors.ts'
import { type Filters, pageQuery } from '../queries.ts'
import { compactListing } from './compact.ts'
import { decodeRow, ROW_FIELDS, type RowFields, rowFields } from './row-fields.ts'
import { type NewDocument, storeSoon } from './store.ts'

const RENAMES = '(select count from location_renames where id = 1)'

/** A listing's id, and its document or else its row. */
interface StoredDocument extends RowFields {
  id: number
  document: string | null
}

const SELECT_DOCUMENT = select(
  { id: listings.id, document: sql`documents.document`, ...rowFields(sql`documents.document is null`) },
  sql``,
).sql
const FROM_LISTINGS = `from listings
  left join listing_documents documents on documents.listing_id = listings.id
    and documents.version = listings.version and documents.form = '${representations}'
    and documents.renames = ${RENAMES}`

const SELECT_ONE = `${SELECT_DOCUMENT}, ${recordVersionColumns('listings', 'listings.id')} ${FROM_LISTINGS} where listings.id = ?`

/** Takes over work that the answer does not wait for. */
type WaitUntil = (work: Promise<void>) => void

/** A listing's document. Throws 404. */
export async function readDocument(db: Database, record: RecordRef, waitUntil: WaitUntil): Promise<string> {
  const rows = await runStatement(db, textStatement<StoredDocument & RecordVersion>(SELECT_ONE, [record.id]))
  const [stored] = rows
  if (!stored) throw notFound(record.name)
  record.reportVersion(stored)
  const [document = ''] = completeDocuments(db, rows, stored.names, waitUntil)
  return document
}

/** The documents of one page, newest listing first, and how many listings match in all. */
export async function readDocuments(
  db: Database,
  filters: Filters,
  waitUntil: WaitUntil,
): Promise<Page<string>> {
  const { ids, total } = pageQuery(filters)
  // The total is a row of its own, behind the others: no row of an empty page could tell it.
  const page = sql`${sql.raw(`${SELECT_DOCUMENT}, null as total, null as renames ${FROM_LISTINGS}`)}
    where listings.id in (${ids})
    union all select null, null, ${NO_ROW}, (${total}), ${sql.raw(RENAMES)} order by 1 desc`
  const rows = await runStatement(db, sqlStatement<StoredDocument & Totals>(page))
  const totals = rows.pop()
  return {
    rows: completeDocuments(db, rows, totals?.renames ?? 0, waitUntil),
    total: totals?.total ?? 0,
  }
}

const NO_ROW = sql.raw(ROW_FIELDS.map(() => 'null').join(', '))

/** The last row of a page. */
interface Totals {
  total: number
  renames: number
}

/**
 * The documents of `stored`, in its order; missing ones are made, and stored later.
 * @param renames the count of `location_renames` when they were read
 */
function completeDocuments(
  db: Database,
  stored: StoredDocument[],
  renames: number,
  waitUntil: WaitUntil,
): string[] {
  const made: NewDocument[] = []
  const documents = stored.map((read) => {
    if (read.document !== null) return read.document
    const row = decodeRow(read)
    const document = compactListing(row)
    made.push({ id: row.id, version: row.version, renames, document })
    return document
  })
  if (made.length > 0) waitUntil(storeSoon(db, made))
  return documents
}
