/** Filters of the listing endpoints, and the bodies of parts of a listing. */
import { z } from 'zod'
import * as enums from '../../catalogue/property-enums.ts'
import { LONG_URL, list, named } from '../../fields/values.ts'
import { fieldSelection, pageFilters, sortFilter } from '../../http/request/filters.ts'
import { listing } from './present.ts'
import { documentOptions } from './public/document-format.ts'
import { SORTS } from './search/fields.ts'
import { countingFilters, searchFilters } from './search/filters.ts'

export const changeStatus = named('ListingStatusChange', 'The new status of a listing', {
  to: z
    .enum(enums.LISTING_STATUSES)
    .exclude(['draft'])
    .describe('The new status; a listing never returns to draft'),
})

/** Maximum entries of one call, as each may be a separate download. */
export const MAX_PHOTOS_PER_CALL = 100

/** Maximum bytes of one call: enough for one photo of 20 MB in base64. */
export const MAX_UPLOAD = 28 * 1024 * 1024

const URL_DOCS = `http or https URL of at most ${LONG_URL} characters, which the service fetches`

/** One entry, for the documentation only. An entry of another shape fails alone, with an error in its own outcome. */
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
          description: 'The bytes in base64; a prefix `data:image/…;base64,` is ignored',
        },
      },
      required: ['data'],
    },
  ],
})

export const photoUpload = named('PhotoUpload', 'Pictures to add to a listing', {
  photos: list(source, { max: MAX_PHOTOS_PER_CALL }).describe('The pictures, in order'),
})

/** Maximum pictures of one kind. A listing may have been imported with as many. */
const MAX_PICTURES = 10_000

export const pictureOrder = named('PictureOrder', 'The new order of the pictures of a listing', {
  order: list(z.int(), { max: MAX_PICTURES }).describe(
    'Every `ordernum` of the listing exactly once, in the new order',
  ),
})

const listingFieldSelection = fieldSelection(Object.keys(listing.shape)).describe(
  'Names of the fields of each record, with commas between them. `all` adds the stored fields that the standard ' +
    'representation omits, which is what is shown when omitted',
)

export const listingReadOptions = z.object({ fields: listingFieldSelection, ...documentOptions })

export const listingFilters = named(
  'ListingFilters',
  'Filters of listings; a listing must meet all of them',
  {
    ...searchFilters,
    ...pageFilters,
    sort: sortFilter(['id', ...SORTS]),
    fields: listingFieldSelection,
  },
)

export const { facets: listingFacetFilters, map: listingMapFilters } = countingFilters(
  'Listing',
  listingFilters.shape,
)

/** The filters of a list, without what does not select listings. */
export type Filters = Omit<z.output<typeof listingFilters>, 'fields'>
