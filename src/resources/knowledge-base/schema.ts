/** Filters of the knowledge base. */
import { z } from 'zod'
import { LONG_TEXT, text } from '../../fields/values.ts'
import { dateTimeRange, fieldsFilter, idFilter, listFilters } from '../../http/request/filters.ts'

export const articleFilters = z
  .object({
    category_id: idFilter().describe('Id from the categories lookup'),
    // Longer than any title may be, so that a long search finds nothing instead of being refused.
    search: text(LONG_TEXT)
      .nullish()
      .transform((value) => (value?.trim() ? value : null))
      .describe('Part of the title; case and accents do not matter'),
    date_created: dateTimeRange().describe('When it was created'),
    ...listFilters('date_created', 'date_updated'),
    fields: fieldsFilter().describe('`all` shows each record as a single read does'),
  })
  .meta({ id: 'ArticleFilters', description: 'Filters of articles; an article must meet all of them' })
