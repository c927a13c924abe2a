/** Finds records with an e-mail address or phone number of a person that no id links to them. */
import { type SQL, sql } from 'drizzle-orm'
import { type Database, runStatement } from '../../db/client.ts'
import { select } from '../../db/statements.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { addressesIn, LAST_DIGITS, phoneNumbers } from '../../fields/phones-and-emails.ts'
import { oneLine } from '../../resources/contacts/search.ts'
import { type Place, placeOf } from '../erasure/places.ts'
import { type Entry, readPage } from './read-page.ts'

/** Maximum records of each resource. */
const MAX_POSSIBLE = 100
/** SQL for the digits of a phone number. */
const digits = (number: string) =>
  [...' \u00a0-–()./+'].reduce((inner, sign) => `replace(${inner}, '${sign}', '')`, number)

/** SQL for the words of a text with e-mail addresses, with spaces between them. */
const words = (text: string) =>
  [...'<>()[],:;"'].reduce((inner, sign) => `replace(${inner}, '${sign}', ' ')`, `lower(${text})`)

/**
 * Contacts, enquiries and external listings that may be about the same person. Each statement reads all of its table, as no
 * index holds addresses and numbers: of contacts the text of searches, which an index covers.
 */
export async function findPossible(
  db: Database,
  { persons, of }: { persons: SQL; of: (place: Place) => SQL },
): Promise<Entry[]> {
  const rows = await runStatement(
    db,
    select(
      { phones: contacts.phones, emails: contacts.emails },
      sql`from ${contacts} where id in (${persons})`,
    ),
  )
  const emails = rows.flatMap((row) =>
    row.emails.flatMap(({ email_address }) => addressesIn(email_address).map(oneLine)),
  )
  const phones = rows.flatMap((row) =>
    row.phones.flatMap(({ number }) => phoneNumbers(number).map((one) => one.slice(-LAST_DIGITS))),
  )
  const any = (list: string[], condition: SQL) =>
    sql`exists (select 1 from json_each(${JSON.stringify(list)}) known where ${condition})`
  const hasEmail = (text: string) =>
    any(emails, sql`instr(' ' || ${sql.raw(words(text))} || ' ', ' ' || known.value || ' ') > 0`)
  const hasPhone = (text: string) => any(phones, sql`instr(${sql.raw(digits(text))}, known.value) > 0`)
  const conditions: Record<string, SQL> = {
    contacts: sql`contacts.is_erased = 0 and (
      ${any(emails, sql`instr(char(10) || search || char(10), char(10) || known.value || char(10)) > 0`)}
      or ${any(phones, sql`instr(search || char(10), known.value || char(10)) > 0`)}
      or (contact_details <> '[]' and exists (select 1 from json_each(contact_details) other
        where ${hasEmail("(other.value ->> 'email')")} or ${hasPhone("(other.value ->> 'mobile')")})))`,
    enquiries: sql`(${hasEmail('email')} or ${hasPhone('phone')})`,
    external_listings: sql`(${hasEmail('contact_email')} or ${hasPhone('contact_phones')})`,
  }
  if (emails.length + phones.length === 0) return []
  const pages = await Promise.all(
    Object.entries(conditions).map(([name, condition]) => {
      const place = placeOf(name)
      return place
        ? readPage(db, place, persons, sql`${condition} and not (${of(place)})`, 0, MAX_POSSIBLE)
        : []
    }),
  )
  return pages.flat()
}
