/** The knowledge base: categories, articles and their files. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { article, body, category, file } from '../../catalogue/knowledge-base.ts'
import { columns } from '../../fields/derive.ts'
import { users } from './agency.ts'
import { indexesBy } from './indexes.ts'
import { idOf } from './links.ts'

export const knowledge_base_categories = sqliteTable('knowledge_base_categories', {
  ...columns(category),
  version: integer().notNull().default(1),
  is_active: integer({ mode: 'boolean' }).notNull().default(true),
})

export const knowledge_base_articles = sqliteTable(
  'knowledge_base_articles',
  {
    ...columns(article, { knowledge_base_categories, users }),
    version: integer().notNull().default(1),
    /** The title folded to lower case without accents, for the search filter. */
    title_search: text().notNull(),
    views: integer().notNull().default(0),
    ...columns(body),
  },
  (table) => [
    ...indexesBy('knowledge_base_articles', table, ['category_id', 'date_created', 'date_updated']),
    // A partial match reads every title; this index keeps it from reading every article.
    index('knowledge_base_articles_by_title').on(table.title_search),
  ],
)

export const knowledge_base_files = sqliteTable(
  'knowledge_base_files',
  {
    article_id: idOf(knowledge_base_articles),
    ...columns(file),
  },
  (table) => [index('knowledge_base_files_by_article').on(table.article_id)],
)
