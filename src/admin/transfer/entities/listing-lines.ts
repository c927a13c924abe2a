/** Turns an import line into a listing, and a listing into an export line. */
import type { z } from 'zod'
import { core, details, extra, location } from '../../../catalogue/listing.ts'
import { blankRecord, pick } from '../../../fields/derive.ts'
import { publicPoint } from '../../../resources/listings/address/public-point.ts'
import type { DownloadedPhoto } from '../../../resources/listings/pictures/downloads.ts'
import { mergeCaptions } from '../../../resources/listings/pictures/schema.ts'
import type { ListingRow, PictureSize } from '../../../resources/listings/queries.ts'
import type { ListingLookups } from '../../../resources/listings/references.ts'
import {
  mergedExtra,
  mergeGroup,
  mergeTexts,
  newTourToken,
  resolveListing,
} from '../../../resources/listings/resolve.ts'
import { datesOf, type ImportedLine } from '../entity.ts'
import { isSameJson } from '../merge-lines.ts'
import type { importedListing } from './listing-schema.ts'

type Imported = z.output<typeof importedListing>
type ListingLine = ImportedLine<Imported, ListingRow>

/**
 * The listing that a line results in. Unless the line has others, code, status, creation date, pictures and an imported
 * public point keep their stored values, in replace mode too.
 */
export function resolveLine(
  values: Imported,
  found: ListingLookups & { downloaded: DownloadedPhoto[] },
  line: ListingLine,
  now: string,
): ListingRow {
  const { stored, current } = line
  const downloaded = downloadedPhotos(found.downloaded, stored)
  const change = resolveListing(values, found, current)
  const photosByImage = new Map(stored?.photos.map((photo) => [photo.original_image, photo]))
  const panoramasByImage = new Map(stored?.panoramas.map((panorama) => [panorama.image, panorama]))
  const panoramas = pictures(
    values.panorama_photos?.map(({ image, thumb = null, captions, ...sent }) => {
      const texts = mergeCaptions([], captions)
      const size = sizeOf(sent, panoramasByImage.get(image))
      return { image, thumb, ...(texts.length > 0 ? { captions: texts } : {}), ...size }
    }),
    values.panorama_photos === null && current !== null,
    stored?.panoramas,
  )
  const row = {
    ...EMPTY_ROW,
    ...current,
    ...change.columns,
    ...(current ? {} : wholeColumns(values)),
    id: values.id,
    created_by: values.created_by ?? current?.created_by ?? 0,
    code: values.code === undefined ? (stored?.code ?? null) : values.code,
    status: values.status ?? stored?.status ?? 'draft',
    status_date: values.status_date === undefined ? (stored?.status_date ?? null) : values.status_date,
    ...datesOf(values, stored, now),
    floor_configuration:
      values.floor_configuration === undefined
        ? (current?.floor_configuration ?? null)
        : values.floor_configuration,
    tour_token: values.tour_token ?? stored?.tour_token ?? (panoramas.length > 0 ? newTourToken() : null),
    tags: change.tags ?? current?.tags ?? [],
    contacts: change.contacts ?? current?.contacts ?? [],
    users: change.users ?? current?.users ?? [],
    // `title` and `description` of the line override those of its list.
    translations: mergeTexts(
      (values.translations === undefined ? current?.translations : values.translations) ?? [],
      change.translation,
    ),
    photos: pictures(
      values.photos?.map(({ original_image = null, watermark_image = null, kind, captions, ...sent }) => {
        const texts = mergeCaptions([], captions)
        const isDescribed = texts.length > 0 || (kind ?? 'photo') !== 'photo'
        const known = original_image === null ? undefined : downloaded.get(original_image)
        const before = known ?? photosByImage.get(original_image)
        const source = (known ? null : sent.source) ?? before?.source
        return {
          original_image: known ? known.original_image : original_image,
          watermark_image: known ? known.watermark_image : watermark_image,
          ...(isDescribed ? { kind: kind ?? 'photo', captions: texts } : {}),
          ...sizeOf(sent, before),
          ...(source ? { source } : {}),
        }
      }),
      values.photos === null && current !== null,
      stored?.photos,
    ),
    panoramas,
  } as ListingRow
  return withPublicPoint(row, values, stored)
}

/** The size of a picture: as it is stored, or else as it was sent. */
function sizeOf(
  sent: { width?: number | null; height?: number | null },
  stored: PictureSize | undefined,
): PictureSize {
  const { width, height } = stored?.width ? stored : sent
  return width && height ? { width, height } : {}
}

/** The photos of a stored listing that were downloaded, by the addresses that they had. */
function downloadedPhotos(
  downloaded: DownloadedPhoto[],
  stored: ListingRow | null,
): Map<string, ListingRow['photos'][number]> {
  const byKey = new Map(stored?.photos.map((photo) => [photo.original_image, photo]))
  return new Map(
    downloaded.flatMap(({ listing_id, address, image }) => {
      const photo = listing_id === stored?.id ? byKey.get(image) : undefined
      return photo ? [[address, photo]] : []
    }),
  )
}

/** The pictures as sent, or none if cleared. Otherwise the stored list itself, so that it is not written again. */
function pictures<T>(sent: T[] | undefined, isCleared: boolean, stored: T[] = []): T[] {
  if (isCleared) return []
  return !sent || isSameJson(sent, stored) ? stored : sent
}

/** The columns of a line in replace mode that differ from those of a create body. */
function wholeColumns(values: Imported) {
  const { location: place = null } = values
  return {
    // Old listings may hold fields that their category no longer has, such as land.
    ...pick(core, values),
    ...pick(location, place ?? {}),
    details: mergeGroup({}, values.details ?? null),
    extra: mergeGroup({}, mergedExtra(values) ?? null),
    // An export distinguishes cleared coordinates (null) from those never set (0).
    latitude: place?.latitude === undefined ? 0 : place.latitude,
    longitude: place?.longitude === undefined ? 0 : place.longitude,
  }
}

/** The row with the public address and point that the line itself sends, or else with the stored point. */
function withPublicPoint(row: ListingRow, { location }: Imported, stored: ListingRow | null): ListingRow {
  const {
    fake_address_el = row.fake_address_el,
    fake_latitude = stored?.fake_latitude ?? null,
    fake_longitude = stored?.fake_longitude ?? null,
  } = location ?? {}
  const isStored = stored?.fake_latitude === fake_latitude && stored.fake_longitude === fake_longitude
  const checked = { checked_latitude: fake_latitude, checked_longitude: fake_longitude }
  const imported = { ...row, fake_latitude, fake_longitude, ...checked }
  return { ...row, fake_address_el, ...publicPoint(row, isStored ? stored : imported) }
}

const EMPTY_ROW = {
  version: 1,
  ...blankRecord(core),
  notes: null,
  ...blankRecord(location),
  display_address: 'none' as const,
  address_el: null,
  address_en: null,
  fake_address_el: null,
  fake_latitude: null,
  fake_longitude: null,
  checked_latitude: null,
  checked_longitude: null,
  details: {},
  extra: {},
  features: [],
  positioning: [],
  view: [],
  flooring: [],
}

/** A listing in the form that import accepts. */
export function exportListing(row: ListingRow): Record<string, unknown> {
  const named = (...keys: (keyof ListingRow)[]) => Object.fromEntries(keys.map((key) => [key, row[key]]))
  return {
    ...named('id', 'code', 'category', 'availability', 'store_id', 'created_by', 'users'),
    ...pick(core, row),
    ...named('status', 'status_date', 'date_created', 'date_updated', 'notes', 'tags', 'contacts'),
    ...named('features', 'positioning', 'flooring', 'view'),
    location: {
      ...pick(location, row),
      address: row.address_el,
      ...named('latitude', 'longitude', 'display_address'),
      ...named('fake_address_el', 'fake_latitude', 'fake_longitude'),
    },
    details: pick(details, row.details),
    'the service': pick(extra, row.extra),
    ...named('floor_configuration', 'translations', 'photos'),
    panorama_photos: row.panoramas,
    tour_token: row.tour_token,
  }
}
