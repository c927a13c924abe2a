/** Numbers, prices and texts of listings in the visitor's language. */
import type { Listing } from './estia.ts'
import { type Language, texts } from './texts.ts'
import type { Visit } from './visit.ts'

const LOCALES: Record<Language, string> = { el: 'el-GR', en: 'en-GB' }

/** Parts of a line, without those that are missing. */
export const joined = (parts: (string | null | false | undefined)[], separator = ' · ') =>
  parts.filter((part) => part).join(separator)

/** A link to elsewhere; null for what is no address on the web. */
export function link(address: string | null): URL | null {
  const url = address === null ? null : URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** The address of a phone: `tel:+302105550100`. */
export const phoneLink = (phone: string) => `tel:${phone.replace(/[^+\d]/g, '')}`

/** A number as the language writes it. */
export const number = (value: number, language: Language, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 1, ...options }).format(value)

/** An amount in euros, without cents. */
export const euros = (value: number, language: Language) =>
  number(value, language, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 })

/** A date: "2 March 2026". */
export const date = (value: string, language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${value.slice(0, 10)}T00:00:00Z`),
  )

export const area = (squareMetres: number, language: Language) => `${number(squareMetres, language)}\u00a0m²`

/** The price of a listing, without its unit: "€250,000", or that it is on request. */
export const price = (listing: Listing, language: Language) =>
  listing.price === null ? texts[language].priceOnRequest : euros(listing.price, language)

/** What the price is for: "per month"; null if it is the whole price. */
export function priceUnit({ price, availability, shortterm_unit }: Listing, { names }: Visit) {
  const unit = availability === 'rent' ? 'per_month' : availability === 'shortterm' ? shortterm_unit : null
  return price !== null && unit ? names.of('shortterm_unit', unit).toLowerCase() : null
}

/** What is offered: "Apartment for sale". */
export function kind({ category, subcategory, availability }: Listing, { t, names }: Visit): string {
  const isNamed = subcategory !== null && subcategory !== 'other'
  const what = isNamed ? names.of('subcategory', subcategory) : t.categories[category]
  return `${what} ${t.offered[availability]}`
}

/** Where it is, the narrowest area first. */
export function place({ location }: Listing, language: Language): string {
  const { area_level3, area_level2, area_level1 } = location
  const areas = [area_level3, area_level2, area_level1].map((found) => found?.[`name_${language}`])
  return areas
    .filter((name) => name)
    .slice(0, 2)
    .join(', ')
}

/**
 * Title and description. Where the agency has written no title in the language, one is made; a description may be
 * in another language, which `textLanguage` names.
 */
export function words(listing: Listing, visit: Visit) {
  const { language, names } = visit
  const { translations, size, land_size } = listing
  const own = translations.find(({ language_id }) => language_id === names.languages.get(language))
  const described = own?.description ? own : translations.find(({ description }) => description)
  const measure = size ?? land_size
  return {
    title: own?.title || joined([kind(listing, visit), measure !== null && area(measure, language)]),
    description: described?.description ?? '',
    textLanguage: [...names.languages].find(([, id]) => id === described?.language_id)?.[0],
  }
}
