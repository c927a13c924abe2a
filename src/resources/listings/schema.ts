/** Bodies and filters of the listing endpoints. */
import { z } from 'zod'
import * as enums from '../../catalogue/enums.ts'
import { type FeatureGroup, findFeatures, inputKeys } from '../../catalogue/features.ts'
import { core, details, extra, location } from '../../catalogue/listing.ts'
import { inputs } from '../../fields/derive.ts'
import { id, ids, LONG_TEXT, LONG_URL, list, optionalText, unique } from '../../fields/values.ts'
import {
  dateTimeRange,
  idsFilter,
  listFilters,
  oneOrMoreFilter,
  textFilter,
} from '../../http/request/filters.ts'

const latitude = z.number().min(-90).max(90).nullish().describe('Degrees; 0 with longitude 0 means unknown')
const longitude = z.number().min(-180).max(180).nullish().describe('Degrees')

/** Keys of one group of the feature table, either vocabulary in, the output vocabulary stored. */
const featureKeys = (group: FeatureGroup, doc: string) =>
  list(z.string().meta({ enum: inputKeys(group) }))
    .transform((keys, context) =>
      unique(findFeatures(group, keys, (message) => context.addIssue(message)).map(({ key }) => key)),
    )
    .nullish()
    .describe(doc)

const addressDisplay = z.enum(enums.ADDRESS_DISPLAYS)

const place = z.object({
  ...inputs(location),
  address: optionalText().nullish().describe('Street address in Greek; the transliteration is made from it'),
  latitude,
  longitude,
  display_address: addressDisplay
    .nullish()
    .describe('What the public may see of the address; `none` when omitted'),
})

/** A place by its id, or as it is read back: an object with its id. */
const areaOrId = z.union([
  id(),
  z
    .object({ id: id().describe('Id of the location') })
    .transform((area) => area.id)
    .meta({ id: 'AreaReference', description: 'A place as it is read back, of which only the id counts' }),
])

const changedPlace = place
  .extend({
    area_level1: areaOrId.nullish().describe(location.area_level1.doc),
    area_level2: areaOrId.nullish().describe(location.area_level2.doc),
    area_level3: areaOrId.nullish().describe(location.area_level3.doc),
    display_address: z
      .union([addressDisplay, z.boolean()])
      .nullish()
      .describe(
        'What the public may see of the address. As it is read back: true is `real`; false is `fake` where ' +
          '`show_circle_on_map` is true, else `none`',
      ),
    show_circle_on_map: z.boolean().nullish().describe('Counts beside a `display_address` of false'),
  })
  .meta({
    id: 'ListingLocationUpdate',
    description:
      'What changes of where a listing is. The chain of areas is checked as it is after the update. A place that was ' +
      'read may be sent back.',
  })

export type LocationInput = z.output<typeof changedPlace>

const extraGroup = z
  .object(inputs(extra))
  .meta({ id: 'ListingExtras', description: 'The extra group of a listing: media, distances, terms, areas' })
  .nullish()
const core_ = inputs(core)

const fields = {
  category: z.enum(enums.CATEGORIES).describe('Kind of property; says which features and fields apply'),
  availability: z.enum(enums.AVAILABILITIES).describe('How it is offered'),
  store_id: id().describe('Owning office: id from `/api/stores`'),
  created_by: id().describe('User who creates it: id from `/api/users`'),
  users: ids({ min: 1 }).describe('Agents, at least one: ids from `/api/users`'),
  ...core_,
  title: optionalText().nullish().describe('Title in the language of `language_id`'),
  description: optionalText(LONG_TEXT).nullish().describe('Description in the language of `language_id`'),
  language_id: id()
    .nullish()
    .describe(
      "Language of title and description, an id from `/api/languages`; the account's default when omitted",
    ),
  notes: optionalText(LONG_TEXT).nullish().describe('Internal notes'),
  tags: ids().nullish().describe('Ids from the tags lookup'),
  contacts: ids().nullish().describe('Owners: ids of contacts'),
  features: featureKeys('features', 'Feature keys that apply to the category'),
  positioning: featureKeys('positioning', 'How it stands on its plot or floor'),
  flooring: featureKeys('flooring', 'Floors'),
  view: featureKeys('view', 'What is seen from it'),
  location: place
    .meta({
      id: 'ListingLocationInput',
      description:
        'Where a listing is. Areas must lie within each other, and a deeper one needs those above it.',
    })
    .nullish(),
  details: z
    .object(inputs(details))
    .meta({
      id: 'ListingDetails',
      description: 'The detail group of a listing: rooms, parking, building, land',
    })
    .nullish(),
  'the service': extraGroup.describe('The extra fields. The key is literally `the service`, with a space'),
  extra: extraGroup.describe('Alias of `the service`, which wins where both have a key'),
}

export const listingInput = z
  .object(fields)
  .meta({ id: 'ListingInput', description: 'A listing as it is created' })

/** Every key may be left out; category, availability, store_id and users cannot be cleared. */
export const listingUpdate = listingInput
  .partial()
  .extend({
    created_by: z.unknown().optional().describe('Ignored: the creator never changes'),
    location: changedPlace.nullish(),
  })
  .meta({ id: 'ListingUpdate', description: 'What changes of a listing: only the keys that are sent' })

export type ListingInput = z.output<typeof listingUpdate> & { created_by?: unknown }

export const changeStatus = z
  .object({
    to: z
      .enum(enums.LISTING_STATUSES)
      .exclude(['draft'])
      .describe('The new status; a listing never returns to draft'),
  })
  .meta({ id: 'ListingStatusChange', description: 'The status that a listing is to have' })

/** Entries of one call: each may be a download of its own. */
export const MAX_PHOTOS_PER_CALL = 100

/** Most bytes of one call: room for one photo of 20 MB in base64. */
export const MAX_UPLOAD = 28 * 1024 * 1024

const URL_DOCS = `http or https URL of at most ${LONG_URL} characters, which the service fetches`

/** One entry, for the documentation; what an entry of another shape is told is in its own answer. */
const source = z.unknown().meta({
  id: 'PhotoSource',
  description: 'A picture to add: its URL, or its bytes',
  anyOf: [
    { type: 'string', description: URL_DOCS },
    {
      type: 'object',
      properties: { url: { type: 'string', description: URL_DOCS } },
      required: ['url'],
    },
    {
      type: 'object',
      properties: {
        data: {
          type: 'string',
          description: 'The bytes in base64; a prefix `data:image/…;base64,` is passed over',
        },
      },
      required: ['data'],
    },
  ],
})

export const photoUpload = z
  .object({ photos: list(source, { max: MAX_PHOTOS_PER_CALL }).describe('The pictures, in their order') })
  .meta({ id: 'PhotoUpload', description: 'Pictures to add to a listing' })

/** Pictures of a kind that a listing may have been imported with. */
const MAX_PICTURES = 10_000

export const pictureOrder = z
  .object({
    order: list(z.int(), { max: MAX_PICTURES }).describe(
      'Every `ordernum` there is, once, in the order that is wanted',
    ),
  })
  .meta({ id: 'PictureOrder', description: 'The order that the pictures of a listing are to have' })

export const listingFilters = z
  .object({
    search: textFilter().describe('The whole code (`RES-00089`) or the id of a listing; no part of either'),
    availability: oneOrMoreFilter(enums.AVAILABILITIES).describe('How it is offered; one value or several'),
    category: oneOrMoreFilter(enums.CATEGORIES).describe('Kind of property; one value or several'),
    subcategory: oneOrMoreFilter(enums.ALL_SUBCATEGORIES).describe('One value or several'),
    subtype: idsFilter().describe('One id or several from the subtypes lookup'),
    status: oneOrMoreFilter(enums.LISTING_STATUSES).describe(
      'One value or several; every status when omitted',
    ),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe(
      'When it last changed, photos included: for what is new since a sync',
    ),
    ...listFilters,
  })
  .meta({ id: 'ListingFilters', description: 'Filters of listings; a listing must meet all of them' })
