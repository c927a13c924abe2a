/**
 * The JSON of a listing's standard form without its keys, which all listings share. What is left, a fifth of it, is
 * what is stored and fetched (`documents.ts`). With the whole JSON stored, a page of 50 took 27 % more CPU.
 *
 * The values follow each other in their order, null as nothing. The marks between them cannot occur in them: JSON
 * holds neither tab nor line break, as within text they are written `\t` and `\n`. Texts come last. Long ones are not
 * stored twice: reads of such a document add them at the end, from their own table.
 */
import { basesOf, PICTURES, type PublicUrl, publicUrlUnder } from '../../../http/urls.ts'
import { presentListing } from '../present.ts'
import type { ListingRow } from '../queries.ts'

/** Between two values. */
const SEPARATOR = '\t'
/** Stands for the base of public URLs, which is not known before somebody reads. */
const BASE_PLACEHOLDER = '\n'

/** Before the values of a document that is stored without its texts. */
export const LACKS_TEXTS = '\v'
/** Most characters of texts that are stored: others take more room than they spare reads. */
const MAX_TEXTS = 2000

/** Whatever the form of no listing depends on. */
const EMPTY_ROW = {
  details: {},
  extra: {},
  photos: [],
  panoramas: [],
  address_el: null,
  fake_address_el: null,
}

/** Stands for a value where the keys are found out. */
const VALUE_PLACEHOLDER = '?'

/** What stands before each value, and behind the last. */
const KEY_TEXTS = JSON.stringify(
  withPlaceholders(presentListing(EMPTY_ROW as unknown as ListingRow, publicUrlUnder(''), false)),
).split(JSON.stringify(VALUE_PLACEHOLDER))
/** The same with null behind it. */
const NULL_TEXTS = KEY_TEXTS.map((text) => `${text}null`)

/** The values of a listing. */
export function compactListing(row: ListingRow): string {
  // No stored text contains what is random.
  const base = crypto.randomUUID()
  return valuesOf(presentListing(row, publicUrlUnder(base), false))
    .map((value) => (value === null ? '' : JSON.stringify(value)))
    .join(SEPARATOR)
    .replaceAll(base, BASE_PLACEHOLDER)
}

/** What is stored of a compact listing. */
export function withoutLongTexts(compact: string): string {
  const texts = compact.lastIndexOf(SEPARATOR) + 1
  return compact.length - texts > MAX_TEXTS ? LACKS_TEXTS + compact.slice(0, texts) : compact
}

/** The JSON of what `compactListing` gave, with its public URLs. */
export function expandListing(compact: string, url: PublicUrl): string {
  let json = ''
  let from = compact.startsWith(LACKS_TEXTS) ? LACKS_TEXTS.length : 0
  // One pass and no list of pieces: a page has thousands of values.
  for (let index = 0; index < KEY_TEXTS.length - 1; index++) {
    const next = compact.indexOf(SEPARATOR, from)
    const to = next < 0 ? compact.length : next
    json += to === from ? NULL_TEXTS[index] : `${KEY_TEXTS[index]}${compact.slice(from, to)}`
    from = to + 1
  }
  json += KEY_TEXTS.at(-1)
  if (!compact.includes(BASE_PLACEHOLDER)) return json
  const [service, pictures] = basesOf(url).map((base) => JSON.stringify(base).slice(1, -1))
  return json
    .replaceAll(`${BASE_PLACEHOLDER}/${PICTURES}`, () => pictures ?? '')
    .replaceAll(`${BASE_PLACEHOLDER}/`, () => service ?? '')
}

type Presented = ReturnType<typeof presentListing>

/** The values of a listing, those of its location among them, in the order in which JSON has them. */
function valuesOf(listing: Presented): unknown[] {
  const values: unknown[] = []
  for (const value of Object.values(listing)) {
    if (value === listing.location) values.push(...Object.values(listing.location))
    else values.push(value)
  }
  return values
}

/** The same listing with a placeholder for each of its values. */
function withPlaceholders(listing: Presented): object {
  const replaced = (record: object) =>
    Object.fromEntries(Object.keys(record).map((key) => [key, VALUE_PLACEHOLDER]))
  return { ...replaced(listing), location: replaced(listing.location) }
}
