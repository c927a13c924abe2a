/** The filters by which listings are searched: those of the fields, and those that take more than one column. */
import { z } from 'zod'
import { foldedWords } from '../../../db/fold.ts'
import { int, named, text, unique } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import { idsFilter, namesFilter, textFilter } from '../../../http/request/filters.ts'
import { DEFAULT_FACETS, FACETS, fieldFilters } from './fields.ts'

const MAX_TEXT = 100
const MAX_WORDS = 8

/** The words of a text, folded; null if it has none. */
const wordsFilter = () =>
  text(MAX_TEXT)
    .nullish()
    .transform((sent, context) => {
      const words = foldedWords(sent ?? '')
      if (words.length > MAX_WORDS) context.addIssue(`must have at most ${MAX_WORDS} words`)
      return words.length > 0 ? unique(words) : null
    })

const latitude = () => z.number().min(-90).max(90)
const longitude = () => z.number().min(-180).max(180)

const { availability, category, subcategory, status, ...otherFields } = fieldFilters

/** The filters that a listing meets by its own values. Their order is that of errors and of the documentation. */
export const searchFilters = {
  search: textFilter().describe(
    'The complete code (`RES-00089`) or the id of a listing; parts do not match, and case does not matter',
  ),
  ...{ availability, category, subcategory, status },
  ...otherFields,
  ids: idsFilter().describe('One id of a listing or several'),
  areas: idsFilter().describe('One id or several from `/api/locations`, of any level'),
  text: wordsFilter().describe(
    `Words that are all in a title, the code, the names of the areas, or those of the subcategory, features and views, in Greek or ` +
      `Latin letters; at most ${MAX_WORDS}. Each may be the beginning of a longer word, unless it is a single character. Names of ` +
      'areas may be spelled as they sound',
  ),
  bounds: named('BoundsFilter', 'A rectangle on the map', {
    south: latitude().describe('Degrees'),
    west: longitude().describe('Degrees; greater than `east` if the rectangle crosses the date line'),
    north: latitude().describe('Degrees'),
    east: longitude().describe('Degrees'),
  }).nullish(),
  near: named('NearFilter', 'A circle on the map', {
    latitude: latitude().describe('Degrees'),
    longitude: longitude().describe('Degrees'),
    radius: z.number().min(1).max(50_000).describe('Metres'),
  }).nullish(),
}

export const DEFAULT_ZOOM = 12
const MAX_ZOOM = 20

/**
 * The filters of facets and of the map: those of a list, and what each has besides.
 * @param prefix what their names begin with
 */
export function countingFilters<Shape extends z.core.$ZodLooseShape>(prefix: string, shape: Shape) {
  const rest = 'and the filters of the list; its page and order have no effect'
  return {
    facets: named(`${prefix}FacetFilters`, `Facets, ${rest}`, {
      ...shape,
      facets: namesFilter(FACETS).describe(
        `Names of facets, with commas between them; \`${DEFAULT_FACETS.join(',')}\` when omitted`,
      ),
    }),
    map: named(`${prefix}MapFilters`, `A zoom, ${rest}`, {
      ...shape,
      zoom: int()
        .min(0)
        .max(MAX_ZOOM)
        .nullish()
        .describe(`Zoom of the map as usual on the web, 0 to ${MAX_ZOOM}; ${DEFAULT_ZOOM} when omitted`),
    }),
  }
}

/** Refuses bounds that are upside down, and an order by distance without a point. */
export function checkSearch(
  draft: Draft<Pick<SearchFilters, 'bounds' | 'near'> & { sort?: string | null | undefined }>,
): void {
  const { sort, near, bounds } = draft.values
  if (bounds && bounds.south > bounds.north)
    draft.refuse('bounds', 'Invalid bounds: south must not be above north')
  if (sort?.endsWith('distance') && !near) draft.refuse('sort', 'Invalid sort: distance needs near')
}

/** The values of the filters of a search. Throws 400. */
export function completeSearch<T extends Parameters<typeof checkSearch>[0]['values']>(draft: Draft<T>): T {
  checkSearch(draft)
  return draft.complete()
}

export type SearchFilters = z.output<z.ZodObject<typeof searchFilters>>
