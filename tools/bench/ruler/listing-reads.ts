/** Listings read by hand: one statement for a record, one transaction for a page. */
import { list, PAGE_SIZE, pageOf, record } from './answers.ts'

type Row = Record<string, string | number | null>
type Group = Record<string, unknown>
interface Photo {
  original_image: string | null
  watermark_image: string | null
}
interface Panorama {
  image: string
  thumb: string | null
}

const ids = (table: string, column: string) => `(select json_group_array(${column}) from (
  select ${column} from ${table} where listing_id = l.id order by position))`

const area = (level: number) => `(select json_object('id', id, 'name_el', name_el, 'name_en', name_en,
  'full_name_el', full_name_el, 'full_name_en', full_name_en) from locations where id = l.area_level${level})`

/** Whole listings: what belongs to them is JSON in sub-selects. */
const SELECT = `select id, store_id, code, category, availability, subcategory, subtype, price, size, price_per_sqm,
  floor, levels, rooms, bathrooms, year_built, property_condition, source_id, status, status_date, created_by,
  date_created, date_updated, notes, postal_code, display_address, address_el, fake_address_el, longitude, latitude,
  fake_longitude, fake_latitude, details, extra, features, positioning, view, flooring, floor_configuration,
  tour_token,
  ${area(1)} as area1, ${area(2)} as area2, ${area(3)} as area3,
  ${ids('listing_tag_links', 'tag_id')} as tags,
  ${ids('listing_contacts', 'contact_id')} as contacts,
  ${ids('listing_users', 'user_id')} as users,
  (select json_group_array(json_object('original_image', original_image, 'watermark_image', watermark_image)) from (
    select original_image, watermark_image from listing_photos where listing_id = l.id order by ordernum)) as photos,
  (select json_group_array(json_object('image', image, 'thumb', thumb)) from (
    select image, thumb from listing_panoramas where listing_id = l.id order by ordernum)) as panoramas,
  (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description)) from (
    select language_id, title, description from listing_translations
    where listing_id = l.id order by language_id)) as translations
  from listings l`

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

const parse = (value: Row[string] | undefined) => (value == null ? null : JSON.parse(String(value)))

function present(row: Row, base: string) {
  const details: Group = parse(row.details)
  const extra: Group = parse(row.extra)
  const url = (key: string | null) => (key === null || /^https?:/i.test(key) ? key : `${base}/${key}`)
  const panoramas: Panorama[] = parse(row.panoramas)
  return {
    id: row.id,
    store_id: row.store_id,
    code: row.code,
    category: row.category,
    availability: row.availability,
    subcategory: row.subcategory,
    subtype: row.subtype,
    price: row.price,
    size: row.size,
    price_per_sqm: row.price_per_sqm,
    floor: row.floor,
    levels: row.levels,
    rooms: row.rooms,
    bathrooms: row.bathrooms,
    year_built: row.year_built,
    property_condition: row.property_condition,
    source_id: row.source_id,
    status: row.status,
    status_date: row.status_date,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    ...presentDetails(details),
    ...presentExtra(extra),
    floor_configuration: parse(row.floor_configuration),
    notes: row.notes,
    location: {
      postal_code: row.postal_code,
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

function presentDetails(details: Group) {
  return {
    wcs: details.wcs ?? null,
    living_rooms: details.living_rooms ?? null,
    kitchens: details.kitchens ?? null,
    master_bedrooms: details.master_bedrooms ?? null,
    total_building_floors: details.total_building_floors ?? null,
    year_renovated: details.year_renovated ?? null,
    parking_open_sheltered: details.parking_open_sheltered ?? null,
    parking_open_unsheltered: details.parking_open_unsheltered ?? null,
    parking_garage: details.parking_garage ?? null,
    parking_total: details.parking_total ?? null,
    assignment: details.assignment ?? null,
    assignment_fee_type: details.assignment_fee_type ?? null,
    heating_type: details.heating_type ?? null,
    heating_source: details.heating_source ?? null,
    frames: details.frames ?? null,
    frames_glass: details.frames_glass ?? null,
    construction_type: details.construction_type ?? null,
    garden: details.garden ?? null,
    zoning: details.zoning ?? null,
    assignment_fee: details.assignment_fee ?? null,
    land_size: details.land_size ?? null,
    coverage_ratio: details.coverage_ratio ?? null,
    build_ratio: details.build_ratio ?? null,
    max_height: details.max_height ?? null,
    assignment_expires: details.assignment_expires ?? null,
  }
}

function presentExtra(extra: Group) {
  return {
    video_url: extra.video_url ?? null,
    virtual_tour_url: extra.virtual_tour_url ?? null,
    auction_code: extra.auction_code ?? null,
    auction_url: extra.auction_url ?? null,
    distance_sea: extra.distance_sea ?? null,
    distance_airport: extra.distance_airport ?? null,
    distance_city: extra.distance_city ?? null,
    distance_market: extra.distance_market ?? null,
    monthly_maintenance: extra.monthly_maintenance ?? null,
    shortterm_min_stay: extra.shortterm_min_stay ?? null,
    shortterm_max_guests: extra.shortterm_max_guests ?? null,
    tenant_contact_id: extra.tenant_contact_id ?? null,
    available_from: extra.available_from ?? null,
    auction_date: extra.auction_date ?? null,
    has_keys: extra.has_keys ?? false,
    is_rented: extra.is_rented ?? false,
    has_hidden_price: extra.has_hidden_price ?? false,
    is_negotiable: extra.is_negotiable ?? false,
    orientation: extra.orientation ?? null,
    energy_class: extra.energy_class ?? null,
    frontage_length: extra.frontage_length ?? null,
    shortterm_unit: extra.shortterm_unit ?? null,
    land_slope: extra.land_slope ?? null,
    access_type: extra.access_type ?? null,
  }
}
