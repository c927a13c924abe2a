/** Articles and categories as they are read back, and the only place where their JSON is made. */
import { z } from 'zod'
import { WITH_ALL } from '../../fields/kinds.ts'
import { dateTime } from '../../fields/values.ts'
import type { ArticleFile, ArticleRow, CategoryRow, ListedArticleRow } from './queries.ts'

const listed = {
  id: z.int().describe('Id of the article'),
  title: z.string().describe('Its title'),
  category_id: z.int().describe('Id from the categories lookup'),
  created_by: z.int().describe('User who created it'),
  date_created: dateTime().describe('When it was created'),
  date_updated: dateTime().nullable().describe('Null while it was never updated'),
  views: z.int().describe('How often it was read elsewhere; reading it here does not count'),
}

/** A file of an article. */
export const articleFile = z
  .object({
    id: z.int().describe('Id of the file'),
    original_name: z.string().describe('Its name when it was uploaded'),
    mime_type: z.string().nullable().describe('Its media type'),
    size: z.int().describe('Bytes'),
    url: z.string().describe('Public; whoever knows it may read the file'),
    date_created: dateTime().describe('When it was uploaded'),
  })
  .meta({ id: 'ArticleFile', description: 'A file of an article' })

const whole = {
  content: z.string().nullable().describe('HTML as it was written: sanitise it before you show it'),
  category_name: z.string().describe('Name of its category'),
  files: z.array(articleFile).describe('Its files'),
}

/** An article in a list. */
export const listedArticle = z
  .object({
    ...listed,
    content: whole.content.optional().describe(`HTML as it was written. ${WITH_ALL}`),
    category_name: whole.category_name.optional().describe(`Name of its category. ${WITH_ALL}`),
    files: whole.files.optional().describe(`Its files. ${WITH_ALL}`),
  })
  .meta({ id: 'ArticleSummary', description: 'An article in a list' })

/** An article as it is read alone. */
export const article = z
  .object({ ...listed, ...whole })
  .meta({ id: 'Article', description: 'An article of the knowledge base' })

export const category = z
  .object({
    id: z.int().describe('What `category_id` of an article refers to'),
    name: z.string().describe('Its name'),
    description: z.string().nullable().describe('What belongs in it'),
    icon: z.string().describe('CSS class of an icon'),
    color: z.string().describe('Hex colour'),
    is_active: z.boolean().optional().describe(`Whether it is in use. ${WITH_ALL}`),
  })
  .meta({ id: 'ArticleCategory', description: 'A category of articles' })

/** An article's JSON in a list. */
export function presentListedArticle(row: ListedArticleRow): z.output<typeof listedArticle> {
  const { id, title, category_id, created_by, date_created, date_updated, views } = row
  return { id, title, category_id, created_by, date_created, date_updated, views }
}

/**
 * An article's JSON.
 * @param url makes a public URL of a stored key
 */
export function presentArticle(row: ArticleRow, url: (key: string) => string): z.output<typeof article> {
  return {
    ...presentListedArticle(row),
    content: row.content,
    category_name: row.category_name,
    files: row.files.map((file) => presentFile(file, url)),
  }
}

/** A file's JSON. */
export function presentFile(
  { id, original_name, mime_type, size, url: key, date_created }: ArticleFile,
  url: (key: string) => string,
): z.output<typeof articleFile> {
  return { id, original_name, mime_type, size, url: url(key), date_created }
}

/**
 * A category's JSON.
 * @param all adds whether it is active
 */
export function presentCategory(row: CategoryRow, all: boolean): z.output<typeof category> {
  const { id, name, description, icon, color, is_active } = row
  return { id, name, description, icon, color, ...(all ? { is_active } : {}) }
}
