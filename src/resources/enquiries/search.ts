/** Searches enquiries: the text that is stored for searching, and the condition of a search. */
import type { SQL } from 'drizzle-orm'
import type { enquiries } from '../../db/tables/enquiries.ts'
import { phoneLines } from '../../fields/phones-and-emails.ts'
import { matchesSearch, oneLine } from '../contacts/search.ts'

/** Maximum length of the stored text, in characters: the end of a long message is not searched. */
const MAX_SEARCHED = 2000

type SearchedEnquiry = Partial<
  Pick<
    typeof enquiries.$inferSelect,
    'reference' | 'first_name' | 'last_name' | 'email' | 'phone' | 'message'
  >
>

/** The search text, one line per entry: reference, name in both orders, digits of the phone, e-mail, message. */
export function enquirySearchText(row: SearchedEnquiry): string {
  const { reference = '', first_name, last_name, email, phone, message } = row
  const lines = [
    reference,
    `${first_name ?? ''} ${last_name ?? ''}`,
    `${last_name ?? ''} ${first_name ?? ''}`,
    ...(phone ? phoneLines(phone) : []),
    email ?? '',
    message ?? '',
  ]
  const text = lines.map(composed).filter(Boolean).join('\n')
  return [...text].slice(0, MAX_SEARCHED).join('')
}

/** The condition that `search` occurs in an enquiry. */
export function matchesEnquiry(search: string): SQL | undefined {
  return matchesSearch(search, composed)
}

/** Folded text, of which Hangul takes a third of the bytes when its letters are composed again. */
function composed(text: string): string {
  return oneLine(text).normalize('NFC')
}
