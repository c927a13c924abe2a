/** The list of articles: its filters, their conditions, and its pages. */
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Conditions, within } from '../../db/conditions.ts'
import { pageReader } from '../../db/page.ts'
import { knowledge_base_articles as articles } from '../../db/tables/knowledge-base.ts'
import { LONG_TEXT, text } from '../../fields/values.ts'
import { dateTimeRange, fieldsFilter, idFilter, listFilters } from '../../http/request/filters.ts'
import { type ArticleRow, type ListedArticleRow, selectArticles, selectListedArticles } from './queries.ts'
import { titleSearch } from './title.ts'

export const articleFilters = z
  .object({
    category_id: idFilter().describe('Id from the categories lookup'),
    // Longer than any title may be, so that a long search finds nothing instead of being refused.
    search: text(LONG_TEXT)
      .nullish()
      .transform((value) => value?.trim() || null)
      .describe('Part of the title; case and accents do not matter'),
    date_created: dateTimeRange().describe('When it was created'),
    ...listFilters('date_created', 'date_updated'),
    fields: fieldsFilter().describe('`all` shows each record as a single read does'),
  })
  .meta({ id: 'ArticleFilters', description: 'Filters of articles; an article must meet all of them' })

type Filters = z.output<typeof articleFilters>

const CONDITIONS = {
  category_id: (id) => eq(articles.category_id, id),
  // `instr` accepts text of any length, and `%` and `_` literally. LIKE on D1 does not.
  search: (search) => sql`instr(title_search, ${titleSearch(search)}) > 0`,
  date_created: (range) => within(sql.raw('date_created'), range),
} satisfies Conditions<Filters>

/** One page of articles as a list shows them, and their total; one round trip. */
export const findPage = pageReader<Filters, ListedArticleRow>(articles, CONDITIONS, selectListedArticles)

/** One page of whole articles, and their total; one round trip. */
export const findFullPage = pageReader<Filters, ArticleRow>(articles, CONDITIONS, selectArticles)
