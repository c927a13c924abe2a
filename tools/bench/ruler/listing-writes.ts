/** Listings written by hand: one transaction, of what the calls send. What the database can refuse, it refuses. */
import { failed } from './records.ts'

interface Body {
  category: string
  availability: string
  store_id: number
  created_by: number
  users: number[]
  tags: number[]
  title: string
  price: number
  size: number
}

const INSERT = `insert into listings (category, availability, store_id, created_by, price, size, price_per_sqm,
  latitude, longitude, date_created, date_updated, matched_version)
  values (?1, ?2, ?3, ?4, ?5, ?6, round(cast(?5 as real) / ?6, 2), 0, 0, ?7, ?7, 1) returning id`

const NEWEST = '(select max(id) from listings)'

const insertLinks = (table: string, column: string) =>
  `insert into ${table} (listing_id, ${column}, position) select ${NEWEST}, value, key from json_each(?)`

const INSERT_TITLE = `insert into listing_translations (listing_id, language_id, title)
  values (${NEWEST}, (select min(id) from languages), ?)`

const UPDATE = `update listings set price = ?1, price_per_sqm = round(cast(nullif(?1, 0) as real) / size, 2),
  date_updated = ?2, version = version + 1,
  matched_version = case when matched_version = version then version + 1 else matched_version end where id = ?3`

export async function createListing(db: D1Database, body: Body): Promise<Response> {
  const { category, availability, store_id, created_by, users, tags, title, price, size } = body
  const numbers = [store_id, created_by, price, size, ...users, ...tags]
  if (!numbers.every(Number.isInteger) || typeof title !== 'string') return failed(400, 'Invalid')
  const [inserted] = await db.batch<{ id: number }>([
    db.prepare(INSERT).bind(category, availability, store_id, created_by, price, size, timestamp()),
    db.prepare(insertLinks('listing_users', 'user_id')).bind(JSON.stringify(users)),
    db.prepare(insertLinks('listing_tag_links', 'tag_id')).bind(JSON.stringify(tags)),
    db.prepare(INSERT_TITLE).bind(title),
  ])
  return Response.json({ status: 200, created_id: inserted?.results[0]?.id })
}

export async function updateListing(db: D1Database, id: number, { price }: Body): Promise<Response> {
  if (!Number.isInteger(price)) return failed(400, 'Invalid price')
  const { meta } = await db.prepare(UPDATE).bind(price, timestamp(), id).run()
  return meta.changes === 0 ? failed(404, 'Not found') : Response.json({ status: 200, updated_id: id })
}

function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ')
}
