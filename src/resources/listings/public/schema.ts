/** The filters of visitors: those of listings that go by what is shown. */
import { z } from 'zod'
import { int } from '../../../fields/values.ts'
import { listFilters } from '../../../http/request/filters.ts'
import { listingFilters } from '../schema.ts'
import { searchFilters } from '../search/filters.ts'

/** How far a visitor may page, in listings. */
export const MAX_DEPTH = 100_000

const ORDERS = [
  'id',
  'price',
  'price_per_sqm',
  'size',
  'rooms',
  'date_updated',
  'date_listed',
  'distance',
] as const

export type Sort = (typeof ORDERS)[number] | `-${(typeof ORDERS)[number]}`

const { search, availability, category, subcategory, subtype, status } = listingFilters.shape

/** A filter by what visitors do not see: refused, so that no answer depends on it. */
const notPublic = () =>
  z.null('is not available to keys of websites').optional().describe('Not available to keys of websites')

export const publicListingFilters = z
  .object({
    search,
    availability,
    category,
    subcategory,
    subtype,
    status: status.describe('Only active listings are found, whatever it says'),
    ...searchFilters,
    tags: notPublic(),
    users: notPublic(),
    date_created: notPublic(),
    date_updated: notPublic(),
    sort: z
      .enum(ORDERS.flatMap((name): [Sort, Sort] => [name, `-${name}`]))
      .nullish()
      .describe('Order; `-` before a name reverses it. Absent values come last, equal ones newest first'),
    per_page: int().min(1).max(100).nullish().describe('Number of listings on a page, 50 when omitted'),
    page: listFilters.page,
  })
  .meta({ id: 'PublicListingFilters', description: 'Filters of visitors; a listing must meet all of them' })
