/**
 * The rules of a listing: what a body refers to, whether its values fit each other, and what is stored.
 * A PUT is judged on the keys that were sent, against the record as it would be afterwards.
 */
import { type SQL, sql } from 'drizzle-orm'
import { belongsTo, SUBCATEGORIES } from '../../catalogue/enums.ts'
import { featureKey } from '../../catalogue/features.ts'
import { LAND_NULL_FIELDS } from '../../catalogue/listing.ts'
import type { Database } from '../../db/client.ts'
import {
  idList,
  type Missing,
  notDeleted,
  type Reference,
  readMissing,
  refuseMissing,
  selectMissing,
} from '../../db/references.ts'
import type { listings } from '../../db/tables/listings.ts'
import { given } from '../../fields/values.ts'
import type { Draft } from '../../http/check.ts'
import { transliterate } from './elot743.ts'
import { drawNearby, knownPoint, withoutNumber } from './public-location.ts'
import type { ListingRow } from './queries.ts'
import type { ListingInput } from './schema.ts'

export type ListingDraft = Draft<ListingInput>

/** Columns to write. */
export type ListingColumns = Partial<typeof listings.$inferInsert>

/** What a write changes: columns, whole id lists, single texts of translations. */
export interface ListingChange {
  columns: ListingColumns
  tags?: number[]
  contacts?: number[]
  users?: number[]
  translation?: { language_id: number; title?: string | null; description?: string | null }
}

/** What the database knows about the references of one body, or of several. */
export interface Found {
  missing: Missing
  /** Subcategory by subtype id. */
  subtypes: Map<number, string>
  areas: { id: number; level: number; parent_id: number | null }[]
  default_language_id: number | null
}

const AREAS = ['area_level1', 'area_level2', 'area_level3'] as const

/** Everything that `input` refers to by id. */
export function referencesOf(input: Partial<ListingInput>, contactCondition: SQL = notDeleted): Reference[] {
  const languageId = hasText(input) ? input.language_id : null
  const tenant = (group: 'the service' | 'extra') => ({
    field: `${group}.tenant_contact_id`,
    table: 'contacts',
    ids: idList(input[group]?.tenant_contact_id),
    where: contactCondition,
  })
  return [
    { field: 'store_id', table: 'stores', ids: idList(input.store_id) },
    {
      field: 'created_by',
      table: 'users',
      ids: typeof input.created_by === 'number' ? [input.created_by] : [],
    },
    { field: 'users', table: 'users', ids: idList(input.users) },
    { field: 'subtype', table: 'listing_subtypes', ids: idList(input.subtype) },
    { field: 'source_id', table: 'listing_sources', ids: idList(input.source_id) },
    { field: 'language_id', table: 'languages', ids: idList(languageId) },
    { field: 'tags', table: 'listing_tags', ids: idList(input.tags) },
    { field: 'contacts', table: 'contacts', ids: idList(input.contacts), where: contactCondition },
    ...AREAS.map((field) => ({
      field: `location.${field}`,
      table: 'locations',
      ids: idList(input.location?.[field]),
    })),
    tenant('the service'),
    tenant('extra'),
  ]
}

/** The statements, for one batch, whose answers `readFound` understands. */
export function selectFound(db: Database, inputs: Partial<ListingInput>[], references: Reference[]) {
  const areas = inputs.flatMap(({ location }) => AREAS.map((field) => location?.[field]))
  const subtypes = inputs.map(({ subtype }) => subtype)
  return [
    selectMissing(db, references),
    db.all<FactsRow>(sql`select
      (select json_group_array(json_array(id, subcategory)) from listing_subtypes
        where id in (select value from json_each(${JSON.stringify(subtypes)}))) as subtypes,
      (select json_group_array(json_object('id', id, 'level', level, 'parent_id', parent_id)) from locations
        where id in (select value from json_each(${JSON.stringify(areas)}))) as areas,
      coalesce((select value from settings where key = 'default_language_id'), (select min(id) from languages))
        as default_language_id`),
  ] as const
}

interface FactsRow {
  subtypes: string
  areas: string
  default_language_id: number | null
}

/** The answers of `selectFound`. */
export function readFound(missing: Record<string, string>[], [facts]: FactsRow[]): Found {
  return {
    missing: readMissing(missing),
    subtypes: new Map(JSON.parse(facts?.subtypes ?? '[]')),
    areas: JSON.parse(facts?.areas ?? '[]'),
    default_language_id: facts?.default_language_id == null ? null : Number(facts.default_language_id),
  }
}

/** Notes in `draft` whatever does not exist or does not fit; `current` is the record as it is, null on create. */
export function checkListing(
  draft: ListingDraft,
  references: Reference[],
  found: Found,
  current: ListingRow | null,
): void {
  refuseMissing(draft, references, found.missing)
  checkType(draft, found, current)
  checkFeatures(draft, current)
  checkAreas(draft, found, current)
  const { values } = draft
  if (hasText(values) && values.language_id == null && found.default_language_id === null) {
    draft.refuse('language_id', 'Missing language_id')
  }
}

/** What storing `input` changes; `current` is null on create. */
export function resolveListing(input: ListingInput, found: Found, current: ListingRow | null): ListingChange {
  const { category, availability, store_id, title, description, language_id, tags, contacts, users, notes } =
    input
  const { location, features, positioning, flooring, view, created_by } = input
  const merged = <K extends keyof ListingRow>(key: K, sent: unknown) =>
    (sent === undefined ? (current?.[key] ?? null) : sent) as ListingRow[K]
  const columns: ListingColumns = {
    ...given({ category, availability, store_id, notes }),
    ...given(coreColumns(input, merged('category', category))),
    ...given(pricePerSqm(input, current)),
    ...given({
      features: cleared(features),
      positioning: cleared(positioning),
      flooring: cleared(flooring),
      view: cleared(view),
    }),
    ...(current ? {} : { created_by: Number(created_by) }),
  }
  const service = mergedExtra(input)
  if (input.details !== undefined) columns.details = mergeGroup(current?.details, input.details)
  if (service !== undefined) columns.extra = mergeGroup(current?.extra, service)
  Object.assign(columns, locationColumns(location, current))
  return {
    columns,
    ...given({ tags: cleared(tags), contacts: cleared(contacts), users }),
    ...(hasText(input)
      ? {
          translation: {
            language_id: language_id ?? found.default_language_id ?? 0,
            ...given({ title, description }),
          },
        }
      : {}),
  }
}

function checkType(draft: ListingDraft, found: Found, current: ListingRow | null): void {
  const { category = current?.category, subtype } = draft.values
  const subcategory = draft.values.subcategory === undefined ? current?.subcategory : draft.values.subcategory
  const sentSubcategory = draft.values.subcategory
  if (sentSubcategory && category && !belongsTo(sentSubcategory, category)) {
    draft.refuse('subcategory', `Invalid subcategory: must be one of ${SUBCATEGORIES[category].join(', ')}`)
  }
  const owner = subtype ? found.subtypes.get(subtype) : undefined
  if (!owner || draft.isRefused('subcategory')) return
  if (!subcategory) draft.refuse('subtype', 'Invalid subtype: requires subcategory')
  else if (owner !== subcategory) {
    draft.refuse('subtype', `Invalid subtype: belongs to ${owner}, not to ${subcategory}`)
  }
}

function checkFeatures(draft: ListingDraft, current: ListingRow | null): void {
  const { features, category = current?.category } = draft.values
  if (!category) return
  for (const key of features ?? []) {
    if (!featureKey('features', key)?.categories.includes(category)) {
      draft.refuse('features', `Invalid features: ${key} does not apply to ${category}`)
    }
  }
}

/** Each level under the one above, on the merged whole; a deeper level needs the one above. */
export function checkAreas(draft: ListingDraft, found: Found, current: ListingRow | null): void {
  const { location } = draft.values
  if (!AREAS.some((field) => location === null || location?.[field] !== undefined)) return
  const stored = [current?.area1, current?.area2, current?.area3]
  const chain = AREAS.map((field, index) => {
    const sent = location === null ? null : location?.[field]
    if (sent === undefined) return stored[index] ? { ...stored[index], level: index + 1 } : null
    return found.areas.find((area) => area.id === sent) ?? null
  })
  for (const [index, field] of AREAS.entries()) {
    const name = `location.${field}`
    const area = chain[index]
    const parent = chain[index - 1]
    if (!area || draft.isRefused(name)) continue
    if (area.level !== index + 1)
      draft.refuse(name, `Invalid ${name}: must be a location of level ${index + 1}`)
    else if (index > 0 && !parent && !draft.isRefused(`location.area_level${index}`)) {
      draft.refuse(name, `Invalid ${name}: requires area_level${index}`)
    } else if (parent && area.parent_id !== parent.id) {
      draft.refuse(name, `Invalid ${name}: is not part of area_level${index} ${parent.id}`)
    }
  }
}

/** The scalar columns that were sent; for land those of a building are null. */
function coreColumns(input: ListingInput, category: string): ListingColumns {
  const { subcategory, subtype, price, size, floor, levels, rooms, bathrooms } = input
  const { year_built, property_condition, source_id } = input
  const columns: Record<string, unknown> = {
    subcategory,
    subtype,
    price,
    size,
    floor,
    levels,
    rooms,
    bathrooms,
  }
  Object.assign(columns, { year_built, property_condition, source_id })
  if (category === 'land') {
    for (const field of LAND_NULL_FIELDS) if (columns[field] !== undefined) columns[field] = null
  }
  return columns
}

/** As sent; else computed on create and when price or size change. On create null counts as not sent. */
function pricePerSqm(input: ListingInput, current: ListingRow | null): ListingColumns {
  if (current ? input.price_per_sqm !== undefined : input.price_per_sqm != null) {
    return { price_per_sqm: input.price_per_sqm }
  }
  const price = input.price === undefined ? (current?.price ?? null) : input.price
  const size = input.size === undefined ? (current?.size ?? null) : input.size
  if (current && price === current.price && size === current.size) return {}
  return { price_per_sqm: price && size ? Math.round((price / size) * 100) / 100 : null }
}

/** Keys merged one by one onto the existing values; null, or null for the whole group, clears. */
function mergeGroup<T extends object>(existing: T | undefined, sent: Partial<T> | null): T {
  const merged = sent === null ? {} : { ...existing, ...given(sent) }
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== false),
  ) as T
}

/** The extra group under its literal key and its alias; the literal key wins. */
function mergedExtra(input: ListingInput) {
  const { 'the service': service, extra } = input
  if (service === undefined || extra === undefined) return service === undefined ? extra : service
  return { ...extra, ...given(service ?? {}) }
}

function locationColumns(location: ListingInput['location'], current: ListingRow | null): ListingColumns {
  if (location === undefined && current) return {}
  const { address, display_address, latitude, longitude, ...areas } = location ?? (current ? NO_LOCATION : {})
  const columns: ListingColumns = given({
    ...areas,
    address_el: address,
    address_en: address ? transliterate(address) : address,
    display_address: display_address === null ? 'none' : display_address,
    latitude: current ? latitude : (latitude ?? 0),
    longitude: current ? longitude : (longitude ?? 0),
  })
  return { ...columns, ...publicLocation({ ...EMPTY_LOCATION, ...current, ...columns }, current) }
}

/** What `location: null` stands for: null for each of its keys. */
const NO_LOCATION = {
  area_level1: null,
  area_level2: null,
  area_level3: null,
  postal_code: null,
  address: null,
  latitude: null,
  longitude: null,
  display_address: null,
}

const EMPTY_LOCATION = {
  display_address: 'none' as const,
  address_el: null,
  latitude: null,
  longitude: null,
}

/** Fake point and fake address of the merged location; each is made anew only when what it hides has changed. */
function publicLocation(
  merged: Pick<ListingRow, 'display_address' | 'address_el' | 'latitude' | 'longitude'>,
  current: ListingRow | null,
): Pick<ListingRow, 'fake_address_el' | 'fake_latitude' | 'fake_longitude'> {
  const { display_address, address_el, latitude, longitude } = merged
  const sameStreet = current?.display_address === display_address && current.address_el === address_el
  const exact = display_address === 'real' ? null : knownPoint(latitude, longitude)
  const unmoved = current && current.latitude === latitude && current.longitude === longitude
  const kept = unmoved ? knownPoint(current.fake_latitude, current.fake_longitude) : null
  const fake = exact && (kept ?? drawNearby(exact))
  const street = display_address === 'fake' && address_el ? withoutNumber(address_el) : null
  return {
    fake_address_el: sameStreet ? current.fake_address_el : street,
    fake_latitude: fake?.latitude ?? null,
    fake_longitude: fake?.longitude ?? null,
  }
}

/** Whether `input` touches a translation. */
function hasText(input: Partial<ListingInput>): boolean {
  return input.title !== undefined || input.description !== undefined
}

/** Null clears a list. */
function cleared<T>(list: T[] | null | undefined): T[] | undefined {
  return list === null ? [] : list
}
