/**
 * What the benches compare the service with: hand-written SQL on the same tables. It has no framework, no keys, no
 * documentation and no matching, and checks what the calls send alone. It reads, lists, creates and updates listings.
 * What it reads is what the service answers.
 */
import { core, details, extra, location } from '../../src/catalogue/listing.ts'
import type { Fields } from '../../src/fields/field.ts'

type Row = Record<string, string | number | null>

const PAGE_SIZE = 50

/** The filters that the calls use; of each, one value. */
const FILTERS = ['category', 'status', 'availability']

/** The names of the fields that are read back, with the values that stand for "none". */
const shownFields = (fields: Fields): [string, unknown][] =>
  Object.entries(fields)
    .filter(([, { writeOnly }]) => !writeOnly)
    .map(([name, { none }]) => [name, none])
const CORE = shownFields(core)
const LOCATION = shownFields(location)
const DETAILS = shownFields(details)
const EXTRA = shownFields(extra)

const area = (level: number) => `(select json_object('id', id, 'name_el', name_el, 'name_en', name_en,
  'full_name_el', full_name_el, 'full_name_en', full_name_en) from locations where id = t.area_level${level})`

const objects = (table: string, order: string, ...columns: string[]) =>
  `(select json_group_array(json_object(${columns.map((column) => `'${column}', ${column}`).join(', ')})) from (
    select ${columns.join(', ')} from ${table} where listing_id = t.id order by ${order}))`

const ids = (table: string, column: string) =>
  `(select json_group_array(${column}) from (
    select ${column} from ${table} where listing_id = t.id order by position))`

/** Whole listings: what belongs to them is JSON in sub-selects. */
const SELECT = `select id, store_id, code, category, availability, ${[...CORE, ...LOCATION].map(([name]) => name).join(', ')},
  status, status_date, created_by, date_created, date_updated, notes, display_address, address_el, fake_address_el,
  longitude, latitude, fake_longitude, fake_latitude, details, extra, features, positioning, view, flooring,
  floor_configuration, tour_token, ${area(1)} as area1, ${area(2)} as area2, ${area(3)} as area3,
  ${ids('listing_tag_links', 'tag_id')} as tags,
  ${ids('listing_contacts', 'contact_id')} as contacts,
  ${ids('listing_users', 'user_id')} as users,
  ${objects('listing_photos', 'ordernum', 'original_image', 'watermark_image')} as photos,
  ${objects('listing_panoramas', 'ordernum', 'image', 'thumb')} as panoramas,
  ${objects('listing_translations', 'language_id', 'language_id', 'title', 'description')} as translations
  from listings t`

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

export default {
  async fetch(request, { DB, PUBLIC_BASE_URL }) {
    const url = new URL(request.url)
    const id = Number(url.pathname.split('/')[3])
    const base = PUBLIC_BASE_URL ?? url.origin
    if (request.method === 'POST') return createListing(DB, await request.json())
    if (request.method === 'PUT') return updateListing(DB, id, await request.json())
    return id ? readListing(DB, base, id) : listListings(DB, base, url.searchParams)
  },
} satisfies ExportedHandler<Env>

async function readListing(db: D1Database, base: string, id: number): Promise<Response> {
  const row = await db.prepare(`${SELECT} where id = ?`).bind(id).first<Row>()
  return row ? Response.json({ status: 200, data: present(row, base) }) : failed(404, 'Not found')
}

async function listListings(db: D1Database, base: string, query: URLSearchParams): Promise<Response> {
  const names = FILTERS.filter((name) => query.has(name))
  const where = names.map((name) => `${name} = ?`).join(' and ') || 'true'
  const values = names.map((name) => query.get(name))
  const page = Number(query.get('page') ?? 1)
  const [rows, sum] = await db.batch<Row>([
    db
      .prepare(`${SELECT} where ${where} order by id desc limit ${PAGE_SIZE} offset ?`)
      .bind(...values, (page - 1) * PAGE_SIZE),
    db
      .prepare(`select coalesce(sum(listings), 0) as total from listing_counts where ${where}`)
      .bind(...values),
  ])
  const total = Number(sum?.results[0]?.total)
  return Response.json({
    status: 200,
    page,
    total_pages: Math.ceil(total / PAGE_SIZE),
    results_per_page: PAGE_SIZE,
    total_results: total,
    data: (rows?.results ?? []).map((row) => present(row, base)),
  })
}

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

async function createListing(db: D1Database, body: Body): Promise<Response> {
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

async function updateListing(db: D1Database, id: number, { price }: Body): Promise<Response> {
  if (!Number.isInteger(price)) return failed(400, 'Invalid price')
  const { meta } = await db.prepare(UPDATE).bind(price, timestamp(), id).run()
  return meta.changes === 0 ? failed(404, 'Not found') : Response.json({ status: 200, updated_id: id })
}

function present(row: Row, base: string) {
  const url = (key: string | null) => (key === null || /^https?:/i.test(key) ? key : `${base}/${key}`)
  const photos: { original_image: string; watermark_image: string | null }[] = parse(row.photos)
  const panoramas: { image: string; thumb: string | null }[] = parse(row.panoramas)
  return {
    id: row.id,
    store_id: row.store_id,
    code: row.code,
    category: row.category,
    availability: row.availability,
    ...pick(CORE, row),
    status: row.status,
    status_date: row.status_date,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    ...pick(DETAILS, parse(row.details)),
    ...pick(EXTRA, parse(row.extra)),
    floor_configuration: parse(row.floor_configuration),
    notes: row.notes,
    location: {
      ...pick(LOCATION, row),
      area_level1: parse(row.area1),
      area_level2: parse(row.area2),
      area_level3: parse(row.area3),
      display_address: row.display_address === 'real',
      show_circle_on_map: row.display_address === 'fake',
      address_el: row.address_el,
      fake_address_el: row.fake_address_el,
      longitude: row.longitude,
      latitude: row.latitude,
      fake_longitude: row.fake_longitude,
      fake_latitude: row.fake_latitude,
    },
    features: parse(row.features),
    positioning: parse(row.positioning),
    view: parse(row.view),
    flooring: parse(row.flooring),
    tags: parse(row.tags),
    contacts: parse(row.contacts),
    users: parse(row.users),
    photos: photos.map(({ original_image, watermark_image }) => ({
      original_image: url(original_image),
      watermark_image: url(watermark_image),
    })),
    panorama_photos: panoramas.map(({ image, thumb }) => ({ image: url(image), thumb: url(thumb ?? image) })),
    panorama_tour_url: panoramas.length > 0 && row.tour_token ? url(`tours/${row.tour_token}`) : null,
    translations: parse(row.translations),
  }
}

/** `fields` of what is stored. */
function pick(fields: [string, unknown][], stored: Record<string, unknown>): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const [name, none] of fields) picked[name] = stored[name] ?? none
  return picked
}

/** What a column holds as JSON. */
function parse(value: Row[string] | undefined) {
  return value == null ? null : JSON.parse(String(value))
}

function failed(status: number, message: string): Response {
  return Response.json({ status, message }, { status })
}

function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ')
}
