/** The keys of records that other code has written, and the triggers that keep the rows of all. */
import { derivedText } from '../../db/derived.ts'
import { personKeyTriggers } from '../../db/person-keys.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { external_listings } from '../../db/tables/external-listings.ts'
import form from './form.json' with { type: 'json' }
import { contactKeys, enquiryKeys, externalListingKeys } from './keys.ts'

const { first_name, last_name, company_name, phones, emails, contact_details } = contacts
const { email, phone } = enquiries
const { contact_email, contact_phones } = external_listings
const COLUMN = 'person_keys'

export const PERSON_KEYS = [
  derivedText(
    contacts,
    COLUMN,
    { first_name, last_name, company_name, phones, emails, contact_details },
    contactKeys,
    form,
  ),
  derivedText(enquiries, COLUMN, { email, phone }, enquiryKeys, form),
  derivedText(external_listings, COLUMN, { contact_email, contact_phones }, externalListingKeys, form),
]

export const PERSON_KEY_TRIGGERS: readonly string[] = [contacts, enquiries, external_listings].flatMap(
  personKeyTriggers,
)
