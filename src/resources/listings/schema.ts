/** Bodies of the listing endpoints, and the only place where a listing's JSON is made. */
import { z } from 'zod'
import * as enums from '../../catalogue/enums.ts'
import { type FeatureGroup, featureKey } from '../../catalogue/features.ts'
import { core, details, extra, location } from '../../catalogue/listing.ts'
import { inputs, outputs, present } from '../../fields/kinds.ts'
import { dateTime, id, ids, LONG_TEXT, optionalText, text, unique } from '../../fields/values.ts'
import { dateTimeRange, idsFilter, listFilters, oneOrMore, textFilter } from '../../http/filters.ts'
import type { ListingRow } from './queries.ts'

const latitude = z.number().min(-90).max(90).nullish().describe('Degrees; 0 with longitude 0 means unknown')
const longitude = z.number().min(-180).max(180).nullish().describe('Degrees')

/** Keys of one group of the feature table, either vocabulary in, the output vocabulary stored. */
const featureKeys = (group: FeatureGroup, doc: string) =>
  z
    .array(
      z.string().transform((key, issue) => {
        const feature = featureKey(group, key)
        if (feature) return feature.key
        issue.addIssue(`${key} is not in the list that /api/listings/features serves`)
        return z.NEVER
      }),
    )
    .transform(unique)
    .nullish()
    .describe(doc)

const extraGroup = z.object(inputs(extra)).nullish()
const core_ = inputs(core)

const fields = {
  category: z.enum(enums.CATEGORIES),
  availability: z.enum(enums.AVAILABILITIES),
  store_id: id().describe('Owning office'),
  created_by: id().describe('User who creates it'),
  users: ids()
    .refine((list) => list.length > 0)
    .describe('Agents, at least one'),
  ...core_,
  title: optionalText().nullish().describe('Title in the language of `language_id`'),
  description: optionalText(LONG_TEXT).nullish().describe('Description in the language of `language_id`'),
  language_id: id().nullish().describe("Language of title and description; the account's default"),
  notes: optionalText(LONG_TEXT).nullish().describe('Internal notes'),
  tags: ids().nullish().describe('Ids from the tags lookup'),
  contacts: ids().nullish().describe('Owners'),
  features: featureKeys('features', 'Feature keys that apply to the category'),
  positioning: featureKeys('positioning', 'How it stands on its plot or floor'),
  flooring: featureKeys('flooring', 'Floors'),
  view: featureKeys('view', 'What is seen from it'),
  location: z
    .object({
      ...inputs(location),
      address: optionalText().nullish().describe('Street address in Greek'),
      latitude,
      longitude,
      display_address: z
        .enum(enums.ADDRESS_DISPLAYS)
        .nullish()
        .describe('What the public sees of the address'),
    })
    .nullish(),
  details: z.object(inputs(details)).nullish(),
  'the service': extraGroup.describe('The extra fields'),
  extra: extraGroup.describe('Alias of `the service`'),
}

export const createListing = z.object(fields)

/** Every key may be left out; category, availability, store_id and users cannot be cleared. */
export const updateListing = createListing
  .partial()
  .extend({ created_by: z.unknown().optional().describe('Ignored: the creator never changes') })

export type ListingInput = z.output<typeof updateListing> & { created_by?: unknown }

export const changeStatus = z.object({
  to: z
    .enum(enums.LISTING_STATUSES)
    .exclude(['draft'])
    .describe('The new status; a listing never returns to draft'),
})

/** Levels of a floor configuration, whose shape nobody knows; what is nested without end cannot be written as JSON. */
const MAX_DEPTH = 20

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return depth
  return Math.max(depth, ...Object.values(value).map((inner) => depthOf(inner, depth + 1)))
}

/** What import takes beside the create body. */
export const importedListing = createListing.extend({
  id: id(),
  code: optionalText().nullish(),
  status: z.enum(enums.LISTING_STATUSES).nullish(),
  status_date: dateTime().nullish(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  location: z
    .object({
      ...fields.location.unwrap().unwrap().shape,
      fake_address_el: optionalText().nullish(),
      fake_latitude: latitude,
      fake_longitude: longitude,
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
    .nullish(),
  photos: z
    .array(
      z.object({
        original_image: optionalText(2000).nullish(),
        watermark_image: optionalText(2000).nullish(),
      }),
    )
    .nullish(),
  panorama_photos: z
    .array(z.object({ image: text(2000).min(1), thumb: optionalText(2000).nullish() }))
    .nullish(),
  floor_configuration: z
    .array(z.record(z.string(), z.unknown()))
    .refine((floors) => depthOf(floors) <= MAX_DEPTH, `must not be nested deeper than ${MAX_DEPTH} levels`)
    .nullish(),
  tour_token: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullish(),
})

export const listingFilters = z.object({
  search: textFilter().describe('Exact code or id'),
  availability: oneOrMore(enums.AVAILABILITIES),
  category: oneOrMore(enums.CATEGORIES),
  subcategory: oneOrMore(enums.ALL_SUBCATEGORIES),
  subtype: idsFilter().describe('Ids from the subtypes lookup'),
  status: oneOrMore(enums.LISTING_STATUSES),
  date_created: dateTimeRange(),
  date_updated: dateTimeRange(),
  ...listFilters,
})

const area = z
  .object({
    id: z.int(),
    name_el: z.string(),
    name_en: z.string(),
    full_name_el: z.string(),
    full_name_en: z.string(),
  })
  .nullable()

/** A listing as it is read back. */
export const listing = z.object({
  id: z.int(),
  store_id: z.int().describe('Owning office'),
  code: z.string().nullable().describe('Given when the listing leaves draft; never changes'),
  category: z.enum(enums.CATEGORIES),
  availability: z.enum(enums.AVAILABILITIES),
  ...outputs(core),
  status: z.enum(enums.LISTING_STATUSES),
  status_date: dateTime().nullable().describe('Last change of status'),
  created_by: z.int(),
  date_created: dateTime(),
  date_updated: dateTime(),
  ...outputs(details),
  ...outputs(extra),
  floor_configuration: z.array(z.record(z.string(), z.unknown())).nullable(),
  notes: z.string().nullable().describe('Internal notes'),
  location: z.object({
    area_level1: area.describe('Region'),
    area_level2: area.describe('Municipality or district'),
    area_level3: area.describe('Neighbourhood'),
    postal_code: z.string().nullable(),
    display_address: z.boolean().describe('Show the full address publicly'),
    show_circle_on_map: z.boolean().describe('A circle instead of the exact pin'),
    address_el: z.string().nullable(),
    fake_address_el: z.string().nullable().describe('Public address when the exact one is hidden'),
    longitude: z.number().nullable(),
    latitude: z.number().nullable(),
    fake_longitude: z.number().nullable().describe('For public maps'),
    fake_latitude: z.number().nullable().describe('For public maps'),
    address_en: z.string().nullish().describe('ELOT 743 transliteration; with `fields=all`'),
  }),
  features: z.array(z.string()),
  positioning: z.array(z.string()),
  view: z.array(z.string()),
  flooring: z.array(z.string()),
  tags: z.array(z.int()),
  contacts: z.array(z.int()).describe('Owners'),
  users: z.array(z.int()).describe('Agents'),
  photos: z.array(
    z.object({
      original_image: z.string().nullable(),
      watermark_image: z.string().nullable().describe('Null when not generated'),
    }),
  ),
  panorama_photos: z.array(z.object({ image: z.string(), thumb: z.string() })),
  panorama_tour_url: z.string().nullable().describe('The built-in 360° viewer'),
  translations: z.array(
    z.object({ language_id: z.int(), title: z.string().nullable(), description: z.string().nullable() }),
  ),
})

/**
 * A listing's JSON.
 * @param url makes a public URL of a stored key
 * @param all adds the stored fields that the standard form leaves out
 */
export function presentListing(row: ListingRow, url: (key: string) => string, all: boolean) {
  const link = (key: string | null) => (key === null ? null : url(key))
  return {
    id: row.id,
    store_id: row.store_id,
    code: row.code,
    category: row.category,
    availability: row.availability,
    ...present(core, row, all),
    status: row.status,
    status_date: row.status_date,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    ...present(details, row.details, all),
    ...present(extra, row.extra, all),
    floor_configuration: row.floor_configuration,
    notes: row.notes,
    location: {
      area_level1: presentArea(row.area1),
      area_level2: presentArea(row.area2),
      area_level3: presentArea(row.area3),
      postal_code: row.postal_code,
      display_address: row.display_address === 'real',
      show_circle_on_map: row.display_address === 'fake',
      address_el: row.address_el,
      fake_address_el: row.fake_address_el,
      longitude: row.longitude,
      latitude: row.latitude,
      fake_longitude: row.fake_longitude,
      fake_latitude: row.fake_latitude,
      ...(all ? { address_en: row.address_en } : {}),
    },
    features: row.features,
    positioning: row.positioning,
    view: row.view,
    flooring: row.flooring,
    tags: row.tags,
    contacts: row.contacts,
    users: row.users,
    photos: row.photos.map((photo) => ({
      original_image: link(photo.original_image),
      watermark_image: link(photo.watermark_image),
    })),
    panorama_photos: row.panoramas.map(({ image, thumb }) => ({
      image: url(image),
      thumb: url(thumb ?? image),
    })),
    panorama_tour_url: row.panoramas.length > 0 && row.tour_token ? url(`tours/${row.tour_token}`) : null,
    translations: row.translations,
  }
}

function presentArea(area: ListingRow['area1']) {
  if (!area) return null
  const { parent_id, ...shown } = area
  return shown
}
