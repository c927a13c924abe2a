/** Presents a listing to visitors: the only place where that JSON is made. */
import { z } from 'zod'
import { core, details, extra } from '../../../catalogue/listing.ts'
import { AVAILABILITIES, CATEGORIES, PRECISIONS } from '../../../catalogue/property-enums.ts'
import { present, publicFields, wholeOutputs } from '../../../fields/derive.ts'
import { dateTime, named } from '../../../fields/values.ts'
import { transliterate } from '../address/elot743.ts'
import { publicAddress, withoutNumber } from '../address/public-address.ts'
import { panoramaImages, photoDescription, presentPanorama } from '../pictures/present.ts'
import { area, featureLists, presentArea, textsAndTour } from '../present.ts'
import type { PublicListingRow, ShownValues } from './row.ts'

const PUBLIC_CORE = publicFields(core)
const PUBLIC_DETAILS = publicFields(details)
const PUBLIC_EXTRA = publicFields(extra)

const place = named('PublicListingLocation', 'Where a listing is, as far as the agency shows it', {
  area_level1: area.describe('Region'),
  area_level2: area.describe('Municipality or district'),
  area_level3: area.describe('Neighbourhood'),
  address: z.string().nullable().describe('Street address in Greek, as far as the agency shows it'),
  address_en: z.string().nullable().describe('Its transliteration by ELOT 743'),
  postal_code: z.string().nullable().describe('Postal code, if the exact address is shown'),
  latitude: z.number().nullable().describe('Of the point that is shown, in degrees'),
  longitude: z.number().nullable().describe('Of the point that is shown, in degrees'),
  precision: z
    .enum(PRECISIONS)
    .describe('`exact`: the point; `circle`: a point up to 400 m away; `area`: no point is shown'),
})

/** The schema of a listing in replies to visitors. */
export const publicListing = named(
  'PublicListing',
  'An active listing as visitors of a website may see it. Every key is always present.',
  {
    id: z.int().describe('Id of the listing'),
    store_id: z.int().describe('Store that owns it: id from `/api/stores`'),
    code: z.string().nullable().describe('Code of the listing; never changes'),
    category: z.enum(CATEGORIES).describe('Kind of property'),
    availability: z.enum(AVAILABILITIES).describe('How it is offered'),
    ...wholeOutputs(PUBLIC_CORE),
    date_listed: dateTime().nullable().describe('When it became active'),
    date_updated: dateTime().describe('When something that is shown last changed'),
    ...wholeOutputs(PUBLIC_DETAILS),
    ...wholeOutputs(PUBLIC_EXTRA),
    location: place,
    ...featureLists,
    photos: z
      .array(
        named('PublicPhoto', 'A photo as visitors see it', {
          image: z.string().describe('URL of the JPEG, with a watermark where the agency has one'),
          ...photoDescription,
        }),
      )
      .describe('In order'),
    panorama_photos: z
      .array(named('PublicPanorama', 'A panorama as visitors see it', panoramaImages))
      .describe('In order'),
    ...textsAndTour,
  },
)

/**
 * The JSON of a listing for visitors.
 * @param url makes a public URL of a stored key
 */
export function presentPublicListing(row: PublicListingRow, url: (key: string) => string) {
  const shown: ShownValues = JSON.parse(row.shown)
  const address = shownAddress(row, shown)
  return {
    id: row.id,
    store_id: shown.store_id,
    code: shown.code ?? null,
    category: shown.category,
    availability: shown.availability,
    ...present(PUBLIC_CORE, shown),
    // 0 is written where there is no price.
    price: shown.price || null,
    date_listed: shown.date_listed ?? null,
    date_updated: row.date_updated,
    ...present(PUBLIC_DETAILS, shown),
    ...present(PUBLIC_EXTRA, shown),
    location: {
      area_level1: presentArea(row.areaOf(shown.area_level1)),
      area_level2: presentArea(row.areaOf(shown.area_level2)),
      area_level3: presentArea(row.areaOf(shown.area_level3)),
      address,
      address_en: shown.address_en ?? (address === null ? null : transliterate(address)),
      postal_code: shown.postal_code ?? null,
      latitude: shown.latitude ?? null,
      longitude: shown.longitude ?? null,
      precision: shown.precision,
    },
    features: shown.features,
    positioning: shown.positioning,
    view: shown.view,
    flooring: shown.flooring,
    photos: presentPhotos(shown.photos, JSON.parse(row.photo_sizes), url),
    panorama_photos: shown.panoramas.map((panorama) => presentPanorama(panorama, url)),
    panorama_tour_url: shown.tour_token ? url(`tours/${shown.tour_token}`) : null,
    translations: shown.translations,
  }
}

function presentPhotos(
  photos: ShownValues['photos'],
  sizes: ([width: number, height: number] | null)[],
  url: (key: string) => string,
) {
  return photos.map((photo, index) => {
    const { image, ...description } =
      typeof photo === 'string' ? { image: photo, kind: 'photo' as const, captions: [] } : photo
    const [width, height] = sizes[index] ?? [null, null]
    return { image: url(image), ...description, width, height }
  })
}

/** An imported public address may reveal the number of the house, so it is compared with the exact one, and loses numbers. */
function shownAddress({ exact_address, hides_number }: PublicListingRow, shown: ShownValues): string | null {
  const address = shown.address ?? null
  if (!hides_number || address === null) return address
  const compared = exact_address === null ? address : publicAddress(address, exact_address)
  return compared === null ? null : withoutNumber(compared)
}
