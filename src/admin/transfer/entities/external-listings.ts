/**
 * Import and export of external listings: the full object, photos as keys or URLs, from where they were downloaded, and whether
 * it was deleted.
 */
import { z } from 'zod'
import { record } from '../../../catalogue/external-listing.ts'
import { batch } from '../../../db/client.ts'
import * as tables from '../../../db/tables/external-listings.ts'
import { inputs } from '../../../fields/derive.ts'
import { list } from '../../../fields/values.ts'
import { isObject } from '../../../http/request/object-keys.ts'
import { presentExternalListing } from '../../../resources/external-listings/present.ts'
import {
  type ExternalListingRow,
  LINKS,
  selectExternalListings,
} from '../../../resources/external-listings/queries.ts'
import {
  type ExternalListingLookups,
  readLookups,
  referencesOf,
  selectFacts,
} from '../../../resources/external-listings/references.ts'
import { columnsOf, pricePerSqm } from '../../../resources/external-listings/resolve.ts'
import { checkLocation, checkSubcategory } from '../../../resources/external-listings/rules.ts'
import { externalListingInput, MAX_PHOTOS } from '../../../resources/external-listings/schema.ts'
import { datesOf, defaultOf, defineEntity, rowsOf } from '../entity.ts'
import { pictureName } from './pictures.ts'

/** Longest hash of the URL of a photo, in characters. */
const MAX_SOURCE = 64

const { id, ...dates } = inputs(record)

/** `z.record` would list a problem for each key. */
const photoSources = z
  .unknown()
  .refine(
    (sources) =>
      isObject(sources) &&
      Object.values(sources).every((source) => typeof source === 'string' && source.length <= MAX_SOURCE),
    `must be an object of texts of at most ${MAX_SOURCE} characters`,
  )
  .meta({ type: 'object' }) as z.ZodType<Record<string, string>>

/** The fields of an imported external listing: the full object. Photos are stored as sent, not downloaded. */
const importedExternalListing = z.object({
  id,
  ...externalListingInput.omit({ photos: true }).shape,
  ...dates,
  photos: list(pictureName(), { max: MAX_PHOTOS }).nullish().describe('Keys or URLs'),
  photo_sources: photoSources
    .nullish()
    .describe('Hashes of the URLs that photos were downloaded from, by key, as exports have them'),
  is_deleted: z.boolean().nullish().describe('Whether it was deleted'),
})

export const externalListings = defineEntity<
  typeof importedExternalListing,
  ExternalListingRow,
  ExternalListingLookups
>({
  ...rowsOf(tables.external_listings, importedExternalListing, selectExternalListings, LINKS),
  groups: ['location'],
  toCanonical: withinLocation,
  present: (row) => ({
    ...presentExternalListing(row, (key) => key),
    ...photoSourcesOf(row.photos, row.photo_sources),
    ...(row.is_deleted ? { is_deleted: true } : {}),
  }),
  references: referencesOf,
  dependences: ({ status }) => ({
    reads:
      status === undefined
        ? defaultOf('default_external_listing_status_id', 'external_listing_statuses')
        : [],
  }),
  load: async (db, lines) => {
    const inputs = lines.map(({ values }) => values)
    return readLookups(await batch(db, selectFacts(inputs)))
  },
  check: (draft, found, { changedKeys }) => {
    if (changedKeys.has('category') || changedKeys.has('subcategory')) checkSubcategory(draft, null)
    if (changedKeys.has('location')) checkLocation(draft, found, null)
  },
  // Status, creation date, photos and their sources keep their stored values, in replace mode too, unless the line has others.
  resolve: (values, { default_status }, { stored, current, changedKeys }, now) => {
    const status = stored ? stored.status : default_status
    const isPriced =
      current && !changedKeys.has('price_per_sqm') && (changedKeys.has('price') || changedKeys.has('size'))
    const photos = values.photos ?? (current ? [] : (stored?.photos ?? []))
    const sources = values.photo_sources ?? (current ? {} : (stored?.photo_sources ?? {}))
    return {
      ...columnsOf(values),
      id: values.id,
      version: 1,
      status: values.status === undefined ? status : values.status,
      price_per_sqm:
        values.price_per_sqm === undefined || isPriced ? pricePerSqm(values) : values.price_per_sqm,
      ...datesOf(values, stored, now),
      photos,
      photo_sources: {},
      ...photoSourcesOf(photos, sources),
      tags: values.tags ?? [],
      users: values.users ?? [],
      is_deleted: values.is_deleted ?? current?.is_deleted ?? false,
    }
  },
  usesDefinitions: true,
})

function photoSourcesOf(photos: string[], sources: Record<string, string>) {
  const known = photos.flatMap((key) => (Object.hasOwn(sources, key) ? [[key, sources[key]]] : []))
  return known.length > 0 ? { photo_sources: Object.fromEntries(known) as Record<string, string> } : {}
}

/** Moves coordinates beside the location into it; those already within it win. */
function withinLocation(data: Record<string, unknown>): Record<string, unknown> {
  const { latitude, longitude, ...rest } = data
  const beside = Object.fromEntries(
    Object.entries({ latitude, longitude }).filter(([, value]) => value !== undefined),
  )
  if (Object.keys(beside).length === 0) return data
  const { location } = rest
  // The schema refuses a location that is not an object.
  if (location != null && !isObject(location)) return data
  return { ...rest, location: { ...beside, ...location } }
}
