/**
 * Keeps an exact copy of the agency's listings in SQLite: copies all of them first, then only changes. It may be
 * stopped at any moment; the next run continues where the copy ends.
 *
 *     ESTIA_KEY=estia_… npm run example
 */
import { DatabaseSync } from 'node:sqlite'
import { createClient, EstiaError, type RecordOf } from 'estia/client'

const { ESTIA_URL = 'http://localhost:8787', ESTIA_KEY = '', DATABASE = 'listings.db' } = process.env

// Strictly current reads: a replica of the service's database may not have a change yet that a webhook reports.
const estia = createClient({ baseUrl: ESTIA_URL, key: ESTIA_KEY, bookmark: false })
const [resources, query] = [['listings'], { fields: 'all' }] as const

// Waits up to five seconds while another program reads the copy.
const db = new DatabaseSync(DATABASE, { timeout: 5000 })
db.exec(`
  create table if not exists listings (id integer primary key, code text, status text, price real, record text);
  create table if not exists feed (only integer primary key check (only = 1), cursor text)`)

/** Updates the copy. */
export async function sync() {
  const { cursor } = db.prepare('select cursor from feed').get() ?? {}
  const after = typeof cursor === 'string' ? cursor : await copyAll()
  try {
    for await (const { changes, next } of estia.changes({ after, resources, limit: 50 })) {
      const listings = changes.map(({ id, change }) => (change === 'changed' ? read(id) : null))
      save(next, await Promise.all(listings), changes)
    }
  } catch (error) {
    if (!isOutOfStep(error)) throw error
    db.exec('delete from feed') // Copies everything again.
    await sync()
  }
}

/** Whether the cursor is too old, or unknown because the service's database was restored to an earlier state. */
function isOutOfStep(error: unknown) {
  return error instanceof EstiaError && (error.status === 410 || error.problems[0]?.field === 'after')
}

/** Replaces the copy by all listings. Returns the cursor after which later changes follow. */
async function copyAll() {
  const [ids, listings, end] = [new Set<number>(), [] as (Listing | null)[], { cursor: '' }]
  for await (const { changes, next } of estia.changes({ resources, limit: 1000 })) {
    for (const { id, change } of changes) if (change === 'changed') ids.add(id)
    end.cursor = next
  }
  for await (const listing of estia.pages('/api/listings', { query })) {
    if (ids.delete(listing.id)) listings.push(listing)
  }
  // Pages shift while listings change: a listing that was on none of them is read on its own.
  for (const id of ids) listings.push(await read(id))
  save(end.cursor, listings, db.prepare('select id from listings').all())
  return end.cursor
}

type Listing = RecordOf<'/api/listings/{id}'>

/** Reads a listing. Null when it no longer exists: the feed reports its deletion later. */
async function read(id: number): Promise<Listing | null> {
  const { data, error } = await estia.get('/api/listings/{id}', { path: { id }, query })
  if (error && error.status !== 404) throw error
  return data?.data ?? null
}

/** Replaces listings and stores the cursor of the copy, in one transaction. */
function save(cursor: string, listings: (Listing | null)[], replaced: { id?: unknown }[]) {
  db.exec('begin immediate')
  try {
    for (const { id } of replaced) db.prepare('delete from listings where id = ?').run(Number(id))
    const insert = db.prepare('insert into listings values (?, ?, ?, ?, ?)')
    for (const listing of listings) {
      if (listing)
        insert.run(listing.id, listing.code, listing.status, listing.price, JSON.stringify(listing))
    }
    db.prepare('insert or replace into feed values (1, ?)').run(cursor)
    db.exec('commit')
  } finally {
    if (db.isTransaction) db.exec('rollback')
  }
}

await sync()
const { listings } = db.prepare('select count(*) as listings from listings').get() ?? {}
console.log(`${listings} listings in ${DATABASE}`)
