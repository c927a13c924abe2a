/**
 * Copies the agency's listings into SQLite; from the second run on, only those that changed.
 *
 *     ESTIA_KEY=estia_… npm run example
 */
import { DatabaseSync } from 'node:sqlite'
import { createClient } from 'estia/client'

const { ESTIA_URL = 'http://localhost:8787', ESTIA_KEY = '', DATABASE = 'listings.db' } = process.env

const estia = createClient({ baseUrl: ESTIA_URL, key: ESTIA_KEY })
const db = new DatabaseSync(DATABASE)
db.exec(`
  create table if not exists listings (id integer primary key, code text, status text, price integer, record text);
  create table if not exists sync (only integer primary key check (only = 1), since text)`)
const since = db.prepare('select since from sync').get()?.since as string | undefined

// What changes during this run is for the next one. A minute earlier, as clocks differ and a write takes a moment.
const began = new Date(Date.now() - 60_000).toISOString().slice(0, 19).replace('T', ' ')

const upsert = db.prepare('insert or replace into listings values (?, ?, ?, ?, ?)')
let transferred = 0
db.exec('begin')
for await (const listing of estia.pages('/api/listings', { query: { date_updated: { min: since } } })) {
  upsert.run(listing.id, listing.code, listing.status, listing.price, JSON.stringify(listing))
  transferred++
}
db.prepare('insert or replace into sync values (1, ?)').run(began)
db.exec('commit')

console.log(`${transferred} listings transferred, changed since ${since ?? 'ever'}`)
