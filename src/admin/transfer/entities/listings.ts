/** Import and export of listings: the create body with what the service adds to it. */
import { replaceRows } from '../../../db/bulk.ts'
import { batch } from '../../../db/client.ts'
import * as tables from '../../../db/tables/listings.ts'
import { isObject } from '../../../http/request/object-keys.ts'
import { PHOTO_ERRORS } from '../../../photos/errors.ts'
import {
  type DownloadedPhoto,
  type ImportedPhoto,
  markDownloads,
  noteDownloads,
  selectDownloaded,
} from '../../../resources/listings/pictures/downloads.ts'
import { replacePictures } from '../../../resources/listings/pictures/numbers.ts'
import { PANORAMAS, PHOTOS } from '../../../resources/listings/pictures/tables.ts'
import { type ListingRow, selectForTransfer } from '../../../resources/listings/queries.ts'
import {
  hasText,
  type ListingLookups,
  readLookups,
  referencesOf,
  selectFacts,
} from '../../../resources/listings/references.ts'
import { checkKind, checkLocation, checkTexts, validateListing } from '../../../resources/listings/rules.ts'
import { matchListings } from '../../../resources/matching/run.ts'
import { defaultOf, defineEntity, languagesOf, rowsOf, type StoredLine } from '../entity.ts'
import type { Line } from '../line.ts'
import { exportListing, resolveLine } from './listing-lines.ts'
import { importedListing } from './listing-schema.ts'

interface Context extends ListingLookups {
  downloaded: DownloadedPhoto[]
}

const LINKS = {
  tags: tables.listing_tag_links,
  contacts: tables.listing_contacts,
  users: tables.listing_users,
}

const plain = rowsOf(tables.listings, importedListing, selectForTransfer, LINKS)

export const listings = defineEntity<typeof importedListing, ListingRow, Context>({
  ...plain,
  groups: ['location', 'details', 'the service'],
  mergesChanges: true,
  present: exportListing,
  // An export may refer to deleted contacts.
  references: (values, isStrict) => [
    ...referencesOf(values, isStrict ? undefined : 'true'),
    languagesOf('translations', values.translations),
    ...(['photos', 'panorama_photos'] as const).map((field) => {
      const captions = values[field]?.flatMap((picture) => picture.captions ?? [])
      return languagesOf(`${field}.captions`, captions)
    }),
  ],
  dependences: ({ language_id, ...values }) => ({
    reads: hasText(values) && language_id == null ? defaultOf('default_language_id', 'languages') : [],
  }),
  unique: ['code', 'tour_token'],
  load: async (db, lines) => {
    const withPhotos = lines.flatMap(({ values, stored }) => (values.photos && stored ? stored.id : []))
    const { downloaded, ...found } = await batch(db, {
      facts: selectFacts(lines.map(({ values }) => values)),
      downloaded: withPhotos.length > 0 ? selectDownloaded(withPhotos) : null,
    })
    return { ...readLookups(found), downloaded: downloaded ?? [] }
  },
  refusedDownloads: (line) =>
    addressesOf(line, 'refused').map(({ field }) => ({
      field,
      message: `Invalid ${field}: ${PHOTO_ERRORS.badUrl.toLowerCase()}`,
    })),
  check: (draft, found, { current }) => {
    const sent = draft.values.translations?.map(({ language_id, title = null, description = null }) => ({
      language_id,
      title,
      description,
    }))
    const translations = sent ?? current?.translations ?? []
    if (current) return validateListing(draft, found, { ...current, translations })
    checkLocation(draft, found, null)
    checkTexts(draft, found, { translations })
  },
  // Exports contain old listings that today's rules would refuse, and these must be importable.
  checkLikePost: (draft, found, { current }) => {
    if (!current) checkKind(draft, found, null)
  },
  resolve: resolveLine,
  usesDefinitions: true,
  store: (entries, context, kept) => {
    const withTexts = rowsWithOther('translations', entries)
    const withPhotos = rowsWithOther('photos', entries)
    const withPanoramas = rowsWithOther('panoramas', entries)
    return [
      ...plain.store(entries, context, kept),
      ...replaceRows(
        tables.listing_translations,
        'listing_id',
        withTexts.map(({ id }) => id),
        withTexts.flatMap(({ id: listing_id, translations }) =>
          translations.map((translation) => ({ listing_id, ...translation })),
        ),
      ),
      ...replacePictures(
        PHOTOS,
        withPhotos.map(({ id, photos: pictures }) => ({ id, pictures })),
      ),
      ...noteDownloads(withPhotos),
      ...replacePictures(
        PANORAMAS,
        withPanoramas.map(({ id, panoramas: pictures }) => ({ id, pictures })),
      ),
    ]
  },
  after: matchListings,
  markDownloads: async (db, lines) => {
    const photos = lines.flatMap((line): ImportedPhoto[] =>
      addressesOf(line, 'yes').map(({ address }) => ({ listing_id: Number(line.id), address })),
    )
    if (photos.length > 0) await batch(db, { marks: markDownloads(photos) })
  },
})

/** The photos of a line at addresses of a kind. */
function addressesOf(
  { data: { photos }, downloads }: Line,
  kind: 'yes' | 'refused',
): { field: string; address: string }[] {
  if (!downloads || !Array.isArray(photos)) return []
  return photos.flatMap((photo: unknown, index) => {
    const address = isObject(photo) ? photo.original_image : null
    if (typeof address !== 'string' || downloads(address) !== kind) return []
    return { field: `photos.${index}.original_image`, address }
  })
}

/** The rows whose `list` differs from the stored one. Rows that are equal stay, as visitors would see a change of date. */
function rowsWithOther(
  list: 'translations' | 'photos' | 'panoramas',
  entries: StoredLine<ListingRow>[],
): ListingRow[] {
  return entries
    .filter(({ row, stored }) => JSON.stringify(row[list]) !== JSON.stringify(stored?.[list] ?? []))
    .map(({ row }) => row)
}
