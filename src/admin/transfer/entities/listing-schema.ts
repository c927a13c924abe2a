/** The schema of a listing line. */
import { z } from 'zod'
import { LISTING_STATUSES, PHOTO_KINDS } from '../../../catalogue/property-enums.ts'
import { dateTime, id, int, jsonBytes, LONG_TEXT, list, optionalText } from '../../../fields/values.ts'
import { isObject } from '../../../http/request/object-keys.ts'
import { listingInput } from '../../../resources/listings/input.ts'
import { captionsFit, captionsInput, MAX_CAPTION_BYTES } from '../../../resources/listings/pictures/schema.ts'
import { MAX_TRANSLATION_BYTES } from '../../../resources/listings/rules.ts'
import { optionalPictureName, pictureName } from './pictures.ts'

/** Maximum depth of a floor configuration, whose shape is free: JSON.stringify fails on values nested too deeply. */
const MAX_DEPTH = 20
/** Maximum bytes of a floor configuration: it shares the row of its listing. */
const MAX_FLOOR_BYTES = 500_000
/** Maximum pictures: many, because API calls may have added them over time. */
const MAX_PICTURES = 10_000
/** Maximum bytes of the names and captions of a listing's pictures as JSON: they are read as one value, which D1 limits to 2 MB. */
const MAX_PICTURE_NAME_BYTES = 1_900_000

/** Maximum length of a side of a picture, in pixels: what JPEG can have. */
const MAX_SIDE = 65_535

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

const place = listingInput.shape.location.unwrap().unwrap().shape

const pixels = () => int().min(1).max(MAX_SIDE).nullish()
const size = {
  width: pixels().describe('In pixels; measured when omitted'),
  height: pixels().describe('In pixels; measured when omitted'),
}

/** What is not read with the names of the pictures. */
function withoutFacts({ width, height, source, ...picture }: Record<string, unknown>): object {
  return picture
}

/** A list of pictures, whose captions together may be as long as the API lets them be. */
const pictureList = <T extends z.ZodType<Parameters<typeof captionsFit>[0][number]>>(picture: T) =>
  list(picture, { max: MAX_PICTURES })
    .refine(
      (pictures) => jsonBytes(pictures.map(withoutFacts)) <= MAX_PICTURE_NAME_BYTES,
      `must be at most ${MAX_PICTURE_NAME_BYTES} bytes in all`,
    )
    .refine(captionsFit, `must have captions of at most ${MAX_CAPTION_BYTES} bytes in all`)
    .nullish()

/** Any object. `z.record` would check each key before the bytes of all floors are counted. */
const floor = z.unknown().refine(isObject, 'must be an object').meta({ type: 'object' }) as z.ZodType<
  Record<string, unknown>
>

const { subcategory, subtype, features } = listingInput.shape

/** What import takes of a new listing that does not fit, as exports have such ones, and POST does not. */
const otherwise = 'in a new listing, others are stored with a warning, and refused only by `strict`'

/** The body that creates a listing, with the fields that the service adds. */
export const importedListing = listingInput.extend({
  id: id().describe('Id of the listing'),
  subcategory: subcategory.describe(`One of the category; ${otherwise}`),
  subtype: subtype.describe(`Id from the subtypes lookup, of the subcategory; ${otherwise}`),
  features: features.describe(`Feature keys that apply to the category; ${otherwise}`),
  code: optionalText().nullish().describe('The number for people, which must be unique'),
  status: z.enum(LISTING_STATUSES).nullish().describe('Its status; `draft` for a new listing'),
  status_date: dateTime().nullish().describe('When the status last changed'),
  date_created: dateTime().nullish().describe('When it was created; now for a new listing'),
  date_updated: dateTime().nullish().describe('When it last changed'),
  location: z
    .object({
      ...place,
      fake_address_el: optionalText().nullish().describe('Public address where the exact one is hidden'),
      fake_latitude: place.latitude.describe('Public point, in degrees'),
      fake_longitude: place.longitude.describe('Public point, in degrees'),
    })
    .nullish()
    .describe('Where it is'),
  translations: list(
    z.object({
      language_id: id().describe('Language of the texts'),
      title: optionalText().nullish().describe('Title'),
      description: optionalText(LONG_TEXT).nullish().describe('Description'),
    }),
    { bytes: MAX_TRANSLATION_BYTES },
  )
    .nullish()
    .describe('Its texts by language'),
  photos: pictureList(
    z.object({
      original_image: optionalPictureName()
        .nullish()
        .describe('Key in the bucket, or an address, which `photos=fetch` downloads'),
      watermark_image: optionalPictureName()
        .nullish()
        .describe('Key or address of the copy with a watermark'),
      kind: z.enum(PHOTO_KINDS).nullish().describe('What it shows'),
      captions: captionsInput.nullish().describe('Texts under it, by language'),
      ...size,
      source: optionalText(2000).nullish().describe('The address that it was downloaded from'),
    }),
  ).describe('Its photos in order'),
  panorama_photos: pictureList(
    z.object({
      image: pictureName().describe('Key in the bucket, or an address'),
      thumb: optionalPictureName().nullish().describe('Key or address of the small copy'),
      captions: captionsInput.nullish().describe('Texts under it, by language'),
      ...size,
    }),
  ).describe('Its 360° panoramas in order'),
  floor_configuration: list(floor)
    .refine((floors) => !isDeeperThan(MAX_DEPTH, floors), {
      error: `must not be nested deeper than ${MAX_DEPTH} levels`,
      abort: true,
    })
    .refine(
      (floors) => jsonBytes(floors) <= MAX_FLOOR_BYTES,
      `must be at most ${MAX_FLOOR_BYTES} bytes in all`,
    )
    .nullish()
    .describe('Details of its floors, as objects of any shape'),
  tour_token: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullish()
    .describe('The secret part of the address of its tour: 32 hexadecimal digits'),
})
