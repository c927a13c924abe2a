/**
 * Keeps an exact copy of the agency's listings in SQLite: copies them all, and from then on what changes. It may be
 * stopped at any moment; the next run goes on where the copy is.
 *
 *     ESTIA_KEY=estia_… npm run example
 */
import { DatabaseSync } from 'node:sqlite'
import { createClient, EstiaError, type RecordOf } from 'estia/client'

const { ESTIA_URL = 'http://localhost:8787', ESTIA_KEY = '', DATABASE = 'listings.db' } = process.env

// Strictly current: a copy of the service's database may not have yet what a webhook tells of.
const estia = createClient({ baseUrl: ESTIA_URL, key: ESTIA_KEY, bookmark: false })
const [resources, query] = [['listings'], { fields: 'all' }] as const

// Whoever reads the copy may hold it up for five seconds.
const db = new DatabaseSync(DATABASE, { timeout: 5000 })
db.exec(`
  create table if not exists listings (id integer primary key, code text, status text, price real, record text);
  create table if not exists feed (only integer primary key check (only = 1), cursor text)`)

/** Brings the copy up to date. */
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
    db.exec('delete from feed') // Everything anew.
    await sync()
  }
}

/** The cursor is too old, or the service's database was brought back to an earlier moment and does not know it. */
function isOutOfStep(error: unknown) {
  return error instanceof EstiaError && (error.status === 410 || error.problems[0]?.field === 'after')
}

/** Puts all listings in the place of what is there; gives the cursor behind which they change. */
async function copyAll() {
  const [ids, listings, end] = [new Set<number>(), [] as (Listing | null)[], { cursor: '' }]
  for await (const { changes, next } of estia.changes({ resources, limit: 1000 })) {
    for (const { id, change } of changes) if (change === 'changed') ids.add(id)
    end.cursor = next
  }
  for await (const listing of estia.pages('/api/listings', { query })) {
    if (ids.delete(listing.id)) listings.push(listing)
  }
  // Pages move while listings change: what was on none of them is read by itself.
  for (const id of ids) listings.push(await read(id))
  save(end.cursor, listings, db.prepare('select id from listings').all())
  return end.cursor
}

type Listing = RecordOf<'/api/listings/{id}'>

/** Null when it is gone; that it was deleted, the feed tells next. */
async function read(id: number): Promise<Listing | null> {
  const { data, error } = await estia.get('/api/listings/{id}', { path: { id }, query })
  if (error && error.status !== 404) throw error
  return data?.data ?? null
}

/** Stores listings in the place of others, and how far the copy is: all of it or nothing. */
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
