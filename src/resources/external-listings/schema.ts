/** Bodies of the external-listing endpoints. */
import { z } from 'zod'
import { owner, place, property, texts, watchers } from '../../catalogue/external-listing.ts'
import { inputs } from '../../fields/derive.ts'
import { ids, LONG_URL, list, named } from '../../fields/values.ts'

/** Maximum photos of one body, as each is a separate download. */
export const MAX_PHOTOS = 100

const coordinates = inputs(place)

export const externalListingInput = named(
  'ExternalListingInput',
  'The body that creates an external listing',
  {
    ...inputs(watchers),
    ...inputs(property),
    ...inputs(texts),
    location: named(
      'ExternalListingLocationInput',
      'The location of an external listing. Any area may be omitted; those sent must lie within each other',
      inputs(place),
    ).nullish(),
    latitude: coordinates.latitude.describe('Degrees; `location.latitude` takes precedence'),
    longitude: coordinates.longitude.describe('Degrees; `location.longitude` takes precedence'),
    ...inputs(owner),
    tags: ids().nullish().describe('Ids from the tags lookup'),
    users: ids().nullish().describe('Agents who follow it'),
    photos: list(z.string(), { max: MAX_PHOTOS })
      .nullish()
      .describe(
        `URLs of JPEG, PNG or WebP pictures of at most ${LONG_URL} characters, downloaded and stored in this order`,
      ),
  },
)

export type ExternalListingInput = z.output<typeof externalListingInput>

export const externalListingUpdate = externalListingInput
  .partial()
  .extend({
    created_by: z
      .unknown()
      .optional()
      .transform(() => undefined)
      .describe('Ignored: the creator never changes'),
    photos: externalListingInput.shape.photos.describe(
      'Replaces the pictures: URLs of JPEG, PNG or WebP pictures, downloaded and stored in this order. The URL of a ' +
        'picture that the record has keeps that picture',
    ),
  })
  .meta({
    id: 'ExternalListingUpdate',
    description: 'Changes of an external listing: only the keys that are sent',
  })

export type ExternalListingChanges = z.output<typeof externalListingUpdate>
