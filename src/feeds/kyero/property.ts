/**
 * A listing as a property of Kyero's format, version 3. One line of the table below is one element: its name, what the
 * format asks of it, what it is made of, and how.
 */
import { truncateText } from '../../fields/cut.ts'
import { baseLanguage, type FeedLanguage, pagesOf } from '../../resources/listings/public/page-urls.ts'
import { withoutHtml } from '../../resources/listings/public/plain-text.ts'
import { type FeedListing, featureLabels, picturesOf, webAddress } from '../listing.ts'
import { element, type Xml } from '../xml.ts'
import { englishLine } from './english.ts'
import { kyeroType } from './types.ts'

/** The languages that the format knows. Greek is not among them. */
const KYERO_LANGUAGES = ['ca', 'da', 'de', 'en', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv']

/** The price of all listings is in euros, and all of them are in Greece. */
const CURRENCY = 'EUR'
const COUNTRY = 'Greece'

const MAX_URL = 255
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

interface Line {
  element: string
  /** What the format asks. */
  rule: string
  /** What it is made of. */
  from: string
  /** Maximum length in characters; a longer text is cut. */
  max?: number
  content: (listing: FeedListing, settings: KyeroSettings) => Content
}

/** The elements of a property, in order. */
export const PROPERTY: readonly Line[] = [
  {
    element: 'id',
    rule: 'required, up to 50 characters',
    from: 'id',
    max: 50,
    content: ({ id }) => String(id),
  },
  {
    element: 'date',
    rule: 'required, YYYY-MM-DD HH:MM:SS',
    from: 'date_updated',
    content: ({ date_updated }) => date_updated,
  },
  {
    element: 'ref',
    rule: 'required, up to 255 characters',
    from: 'code, else id',
    max: 255,
    content: ({ code, id }) => code ?? String(id),
  },
  {
    element: 'price',
    rule: 'required, whole, up to 8 digits',
    from: 'price',
    content: ({ price }) => String(price),
  },
  { element: 'currency', rule: 'required', from: 'EUR', content: () => CURRENCY },
  {
    element: 'price_freq',
    rule: 'required: sale or month',
    from: 'availability',
    content: ({ availability }) => (availability === 'sale' ? 'sale' : 'month'),
  },
  {
    element: 'new_build',
    rule: '1 if it is younger than 12 months, else 0',
    from: 'year_built, property_condition',
    content: ({ year_built, property_condition }, { year }) =>
      oneOrZero(
        year_built === year || year_built === year - 1 || property_condition === 'under_construction',
      ),
  },
  {
    element: 'type',
    rule: 'required, one of a list',
    from: 'category, subcategory',
    content: (listing) => kyeroType(listing),
  },
  {
    element: 'town',
    rule: 'required',
    from: 'location.area_level2',
    content: ({ location }) => location.area_level2?.name_en ?? null,
  },
  {
    element: 'province',
    rule: 'required',
    from: 'location.area_level1',
    content: ({ location }) => location.area_level1?.name_en ?? null,
  },
  { element: 'country', rule: 'Spain if it is absent', from: 'Greece', content: () => COUNTRY },
  {
    element: 'location',
    rule: 'up to 15 characters a coordinate; 0 is unknown',
    from: 'location.latitude, location.longitude',
    content: ({ location: { latitude, longitude } }) =>
      latitude === null || longitude === null
        ? null
        : [element('latitude', degrees(latitude)), element('longitude', degrees(longitude))],
  },
  {
    element: 'location_detail',
    rule: 'up to 50 characters',
    from: 'location.area_level3',
    max: 50,
    content: ({ location }) => location.area_level3?.name_en ?? null,
  },
  { element: 'beds', rule: '0 if unknown', from: 'rooms', content: ({ rooms }) => whole(rooms) },
  { element: 'baths', rule: '0 if unknown', from: 'bathrooms', content: ({ bathrooms }) => whole(bathrooms) },
  {
    element: 'pool',
    rule: '1 or 0',
    from: 'features',
    content: ({ features }) =>
      oneOrZero(features.some((key) => key === 'private_pool' || key === 'shared_pool')),
  },
  {
    element: 'surface_area',
    rule: 'whole square metres; 0 if unknown',
    from: 'size, land_size',
    content: ({ size, land_size }) => [element('built', whole(size)), element('plot', whole(land_size))],
  },
  {
    element: 'energy_rating',
    rule: 'A to G, or X',
    from: 'energy_class',
    content: ({ energy_class }) => [
      element('consumption', energyRating(energy_class)),
      element('emissions', UNKNOWN_RATING),
    ],
  },
  {
    element: 'url',
    rule: 'by language',
    from: 'page_url of the feed',
    content: ({ id }, { languages, pageUrl }) =>
      orNull(
        knownLanguages(pagesOf(pageUrl, languages, id), ({ language }) => language).map(([code, { url }]) =>
          element(code, url),
        ),
      ),
  },
  {
    element: 'video_url',
    rule: 'up to 255 characters',
    from: 'video_url',
    content: ({ video_url }) => link(video_url),
  },
  {
    element: 'virtual_tour_url',
    rule: 'up to 255 characters',
    from: 'panorama_tour_url, else virtual_tour_url',
    content: ({ panorama_tour_url, virtual_tour_url }) => link(panorama_tour_url) ?? link(virtual_tour_url),
  },
  {
    element: 'desc',
    rule: 'required, by language, without HTML',
    from: 'translations; else a line in English',
    content: (listing, { languages }) =>
      orNull(textsOf(listing, languages)) ?? [element('en', englishLine(listing))],
  },
  {
    element: 'features',
    rule: 'up to 35 characters each',
    from: 'features, positioning, view, flooring',
    content: (listing) =>
      orNull(featureLabels(listing).map((label) => element('feature', truncateText(label, MAX_FEATURE)))),
  },
  {
    element: 'images',
    rule: 'up to 50',
    from: 'photos',
    content: (listing) =>
      orNull(
        picturesOf(listing)
          .slice(0, MAX_IMAGES)
          .map(({ url, kind }, index) =>
            element(
              'image',
              [
                element('url', url),
                ...(kind === 'floor_plan' ? [element('tags', [element('tag', 'floorplan')])] : []),
              ],
              { id: String(index + 1) },
            ),
          ),
      ),
  },
]

/** The XML of a listing that the feed has. */
export function propertyXml(listing: FeedListing, settings: KyeroSettings): string {
  const elements = PROPERTY.flatMap(({ element: name, max, content }) => {
    const value = content(listing, settings)
    if (value === null) return []
    return element(name, typeof value === 'string' && max ? truncateText(value, max) : value)
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
