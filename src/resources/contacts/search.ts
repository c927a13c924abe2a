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

/** Numbers are equal if their last digits are: one may have a country code. */
export const LAST_DIGITS = 10
/** A shorter number says too little. */
const MIN_DIGITS = 7

/** Without its country code, a number ends with the group of digits that has the tenth. */
const COMPLETE = { national: LAST_DIGITS, international: LAST_DIGITS + 4 }
/** Maximum digits of one number (E.164), with 00 before them. */
const MAX_DIGITS = 17

/**
 * The digits of each phone number in a field. Letters, plus and most signs part them; extensions are too short. A complete
 * number ends at a space or dash, as in `2101234567 6971234567` and `2101234567-8`; what could be one number counts as one, too.
 */
export function phoneNumbers(field: string): string[] {
  const numbers = field.split(/[\p{L},:;#&|*\n]+|(?=\+)/u).flatMap((part) => {
    const sides = part.split('/')
    const isList = sides.every((side) => phoneDigits(side).length >= MIN_DIGITS)
    return (isList ? sides : [part]).flatMap(completeNumbers)
  })
  return unique(numbers.filter((digits) => digits.length >= MIN_DIGITS))
}

function completeNumbers(part: string): string[] {
  const whole = phoneDigits(part)
  const numbers = whole.length <= MAX_DIGITS ? [whole] : []
  let number = ''
  for (const group of part.trim().replace(/^\+/, '00').match(/\d+/g) ?? []) {
    const { length } = number
    if (length >= COMPLETE[number.startsWith('00') ? 'international' : 'national']) {
      numbers.push(number)
      number = ''
    }
    number += group
  }
  return [...numbers, number]
}

/** The lines of a field with phone numbers: those of its numbers, else its digits. */
export function phoneLines(field: string): string[] {
  const numbers = phoneNumbers(field)
  return numbers.length > 0 ? numbers : [phoneDigits(field)]
}

/** The e-mail addresses in a text such as `Anna <anna@example.com>; info@example.com`. */
export function addressesIn(text: string): string[] {
  return unique(text.split(/[\s<>()[\],:;"]+/).filter((word) => word.includes('@')))
}

/** The digits of a phone number. */
function phoneDigits(number: string): string {
  return number.trim().replace(/^\+/, '00').replace(/\D/g, '')
}
