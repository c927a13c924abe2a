/** `/api/knowledge-base`: articles and their categories, read-only. Reading an article does not count a view. */
import { eq } from 'drizzle-orm'
import { database } from '../../db/client.ts'
import { readRecord } from '../../db/merge.ts'
import { knowledge_base_categories as categories } from '../../db/tables/knowledge-base.ts'
import { item, itemBody, list, listBody, lookup, lookupBody } from '../../http/envelope.ts'
import { readOptions } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import { publicUrl } from '../../http/urls.ts'
import {
  article,
  category,
  listedArticle,
  presentArticle,
  presentCategory,
  presentListedArticle,
} from './present.ts'
import { findFullPage, findPage, selectArticle, selectCategory } from './queries.ts'
import * as schema from './schema.ts'

export const knowledgeBaseRoutes = new Router(
  'Knowledge base',
  'What the agency knows: articles in HTML with files, in categories. Read-only. The content comes exactly as it was ' +
    'written, so sanitise it before you show it.',
)

knowledgeBaseRoutes.get(
  '/api/knowledge-base/articles',
  {
    summary: 'List articles',
    description: 'Newest first, without their content and files, unless `fields=all` asks for them.',
    filters: schema.articleFilters,
    list: true,
    reply: listBody(listedArticle),
  },
  async (c, input) => {
    const filters = await input.filters()
    const db = database(c.env)
    const page = filters.page ?? 1
    if (filters.fields === 'all') {
      const { rows, total } = await findFullPage(db, filters)
      const url = publicUrl(c)
      return list(
        c,
        { page, total },
        rows.map((row) => presentArticle(row, url)),
      )
    }
    const { rows, total } = await findPage(db, filters)
    return list(c, { page, total }, rows.map(presentListedArticle))
  },
)

knowledgeBaseRoutes.get(
  '/api/knowledge-base/articles/{id}',
  {
    summary: 'Read an article',
    description: 'Reading does not count a view.',
    resource: 'Article',
    filters: readOptions,
    reply: itemBody(article),
  },
  async (c, input) => {
    const db = database(c.env)
    const record = input.record()
    const row = await readRecord(db, record, selectArticle({ id: record.id }))
    await input.filters()
    return item(c, presentArticle(row, publicUrl(c)))
  },
)

knowledgeBaseRoutes.get(
  '/api/knowledge-base/categories',
  {
    summary: 'Active categories',
    description: 'Those in use; a category that is not can still be read by its id.',
    filters: readOptions,
    list: true,
    reply: lookupBody(category),
  },
  async (c, input) => {
    const { fields } = await input.filters()
    const rows = await database(c.env)
      .select()
      .from(categories)
      .where(eq(categories.is_active, true))
      .orderBy(categories.id)
    return lookup(
      c,
      rows.map((row) => presentCategory(row, fields === 'all')),
    )
  },
)

knowledgeBaseRoutes.get(
  '/api/knowledge-base/categories/{id}',
  {
    summary: 'Read a category',
    description: 'Inactive ones too.',
    resource: 'Category',
    filters: readOptions,
    reply: itemBody(category),
  },
  async (c, input) => {
    const db = database(c.env)
    const record = input.record()
    const row = await readRecord(db, record, selectCategory({ id: record.id }))
    const { fields } = await input.filters()
    return item(c, presentCategory(row, fields === 'all'))
  },
)
