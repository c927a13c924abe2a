/** Reading the knowledge base: whole articles, and the pages of their list. */
import { desc, eq, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, within } from '../../db/client.ts'
import { type Conditions, whereOf } from '../../db/conditions.ts'
import { fold } from '../../db/fold.ts'
import { listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
import { fixed, fixedAround } from '../../db/statements.ts'
import {
  knowledge_base_articles as articles,
  knowledge_base_categories as categories,
  type knowledge_base_files,
} from '../../db/tables/knowledge-base.ts'
import type { articleFilters } from './schema.ts'

export type CategoryRow = InferSelectModel<typeof categories>

export type ArticleFile = Omit<InferSelectModel<typeof knowledge_base_files>, 'article_id'>

/** What a list shows of an article. */
export type ListedArticleRow = Omit<InferSelectModel<typeof articles>, 'title_search' | 'content'>

/** An article with its category's name and its files by id. */
export interface ArticleRow extends ListedArticleRow {
  content: string | null
  category_name: string
  files: ArticleFile[]
}

const listed = {
  id: articles.id,
  title: articles.title,
  category_id: articles.category_id,
  created_by: articles.created_by,
  date_created: articles.date_created,
  date_updated: articles.date_updated,
  views: articles.views,
}

const FILE = `json_object('id', id, 'original_name', original_name, 'mime_type', mime_type, 'size', size,
  'url', url, 'date_created', date_created)`

/** Whole articles, files in a sub-select: one statement. */
export function selectArticles(db: Database) {
  return db
    .select({
      ...listed,
      content: articles.content,
      category_name: categories.name,
      files: listOf<ArticleFile>(
        'knowledge_base_files',
        FILE,
        'article_id = knowledge_base_articles.id',
        'id',
      ),
    })
    .from(articles)
    .innerJoin(categories, eq(categories.id, articles.category_id))
}

/** The article `id`. */
export const selectArticle = fixed((db) => selectArticles(db).where(eq(articles.id, sql.placeholder('id'))))

/** The category `id`. */
export const selectCategory = fixed((db) =>
  db
    .select()
    .from(categories)
    .where(eq(categories.id, sql.placeholder('id'))),
)

const selectPage = fixedAround((db, ofPage) =>
  db.select(listed).from(articles).where(ofPage).orderBy(desc(articles.id)),
)

const selectFullPage = fixedAround((db, ofPage) =>
  selectArticles(db).where(ofPage).orderBy(desc(articles.id)),
)

type Filters = z.output<typeof articleFilters>

const CONDITIONS = {
  category_id: (id) => eq(articles.category_id, id),
  // `instr` takes `%` and `_` literally and a text of any length, which LIKE on D1 does not.
  search: (search) => sql`instr(title_search, ${fold(search)}) > 0`,
  date_created: (range) => within(sql.raw('date_created'), range),
} satisfies Conditions<Filters>

/** The articles of one page as a list shows them, newest first, and how many match in all; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ListedArticleRow>> {
  return readPage(db, 'knowledge_base_articles', pageQuery(filters), selectPage)
}

/** The same page with whole articles. */
export function findFullPage(db: Database, filters: Filters): Promise<Page<ArticleRow>> {
  return readPage(db, 'knowledge_base_articles', pageQuery(filters), selectFullPage)
}

function pageQuery(filters: Filters) {
  return pageWhere('knowledge_base_articles', whereOf(CONDITIONS, filters), filters.page)
}
