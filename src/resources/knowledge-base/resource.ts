/** Articles: their parts, filters and order. */
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { article, body, file } from '../../catalogue/knowledge-base.ts'
import { knowledge_base_files, knowledge_base_articles as table } from '../../db/tables/knowledge-base.ts'
import { present } from '../../fields/derive.ts'
import { LONG_TEXT, text } from '../../fields/values.ts'
import { dateTimes, filter, id } from '../plain/filters.ts'
import { rows, shownName, type Values } from '../plain/parts.ts'
import { plain } from '../plain/resource.ts'
import { titleSearch } from './title.ts'

/** Maximum bytes of the files of an article as JSON: they are read as one value, which D1 limits to 2 MB. */
export const MAX_FILE_LIST_BYTES = 1_000_000

const files = rows(table, knowledge_base_files, file, {
  doc: 'Its files',
  brief: 'Its files',
  entry: { name: 'ArticleFile', doc: 'A file of an article' },
  by: 'id',
  bytes: MAX_FILE_LIST_BYTES,
})

/** The schema of a file of an article. */
export const articleFile = files.output.element

export const articles = plain('knowledge-base/articles', {
  table,
  doc: 'An article of the knowledge base',
  fields: { ...article, ...body },
  parts: {
    category_name: shownName('knowledge-base/articles', 'Name of its category'),
    files: {
      ...files,
      show: (stored: Values[], _: Values, url: (key: string) => string) =>
        stored.map((one) => presentFile(one, url)),
    },
  },
  derive: ({ title = '' }) => ({ title_search: titleSearch(title) }),
  brief: ['content', 'category_name', 'files'],
  filters: {
    category_id: id(table.category_id, 'Id from the categories lookup'),
    search: filter<string>(
      // Longer than any title may be, so that a long search finds nothing instead of being refused.
      text(LONG_TEXT)
        .nullish()
        .transform((value) => value?.trim() || null),
      'Part of the title; case and accents do not matter',
      // `instr` accepts text of any length, and `%` and `_` literally. LIKE on D1 does not.
      (search) => sql`instr(title_search, ${titleSearch(search)}) > 0`,
    ),
    date_created: dateTimes(table.date_created, 'When it was created'),
  },
  sort: ['date_created', 'date_updated'],
})

/** The JSON of a file. `url` makes a public URL of a stored key. */
export function presentFile(row: Values, url: (key: string) => string): z.output<typeof articleFile> {
  return { ...present(file, row), url: url(String(row.url)) }
}
