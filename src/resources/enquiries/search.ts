/** The text of enquiries that is stored for searching. */
import { composed } from '../../db/fold.ts'
import type { enquiries } from '../../db/tables/enquiries.ts'
import { phoneLines } from '../../fields/phones-and-emails.ts'
import { nameLine } from '../people/keys.ts'

/** Maximum length of the stored text, in characters: the end of a long message is not searched. */
const MAX_SEARCHED = 2000

type SearchedEnquiry = Partial<
  Pick<
    typeof enquiries.$inferSelect,
    'reference' | 'first_name' | 'last_name' | 'email' | 'phone' | 'message'
  >
>

/** The search text, one line per entry: reference, name in both orders, digits of the phone, e-mail, words of the name, message. */
export function enquirySearchText(row: SearchedEnquiry): string {
  const { reference = '', first_name, last_name, email, phone, message } = row
  const lines = [
    reference,
    `${first_name ?? ''} ${last_name ?? ''}`,
    `${last_name ?? ''} ${first_name ?? ''}`,
    ...(phone ? phoneLines(phone) : []),
    email ?? '',
    nameLine(first_name, last_name),
    message ?? '',
  ]
  const text = lines.map(composed).filter(Boolean).join('\n')
  return [...text].slice(0, MAX_SEARCHED).join('')
}
