/** The text of contacts that is stored for searching. */
import { oneLine } from '../../db/fold.ts'
import type { contacts } from '../../db/tables/contacts.ts'
import { addressesIn, phoneLines } from '../../fields/phones-and-emails.ts'
import { unique } from '../../fields/values.ts'
import { nameLine } from '../people/keys.ts'

type SearchedContact = Pick<
  typeof contacts.$inferSelect,
  'first_name' | 'last_name' | 'company_name' | 'phones' | 'emails'
>

/** The search text, one line per entry: the name in both orders, the company, the digits of each phone, each e-mail, the words of all names. */
export function searchText({ first_name, last_name, company_name, phones, emails }: SearchedContact): string {
  const lines = [
    `${first_name} ${last_name}`,
    `${last_name} ${first_name}`,
    company_name ?? '',
    ...phones.flatMap(({ number }) => phoneLines(number)),
    ...emails.flatMap(({ email_address }) => unique([email_address, ...addressesIn(email_address)])),
    nameLine(first_name, last_name, company_name),
  ]
  return lines.map(oneLine).filter(Boolean).join('\n')
}
