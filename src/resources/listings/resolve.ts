/** Resolves the body of a listing: the columns, lists and texts to store, and the values that the service computes. */
import { core, details, extra, location } from '../../catalogue/listing.ts'
import type { listings } from '../../db/tables/listings.ts'
import { divideToCents } from '../../fields/decimal.ts'
import { blankRecord, pick } from '../../fields/derive.ts'
import type { Body, Fields, Row } from '../../fields/field.ts'
import { emptyForNull, withoutUndefined } from '../../fields/values.ts'
import { transliterate } from './address/elot743.ts'
import { streetOf } from './address/public-address.ts'
import { publicPoint } from './address/public-point.ts'
import type { ListingInput, LocationInput } from './input.ts'
import type { ListingRow, Translation } from './queries.ts'
import { hasText, type ListingLookups } from './references.ts'
import { fieldsRead, STORED_LOCATION, type StoredListing } from './stored.ts'

type ListingColumns = Partial<typeof listings.$inferInsert>

/** What a write changes: columns, complete lists of ids, texts in one language and all texts with them. */
export interface ListingChange {
  columns: ListingColumns
  tags?: number[]
  contacts?: number[]
  users?: number[]
  translation?: Texts
  translations?: Translation[]
}

/** Texts in one language. Those that are undefined keep their stored values. */
interface Texts {
  language_id: number
  title?: string | null
  description?: string | null
}

/** What storing `input` changes. `current` is null for a new listing. */
export function resolveListing(
  input: ListingInput,
  lookups: ListingLookups,
  current: StoredListing | null,
): ListingChange {
  const { category, availability, store_id, title, description, language_id, tags, contacts, users, notes } =
    input
  const { features, positioning, flooring, view, created_by } = input
  const isLand = (category ?? current?.category) === 'land'
  const columns: ListingColumns = {
    ...withoutUndefined({ category, availability, store_id, notes }),
    ...sentColumns(core, input, isLand),
    ...withoutUndefined({
      features: emptyForNull(features),
      positioning: emptyForNull(positioning),
      flooring: emptyForNull(flooring),
      view: emptyForNull(view),
    }),
    ...(current ? {} : { created_by: Number(created_by) }),
  }
  const service = mergedExtra(input)
  if (input.details !== undefined) {
    columns.details = mergeGroup(
      current?.details,
      input.details && sentColumns(details, input.details, isLand),
    )
  }
  if (service !== undefined) {
    columns.extra = mergeGroup(current?.extra, service && sentColumns(extra, service, isLand))
  }
  Object.assign(columns, locationColumns(input.location, current, isLand))
  Object.assign(columns, pricePerSqm(input, current))
  const change = {
    columns,
    ...withoutUndefined({ tags: emptyForNull(tags), contacts: emptyForNull(contacts), users }),
  }
  if (!hasText(input)) return change
  const translation = {
    language_id: language_id ?? lookups.default_language_id ?? 0,
    ...withoutUndefined({ title, description }),
  }
  return { ...change, translation, translations: mergeTexts(current?.translations ?? [], translation) }
}

/** The columns of `fields` that were sent. For land, fields that only buildings have become null. */
function sentColumns<F extends Fields>(fields: F, input: Partial<Body<F>>, isLand: boolean): Partial<Row<F>> {
  const row = pick(fields, input)
  if (!isLand) return row
  const buildings = Object.entries(fields).filter(([name, field]) => name in row && field.landNull)
  return pick(fields, { ...input, ...blankRecord(Object.fromEntries(buildings)) })
}

/**
 * The price per square metre: as sent, otherwise computed for a new listing and when price or size change. For a new
 * listing, null counts as not sent.
 */
function pricePerSqm(input: ListingInput, current: StoredListing | null): ListingColumns {
  if (current ? input.price_per_sqm !== undefined : input.price_per_sqm != null) {
    return { price_per_sqm: input.price_per_sqm }
  }
  const price = input.price === undefined ? (current?.price ?? null) : input.price
  const size = input.size === undefined ? (current?.size ?? null) : input.size
  if (current && price === current.price && size === current.size) return {}
  return { price_per_sqm: price && size ? divideToCents(price, size) : null }
}

/** Merges a group key by key into the stored values. A null value clears its key, and null for the group clears all. */
export function mergeGroup<T extends object>(existing: T | undefined, sent: Partial<T> | null): T {
  const merged = sent === null ? {} : { ...existing, ...withoutUndefined(sent) }
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== false),
  ) as T
}

/** The extra group, sent as `the service` or as its alias `extra`. If both have a key, `the service` wins. */
export function mergedExtra(input: ListingInput) {
  const { 'the service': service, extra } = input
  if (service === undefined || extra === undefined) return service === undefined ? extra : service
  return { ...extra, ...withoutUndefined(service ?? {}) }
}

/** `stored` with the texts of one language merged in, by language. Languages without a text are left out. */
export function mergeTexts(stored: readonly Texts[], sent?: Texts): Translation[] {
  const texts = new Map(stored.map((entry) => [entry.language_id, entry]))
  if (sent) texts.set(sent.language_id, { ...texts.get(sent.language_id), ...sent })
  return [...texts.values()]
    .map(({ language_id, title = null, description = null }) => ({ language_id, title, description }))
    .filter(({ title, description }) => title !== null || description !== null)
    .toSorted((a, b) => a.language_id - b.language_id)
}

function locationColumns(
  place: ListingInput['location'],
  current: StoredListing | null,
  isLand: boolean,
): ListingColumns {
  if (place === undefined && current) return {}
  const sent = place ?? (current ? NO_LOCATION : {})
  const { address, display_address, show_circle_on_map, latitude, longitude } = sent
  const columns: ListingColumns = withoutUndefined({
    ...sentColumns(location, sent, isLand),
    address_el: address,
    address_en: address ? transliterate(address) : address,
    display_address: addressDisplay(display_address, show_circle_on_map),
    latitude: current ? latitude : (latitude ?? 0),
    longitude: current ? longitude : (longitude ?? 0),
  })
  const stored = current && fieldsRead(current, STORED_LOCATION)
  return { ...columns, ...publicLocation({ ...EMPTY_LOCATION, ...stored, ...columns }, stored) }
}

/** The value that was sent, or the one that the two flags of a reply stand for. Null means `none`. */
function addressDisplay(
  sent: LocationInput['display_address'],
  circle: LocationInput['show_circle_on_map'],
): ListingRow['display_address'] | undefined {
  if (typeof sent !== 'boolean') return sent === null ? 'none' : sent
  if (sent) return 'real'
  return circle ? 'fake' : 'none'
}

/** The meaning of `location: null`: null for each of its keys. */
const NO_LOCATION: LocationInput = {
  ...blankRecord(location),
  address: null,
  latitude: null,
  longitude: null,
  display_address: null,
}

type StoredLocation = Pick<ListingRow, (typeof STORED_LOCATION)[number]>

const EMPTY_LOCATION = {
  display_address: 'none' as const,
  address_el: null,
  latitude: null,
  longitude: null,
}

/** The public point and address for the merged location. The address changes only if the exact one does. */
function publicLocation(
  merged: Pick<ListingRow, 'display_address' | 'address_el' | 'latitude' | 'longitude'>,
  current: StoredLocation | null,
): ListingColumns {
  const { display_address, address_el } = merged
  const sameStreet = current?.display_address === display_address && current.address_el === address_el
  const street = display_address === 'fake' && address_el ? streetOf(address_el) : null
  return {
    fake_address_el: sameStreet ? current.fake_address_el : street,
    ...publicPoint(merged, current),
  }
}

/** A random, unguessable name for a tour: 32 hex digits. */
export function newTourToken(): string {
  return crypto.randomUUID().replaceAll('-', '')
}
