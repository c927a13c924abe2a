/** What import takes of a listing. */
import { z } from 'zod'
import { LISTING_STATUSES } from '../../catalogue/enums.ts'
import { dateTime, id, LONG_TEXT, optionalText, text } from '../../fields/values.ts'
import { createListing } from './schema.ts'

/** Levels of a floor configuration, whose shape nobody knows; what is nested without end cannot be written as JSON. */
const MAX_DEPTH = 20
/** Most translations or floors of one listing. */
const MAX_ENTRIES = 1000
/** Most pictures: the API adds to them call by call. */
const MAX_PICTURES = 10_000

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

const place = createListing.shape.location.unwrap().unwrap().shape

/** The create body, and what else is stored of a listing. */
export const importedListing = createListing.extend({
  id: id(),
  code: optionalText().nullish(),
  status: z.enum(LISTING_STATUSES).nullish(),
  status_date: dateTime().nullish(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  location: z
    .object({
      ...place,
      fake_address_el: optionalText().nullish(),
      fake_latitude: place.latitude,
      fake_longitude: place.longitude,
    })
    .nullish(),
  translations: z
    .array(
      z.object({
        language_id: id(),
        title: optionalText().nullish(),
        description: optionalText(LONG_TEXT).nullish(),
      }),
    )
    .max(MAX_ENTRIES)
    .nullish(),
  photos: z
    .array(
      z.object({
        original_image: optionalText(2000).nullish(),
        watermark_image: optionalText(2000).nullish(),
      }),
    )
    .max(MAX_PICTURES)
    .nullish(),
  panorama_photos: z
    .array(z.object({ image: text(2000).min(1), thumb: optionalText(2000).nullish() }))
    .max(MAX_PICTURES)
    .nullish(),
  floor_configuration: z
    .array(z.record(z.string(), z.unknown()))
    .max(MAX_ENTRIES)
    .refine((floors) => !isDeeper(floors, MAX_DEPTH), `must not be nested deeper than ${MAX_DEPTH} levels`)
    .nullish(),
  tour_token: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullish(),
})
