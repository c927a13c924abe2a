/** Filters of the knowledge base. */
import { z } from 'zod'
import { LONG_TEXT, text } from '../../fields/values.ts'
import { dateTimeRange, idFilter, listFilters } from '../../http/request/filters.ts'

export const articleFilters = z
  .object({
    category_id: idFilter().describe('Id from the categories lookup'),
    // Longer than any title may be: what cannot be found is not found, rather than refused.
    search: text(LONG_TEXT)
      .nullish()
      .transform((value) => (value?.trim() ? value : null))
      .describe('Part of the title; case and accents do not matter'),
    date_created: dateTimeRange().describe('When it was created'),
    ...listFilters,
    fields: listFilters.fields.describe('`all` gives each record the form of the single read'),
  })
  .meta({ id: 'ArticleFilters', description: 'Filters of articles; an article must meet all of them' })
