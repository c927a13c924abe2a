/** The filters of feeds: those of listings that select, in a form that can be stored and read again. */

import { z } from 'zod'
import { named } from '../fields/values.ts'
import { listingFilters } from '../resources/listings/schema.ts'
import { searchFilters } from '../resources/listings/search/filters.ts'

const { page, per_page, sort, fields, text, ...selecting } = listingFilters.shape

export const feedFilters = named(
  'FeedFilters',
  'Filters of the listings of a feed, which go by what is shown; a listing must meet all of them. Only active listings are found, ' +
    'whatever `status` says',
  {
    ...selecting,
    // As it was sent: its words depend on the version of the service.
    text: z
      .string()
      .nullish()
      .superRefine((sent, context) => {
        const problem = searchFilters.text.safeParse(sent).error?.issues[0]
        if (problem) context.addIssue(problem.message)
      })
      .describe(text.description ?? ''),
  },
)
