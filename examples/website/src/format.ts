/** Numbers, prices and texts of listings in the visitor's language. */
import type { Listing } from './estia.ts'
import type { Labels } from './labels.ts'
import { type Language, texts } from './texts.ts'

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
export const number = (value: number, language: Language) =>
  new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 1 }).format(value)

/** An amount in euros, without cents. */
export const euros = (value: number, language: Language) =>
  new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency: 'EUR',
    maximumFractionDigits: 0,
  }).format(value)

/** A date: "2 March 2026". */
export const date = (value: string, language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${value.slice(0, 10)}T00:00:00Z`),
  )

export const area = (squareMetres: number, language: Language) =>
  `${number(squareMetres, language)}\u00a0${texts[language].squareMetres}`

/** The price of a listing, without its unit: "€250,000", or that it is on request. */
export function price(listing: Listing, language: Language): string {
  return listing.price === null ? texts[language].priceOnRequest : euros(listing.price, language)
}

/** What the price is for: "per month"; null if it is the whole price. */
export function priceUnit({ price, availability, shortterm_unit }: Listing, labels: Labels) {
  if (price === null) return null
  if (availability === 'rent') return labels.within('shortterm_unit', 'per_month')
  if (availability === 'shortterm' && shortterm_unit) return labels.within('shortterm_unit', shortterm_unit)
  return null
}

/** What is offered: "Apartment for sale". */
export function kind(
  { category, subcategory, availability }: Listing,
  language: Language,
  labels: Labels,
): string {
  const { categories, offered } = texts[language]
  const isNamed = subcategory !== null && subcategory !== 'other'
  const what = isNamed ? labels.of('subcategory', subcategory) : categories[category]
  return `${what} ${offered[availability]}`
}

/** Where it is, the narrowest area first. */
export function place({ location }: Listing, language: Language): string {
  const { area_level3, area_level2, area_level1 } = location
  const names = [area_level3, area_level2, area_level1].flatMap((found) =>
    found ? [found[`name_${language}`]] : [],
  )
  return names.slice(0, 2).join(', ')
}

/**
 * Title and description. Where the agency has written no title in the language, one is made; a description may be
 * in another language, which `textLanguage` names.
 */
export function words(listing: Listing, language: Language, languages: Map<string, number>, labels: Labels) {
  const { translations, size, land_size } = listing
  const own = translations.find(({ language_id }) => language_id === languages.get(language))
  const other = translations.find(({ description }) => description)
  const measure = size ?? land_size
  const made = joined([kind(listing, language, labels), measure !== null && area(measure, language)])
  const code = [...languages].find(([, id]) => id === other?.language_id)?.[0]
  return {
    title: own?.title || made,
    description: own?.description || other?.description || '',
    textLanguage: own?.description ? language : code,
  }
}
