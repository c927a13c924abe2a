/** The folded titles of articles that other code has written. */
import { derivedText } from '../../db/derived.ts'
import { knowledge_base_articles as articles } from '../../db/tables/knowledge-base.ts'
import form from './form.json' with { type: 'json' }
import { titleSearch } from './title.ts'

const { title } = articles

export const ARTICLE_SEARCH = derivedText(
  articles,
  'title_search',
  { title },
  ({ title }) => titleSearch(title),
  form,
)
