/**
 * The texts and keys for searching, which cron derives anew where other code has written the records, and the triggers that
 * keep the rows of the keys.
 */
import { derivedText } from '../db/derived.ts'
import { personKeyTriggers } from '../db/person-keys.ts'
import { activities } from '../db/tables/activities.ts'
import { contacts } from '../db/tables/contacts.ts'
import { enquiries } from '../db/tables/enquiries.ts'
import { external_listings } from '../db/tables/external-listings.ts'
import { knowledge_base_articles as articles } from '../db/tables/knowledge-base.ts'
import activityForm from './activities/form.json' with { type: 'json' }
import { searchText as activityText } from './activities/search.ts'
import contactForm from './contacts/form.json' with { type: 'json' }
import { searchText as contactText } from './contacts/search.ts'
import enquiryForm from './enquiries/form.json' with { type: 'json' }
import { enquirySearchText } from './enquiries/search.ts'
import articleForm from './knowledge-base/form.json' with { type: 'json' }
import { titleSearch } from './knowledge-base/title.ts'
import keysForm from './people/form.json' with { type: 'json' }
import { contactKeys, enquiryKeys, externalListingKeys } from './people/keys.ts'

const NAMES = ['first_name', 'last_name', 'company_name', 'phones', 'emails'] as const
const SENDER = ['reference', 'first_name', 'last_name', 'email', 'phone', 'message'] as const
const OWNER = ['contact_email', 'contact_phones'] as const

export const CONTACT_SEARCH = derivedText(contacts, 'search', NAMES, contactText, contactForm)

export const SEARCH_TEXTS = [
  CONTACT_SEARCH,
  derivedText(enquiries, 'search', SENDER, enquirySearchText, enquiryForm),
  derivedText(articles, 'title_search', ['title'], ({ title }) => titleSearch(title), articleForm),
  derivedText(activities, 'search', ['subject', 'text'], activityText, activityForm),
  derivedText(contacts, 'person_keys', [...NAMES, 'contact_details'], contactKeys, keysForm),
  derivedText(enquiries, 'person_keys', ['email', 'phone'], enquiryKeys, keysForm),
  derivedText(external_listings, 'person_keys', OWNER, externalListingKeys, keysForm),
]

export const PERSON_KEY_TRIGGERS: readonly string[] = [contacts, enquiries, external_listings].flatMap(
  personKeyTriggers,
)
