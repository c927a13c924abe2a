/** A listing as a property of Kyero's format, version 3. One line of the table below is one element. */
import { truncateText } from '../../fields/cut.ts'
import { baseLanguage, type FeedLanguage, pagesOf } from '../../resources/listings/public/page-urls.ts'
import { withoutHtml } from '../../resources/listings/public/plain-text.ts'
import { type FeedListing, type FeedPicture, featureLabels, picturesOf, webAddress } from '../listing.ts'
import { element, type Xml } from '../xml.ts'
import { englishLine } from './english.ts'
import { kyeroType } from './types.ts'

/** The languages that the format knows. Greek is not among them. */
const KYERO_LANGUAGES = ['ca', 'da', 'de', 'en', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv']

/** The price of all listings is in euros, and all of them are in Greece. */
const CURRENCY = 'EUR'
const COUNTRY = 'Greece'

const MAX_URL = 255
const MAX_REF = 255
const MAX_DETAIL = 50
const MAX_FEATURE = 35
const MAX_IMAGES = 50
/** Decimals of a coordinate: with the degrees, at most 15 characters. */
const DECIMALS = 9

/** What a feed adds to its listings. */
export interface KyeroSettings {
  /** The languages of the feed, the most important first. */
  languages: readonly FeedLanguage[]
  pageUrl: string | null
  /** The current year. */
  year: number
}

/** A text, elements within it, or null: then the element is left out. */
type Content = string | readonly Xml[] | null

/** The elements of a property in order, and what each is made of. What the format asks: `scripts/feed-check/rules.ts`. */
export const PROPERTY: Readonly<Record<string, (listing: FeedListing, settings: KyeroSettings) => Content>> =
  {
    id: ({ id }) => String(id),
    date: ({ date_updated }) => date_updated,
    ref: ({ code, id }) => truncateText(code ?? String(id), MAX_REF),
    price: ({ price }) => String(price),
    currency: () => CURRENCY,
    price_freq: ({ availability }) => (availability === 'sale' ? 'sale' : 'month'),
    // 1 if it is younger than 12 months.
    new_build: ({ year_built, property_condition }, { year }) =>
      oneOrZero(
        year_built === year || year_built === year - 1 || property_condition === 'under_construction',
      ),
    type: (listing) => kyeroType(listing),
    town: ({ location }) => location.area_level2?.name_en ?? null,
    province: ({ location }) => location.area_level1?.name_en ?? null,
    // Spain if it is absent.
    country: () => COUNTRY,
    location: ({ location: { latitude, longitude } }) =>
      latitude === null || longitude === null
        ? null
        : [element('latitude', degrees(latitude)), element('longitude', degrees(longitude))],
    location_detail: ({ location }) =>
      location.area_level3 && truncateText(location.area_level3.name_en, MAX_DETAIL),
    beds: ({ rooms }) => whole(rooms),
    baths: ({ bathrooms }) => whole(bathrooms),
    pool: ({ features }) =>
      oneOrZero(features.some((key) => key === 'private_pool' || key === 'shared_pool')),
    surface_area: ({ size, land_size }) => [element('built', whole(size)), element('plot', whole(land_size))],
    energy_rating: ({ energy_class }) => [
      element('consumption', energyRating(energy_class)),
      element('emissions', UNKNOWN_RATING),
    ],
    url: ({ id }, { languages, pageUrl }) =>
      orNull(
        knownLanguages(pagesOf(pageUrl, languages, id), ({ language }) => language).map(([code, { url }]) =>
          element(code, url),
        ),
      ),
    video_url: ({ video_url }) => link(video_url),
    virtual_tour_url: ({ panorama_tour_url, virtual_tour_url }) =>
      link(panorama_tour_url) ?? link(virtual_tour_url),
    // Required: without a text it is a line in English.
    desc: (listing, { languages }) =>
      orNull(textsOf(listing, languages)) ?? [element('en', englishLine(listing))],
    features: (listing) =>
      orNull(featureLabels(listing).map((label) => element('feature', truncateText(label, MAX_FEATURE)))),
    images: (listing) => orNull(picturesOf(listing).slice(0, MAX_IMAGES).map(imageOf)),
  }

function imageOf({ url, kind }: FeedPicture, index: number): Xml {
  const tags = kind === 'floor_plan' ? [element('tags', [element('tag', 'floorplan')])] : []
  return element('image', [element('url', url), ...tags], { id: String(index + 1) })
}

/** The XML of a listing that the feed has. */
export function propertyXml(listing: FeedListing, settings: KyeroSettings): string {
  const elements = Object.entries(PROPERTY).flatMap(([name, content]) => {
    const value = content(listing, settings)
    return value === null ? [] : element(name, value)
  })
  return element('property', elements).text
}

const UNKNOWN_RATING = 'X'

/** The class without its pluses. */
function energyRating(energyClass: FeedListing['energy_class']): string {
  if (energyClass === null || energyClass === 'pending') return UNKNOWN_RATING
  return energyClass.charAt(0).toUpperCase()
}

/** Rounded half up. */
function whole(value: number | null): string {
  return String(Math.round(value ?? 0))
}

function oneOrZero(isTrue: boolean): string {
  return isTrue ? '1' : '0'
}

/** In plain digits: JavaScript writes very small numbers with an exponent. */
function degrees(value: number): string {
  return value.toFixed(DECIMALS).replace(/\.?0{1,9}$/, '')
}

/** A URL that is not too long: half of one leads nowhere. */
function link(url: string | null): string | null {
  const written = url === null ? null : webAddress(url)
  return written !== null && written.length <= MAX_URL ? written : null
}

function orNull(elements: readonly Xml[]): readonly Xml[] | null {
  return elements.length > 0 ? elements : null
}

/** Those in languages that the format knows, by its codes. Of two in one language, such as `en` and `en-GB`, the first. */
function knownLanguages<T>(entries: readonly T[], codeOf: (entry: T) => string): [code: string, entry: T][] {
  const known = new Map<string, T>()
  for (const entry of entries) {
    const code = baseLanguage(codeOf(entry))
    if (KYERO_LANGUAGES.includes(code) && !known.has(code)) known.set(code, entry)
  }
  return [...known]
}

/** The texts by language: title, blank line, description. */
function textsOf({ translations }: FeedListing, languages: readonly FeedLanguage[]): Xml[] {
  const texts = languages.flatMap(({ id, code }) => {
    const found = translations.find(({ language_id }) => language_id === id)
    const parts = [found?.title, found?.description].map((text) => withoutHtml(text ?? '')).filter(Boolean)
    return parts.length > 0 ? [{ code, text: parts.join('\n\n') }] : []
  })
  return knownLanguages(texts, ({ code }) => code).map(([code, { text }]) => element(code, text))
}
