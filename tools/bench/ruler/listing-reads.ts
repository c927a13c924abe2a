/** Listings read by hand: one statement for a record, one transaction for a page. */
import { core, details, extra, location } from '../../../src/catalogue/listing.ts'
import type { Fields } from '../../../src/fields/field.ts'
import { idsOf, list, PAGE_SIZE, pageOf, parse, type Row, record } from './records.ts'

interface Photo {
  original_image: string | null
  watermark_image: string | null
}
interface Panorama {
  image: string
  thumb: string | null
}

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

/** Whole listings: what belongs to them is JSON in sub-selects. */
const SELECT = `select id, store_id, code, category, availability, ${[...CORE, ...LOCATION].map(([name]) => name).join(', ')},
  status, status_date, created_by, date_created, date_updated, notes, display_address, address_el, fake_address_el,
  longitude, latitude, fake_longitude, fake_latitude, details, extra, features, positioning, view, flooring,
  floor_configuration, tour_token,
  ${area(1)} as area1, ${area(2)} as area2, ${area(3)} as area3,
  ${idsOf('listing_tag_links', 'tag_id', 'listing_id')} as tags,
  ${idsOf('listing_contacts', 'contact_id', 'listing_id')} as contacts,
  ${idsOf('listing_users', 'user_id', 'listing_id')} as users,
  (select json_group_array(json_object('original_image', original_image, 'watermark_image', watermark_image)) from (
    select original_image, watermark_image from listing_photos where listing_id = t.id order by ordernum)) as photos,
  (select json_group_array(json_object('image', image, 'thumb', thumb)) from (
    select image, thumb from listing_panoramas where listing_id = t.id order by ordernum)) as panoramas,
  (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description)) from (
    select language_id, title, description from listing_translations
    where listing_id = t.id order by language_id)) as translations
  from listings t`

const SELECT_ONE = `${SELECT} where id = ?`

/** The filters that the calls use; of each, one value. */
const FILTERS = ['category', 'status', 'availability']

export async function readListing(db: D1Database, base: string, id: number): Promise<Response> {
  const row = await db.prepare(SELECT_ONE).bind(id).first<Row>()
  return record(row && present(row, base))
}

export async function listListings(db: D1Database, base: string, query: URLSearchParams): Promise<Response> {
  const asked = FILTERS.filter((name) => query.has(name))
  const where = asked.map((name) => `${name} = ?`).join(' and ') || 'true'
  const values = asked.map((name) => query.get(name))
  const page = pageOf(query)
  const [rows, counted] = await db.batch<Row>([
    db
      .prepare(`${SELECT} where ${where} order by id desc limit ${PAGE_SIZE} offset ?`)
      .bind(...values, (page - 1) * PAGE_SIZE),
    db
      .prepare(`select coalesce(sum(listings), 0) as total from listing_counts where ${where}`)
      .bind(...values),
  ])
  const total = Number(counted?.results[0]?.total)
  return list(
    page,
    total,
    (rows?.results ?? []).map((row) => present(row, base)),
  )
}

/** `fields` of what is stored. */
function pick(fields: [string, unknown][], stored: Record<string, unknown>): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const [name, none] of fields) picked[name] = stored[name] ?? none
  return picked
}

function present(row: Row, base: string) {
  const url = (key: string | null) => (key === null || /^https?:/i.test(key) ? key : `${base}/${key}`)
  const panoramas: Panorama[] = parse(row.panoramas)
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
    photos: (parse(row.photos) as Photo[]).map((photo) => ({
      original_image: url(photo.original_image),
      watermark_image: url(photo.watermark_image),
    })),
    panorama_photos: panoramas.map(({ image, thumb }) => ({ image: url(image), thumb: url(thumb ?? image) })),
    panorama_tour_url: panoramas.length > 0 && row.tour_token ? url(`tours/${row.tour_token}`) : null,
    translations: parse(row.translations),
  }
}
