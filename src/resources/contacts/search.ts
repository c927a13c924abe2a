/** Searches contacts: the text that is stored for searching, and the condition of a search. */
import { or, type SQL, sql } from 'drizzle-orm'
import { foldText } from '../../db/fold.ts'
import type { contacts } from '../../db/tables/contacts.ts'
import { addressesIn, LAST_DIGITS, phoneLines, phoneNumbers } from '../../fields/phones-and-emails.ts'
import { unique } from '../../fields/values.ts'

type SearchedContact = Pick<
  typeof contacts.$inferSelect,
  'first_name' | 'last_name' | 'company_name' | 'phones' | 'emails'
>

/** The search text, one line per entry: the name in both orders, the company, the digits of each phone, each e-mail. */
export function searchText({ first_name, last_name, company_name, phones, emails }: SearchedContact): string {
  const lines = [
    `${first_name} ${last_name}`,
    `${last_name} ${first_name}`,
    company_name ?? '',
    ...phones.flatMap(({ number }) => phoneLines(number)),
    ...emails.flatMap(({ email_address }) => unique([email_address, ...addressesIn(email_address)])),
  ]
  return lines.map(oneLine).filter(Boolean).join('\n')
}

/** Maximum numbers and addresses of a search that are looked for one by one. */
const MAX_PARTS = 10

/**
 * The condition that `search` occurs in the stored text. A search that looks like a phone number ignores punctuation.
 * @param fold makes text as it is stored
 */
export function matchesSearch(search: string, fold = oneLine): SQL | undefined {
  const isNumber = /^[\d\s()+./-]+$/.test(search) && /\d/.test(search)
  // A "+" is stored as 00, so that 0030, +30 and 30 all match; of whole numbers, one side may be without.
  return or(
    contains(fold(search)),
    isNumber ? contains(search.replace(/\D/g, '')) : undefined,
    ...phoneNumbers(search)
      .slice(0, MAX_PARTS)
      .map((number) => contains(number.slice(-LAST_DIGITS))),
    ...addressesIn(search)
      .filter((address) => address !== search)
      .slice(0, MAX_PARTS)
      .map((address) => contains(fold(address))),
  )
}

/** `instr` accepts text of any length, and `%` and `_` literally. LIKE on D1 does not. */
function contains(text: string): SQL {
  return sql`instr(search, ${text}) > 0`
}

/** Folded text in one line. */
export function oneLine(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim()
}
