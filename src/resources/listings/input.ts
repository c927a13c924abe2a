/** Bodies that create and update a listing. */
import { z } from 'zod'
import { type FeatureGroup, inputKeys, keysAs } from '../../catalogue/features.ts'
import { core, details, extra, location } from '../../catalogue/listing.ts'
import * as enums from '../../catalogue/property-enums.ts'
import { inputs } from '../../fields/derive.ts'
import { id, ids, LONG_TEXT, list, named, optionalText } from '../../fields/values.ts'

const latitude = z.number().min(-90).max(90).nullish().describe('Degrees; 0 with longitude 0 means unknown')
const longitude = z.number().min(-180).max(180).nullish().describe('Degrees')

/** Keys of one group of the feature table. Input and output keys are accepted, and output keys are stored. */
const featureKeys = (group: FeatureGroup, doc: string) =>
  list(z.string().meta({ enum: inputKeys(group) }))
    .transform(keysAs(group, 'key'))
    .nullish()
    .describe(doc)

const addressDisplay = z.enum(enums.ADDRESS_DISPLAYS)

const place = z.object({
  ...inputs(location),
  address: optionalText()
    .nullish()
    .describe('Street address in Greek; it is transliterated for `address_en`'),
  latitude,
  longitude,
  display_address: addressDisplay
    .nullish()
    .describe('What the public may see of the address; `none` when omitted'),
})

/** A place by its id, or as a reply shows it: an object with its id. */
const areaOrId = z.union([
  id(),
  z
    .object({ id: id().describe('Id of the location') })
    .transform((area) => area.id)
    .meta({ id: 'AreaReference', description: 'A place as a reply shows it; only its id is used' }),
])

const changedPlace = named(
  'ListingLocationUpdate',
  'Changes of the location of a listing. The areas are checked as they are after the update. A location from a ' +
    'reply may be sent back.',
  {
    ...place.shape,
    area_level1: areaOrId.nullish().describe(location.area_level1.doc),
    area_level2: areaOrId.nullish().describe(location.area_level2.doc),
    area_level3: areaOrId.nullish().describe(location.area_level3.doc),
    display_address: z
      .union([addressDisplay, z.boolean()])
      .nullish()
      .describe(
        'What the public may see of the address. The booleans of replies are accepted, too: true means `real`; false ' +
          'means `fake` if `show_circle_on_map` is true, else `none`',
      ),
    show_circle_on_map: z.boolean().nullish().describe('Used only if `display_address` is false'),
  },
)

export type LocationInput = z.output<typeof changedPlace>

const extraGroup = named(
  'ListingExtras',
  'The extra group of a listing: media, distances, terms, areas',
  inputs(extra),
).nullish()
const core_ = inputs(core)

const fields = {
  category: z.enum(enums.CATEGORIES).describe('Kind of property; determines which features and fields apply'),
  availability: z.enum(enums.AVAILABILITIES).describe('How it is offered'),
  store_id: id().describe('Store that owns it: id from `/api/stores`'),
  created_by: id().describe('User who creates it: id from `/api/users`'),
  users: ids({ min: 1 }).describe('Agents, at least one: ids from `/api/users`'),
  ...core_,
  title: optionalText().nullish().describe('Title in the language of `language_id`'),
  description: optionalText(LONG_TEXT).nullish().describe('Description in the language of `language_id`'),
  language_id: id()
    .nullish()
    .describe(
      "Language of title and description, an id from `/api/languages`; the agency's default when omitted",
    ),
  notes: optionalText(LONG_TEXT).nullish().describe('Internal notes'),
  tags: ids().nullish().describe('Ids from the tags lookup'),
  contacts: ids().nullish().describe('Owners: ids of contacts'),
  features: featureKeys('features', 'Feature keys that apply to the category'),
  positioning: featureKeys('positioning', 'Its position on the plot or floor'),
  flooring: featureKeys('flooring', 'Floors'),
  view: featureKeys('view', 'View from it'),
  location: place
    .meta({
      id: 'ListingLocationInput',
      description:
        'The location of a listing. Each area must lie within the one above, and a lower level needs those above it.',
    })
    .nullish(),
  details: named(
    'ListingDetails',
    'The detail group of a listing: rooms, parking, building, land',
    inputs(details),
  ).nullish(),
  'the service': extraGroup.describe('The extra fields. The key is literally `the service`, with a space'),
  extra: extraGroup.describe('Alias of `the service`, which wins if both have a key'),
}

export const listingInput = named('ListingInput', 'The body that creates a listing', fields)

/** All keys are optional. Category, availability, store_id and users cannot be cleared. */
export const listingUpdate = listingInput
  .partial()
  .extend({
    created_by: z.unknown().optional().describe('Ignored: the creator never changes'),
    location: changedPlace.nullish(),
  })
  .meta({ id: 'ListingUpdate', description: 'Changes of a listing: only the keys that are sent' })

export type ListingInput = z.output<typeof listingUpdate> & { created_by?: unknown }
