/** Reads the knowledge base: whole articles. */
import { getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import { file } from '../../catalogue/knowledge-base.ts'
import { jsonList, jsonObject } from '../../db/relations.ts'
import { prepared, type Statement, select, selectRows } from '../../db/statements.ts'
import {
  knowledge_base_articles as articles,
  knowledge_base_categories as categories,
  type knowledge_base_files,
} from '../../db/tables/knowledge-base.ts'

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

/** The statement that reads articles as a list shows them. */
export function selectListedArticles(rest: SQL): Statement<ListedArticleRow> {
  return select(LISTED, sql`from ${articles} ${rest}`)
}

/** Reads the category `id`. */
export const selectCategory = prepared(() => selectRows(categories, sql`where id = ${sql.placeholder('id')}`))
