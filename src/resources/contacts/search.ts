/** Searching contacts: what is stored to be searched, and how a search is put to it. */
import { or, type SQL, sql } from 'drizzle-orm'
import { foldText } from '../../db/fold.ts'
import type { contacts } from '../../db/tables/contacts.ts'

type SearchedContact = Pick<
  typeof contacts.$inferSelect,
  'first_name' | 'last_name' | 'company_name' | 'phones' | 'emails'
>

/** One line for each thing to be found: the name in both orders, the company, each phone's digits, each e-mail. */
export function searchText({ first_name, last_name, company_name, phones, emails }: SearchedContact): string {
  const lines = [
    `${first_name} ${last_name}`,
    `${last_name} ${first_name}`,
    company_name ?? '',
    ...phones.map(({ number }) => digits(number)),
    ...emails.map(({ email_address }) => email_address),
  ]
  return lines.map(oneLine).filter(Boolean).join('\n')
}

/** Contacts in which `search` occurs; a search that looks like a phone number finds it however it is written. */
export function matchesSearch(search: string): SQL | undefined {
  const isNumber = /^[\d\s()+./-]+$/.test(search) && /\d/.test(search)
  // The stored "+" stands as 00, so that 0030, +30 and 30 all find it.
  return or(contains(oneLine(search)), isNumber ? contains(search.replace(/\D/g, '')) : undefined)
}

/** `instr` takes `%` and `_` literally and a text of any length, which LIKE on D1 does not. */
function contains(text: string): SQL {
  return sql`instr(search, ${text}) > 0`
}

function oneLine(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim()
}

function digits(number: string): string {
  return number.trim().replace(/^\+/, '00').replace(/\D/g, '')
}
