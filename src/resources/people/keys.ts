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

/** Maximum texts of each kind that a contact is searched by: of ten words, all pairs in two alphabets. */
const MAX_BEGINNINGS = 200
/** Maximum characters of such a text, and of what is looked for: more would find no fewer. */
const MAX_LENGTH = 64
/** Country codes have at most three digits. What follows them is found as well. */
const MAX_COUNTRY_CODE = 3

/**
 * What a search finds a contact by, if it is looked for by the beginning: telephones, e-mail addresses and their domains, and
 * two words of its names in either order. So two words are one range of the index, of which the last may be unfinished.
 */
function beginningsOf({ emails, phones, names }: Record<'emails' | 'phones' | 'names', string[]>): string[] {
  const addresses = emails.flatMap(addressesIn)
  const all = [
    [...emails, ...addresses, ...addresses.map((address) => address.slice(address.indexOf('@') + 1))].map(
      oneLine,
    ),
    phones.flatMap(phoneLines).flatMap(numberBeginnings),
    wordPairs(spellingsOf(names.join(' '))),
  ]
  const cut = all.map((texts) => unique(texts.map(beginningOf)).filter(Boolean))
  return unique(cut.flatMap((texts) => texts.slice(0, MAX_BEGINNINGS)))
}

/** The beginnings that a search looks for, and that of the keys of telephones that end with its digits. */
export function soughtBeginnings(search: string): { beginnings: string[]; phone: string | null } {
  const text = oneLine(search).replace(/^@/, '')
  const isWord = !text.includes(' ')
  const number = isNumber(search) ? search : ''
  const words = isWord && text.includes('@') ? [] : spellingsOf(search).flatMap(longestPair)
  const beginnings = unique([isWord ? text : '', digitsOf(number), ...words].map(beginningOf))
  const last = [...number.replace(/\D/g, '')].reverse().join('')
  return { beginnings: beginnings.filter(Boolean), phone: last ? PHONE + last : null }
}

/** The longest neighbours in both orders: a contact with all the words has those, and few others do. */
function longestPair(words: string[]): string[] {
  const pairs = words.slice(1).map((word, at) => [words[at], word])
  const lengthOf = (pair: (typeof pairs)[number]) => pair.join('').length
  const [pair] = pairs.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  return pair ? [pair.join(' '), pair.toReversed().join(' ')] : words
}

/** Whether a text is digits and what parts those of telephones. */
export const isNumber = (text: string) => /^[\d\s()+./-]+$/.test(text) && /\d/.test(text)

const beginningOf = (text: string) => [...text].slice(0, MAX_LENGTH).join('')

/** The different words of names as they are written, and in Latin letters. */
function spellingsOf(names: string): string[][] {
  return [foldedWords(names), nameWords(names), nameWords(foldText(names))].map(unique)
}

/** Two words each, in either order. Neighbours come first, so that a limit leaves out those that are far apart. */
function wordPairs(spellings: string[][]): string[] {
  const pairs = new Set(spellings.filter(({ length }) => length === 1).flat())
  const farthest = Math.max(...spellings.map(({ length }) => length)) / 2
  for (let apart = 1; apart <= farthest && pairs.size < MAX_BEGINNINGS; apart += 1)
    for (const words of spellings)
      for (const [at, one] of words.entries()) {
        const other = words[(at + apart) % words.length] ?? one
        if (other !== one) pairs.add(`${one} ${other}`).add(`${other} ${one}`)
      }
  return [...pairs]
}

/** A number without the zeros before it; with a country code, without that, too. */
function numberBeginnings(line: string): string[] {
  const number = digitsOf(line)
  const codes = line.startsWith('00') || number.length > LAST_DIGITS ? MAX_COUNTRY_CODE : 0
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
