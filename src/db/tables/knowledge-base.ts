/** The knowledge base: categories, articles and their files. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from './agency.ts'

export const knowledge_base_categories = sqliteTable('knowledge_base_categories', {
  id: integer().primaryKey(),
  name: text().notNull(),
  description: text(),
  icon: text().notNull(),
  color: text().notNull(),
  is_active: integer({ mode: 'boolean' }).notNull().default(true),
})

export const knowledge_base_articles = sqliteTable(
  'knowledge_base_articles',
  {
    id: integer().primaryKey(),
    title: text().notNull(),
    /** The title folded to lower case without accents, for the search filter. */
    title_search: text().notNull(),
    category_id: integer()
      .notNull()
      .references(() => knowledge_base_categories.id),
    content: text(),
    views: integer().notNull().default(0),
    created_by: integer()
      .notNull()
      .references(() => users.id),
    date_created: text().notNull(),
    date_updated: text(),
  },
  (table) => [
    index('knowledge_base_articles_by_category').on(table.category_id),
    index('knowledge_base_articles_by_date_created').on(table.date_created),
    // A partial match reads every title; this index keeps it from reading every article.
    index('knowledge_base_articles_by_title').on(table.title_search),
  ],
)

export const knowledge_base_files = sqliteTable(
  'knowledge_base_files',
  {
    id: integer().primaryKey(),
    article_id: integer()
      .notNull()
      .references(() => knowledge_base_articles.id),
    original_name: text().notNull(),
    mime_type: text(),
    /** Bytes. */
    size: integer().notNull(),
    /** Key in the bucket, or a URL elsewhere that came by import. */
    url: text().notNull(),
    date_created: text().notNull(),
  },
  (table) => [index('knowledge_base_files_by_article').on(table.article_id)],
)
