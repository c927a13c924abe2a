/** Listings written by hand: one transaction. What the database can refuse, it refuses. */
import { failed } from './answers.ts'

/** What a body may hold: the columns of these names, and the lists and texts below. */
const COLUMNS = [
  'category',
  'availability',
  'subcategory',
  'subtype',
  'store_id',
  'price',
  'size',
  'floor',
  'levels',
]
const MORE_COLUMNS = ['rooms', 'bathrooms', 'year_built', 'property_condition', 'source_id', 'notes']
const KNOWN = [...COLUMNS, ...MORE_COLUMNS]
const NUMBERS = [
  'subtype',
  'store_id',
  'price',
  'size',
  'floor',
  'levels',
  'rooms',
  'bathrooms',
  'year_built',
]
const REQUIRED = ['category', 'availability', 'store_id', 'created_by', 'users']
const CATEGORIES = ['residential', 'commercial', 'land', 'other']
const AVAILABILITIES = ['sale', 'rent', 'auction', 'shortterm']

type Body = Record<string, unknown>

const LINKS = [
  { key: 'users', table: 'listing_users', column: 'user_id' },
  { key: 'tags', table: 'listing_tag_links', column: 'tag_id' },
]

const INSERT = `insert into listings (category, availability, subcategory, subtype, store_id, price, size, floor, levels,
  rooms, bathrooms, year_built, property_condition, source_id, notes, created_by, price_per_sqm, latitude, longitude,
  date_created, date_updated, matched_version)
  values (${Array.from({ length: KNOWN.length + 2 }, () => '?').join(', ')}, 0, 0, ?, ?, 1) returning id`

const INSERT_TEXT = `insert into listing_translations (listing_id, language_id, title, description)
  values ((select max(id) from listings), coalesce(?, (select min(id) from languages)), ?, ?)`

export async function createListing(db: D1Database, body: Body): Promise<Response> {
  const wrong = REQUIRED.find((key) => body[key] == null) ?? findWrong(body)
  if (wrong) return failed(400, `Invalid ${wrong}`)
  const now = timestamp()
  const statements = [
    db
      .prepare(INSERT)
      .bind(...KNOWN.map((key) => body[key] ?? null), body.created_by, perSquareMetre(body), now, now),
  ]
  for (const { key, table, column } of LINKS) {
    const ids = body[key]
    if (Array.isArray(ids) && ids.length > 0)
      statements.push(
        db
          .prepare(
            `insert into ${table} (listing_id, ${column}, position)
            select (select max(id) from listings), value, key from json_each(?)`,
          )
          .bind(JSON.stringify(ids)),
      )
  }
  if (body.title != null || body.description != null)
    statements.push(
      db.prepare(INSERT_TEXT).bind(body.language_id ?? null, body.title ?? null, body.description ?? null),
    )
  try {
    const [inserted] = await db.batch<{ id: number }>(statements)
    return Response.json({ status: 200, created_id: inserted?.results[0]?.id })
  } catch (error) {
    return refuse(error)
  }
}

/** Columns alone; nobody asks for more here. */
export async function updateListing(db: D1Database, id: number, body: Body): Promise<Response> {
  const keys = KNOWN.filter((key) => key in body)
  const wrong = findWrong(body)
  if (wrong) return failed(400, `Invalid ${wrong}`)
  if (keys.length === 0) return failed(400, 'Nothing to change')
  const sets = keys.map((key) => `${key} = ?`)
  const values = keys.map((key) => body[key])
  if ('price' in body || 'size' in body) {
    const [price, size] = ['price', 'size'].map((key) => (key in body ? '?' : key))
    sets.push(`price_per_sqm = round(cast(nullif(${price}, 0) as real) / ${size}, 2)`)
    values.push(...['price', 'size'].filter((key) => key in body).map((key) => body[key]))
  }
  try {
    const { meta } = await db
      .prepare(
        `update listings set ${sets.join(', ')}, date_updated = ?, version = version + 1,
        matched_version = case when matched_version = version then version + 1 else matched_version end where id = ?`,
      )
      .bind(...values, timestamp(), id)
      .run()
    if (meta.changes === 0) return failed(404, 'Not found')
    return Response.json({ status: 200, updated_id: id })
  } catch (error) {
    return refuse(error)
  }
}

/** The first key whose value cannot be meant. */
function findWrong(body: Body): string | undefined {
  if (body.category !== undefined && !CATEGORIES.includes(String(body.category))) return 'category'
  if (body.availability !== undefined && !AVAILABILITIES.includes(String(body.availability)))
    return 'availability'
  return NUMBERS.find((key) => body[key] != null && typeof body[key] !== 'number')
}

function perSquareMetre({ price, size }: Body): number | null {
  return price && size ? Math.round((Number(price) / Number(size)) * 100) / 100 : null
}

function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ')
}

function refuse(error: unknown): Response {
  if (String(error).includes('FOREIGN KEY')) return failed(400, 'Something referred to does not exist')
  throw error
}
