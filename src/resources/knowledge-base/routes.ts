/** `/api/knowledge-base`: articles and their categories, read-only. Reading an article does not count a view. */
import { sql } from 'drizzle-orm'
import { database, runStatement } from '../../db/client.ts'
import { selectRows } from '../../db/statements.ts'
import { knowledge_base_categories as categories } from '../../db/tables/knowledge-base.ts'
import { Router } from '../../http/endpoint/router.ts'
import { lookupBody, pageBody, replyWithLookup, replyWithPage } from '../../http/reply/envelope.ts'
import { readOptions } from '../../http/request/filters.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { serveRead } from '../records.ts'
import { articleFilters, findFullPage, findPage } from './list.ts'
import {
  article,
  category,
  listedArticle,
  presentArticle,
  presentCategory,
  presentListedArticle,
} from './present.ts'
import { selectArticle, selectCategory } from './queries.ts'

export const knowledgeBaseRoutes = new Router(
  'Knowledge base',
  'Articles in HTML with files, in categories, for the staff of the agency. Read-only. The content is returned exactly ' +
    'as it was written, so sanitise it before you show it.',
)

knowledgeBaseRoutes.get(
  '/api/knowledge-base/articles',
  {
    summary: 'List articles',
    description:
      'Newest first unless `sort` is set. Articles have their content and files only with `fields=all`.',
    filters: articleFilters,
    list: true,
    reply: pageBody(listedArticle, article),
  },
  async (c, input) => {
    const filters = input.filters().complete()
    const db = database(c.env)
    const { page, per_page } = filters
    if (filters.fields === 'all') {
      const { rows, total } = await findFullPage(db, filters)
      const url = publicUrlBuilder(c)
      return replyWithPage(
        c,
        { page, per_page, total },
        rows.map((row) => presentArticle(row, url)),
      )
    }
    const { rows, total } = await findPage(db, filters)
    return replyWithPage(c, { page, per_page, total }, rows.map(presentListedArticle))
  },
)

serveRead(knowledgeBaseRoutes, {
  resource: 'knowledge-base/articles',
  read: { description: 'Reading does not count a view.', record: article },
  select: selectArticle,
  present: presentArticle,
})

knowledgeBaseRoutes.get(
  '/api/knowledge-base/categories',
  {
    summary: 'Active categories',
    description: 'Inactive categories can still be read by id.',
    filters: readOptions,
    list: true,
    reply: lookupBody(category),
  },
  async (c, input) => {
    const { fields } = input.filters().complete()
    const rows = await runStatement(
      database(c.env),
      selectRows(categories, sql`where is_active = 1 order by id`),
    )
    return replyWithLookup(
      c,
      rows.map((row) => presentCategory(row, fields === 'all')),
    )
  },
)

serveRead(knowledgeBaseRoutes, {
  resource: 'knowledge-base/categories',
  read: { description: 'Inactive ones too.', record: category },
  select: selectCategory,
  present: (row, _url, all) => presentCategory(row, all),
})
