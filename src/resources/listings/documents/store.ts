/**
 * Stores the documents of listings, after the responses that they were made for. Those of calls that come within a few
 * milliseconds are stored by one statement.
 */
import { type Database, runStatement } from '../../../db/client.ts'
import { textStatement } from '../../../db/statements.ts'
import representations from '../../../http/concurrency/representations.json' with { type: 'json' }
import { describeFailure, log } from '../../../http/log.ts'

/** Maximum characters that wait: D1 limits a parameter to 2 MB. Documents beyond it are not stored this time. */
const MAX_WAITING_CHARACTERS = 500_000

/** How long documents are gathered before they are stored, in milliseconds. */
const GATHER_MS = 10
/** A call that gathers may be cancelled; after this many milliseconds another one takes over. */
const LEASE_MS = 1000

export interface NewDocument {
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
export async function storeSoon(db: Database, documents: NewDocument[]): Promise<void> {
  for (const made of documents) {
    if (characters + made.document.length > MAX_WAITING_CHARACTERS) continue
    waiting.push(made)
    characters += made.document.length
  }
  if (waiting.length === 0 || Date.now() < gatheringUntil) return
  gatheringUntil = Date.now() + LEASE_MS
  await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
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
