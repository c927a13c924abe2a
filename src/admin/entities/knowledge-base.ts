/** Import and export of the knowledge base: categories, and articles with their files. */
import { asc, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { replaceRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import { fold } from '../../db/fold.ts'
import { idList } from '../../db/references.ts'
import * as tables from '../../db/tables/knowledge-base.ts'
import {
  count,
  dateTime,
  filledText,
  formatDateTime,
  id,
  LONG_TEXT,
  list,
  optionalText,
  text,
} from '../../fields/values.ts'
import { selectArticles } from '../../resources/knowledge-base/queries.ts'
import { presentArticle } from '../../resources/knowledge-base/schema.ts'
import { type Entity, entity } from '../entity.ts'
import { color } from './agency.ts'
import { checkChildIds, type StoredChild, type StoredDates } from './stored.ts'

/** Longest key or URL of a file, in characters. */
const MAX_URL = 2000

const importedCategory = z.object({
  id: id(),
  name: filledText(),
  description: optionalText(LONG_TEXT).nullish(),
  icon: text().nullish(),
  color,
  is_active: z.boolean(),
})

const categories = entity({
  name: 'knowledge_base_categories',
  schema: importedCategory,
  references: () => [],
  store: (db, lines) => [
    upsertRows(
      db,
      tables.knowledge_base_categories,
      lines.map(({ description = null, icon, ...category }) => ({
        ...category,
        description,
        icon: icon ?? '',
      })),
    ),
  ],
  page: async (db, after, limit) => {
    const rows = await db
      .select()
      .from(tables.knowledge_base_categories)
      .where(gt(tables.knowledge_base_categories.id, after))
      .orderBy(asc(tables.knowledge_base_categories.id))
      .limit(limit)
    return rows
  },
})

const importedArticle = z.object({
  id: id(),
  title: filledText(),
  category_id: id(),
  content: optionalText(LONG_TEXT).nullish(),
  views: count().nullish(),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  files: list(
    z.object({
      id: id(),
      original_name: filledText(),
      mime_type: optionalText().nullish(),
      size: count(),
      url: filledText(MAX_URL),
      date_created: dateTime().nullish(),
    }),
  ).nullish(),
})

type Imported = z.output<typeof importedArticle>

interface Context {
  articles: (StoredDates & { views: number })[]
  files: (StoredChild & { date_created: string })[]
}

const articles = entity<typeof importedArticle, Context>({
  name: 'knowledge_base_articles',
  schema: importedArticle,
  references: ({ category_id, created_by }) => [
    { field: 'category_id', table: 'knowledge_base_categories', ids: idList(category_id) },
    { field: 'created_by', table: 'users', ids: idList(created_by) },
  ],
  load: async (db, values) => {
    const ids = JSON.stringify(values.map(({ id }) => id ?? 0))
    const fileIds = JSON.stringify(values.flatMap(({ files }) => files?.map(({ id }) => id) ?? []))
    const [articles, files] = await batch(db, [
      db.all<Context['articles'][number]>(sql`select id, views, date_created, date_updated
        from knowledge_base_articles where id in (select value from json_each(${ids}))`),
      db.all<Context['files'][number]>(sql`select id, article_id as owner, date_created
        from knowledge_base_files where id in (select value from json_each(${fileIds}))`),
    ])
    return { articles, files }
  },
  check: (draft, { files }, earlier) => checkChildIds(draft, 'files', files, earlier),
  store: storeArticles,
  page: async (db, after, limit) => {
    const rows = await selectArticles(db)
      .where(gt(tables.knowledge_base_articles.id, after))
      .orderBy(asc(tables.knowledge_base_articles.id))
      .limit(limit)
    return rows.map((row) => {
      const { category_name, files, ...article } = presentArticle(row, (key) => key)
      return { ...article, files }
    })
  },
})

export const knowledgeBaseEntities: Entity[] = [categories, articles]

/** A line that does not speak of files leaves the stored ones alone. */
function storeArticles(db: Database, lines: Imported[], stored: Context) {
  const now = formatDateTime(new Date())
  const withFiles = lines.filter(({ files }) => files)
  return [
    upsertRows(
      db,
      tables.knowledge_base_articles,
      lines.map((line) => rowOf(line, stored, now)),
    ),
    ...replaceRows(
      db,
      tables.knowledge_base_files,
      'article_id',
      withFiles.map(({ id }) => id),
      withFiles.flatMap(({ id: article_id, files }) =>
        (files ?? []).map(({ id, original_name, mime_type = null, size, url, date_created }) => ({
          id,
          article_id,
          original_name,
          mime_type,
          size,
          url,
          date_created: date_created ?? stored.files.find((file) => file.id === id)?.date_created ?? now,
        })),
      ),
    ),
  ]
}

/** An article's row. Of what a line leaves open, views and dates keep their stored values. */
function rowOf(line: Imported, { articles }: Context, now: string) {
  const stored = articles.find(({ id }) => id === line.id)
  const { id, title, category_id, content = null, created_by } = line
  return {
    id,
    title,
    title_search: fold(title),
    category_id,
    content,
    views: line.views ?? stored?.views ?? 0,
    created_by,
    date_created: line.date_created ?? stored?.date_created ?? now,
    date_updated: line.date_updated === undefined ? (stored?.date_updated ?? null) : line.date_updated,
  }
}
