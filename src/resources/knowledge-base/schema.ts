/** Filters of the knowledge base, and the only place where the JSON of its articles and categories is made. */
import { z } from 'zod'
import { dateTime, LONG_TEXT, text } from '../../fields/values.ts'
import { dateTimeRange, idFilter, listFilters } from '../../http/filters.ts'
import type { ArticleFile, ArticleRow, CategoryRow, ListedArticleRow } from './queries.ts'

export const articleFilters = z.object({
  category_id: idFilter(),
  // Longer than any title may be: what cannot be found is not found, rather than refused.
  search: text(LONG_TEXT)
    .nullish()
    .transform((value) => (value?.trim() ? value : null))
    .describe('Part of the title; case and accents do not matter'),
  date_created: dateTimeRange(),
  ...listFilters,
  fields: listFilters.fields.describe('`all` gives each record the form of the single read'),
})

const listed = {
  id: z.int(),
  title: z.string(),
  category_id: z.int(),
  created_by: z.int(),
  date_created: dateTime(),
  date_updated: dateTime().nullable(),
  views: z.int(),
}

/** An article in a list. */
export const listedArticle = z.object(listed)

/** A file of an article. */
export const articleFile = z.object({
  id: z.int(),
  original_name: z.string(),
  mime_type: z.string().nullable(),
  size: z.int().describe('Bytes'),
  url: z.string().describe('Public; whoever knows it may read the file'),
  date_created: dateTime(),
})

/** An article as it is read alone. */
export const article = z.object({
  ...listed,
  content: z.string().nullable().describe('HTML as it was written: sanitise it before you show it'),
  category_name: z.string(),
  files: z.array(articleFile),
})

export const category = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  icon: z.string().describe('CSS class of an icon'),
  color: z.string().describe('Hex'),
  is_active: z.boolean().optional().describe('With `fields=all`'),
})

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
