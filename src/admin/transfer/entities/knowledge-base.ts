/** Import and export of the knowledge base: categories, and articles with their files. */
import { z } from 'zod'
import { article, body, category, file } from '../../../catalogue/knowledge-base.ts'
import { inIdOrder, replaceRows, upsertRows } from '../../../db/bulk.ts'
import { runStatement } from '../../../db/client.ts'
import { fieldReferences } from '../../../db/references.ts'
import { selectRows } from '../../../db/statements.ts'
import * as tables from '../../../db/tables/knowledge-base.ts'
import { inputs, present, toRow } from '../../../fields/derive.ts'
import { list } from '../../../fields/values.ts'
import { MAX_FILE_LIST_BYTES } from '../../../resources/knowledge-base/files.ts'
import { presentArticle } from '../../../resources/knowledge-base/present.ts'
import { type ArticleRow, selectArticles } from '../../../resources/knowledge-base/queries.ts'
import { titleSearch } from '../../../resources/knowledge-base/title.ts'
import { checkChildIds, type StoredChild, selectOwners } from '../../../resources/plain/children.ts'
import { defineEntity, type Entity, type ImportedLine, type StoredLine, storeRows } from '../entity.ts'
import { isSameJson } from '../merge-lines.ts'
import { removalFrom } from '../uses.ts'
import { datesOfChanges } from './dates.ts'

type CategoryRow = typeof tables.knowledge_base_categories.$inferSelect

const categories = defineEntity({
  name: 'knowledge_base_categories',
  schema: z.object(inputs(category)),
  read: (where, limit) =>
    selectRows(
      tables.knowledge_base_categories,
      inIdOrder(tables.knowledge_base_categories.id, where, limit),
    ),
  present: (row: CategoryRow) => present(category, row),
  resolve: (values) => ({ ...toRow(category, values), version: 1, icon: values.icon ?? '' }),
  store: storeRows(tables.knowledge_base_categories),
})

const { created_by, date_created, date_updated, views, ...leading } = inputs(article)

/** The fields of an imported article, in the order in which problems are reported. */
const importedArticle = z.object({
  ...leading,
  ...inputs(body),
  views,
  created_by,
  date_created,
  date_updated,
  files: list(z.object(inputs(file)), { bytes: MAX_FILE_LIST_BYTES })
    .nullish()
    .describe('Its files'),
})

type Imported = z.output<typeof importedArticle>

const articles = defineEntity<typeof importedArticle, ArticleRow, StoredChild[]>({
  name: 'knowledge_base_articles',
  schema: importedArticle,
  read: (where, limit) => selectArticles(inIdOrder(tables.knowledge_base_articles.id, where, limit)),
  present: (row) => {
    const { category_name, ...article } = presentArticle(row, (key) => key)
    return article
  },
  references: (values) => fieldReferences(article, values),
  nestedIds: ({ files }) =>
    (files ?? []).map(({ id }, index) => ({
      field: `files.${index}.id`,
      table: 'knowledge_base_files',
      ids: [id],
    })),
  load: (db, lines) => {
    const ids = lines.flatMap(({ values }) => (values.files ?? []).map(({ id }) => id))
    return runStatement(db, selectOwners(tables.knowledge_base_files, 'article_id', ids))
  },
  check: (draft, files, _, earlier) => checkChildIds(draft, 'files', files, earlier),
  resolve: resolveLine,
  store: storeArticles,
})

export const knowledgeBaseEntities: Entity[] = [categories, articles].map(
  (entity: Entity): Entity => ({
    ...entity,
    remove: removalFrom(entity),
  }),
)

function storeArticles(entries: StoredLine<ArticleRow>[]) {
  const withFiles = entries.filter(({ row, stored }) => row.files !== stored?.files).map(({ row }) => row)
  return [
    ...upsertRows(
      tables.knowledge_base_articles,
      entries.map(({ row }) => ({ ...row, title_search: titleSearch(row.title) })),
    ),
    ...replaceRows(
      tables.knowledge_base_files,
      'article_id',
      withFiles.map(({ id }) => id),
      withFiles.flatMap(({ id: article_id, files }) => files.map((row) => ({ article_id, ...row }))),
    ),
  ]
}

/**
 * Views, dates and files keep their stored values, in replace mode too, unless the line has others. After a merge, a value
 * is missing only if the line cleared it.
 */
function resolveLine(
  values: Imported,
  _: unknown,
  { stored, current }: ImportedLine<Imported, ArticleRow>,
  now: string,
): ArticleRow {
  return {
    ...toRow(article, values),
    ...toRow(body, values),
    ...datesOfChanges(values, stored, now),
    version: 1,
    views: values.views ?? (current ? 0 : (stored?.views ?? 0)),
    category_name: stored?.category_name ?? '',
    files: filesOf(values, stored, current, now),
  }
}

/** The files by their ids. Returns the stored list itself if nothing changes, so that it is not written again. */
function filesOf(
  { files }: Imported,
  stored: ArticleRow | null,
  current: ArticleRow | null,
  now: string,
): ArticleRow['files'] {
  if (!files) return current ? [] : (stored?.files ?? [])
  const before = new Map(stored?.files.map(({ id, date_created }) => [id, date_created]))
  const list = files
    .map((line) => ({
      ...toRow(file, line),
      date_created: line.date_created ?? before.get(line.id) ?? now,
    }))
    .toSorted((a, b) => a.id - b.id)
  return stored && isSameJson(list, stored.files) ? stored.files : list
}
