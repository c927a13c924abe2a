/** The texts for searching that cron derives anew where other code has written the records. */
import { ACTIVITY_SEARCH } from './activities/derived.ts'
import { CONTACT_SEARCH } from './contacts/derived.ts'
import { ARTICLE_SEARCH } from './knowledge-base/derived.ts'

export const SEARCH_TEXTS = [CONTACT_SEARCH, ARTICLE_SEARCH, ACTIVITY_SEARCH]
