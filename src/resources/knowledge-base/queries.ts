/** Reads the knowledge base: whole articles, and the pages of the list. */
import { eq, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { file } from '../../catalogue/knowledge-base.ts'
import type { Database } from '../../db/client.ts'
import { type Conditions, whereClause, within } from '../../db/conditions.ts'
import { jsonList, jsonObject, type Page, pageWhere, readPage } from '../../db/page.ts'
import { prepared, preparedAround, type Statement, select, selectRows } from '../../db/statements.ts'
import {
  knowledge_base_articles as articles,
  knowledge_base_categories as categories,
  type knowledge_base_files,
} from '../../db/tables/knowledge-base.ts'
import type { articleFilters } from './schema.ts'
import { titleSearch } from './title.ts'

export type CategoryRow = InferSelectModel<typeof categories>

export type ArticleFile = Omit<InferSelectModel<typeof knowledge_base_files>, 'article_id'>

/** An article as a list shows it. */
export type ListedArticleRow = Omit<InferSelectModel<typeof articles>, 'title_search' | 'content'>

/** A whole article, with the name of its category and its files in the order of ids. */
export interface ArticleRow extends ListedArticleRow {
  content: string | null
  category_name: string
  files: ArticleFile[]
}

const { content: _, title_search, ...LISTED } = getTableColumns(articles)

const WHOLE = {
  ...LISTED,
  content: articles.content,
  category_name: categories.name,
  files: jsonList<ArticleFile>(
    'knowledge_base_files',
    jsonObject(file),
    'article_id = knowledge_base_articles.id',
    'id',
  ),
}

/** The statement that reads whole articles. `rest` is the SQL after the tables. */
export function selectArticles(rest: SQL): Statement<ArticleRow> {
  const joined = sql`join ${categories} on ${categories.id} = ${articles.category_id}`
  return select(WHOLE, sql`from ${articles} ${joined} ${rest}`)
}

/** Reads the article `id`. */
export const selectArticle = prepared(() =>
  selectArticles(sql`where ${articles.id} = ${sql.placeholder('id')}`),
)

const selectPage = preparedAround((rest) => select(LISTED, sql`from ${articles} ${rest}`))

const selectFullPage = preparedAround(selectArticles)

/** Reads the category `id`. */
export const selectCategory = prepared(() => selectRows(categories, sql`where id = ${sql.placeholder('id')}`))

type Filters = z.output<typeof articleFilters>

const CONDITIONS = {
  category_id: (id) => eq(articles.category_id, id),
  // `instr` accepts text of any length, and `%` and `_` literally. LIKE on D1 does not.
  search: (search) => sql`instr(title_search, ${titleSearch(search)}) > 0`,
  date_created: (range) => within(sql.raw('date_created'), range),
} satisfies Conditions<Filters>

/** One page of articles as a list shows them, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ListedArticleRow>> {
  return readPage(db, articles, pageQuery(filters), selectPage)
}

/** One page of whole articles, and their total; one round trip. */
export function findFullPage(db: Database, filters: Filters): Promise<Page<ArticleRow>> {
  return readPage(db, articles, pageQuery(filters), selectFullPage)
}

function pageQuery(filters: Filters) {
  return pageWhere(articles, whereClause(CONDITIONS, filters), filters)
}
