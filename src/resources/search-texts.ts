/** The texts and keys for searching that cron derives anew where other code has written the records. */
import { ACTIVITY_SEARCH } from './activities/derived.ts'
import { CONTACT_SEARCH } from './contacts/derived.ts'
import { ENQUIRY_SEARCH } from './enquiries/derived.ts'
import { ARTICLE_SEARCH } from './knowledge-base/derived.ts'
import { PERSON_KEYS } from './people/derived.ts'

export const SEARCH_TEXTS = [CONTACT_SEARCH, ENQUIRY_SEARCH, ARTICLE_SEARCH, ACTIVITY_SEARCH, ...PERSON_KEYS]
