/** The filters of visitors: those of listings that go by what is shown. */
import { z } from 'zod'
import { named } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import { fieldSelection, pageFilters, sortFilter } from '../../../http/request/filters.ts'
import { PAGE_SIZE } from '../../../http/request/page-size.ts'
import { FIELD_LIST, PUBLIC_SORTS } from '../search/fields.ts'
import { checkSearch, countingFilters, searchFilters } from '../search/filters.ts'
import { documentOptions } from './document-format.ts'
import { publicListing } from './present.ts'

/** How far a visitor may page, in listings. */
const MAX_DEPTH = 100_000

const publicFieldSelection = fieldSelection(Object.keys(publicListing.shape))

export const publicReadOptions = z.object({ fields: publicFieldSelection, ...documentOptions })

const NOT_PUBLIC = 'is not available to keys of websites'

/**
 * A filter by what visitors do not see: refused, so that no answer depends on it.
 * @param absent how the filter may be sent without a value, beside null
 */
const notPublic = (absent: z.ZodType) =>
  z
    .union([z.null(), absent], NOT_PUBLIC)
    .optional()
    .transform(() => null)
    .describe('Not available to keys of websites')

const emptyList = z.array(z.never()).max(0)
const openRange = z
  .object({ min: z.null().optional().describe('No limit'), max: z.null().optional().describe('No limit') })
  .refine(({ min, max }) => min === null || max === null, NOT_PUBLIC)

/** The filters by what visitors do not see, under the types of the others. */
const privateFilters: object = Object.fromEntries(
  FIELD_LIST.flatMap(([name, { kind, options }]) =>
    options.isPrivate ? [[name, notPublic(kind === 'dates' ? openRange : emptyList)]] : [],
  ),
)

export const publicListingFilters = named(
  'PublicListingFilters',
  'Filters of visitors; a listing must meet all of them',
  {
    ...searchFilters,
    status: searchFilters.status.describe('Only active listings are found, whatever it says'),
    ...privateFilters,
    ...pageFilters,
    sort: sortFilter(['id', ...PUBLIC_SORTS]),
    fields: publicFieldSelection,
  },
)

export const { facets: publicFacetFilters, map: publicMapFilters } = countingFilters(
  'Public',
  publicListingFilters.shape,
)

/** Refuses pages that are too deep, and what no search allows. */
export function checkPublicFilters(draft: Draft<z.output<typeof publicListingFilters>>): void {
  const { page, per_page } = draft.values
  if ((page ?? 1) * (per_page ?? PAGE_SIZE) > MAX_DEPTH)
    draft.refuse('page', `Invalid page: page × per_page must not be above ${MAX_DEPTH}`)
  checkSearch(draft)
}
