/**
 * The published rules of the formats as tables: Kyero 3, https://www.jsonfeed.org/version/1.1/ and
 * https://www.sitemaps.org/protocol.html.
 */
import type { Node } from './nodes.ts'

/** What a text must match, by the path of its element. `*` is any element, `` the entry, and `@` leads to an attribute. */
type Rules = Record<string, [pattern: RegExp, rule: string]>

/** The rules of an element. */
interface Shape {
  /** Paths of what there must be; before a `/`, of each element that must have it. `|` parts two of which one is enough. */
  required: string[]
  rules: Rules
}

/** The rules of a file. */
export interface Format {
  entry: string
  /** What several are called. */
  counted: string
  /** The element that no two entries may share. */
  key: string
  /** By name: the root without its entries, an entry, other elements of the root. */
  shapes: Record<string, Shape>
}

/** A value of a feed in a message: short, and in one line. */
export const quote = (value: string) => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
/** A complete http or https URL without spaces. */
export const WEB_URL = /^https?:\/\/[^\s<>"/?#]+([/?#][^\s<>"]*)?$/i

const DATE = String.raw`\d{4}(-(0\d|1[0-2])(-[0-3]\d`
const MOMENT = String.raw`T[0-2]\d:[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)`
const url: Rules[string] = [WEB_URL, 'must be a URL']
const flag: Rules[string] = [/^[01]$/, 'must be 1 or 0']
const whole: Rules[string] = [/^\d{1,9}$/, 'must be a whole number']
const degrees: Rules[string] = [/^-?\d{1,3}(\.\d{1,11})?$/, 'must be degrees of at most 15 characters']
const language: Rules[string] = [
  /^(ca|da|de|en|es|fi|fr|it|nl|no|pt|ru|sv)$/,
  'must be a language of the format',
]
const upTo = (max: number): Rules[string] => [
  RegExp(`^.{0,${max}}$`, 'su'),
  `must have at most ${max} characters`,
]
const texts: Rules[string] = [/^string$/, 'must be text']
const list: Rules[string] = [/^array$/, 'must be a list']
const moment: Rules[string] = [RegExp(`^${DATE}${MOMENT}))$`), 'must be a date-time of RFC 3339']

const PROPERTY: Rules = {
  id: upTo(50),
  date: [/^\d{4}-(0\d|1[0-2])-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d$/, 'must be YYYY-MM-DD HH:MM:SS'],
  ref: upTo(255),
  price: [/^[1-9]\d{0,7}$/, 'must be a whole number of at most 8 digits'],
  currency: [/^(EUR|GBP|USD)$/, 'must be EUR, GBP or USD'],
  price_freq: [/^(sale|month)$/, 'must be sale or month'],
  type: [
    /^(apartment|villa|(town|country|cave) house|land|garage|commercial property|wooden home)$/i,
    'must be a type of the format, such as Apartment or Villa',
  ],
  ...{ new_build: flag, pool: flag, beds: whole, baths: whole, 'surface_area.*': whole },
  'energy_rating.*': [/^[A-GX]$/, 'must be a letter from A to G, or X'],
  ...{ location_detail: upTo(50), 'features.*': upTo(35), video_url: url, virtual_tour_url: url },
  ...{ 'location.latitude': degrees, 'location.longitude': degrees },
  desc: [/^$/, 'must have an element for each language'],
  ...{ 'desc.*@name': language, 'url.*@name': language, 'url.*': url, 'images.*.url': url },
  'desc.*': [/^(?!.*(<\/?[a-z][a-z\d]*(\s[^<>]*)?\/?>|&([a-z]{2,8}|#\d{1,7});))/is, 'must be without HTML'],
  'desc.*.*@name': [/^$/, 'must be no element of HTML'],
  'images.*@id': [/^([1-9]|[1-4]\d|50)$/, 'must have an id from 1 to 50'],
  '*@name': [/^[^A-Z]+$/, 'must be written in lower case'],
  '': [/^$/, 'must have no text between its elements, as after a fault'],
}
const NEEDED = 'id date ref price currency price_freq type town province desc images.*/url'.split(' ')

/** The rules of Kyero, of which all properties must lie in `country`: one that names none counts for Spain. */
const kyero = (country?: string): Format => {
  const here: Rules = country ? { country: [RegExp(`^${country}$`, 'i'), `must be ${country}`] } : {}
  return {
    ...{ entry: 'property', counted: 'properties', key: 'id' },
    shapes: {
      root: { required: [], rules: {} },
      kyero: { required: ['feed_version'], rules: { feed_version: [/^3$/, 'must be 3'] } },
      property: { required: [...NEEDED, ...Object.keys(here)], rules: { ...PROPERTY, ...here } },
    },
  }
}

const PAGE: Shape = {
  required: ['loc', 'image:image/image:loc'],
  rules: {
    loc: [RegExp(`${WEB_URL.source}(?<=^.{1,2048})`, 'i'), 'must be a URL of at most 2048 characters'],
    lastmod: [RegExp(`^${DATE}(${MOMENT})?)?)?$`), 'must be a date'],
    '*@name': [/^(loc|lastmod|changefreq|priority|xhtml:link|image:image)$/, 'is no element of the format'],
    'xhtml:link@hreflang': [
      /^(x-default|[a-z]{2,3}(-[A-Z]{4})?(-([A-Z]{2}|\d{3}))?)$/i,
      'must have a language or x-default',
    ],
    ...{ 'xhtml:link@href': url, 'image:image.image:loc': url },
  },
}
const sitemap = (root: string, entry: string, counted: string): Format => ({
  ...{ entry, counted, key: 'loc' },
  shapes: { [root]: { required: [], rules: {} }, [entry]: PAGE },
})

const JSON_FEED: Format = {
  ...{ entry: 'item', counted: 'items', key: 'id' },
  shapes: {
    '{}': {
      required: ['title', 'version'],
      rules: {
        version: [/^https:\/\/jsonfeed\.org\/version\/1(\.1)?$/, 'must be https://jsonfeed.org/version/1.1'],
        ...{ home_page_url: url, feed_url: url, next_url: url, 'items@type': list },
      },
    },
    item: {
      required: ['id', 'content_text|content_html', 'attachments.*/url', 'attachments.*/mime_type'],
      rules: {
        ...{ 'id@type': texts, url, external_url: url, image: url, banner_image: url },
        ...{ date_published: moment, date_modified: moment, 'tags@type': list, 'tags.*@type': texts },
        ...{ 'attachments@type': list, 'attachments.*.url': url },
      },
    },
  },
}

/** The rules of a file by the name of its root. */
export function formatOf(root: string, country?: string): Format | undefined {
  if (root === 'root') return kyero(country)
  if (root === 'urlset') return sitemap(root, 'url', 'addresses')
  if (root === 'sitemapindex') return sitemap(root, 'sitemap', 'files')
  return root === '{}' ? JSON_FEED : undefined
}

/** The elements of a path. */
function nodesAt(node: Node, path: string): Node[] {
  const names = path === '' ? [] : path.split('.')
  const childrenOf = (nodes: Node[], name: string) =>
    nodes.flatMap(({ children }) => children.filter((one) => name === '*' || one.name === name))
  return names.reduce(childrenOf, [node])
}

/** The text of the first element of a path. */
export const textAt = (node: Node, path: string) => nodesAt(node, path)[0]?.text.trim() ?? ''

const isFilled = ({ text, children }: Node): boolean => text.trim() !== '' || children.some(isFilled)

/** What is wrong with an element. */
export function* faultsOf({ required, rules }: Shape, node: Node): Generator<string> {
  for (const path of required) {
    const [owner = '', name = owner] = path.split('/')
    for (const one of path === owner ? [node] : nodesAt(node, owner))
      if (!name.split('|').some((choice) => nodesAt(one, choice).some(isFilled)))
        yield `${path.replace('/', '.').replace('|', ' or ')} is missing`
  }
  for (const [path, [pattern, rule]] of Object.entries(rules)) {
    const [place = '', attribute] = path.split('@')
    for (const { name, attributes, text } of nodesAt(node, place)) {
      const value = attribute === 'name' ? name : attribute ? (attributes[attribute] ?? '') : text.trim()
      if ((value !== '' || attribute) && !pattern.test(value))
        yield `${place.replace(/\*$/, name)} ${rule}, not ${quote(value)}`.trim()
    }
  }
}
