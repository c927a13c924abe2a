/**
 * What people are found by: the keys of telephones, e-mail addresses and names. Equal ones have the same key however they are
 * written; of telephones, one key is the beginning of the other.
 */
import { foldedWords, foldText, oneLine } from '../../db/fold.ts'
import { PHONE } from '../../db/person-keys.ts'
import type { contacts } from '../../db/tables/contacts.ts'
import type { enquiries } from '../../db/tables/enquiries.ts'
import type { external_listings } from '../../db/tables/external-listings.ts'
import {
  addressesIn,
  LAST_DIGITS,
  MIN_DIGITS,
  phoneLines,
  phoneNumbers,
} from '../../fields/phones-and-emails.ts'
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
  return foldedWords(latin.replace(/[ßæœøłđðþı]/g, (letter) => JOINED[letter] ?? letter))
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

/** Maximum words of a contact's names that are taken in pairs: seven have 42, in each alphabet. */
const MAX_WORDS = 7
/** Country codes have at most three digits. What follows them is found as well. */
const MAX_COUNTRY_CODE = 3

/**
 * What a search finds a contact by, if it is looked for by the beginning: telephones, e-mail addresses and their domains, and
 * each two words of its names in either order. So two words are one range of the index, of which the last may be unfinished.
 */
function beginningsOf({ emails, phones, names }: Record<'emails' | 'phones' | 'names', string[]>): string[] {
  const all = [
    emails
      .flatMap(addressesIn)
      .map(oneLine)
      .flatMap((email) => [email, email.slice(email.indexOf('@') + 1)]),
    phones.flatMap(phoneLines).flatMap(numberBeginnings),
    spellingsOf(names.join(' ')).flatMap(wordPairs),
  ]
  return unique(all.flatMap((texts) => unique(texts).filter(Boolean).slice(0, MAX_KEYS)))
}

/** The beginnings that a search looks for, and that of the keys of telephones that end with its digits. */
export function soughtBeginnings(search: string): { beginnings: string[]; phone: string | null } {
  const text = oneLine(search)
  const digits = /\p{L}/u.test(search) ? '' : digitsOf(search)
  const words = spellingsOf(search).flatMap(([first = '', second]) =>
    second === undefined ? [first] : [`${first} ${second}`, `${second} ${first}`],
  )
  const beginnings = unique([text.includes(' ') ? '' : text, digits, ...words]).filter(Boolean)
  return { beginnings, phone: digits ? PHONE + [...digits].reverse().join('') : null }
}

/** The different words of names as they are written, and in Latin letters. */
function spellingsOf(names: string): string[][] {
  return [foldedWords(names), nameWords(names), nameWords(foldText(names))].map(unique)
}

function wordPairs(spelling: string[]): string[] {
  const words = spelling.slice(0, MAX_WORDS)
  if (words.length === 1) return words
  return words.flatMap((one) => words.filter((other) => other !== one).map((other) => `${one} ${other}`))
}

/** A number without the zeros before it; with a country code, without that, too. */
function numberBeginnings(line: string): string[] {
  const number = digitsOf(line)
  const codes = line.startsWith('00') ? MAX_COUNTRY_CODE : 0
  return Array.from({ length: codes + 1 }, (_, digits) => digitsOf(number.slice(digits)))
}

const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')

type ContactTexts = Pick<
  typeof contacts.$inferSelect,
  'first_name' | 'last_name' | 'company_name' | 'phones' | 'emails' | 'contact_details'
>

/** Where contacts have what they begin with, beside their keys. */
export const BEGINNINGS = 'contacts.search'

/** The column `person_keys` of a contact. */
export function contactKeys({ contact_details: people, ...contact }: ContactTexts): string {
  const emails = contact.emails.map(({ email_address }) => email_address)
  const phones = contact.phones.map(({ number }) => number)
  const names = [`${contact.first_name} ${contact.last_name}`, contact.company_name ?? '']
  return columnOf({
    contacts: keysOf({ emails, phones, names }),
    [BEGINNINGS]: beginningsOf({ emails, phones, names }),
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
