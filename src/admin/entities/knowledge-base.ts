/** Import and export of the knowledge base: categories, and articles with their files. */
import { z } from 'zod'
import { replaceRows, upsertRows } from '../../db/bulk.ts'
import { runStatement } from '../../db/client.ts'
import { fold } from '../../db/fold.ts'
import { inIdOrder } from '../../db/page.ts'
import { idList } from '../../db/references.ts'
import { selectRows } from '../../db/statements.ts'
import * as tables from '../../db/tables/knowledge-base.ts'
import { count, dateTime, filledText, id, LONG_TEXT, list, optionalText, text } from '../../fields/values.ts'
import { presentArticle } from '../../resources/knowledge-base/present.ts'
import { type ArticleRow, selectArticles } from '../../resources/knowledge-base/queries.ts'
import { type Entity, type Entry, entity, type Incoming } from '../entity.ts'
import { isSame } from '../merge-lines.ts'
import { color } from './agency.ts'
import { datesOfChanges } from './dates.ts'
import { checkChildIds, type StoredChild, selectOwners } from './stored.ts'

/** Longest key or URL of a file, in characters. */
const MAX_URL = 2000
/** Most bytes of the files of an article as JSON: they are read as one value, and D1 has none above 2 MB. */
const MAX_FILES = 1_000_000

const importedCategory = z.object({
  id: id(),
  name: filledText(),
  description: optionalText(LONG_TEXT).nullish(),
  icon: text().nullish(),
  color,
  is_active: z.boolean(),
})

type CategoryRow = typeof tables.knowledge_base_categories.$inferSelect

const categories = entity({
  name: 'knowledge_base_categories',
  schema: importedCategory,
  read: (where, limit) =>
    selectRows(
      tables.knowledge_base_categories,
      inIdOrder(tables.knowledge_base_categories.id, where, limit),
    ),
  present: (row: CategoryRow) => row,
  references: () => [],
  resolve: ({ description = null, icon, ...category }) => ({ ...category, description, icon: icon ?? '' }),
  store: (entries) =>
    upsertRows(
      tables.knowledge_base_categories,
      entries.map(({ row }) => row),
    ),
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
    { bytes: MAX_FILES },
  ).nullish(),
})

type Imported = z.output<typeof importedArticle>

const articles = entity<typeof importedArticle, ArticleRow, StoredChild[]>({
  name: 'knowledge_base_articles',
  schema: importedArticle,
  read: (where, limit) => selectArticles(inIdOrder(tables.knowledge_base_articles.id, where, limit)),
  present: (row) => {
    const { category_name, files, ...article } = presentArticle(row, (key) => key)
    return { ...article, files }
  },
  references: ({ category_id, created_by }) => [
    { field: 'category_id', table: 'knowledge_base_categories', ids: idList(category_id) },
    { field: 'created_by', table: 'users', ids: idList(created_by) },
  ],
  load: (db, lines) => {
    const files = lines.flatMap(({ values }) => values.files ?? [])
    return runStatement(db, selectOwners(tables.knowledge_base_files, 'article_id', files))
  },
  check: (draft, files, _, earlier) => checkChildIds(draft, 'files', files, earlier),
  resolve: resolveLine,
  store: storeArticles,
})

export const knowledgeBaseEntities: Entity[] = [categories, articles]

function storeArticles(entries: Entry<ArticleRow>[]) {
  const withFiles = entries.filter(({ row, stored }) => row.files !== stored?.files).map(({ row }) => row)
  return [
    ...upsertRows(
      tables.knowledge_base_articles,
      entries.map(({ row }) => ({ ...row, title_search: fold(row.title) })),
    ),
    ...replaceRows(
      tables.knowledge_base_files,
      'article_id',
      withFiles.map(({ id }) => id),
      withFiles.flatMap(({ id: article_id, files }) => files.map((file) => ({ article_id, ...file }))),
    ),
  ]
}

/** Of what a line leaves open, views, dates and files keep their stored values in any case. */
function resolveLine(
  values: Imported,
  _: unknown,
  { stored, current }: Incoming<Imported, ArticleRow>,
  now: string,
): ArticleRow {
  return {
    id: values.id,
    title: values.title,
    category_id: values.category_id,
    category_name: stored?.category_name ?? '',
    content: values.content ?? null,
    views: values.views ?? (current ? 0 : (stored?.views ?? 0)),
    created_by: values.created_by,
    ...datesOfChanges(values, stored, now),
    files: filesOf(values, stored, current, now),
  }
}

/** By id; the very list that is stored when the line has the same, or none. */
function filesOf(
  { files }: Imported,
  stored: ArticleRow | null,
  current: ArticleRow | null,
  now: string,
): ArticleRow['files'] {
  if (!files) return current ? [] : (stored?.files ?? [])
  const before = new Map(stored?.files.map((file) => [file.id, file.date_created]))
  const list = files
    .map(({ id, original_name, mime_type = null, size, url, date_created }) => ({
      id,
      original_name,
      mime_type,
      size,
      url,
      date_created: date_created ?? before.get(id) ?? now,
    }))
    .toSorted((a, b) => a.id - b.id)
  return stored && isSame(list, stored.files) ? stored.files : list
}
