/** The search text of contacts that other code has written. */
import { derivedText } from '../../db/derived.ts'
import { contacts } from '../../db/tables/contacts.ts'
import form from './form.json' with { type: 'json' }
import { searchText } from './search.ts'

const { first_name, last_name, company_name, phones, emails } = contacts
const fields = { first_name, last_name, company_name, phones, emails }

export const CONTACT_SEARCH = derivedText(contacts, 'search', fields, searchText, form)
