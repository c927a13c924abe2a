/** Import and export of listings: the create body with what the service adds to it. */
import { asc, gt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { core, details, extra } from '../../catalogue/listing.ts'
import { replaceLinkRows, replaceRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import * as tables from '../../db/tables/listings.ts'
import { formatDateTime } from '../../fields/values.ts'
import { importedListing } from '../../resources/listings/imported.ts'
import { newTourToken } from '../../resources/listings/photos.ts'
import { type ListingRow, selectListings } from '../../resources/listings/queries.ts'
import { type ListingChange, resolveListing } from '../../resources/listings/resolve.ts'
import {
  checkAreas,
  type Found,
  readFound,
  referencesOf,
  selectFound,
} from '../../resources/listings/rules.ts'
import { matchListings } from '../../resources/requests/matches.ts'
import { type Entity, entity } from '../entity.ts'

type Imported = z.output<typeof importedListing>

interface Context {
  found: Found
  current: Map<number, ListingRow>
}

const listings = entity<typeof importedListing, Context>({
  name: 'listings',
  schema: importedListing,
  references: (values) => [
    ...referencesOf(values, sql`true`),
    {
      field: 'translations.language_id',
      table: 'languages',
      ids: values.translations?.map(({ language_id }) => language_id) ?? [],
    },
  ],
  load: async (db, values) => {
    const ids = values.map(({ id }) => id ?? 0)
    const [rows, missing, facts] = await batch(db, [
      selectListings(db).where(sql`listings.id in (select value from json_each(${JSON.stringify(ids)}))`),
      ...selectFound(db, values, []),
    ])
    return { found: readFound(missing, facts), current: new Map(rows.map((row) => [row.id, row])) }
  },
  // Of the rules only the places are judged: a stored listing may well hold what its category no longer fits,
  // and an export must come back as it was.
  check: (draft, { found }) => {
    checkAreas(draft, found, null)
    const { title, description, language_id } = draft.values
    if ((title ?? description) != null && language_id == null && found.default_language_id === null) {
      draft.refuse('language_id', 'Missing language_id')
    }
  },
  store: (db, lines, { found, current }) => storeListings(db, lines, found, current),
  after: (db, lines) =>
    matchListings(
      db,
      lines.map(({ id }) => id),
    ),
  page: async (db, after, limit) => {
    const rows = await selectListings(db)
      .where(gt(tables.listings.id, after))
      .orderBy(asc(tables.listings.id))
      .limit(limit)
    return rows.map(exportListing)
  },
})

export const listingEntities: Entity[] = [listings]

function storeListings(db: Database, lines: Imported[], found: Found, current: Map<number, ListingRow>) {
  const ids = lines.map(({ id }) => id)
  const changes = lines.map((line) => ({ id: line.id, line, change: resolveListing(line, found, null) }))
  const withPhotos = lines.filter(({ photos }) => photos)
  const withPanoramas = lines.filter(({ panorama_photos }) => panorama_photos)
  return [
    upsertRows(
      db,
      tables.listings,
      changes.map(({ line, change }) => columnsOf(line, change, current.get(line.id))),
    ),
    ...replaceLinkRows(
      db,
      tables.listing_tag_links,
      ['listing_id', 'tag_id'],
      changes,
      ({ change }) => change.tags,
    ),
    ...replaceLinkRows(
      db,
      tables.listing_contacts,
      ['listing_id', 'contact_id'],
      changes,
      ({ change }) => change.contacts,
    ),
    ...replaceLinkRows(
      db,
      tables.listing_users,
      ['listing_id', 'user_id'],
      changes,
      ({ change }) => change.users,
    ),
    ...replaceRows(
      db,
      tables.listing_translations,
      'listing_id',
      ids,
      changes.flatMap(({ line, change }) => translationsOf(line, change)),
    ),
    ...replaceRows(
      db,
      tables.listing_photos,
      'listing_id',
      withPhotos.map(({ id }) => id),
      withPhotos.flatMap(({ id, photos }) =>
        (photos ?? []).map(({ original_image = null, watermark_image = null }, index) => ({
          listing_id: id,
          ordernum: index + 1,
          original_image,
          watermark_image,
        })),
      ),
    ),
    ...replaceRows(
      db,
      tables.listing_panoramas,
      'listing_id',
      withPanoramas.map(({ id }) => id),
      withPanoramas.flatMap(({ id, panorama_photos }) =>
        (panorama_photos ?? []).map(({ image, thumb = null }, index) => ({
          listing_id: id,
          ordernum: index + 1,
          image,
          thumb,
        })),
      ),
    ),
  ]
}

/**
 * Every column of a listing's row, in one order for all lines. Of what the line leaves open, code, status, dates
 * and the drawn point keep their stored values, so that the same file twice changes nothing.
 */
function columnsOf(line: Imported, { columns }: ListingChange, stored: ListingRow | undefined) {
  const now = formatDateTime(new Date())
  const { location = null } = line
  const created = line.date_created ?? stored?.date_created ?? now
  const keepsPoint =
    stored?.fake_latitude != null &&
    stored.latitude === columns.latitude &&
    stored.longitude === columns.longitude &&
    columns.fake_latitude
  const row: typeof tables.listings.$inferInsert = {
    ...EMPTY_ROW,
    ...(columns as typeof tables.listings.$inferInsert),
    ...coreOf(line),
    id: line.id,
    version: (stored?.version ?? 0) + 1,
    code: line.code === undefined ? (stored?.code ?? null) : line.code,
    status: line.status ?? stored?.status ?? 'draft',
    status_date: line.status_date === undefined ? (stored?.status_date ?? null) : line.status_date,
    date_created: created,
    date_updated: line.date_updated ?? stored?.date_updated ?? created,
    // An export tells coordinates that were cleared from those never given.
    latitude: location?.latitude === undefined ? 0 : location.latitude,
    longitude: location?.longitude === undefined ? 0 : location.longitude,
    floor_configuration: line.floor_configuration ?? null,
    tour_token:
      line.tour_token ?? stored?.tour_token ?? (line.panorama_photos?.length ? newTourToken() : null),
  }
  if (keepsPoint)
    Object.assign(row, { fake_latitude: stored.fake_latitude, fake_longitude: stored.fake_longitude })
  if (row.latitude === null || row.longitude === null)
    Object.assign(row, { fake_latitude: null, fake_longitude: null })
  for (const key of ['fake_address_el', 'fake_latitude', 'fake_longitude'] as const) {
    if (location?.[key] !== undefined) Object.assign(row, { [key]: location[key] })
  }
  return row
}

/** The scalar fields as the line has them: what land does not have may still be stored from before. */
function coreOf(line: Imported): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(line))
  return Object.fromEntries(
    Object.keys(core).flatMap((key) => (values.has(key) ? [[key, values.get(key)]] : [])),
  )
}

const EMPTY_ROW = {
  ...Object.fromEntries(Object.keys(core).map((key) => [key, null])),
  notes: null,
  area_level1: null,
  area_level2: null,
  area_level3: null,
  postal_code: null,
  display_address: 'none' as const,
  address_el: null,
  address_en: null,
  fake_address_el: null,
  fake_latitude: null,
  fake_longitude: null,
  details: {},
  extra: {},
  features: [],
  positioning: [],
  view: [],
  flooring: [],
}

function translationsOf({ id, translations }: Imported, { translation }: ListingChange) {
  const texts = new Map((translations ?? []).map((entry) => [entry.language_id, entry]))
  if (translation)
    texts.set(translation.language_id, { ...texts.get(translation.language_id), ...translation })
  return [...texts.values()]
    .map(({ language_id, title = null, description = null }) => ({
      listing_id: id,
      language_id,
      title,
      description,
    }))
    .filter(({ title, description }) => title !== null || description !== null)
}

/** A listing as import takes it. */
function exportListing(row: ListingRow): Record<string, unknown> {
  const stored = new Map<string, unknown>(Object.entries(row))
  const group = (fields: object, values: object) => {
    const given = new Map<string, unknown>(Object.entries(values))
    return Object.fromEntries(
      Object.keys(fields).flatMap((key) => (given.has(key) ? [[key, given.get(key)]] : [])),
    )
  }
  return {
    id: row.id,
    code: row.code,
    category: row.category,
    availability: row.availability,
    store_id: row.store_id,
    created_by: row.created_by,
    users: row.users,
    ...Object.fromEntries(Object.keys(core).map((key) => [key, stored.get(key)])),
    status: row.status,
    status_date: row.status_date,
    date_created: row.date_created,
    date_updated: row.date_updated,
    notes: row.notes,
    tags: row.tags,
    contacts: row.contacts,
    features: row.features,
    positioning: row.positioning,
    flooring: row.flooring,
    view: row.view,
    location: {
      area_level1: row.area_level1,
      area_level2: row.area_level2,
      area_level3: row.area_level3,
      postal_code: row.postal_code,
      address: row.address_el,
      latitude: row.latitude,
      longitude: row.longitude,
      display_address: row.display_address,
      fake_address_el: row.fake_address_el,
      fake_latitude: row.fake_latitude,
      fake_longitude: row.fake_longitude,
    },
    details: group(details, row.details),
    'the service': group(extra, row.extra),
    floor_configuration: row.floor_configuration,
    translations: row.translations,
    photos: row.photos,
    panorama_photos: row.panoramas,
    tour_token: row.tour_token,
  }
}
