/**
 * Listings as they are read most: their standard form as compact text, stored once it was made, so that reading a listing
 * again reads one row and presents nothing. A document is good for one `version` of its listing, one hash of the code
 * that presents it, and one count of `location_renames`, as it shows the names of places. Where there is none, the same
 * statement gives the row, and the document that is made of it is stored after the response, once a listing is read again.
 */
import { type SQL, sql } from 'drizzle-orm'
import { type Database, runStatement } from '../../../db/client.ts'
import { valuesOf } from '../../../db/conditions.ts'
import { isTooLarge } from '../../../db/errors.ts'
import { readRecord } from '../../../db/merge.ts'
import type { Page, PageQuery } from '../../../db/page.ts'
import { recordVersionColumns } from '../../../db/record-versions.ts'
import { sqlStatement, textStatement } from '../../../db/statements.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import representations from '../../../http/concurrency/representations.json' with { type: 'json' }
import { sleep } from '../../../http/concurrency/waiting.ts'
import type { RecordVersion } from '../../../http/context.ts'
import { notFound } from '../../../http/errors.ts'
import { describeFailure, log } from '../../../http/log.ts'
import { isKindQuery, pageOfKinds } from '../kinds.ts'
import { ALL_STORED, findListings, inOrder } from '../list.ts'
import { FIELDS, type ListingRow, selectListing } from '../queries.ts'
import type { Filters } from '../schema.ts'
import { findPage } from '../search/search.ts'
import { compactListing, LACKS_TEXTS, withoutLongTexts } from './compact.ts'
import { InexactRow, isRowJson, parseRow, ROW_JSON } from './row-json.ts'

const RENAMES = '(select count from location_renames where id = 1)'

/** A listing's id, and its document or else its row. */
interface StoredDocument {
  id: number
  document: string
}

/** SQL for a stored document, with the texts that it may lack. */
const WHOLE_DOCUMENT = `case unicode(documents.document) when ${LACKS_TEXTS.charCodeAt(0)}
  then documents.document || ${sqlStatement(FIELDS.translations.source).sql} else documents.document end`

const SELECT_DOCUMENT = `select listings.id, ifnull(${WHOLE_DOCUMENT}, ${ROW_JSON}) as document`
const FROM_LISTINGS = `from listings
  left join listing_documents documents on documents.listing_id = listings.id
    and documents.version = listings.version and documents.form = '${representations}'
    and documents.renames = ${RENAMES}`

const SELECT_ONE = `${SELECT_DOCUMENT}, ${recordVersionColumns('listings', 'listings.id')} ${FROM_LISTINGS} where listings.id = ?`

/** Takes over work that the answer does not wait for. */
type WaitUntil = (work: Promise<void>) => void

/** A listing's document. Throws 404. */
export function readDocument(db: Database, record: RecordRef, waitUntil: WaitUntil): Promise<string> {
  return asJsonOrColumns(
    async () => {
      const statement = textStatement<StoredDocument & RecordVersion>(SELECT_ONE, [record.id])
      const rows = await runStatement(db, statement)
      const [stored] = rows
      if (!stored) throw notFound(record.name)
      record.reportVersion(stored)
      const [document = ''] = completeDocuments(db, rows, stored.names, waitUntil)
      return document
    },
    async () => compactListing(await readRecord(db, record, selectListing({ id: record.id }))),
  )
}

/** The documents of one page, and how many listings match in all. */
export function readDocuments(db: Database, filters: Filters, waitUntil: WaitUntil): Promise<Page<string>> {
  return asJsonOrColumns(
    async () => {
      const { stored, renames, total } = await findDocuments(db, filters)
      return { rows: completeDocuments(db, stored, renames, waitUntil), total }
    },
    async () => {
      const { rows, total } = await findListings(db, filters)
      return { rows: rows.map(compactListing), total }
    },
  )
}

/** What is stored of the listings of a page, in its order. */
async function findDocuments(db: Database, filters: Filters) {
  if (isKindQuery(filters)) {
    const query = documentsAndTotal(pageOfKinds(filters))
    const stored = await runStatement(db, sqlStatement<StoredDocument & { total: number }>(query))
    const last = stored.pop()
    return { stored, renames: Number(last?.document), total: last?.total ?? 0 }
  }
  const { ids, total, results } = await findPage(db, ALL_STORED, filters, (chosen) => ({
    stored: sqlStatement<StoredDocument>(
      sql`${sql.raw(`${SELECT_DOCUMENT} ${FROM_LISTINGS}`)} where listings.id in (${valuesOf(chosen)})`,
    ),
    state: textStatement<{ renames: number }>(`select ${RENAMES} as renames`),
  }))
  const { stored, state } = results
  return { stored: inOrder(ids, stored), renames: state[0]?.renames ?? 0, total }
}

/** The documents of a page in their order. The last row has the total, and the count of renames: a page may be empty. */
function documentsAndTotal({ ids, total, order: { by, direction } }: PageQuery): SQL {
  const onPage = sql`where listings.id in (${ids})`
  const way = sql.raw(`${direction} nulls last`)
  if (!by) {
    return sql`${sql.raw(`${SELECT_DOCUMENT}, null as total ${FROM_LISTINGS}`)} ${onPage}
      union all select null, ${sql.raw(RENAMES)}, (${total}) order by 1 ${way}`
  }
  return sql`${sql.raw(`${SELECT_DOCUMENT}, null as total`)}, ${by} ${sql.raw(FROM_LISTINGS)} ${onPage}
    union all select null, ${sql.raw(RENAMES)}, (${total}), null order by total, 4 ${way}, 1 desc`
}

/** What `read` gives; where a row has no JSON, as it exceeds the 2 MB of a value or is inexact, what `readColumns` gives. */
async function asJsonOrColumns<T>(read: () => Promise<T>, readColumns: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isTooLarge(error) || error instanceof InexactRow) return readColumns()
    throw error
  }
}

/**
 * The documents of `stored`, in its order; missing ones are made, and stored later.
 * @param renames the count of `location_renames` when they were read
 */
function completeDocuments(db: Database, stored: StoredDocument[], renames: number, waitUntil: WaitUntil) {
  const made: NewDocument[] = []
  const documents = stored.map(({ document }) => {
    if (!isRowJson(document)) return document
    const row = parseRow(document)
    const compact = compactListing(row)
    const { id, version } = row
    if (isReadAgain(row)) made.push({ id, version, renames, document: withoutLongTexts(compact) })
    return compact
  })
  if (made.length > 0) waitUntil(storeSoon(db, made))
  return documents
}

/** Which state of a listing was read once, by its id. */
const readOnce = new Map<number, string>()
const MAX_READ_ONCE = 1000

/**
 * Whether this isolate has read a state of a listing before, lately. Only then its document is stored: a write costs as much
 * as many reads, and who reads all listings reads each once.
 */
function isReadAgain({
  id,
  version,
  date_updated,
}: Pick<ListingRow, 'id' | 'version' | 'date_updated'>): boolean {
  const state = `${version} ${date_updated}`
  if (readOnce.get(id) === state) return readOnce.delete(id)
  if (readOnce.size >= MAX_READ_ONCE) readOnce.clear()
  readOnce.set(id, state)
  return false
}

// Documents are stored after the responses that they were made for. Those of calls that come within a few milliseconds are
// stored by one statement.

/** Maximum characters that wait: D1 limits a parameter to 2 MB. Documents beyond it are not stored this time. */
const MAX_WAITING_CHARACTERS = 500_000

/** How long documents are gathered before they are stored, in milliseconds. */
const GATHER_MS = 10
/** A call that gathers may be cancelled; after this many milliseconds another one takes over. */
const LEASE_MS = 1000

interface NewDocument {
  id: number
  /** Of the listing. */
  version: number
  /** The count of `location_renames`. */
  renames: number
  document: string
}

let waiting: NewDocument[] = []
let characters = 0
/** Until then a call is gathering documents, as `Date.now()`. */
let gatheringUntil = 0

/** Stores documents soon. Never fails: what is not stored is made again. */
async function storeSoon(db: Database, documents: NewDocument[]): Promise<void> {
  for (const made of documents) {
    if (characters + made.document.length > MAX_WAITING_CHARACTERS) continue
    waiting.push(made)
    characters += made.document.length
  }
  if (waiting.length === 0 || Date.now() < gatheringUntil) return
  gatheringUntil = Date.now() + LEASE_MS
  await sleep(GATHER_MS)
  const gathered = waiting
  waiting = []
  characters = 0
  gatheringUntil = 0
  if (gathered.length > 0) await storeDocuments(db, gathered)
}

/** Stores documents whose listings are still what they were made of; nothing is written twice. */
const STORE = `insert into listing_documents (listing_id, version, form, renames, document)
  select listings.id, listings.version, ?, count, made.value ->> 3
  from json_each(?) made
  join listings on listings.id = made.value ->> 0 and listings.version = made.value ->> 1
  join location_renames on location_renames.id = 1 and count = made.value ->> 2
  where true
  on conflict do update set
    version = excluded.version, form = excluded.form, renames = excluded.renames, document = excluded.document
    where (version, form, renames) <> (excluded.version, excluded.form, excluded.renames)`

async function storeDocuments(db: Database, documents: NewDocument[]): Promise<void> {
  const rows = documents.map(({ id, version, renames, document }) => [id, version, renames, document])
  try {
    await runStatement(db, textStatement(STORE, [representations, JSON.stringify(rows)]))
  } catch (error) {
    log('error', { work: 'storing documents of listings', ...describeFailure(error) })
  }
}
