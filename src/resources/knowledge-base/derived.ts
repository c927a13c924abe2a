/** The folded titles of articles that other code has written. */
import { sql } from 'drizzle-orm'
import { jsonParts } from '../../db/bulk.ts'
import { runStatement } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import type { Derived } from '../../db/derived.ts'
import { select, textStatement } from '../../db/statements.ts'
import { knowledge_base_articles as articles } from '../../db/tables/knowledge-base.ts'
import form from './form.json' with { type: 'json' }
import { titleSearch } from './title.ts'

const STORE = `update knowledge_base_articles set title_search = made.value ->> 2 from json_each(?) made
  where knowledge_base_articles.id = made.value ->> 0 and title = made.value ->> 1 and title_search <> made.value ->> 2`

export const ARTICLE_SEARCH: Derived = {
  name: 'knowledge_base_articles.title_search',
  form,
  resource: 'knowledge-base/articles',
  derive: async (db, ids) => {
    const { id, title } = articles
    const rows = await runStatement(
      db,
      select({ id, title }, sql`from ${articles} where ${isOneOf(id, ids)}`),
    )
    const { parts } = jsonParts(rows.map((row) => [row.id, row.title, titleSearch(row.title)]))
    return parts.map((part) => textStatement(STORE, [part]))
  },
}
