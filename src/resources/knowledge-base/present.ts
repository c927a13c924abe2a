/** Presents articles and categories: the only place where their JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/knowledge-base.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import type { ArticleFile, ArticleRow, CategoryRow, ListedArticleRow } from './queries.ts'

const listed = outputs(catalogue.article)

/** The schema of a file of an article. */
export const articleFile = z
  .object(outputs(catalogue.file))
  .meta({ id: 'ArticleFile', description: 'A file of an article' })

const whole = {
  ...outputs(catalogue.body),
  category_name: z.string().describe('Name of its category'),
  files: z.array(articleFile).describe('Its files'),
}

/** The schema of an article in a list. */
export const listedArticle = z
  .object({
    ...listed,
    content: whole.content.optional().describe(`HTML as written. ${WITH_ALL}`),
    category_name: whole.category_name.optional().describe(`Name of its category. ${WITH_ALL}`),
    files: whole.files.optional().describe(`Its files. ${WITH_ALL}`),
  })
  .meta({ id: 'ArticleSummary', description: 'An article in a list' })

/** The schema of an article in a single read. */
export const article = z
  .object({ ...listed, ...whole })
  .meta({ id: 'Article', description: 'An article of the knowledge base' })

export const category = z
  .object(outputs(catalogue.category))
  .meta({ id: 'ArticleCategory', description: 'A category of articles' })

/** The JSON of an article in a list. */
export function presentListedArticle(row: ListedArticleRow): z.output<typeof listedArticle> {
  return present(catalogue.article, row)
}

/**
 * The JSON of an article in a single read.
 * @param url makes a public URL of a stored key
 */
export function presentArticle(row: ArticleRow, url: (key: string) => string): z.output<typeof article> {
  return {
    ...presentListedArticle(row),
    ...present(catalogue.body, row),
    category_name: row.category_name,
    files: row.files.map((file) => presentFile(file, url)),
  }
}

/** The JSON of a file. `url` makes a public URL of a stored key. */
export function presentFile(row: ArticleFile, url: (key: string) => string): z.output<typeof articleFile> {
  return { ...present(catalogue.file, row), url: url(row.url) }
}

/**
 * The JSON of a category.
 * @param all adds whether it is active
 */
export function presentCategory(row: CategoryRow, all: boolean): z.output<typeof category> {
  return present(catalogue.category, row, all)
}
