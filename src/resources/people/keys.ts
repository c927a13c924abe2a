/**
 * What people are found by: the keys of telephones, e-mail addresses and names. Equal ones have the same key however they are
 * written; of telephones, one key is the beginning of the other.
 */
import { foldText } from '../../db/fold.ts'
import { PHONE } from '../../db/person-keys.ts'
import type { contacts } from '../../db/tables/contacts.ts'
import type { enquiries } from '../../db/tables/enquiries.ts'
import type { external_listings } from '../../db/tables/external-listings.ts'
import { addressesIn, LAST_DIGITS, MIN_DIGITS, phoneNumbers } from '../../fields/phones-and-emails.ts'
import { unique } from '../../fields/values.ts'
import { transliterate } from '../listings/address/elot743.ts'

/** Maximum keys of a record for its telephones, its e-mails, and its names: a field may hold any number of numbers. */
const MAX_KEYS = 100

const APOSTROPHES = /['’‘‛`´′΄᾽＇\u02b9-\u02bd\u02c8]/g
/** Letters that no decomposition takes apart. */
const JOINED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** The words of a name in Latin letters, by ELOT 743, folded, without apostrophes and ligatures. */
export function nameWords(name: string): string[] {
  const latin = foldText(transliterate(name.normalize('NFC').replace(APOSTROPHES, '')).normalize('NFKD'))
  return latin.replace(/[ßæœøłđðþı]/g, (letter) => JOINED[letter] ?? letter).match(/[\p{L}\p{Nd}]+/gu) ?? []
}

/** The line of names with a space before each word in Latin letters, so that the beginnings of words are found. */
export function nameLine(...names: (string | null | undefined)[]): string {
  const words = nameWords(names.join(' '))
  return words.length > 0 ? `= ${words.join(' ')}` : ''
}

/** The keys of a name with at least two words. Accents may part vowels, and capitals go without, so it may be spelt in two ways. */
function nameKeys(name: string): string[] {
  return [name, foldText(name)]
    .map(nameWords)
    .flatMap((words) => (words.length < 2 ? [] : `name:${words.toSorted().join(' ')}`))
}

function phoneKeys(field: string): string[] {
  return phoneNumbers(field)
    .map((number) => number.replace(/^0+/, ''))
    .filter((digits) => digits.length >= MIN_DIGITS)
    .map((digits) => PHONE + [...digits.slice(-LAST_DIGITS)].reverse().join(''))
}

function emailKeys(field: string): string[] {
  return addressesIn(field).map((address) => `email:${foldText(address)}`)
}

/** Texts as people fill them in. */
interface Texts {
  emails?: readonly (string | null | undefined)[]
  phones?: readonly (string | null | undefined)[]
  names?: readonly (string | null | undefined)[]
}

/** The keys of texts, e-mails first. */
export function keysOf({ emails = [], phones = [], names = [] }: Texts): string[] {
  const keys = (texts: Texts['emails'] & {}, make: (text: string) => string[]) =>
    unique(texts.flatMap((text) => (text ? make(text) : []))).slice(0, MAX_KEYS)
  return [...keys(emails, emailKeys), ...keys(phones, phoneKeys), ...keys(names, nameKeys)]
}

/** Whether keys of two records are those of the same telephone, address or name. */
export function isSameKey(one: string, other: string): boolean {
  return one === other || (one.startsWith(PHONE) && (one.startsWith(other) || other.startsWith(one)))
}

type ContactTexts = Pick<
  typeof contacts.$inferSelect,
  'first_name' | 'last_name' | 'company_name' | 'phones' | 'emails' | 'contact_details'
>

/** The column `person_keys` of a contact. */
export function contactKeys({ contact_details: people, ...contact }: ContactTexts): string {
  return columnOf({
    contacts: keysOf({
      emails: contact.emails.map(({ email_address }) => email_address),
      phones: contact.phones.map(({ number }) => number),
      names: [`${contact.first_name} ${contact.last_name}`, contact.company_name],
    }),
    contact_details: keysOf({
      emails: people.map(({ email }) => email),
      phones: people.map(({ mobile }) => mobile),
    }),
  })
}

/** The same of an enquiry. */
export function enquiryKeys({
  email,
  phone,
}: Partial<Pick<typeof enquiries.$inferSelect, 'email' | 'phone'>>): string {
  return columnOf({ enquiries: keysOf({ emails: [email], phones: [phone] }) })
}

/** The same of an external listing. */
export function externalListingKeys({
  contact_email,
  contact_phones,
}: Pick<typeof external_listings.$inferSelect, 'contact_email' | 'contact_phones'>): string {
  return columnOf({ external_listings: keysOf({ emails: [contact_email], phones: [contact_phones] }) })
}

function columnOf(places: Record<string, string[]>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(places).filter(([, keys]) => keys.length > 0)))
}
