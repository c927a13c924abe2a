/** The search text of enquiries that other code has written. */
import { derivedText } from '../../db/derived.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import form from './form.json' with { type: 'json' }
import { enquirySearchText } from './search.ts'

const { reference, first_name, last_name, email, phone, message } = enquiries
const fields = { reference, first_name, last_name, email, phone, message }

export const ENQUIRY_SEARCH = derivedText(enquiries, 'search', fields, enquirySearchText, form)
