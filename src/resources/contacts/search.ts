/** Searches contacts: the text that is stored for searching, and the condition of a search. */
import { or, type SQL, sql } from 'drizzle-orm'
import { foldText } from '../../db/fold.ts'
import type { contacts } from '../../db/tables/contacts.ts'
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
    ...emails.flatMap(({ email_address }) => unique([email_address, addressIn(email_address)])),
  ]
  return lines.map(oneLine).filter(Boolean).join('\n')
}

/**
 * The condition that `search` occurs in the stored text. A search that looks like a phone number ignores punctuation.
 * @param fold makes text as it is stored
 */
export function matchesSearch(search: string, fold = oneLine): SQL | undefined {
  const isNumber = /^[\d\s()+./-]+$/.test(search) && /\d/.test(search)
  const address = addressIn(search)
  // A "+" is stored as 00, so that 0030, +30 and 30 all match; of whole numbers, one side may be without.
  return or(
    contains(fold(search)),
    isNumber ? contains(search.replace(/\D/g, '')) : undefined,
    ...phoneNumbers(search).map((number) => contains(number.slice(-LAST_DIGITS))),
    address === search ? undefined : contains(fold(address)),
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

/** Numbers are equal if their last digits are: one may have a country code. */
export const LAST_DIGITS = 10
/** A shorter number says too little. */
const MIN_DIGITS = 7

/** The digits of each phone number in a field. Letters, commas and semicolons part them; extensions are too short. */
export function phoneNumbers(field: string): string[] {
  return field
    .split(/[\p{L},;#]+/u)
    .flatMap((part) => {
      const sides = part.split('/').map(phoneDigits)
      return sides.every((side) => side.length >= MIN_DIGITS) ? sides : [phoneDigits(part)]
    })
    .filter((digits) => digits.length >= MIN_DIGITS)
}

/** The lines of a field with phone numbers: those of its numbers, else its digits. */
export function phoneLines(field: string): string[] {
  const numbers = phoneNumbers(field)
  return numbers.length > 0 ? numbers : [phoneDigits(field)]
}

/** The address in a text such as `Anna <anna@example.com>`; the text itself if it has no other. */
export function addressIn(text: string): string {
  const start = text.lastIndexOf('<')
  const address =
    text.trimEnd().endsWith('>') && start >= 0 ? text.slice(start + 1, text.lastIndexOf('>')) : ''
  return address.includes('@') ? address : text
}

/** The digits of a phone number. */
function phoneDigits(number: string): string {
  return number.trim().replace(/^\+/, '00').replace(/\D/g, '')
}
