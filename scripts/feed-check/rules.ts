/**
 * The published rules of the formats as tables: Kyero 3, https://www.jsonfeed.org/version/1.1/ and
 * https://www.sitemaps.org/protocol.html. Beside them stands what only a whole entry or file shows.
 */
import { type Node, Unreadable } from './nodes.ts'

/** An error is refused or misread; a warning may be right, and should be looked at. */
type Level = 'error' | 'warning'
export type Add = (message: string, level?: Level) => void

/** What a text must match, by the path of its element. `*` is any element, `` the entry, and `@` leads to an attribute. */
type Rules = Record<string, [pattern: RegExp, rule: string]>

/** The rules of the entries of a file. */
export interface Format {
  entry: string
  /** What several are called. */
  counted: string
  /** The element that no two entries may share. */
  key: string
  /** Paths of what there must be; before a `/`, of each element that must have it. */
  required: string[]
  rules: Rules
  /** Whether it knows another element of the root. */
  onOther?: (node: Node) => boolean
  onEntry?: (node: Node, add: Add) => void
  onEnd?: (count: number, bytes: number) => void
}

/** A value of a feed in a message: short, and in one line. */
export const quote = (value: string) => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
/** A complete http or https URL without spaces. */
export const WEB_URL = /^https?:\/\/[^\s<>"/?#]+([/?#][^\s<>"]*)?$/i

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

/** The elements of a path. */
function nodesAt(node: Node, path: string): Node[] {
  const names = path === '' ? [] : path.split('.')
  const childrenOf = (nodes: Node[], name: string) =>
    nodes.flatMap(({ children }) => children.filter((one) => name === '*' || one.name === name))
  return names.reduce(childrenOf, [node])
}

/** The text of the first element of a path. */
export const textAt = (node: Node, path: string) => nodesAt(node, path)[0]?.text.trim() ?? ''

/** Adds what is wrong with an entry by its table. */
export function checkNode(
  { required, rules }: Pick<Format, 'required' | 'rules'>,
  node: Node,
  add: Add,
): void {
  for (const path of required) {
    const [owner = '', name = owner] = path.split('/')
    for (const one of path === owner ? [node] : nodesAt(node, owner))
      if (!nodesAt(one, name).some(isFilled)) add(`${path.replace('/', '.')} is missing`)
  }
  for (const [path, [pattern, rule]] of Object.entries(rules)) {
    const [place = '', attribute] = path.split('@')
    for (const { name, attributes, text } of nodesAt(node, place)) {
      const value = attribute === 'name' ? name : attribute ? (attributes[attribute] ?? '') : text.trim()
      if ((value !== '' || attribute) && !pattern.test(value))
        add(`${place.replace(/\*$/, name)} ${rule}, not ${quote(value)}`.trim())
    }
  }
}

const isFilled = ({ text, children }: Node): boolean => text.trim() !== '' || children.some(isFilled)

const KYERO_RULES: Rules = {
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
  ...{ 'desc.*@name': language, 'url.*@name': language, 'url.*': url },
  'desc.*': [/^(?!.*(<\/?[a-z][a-z\d]*(\s[^<>]*)?\/?>|&([a-z]{2,8}|#\d{1,7});))/is, 'must be without HTML'],
  'desc.*.*@name': [/^$/, 'must be no element of HTML'],
  ...{ 'images.*.url': url, 'images.*.url@cdata': [/^$/, 'must be no CDATA'] },
  'images.*@id': [/^([1-9]|[1-4]\d|50)$/, 'must have an id from 1 to 50'],
  '*@name': [/^[^A-Z]+$/, 'must be written in lower case'],
  '': [/^$/, 'must have no text between its elements, as after a fault'],
}

/** Countries: south, north, west and east end, and the point that geocoders answer for want of a better one. */
const COUNTRIES: Record<string, number[]> = {
  spain: [27, 44, -19, 5, 40.463667, -3.74922],
  portugal: [30, 43, -32, -6, 39.399872, -8.224454],
  france: [41, 52, -6, 10, 46.227638, 2.213749],
  italy: [35, 48, 6, 19, 41.87194, 12.56738],
  greece: [34, 42, 19, 30, 39.074208, 21.824312],
  cyprus: [34, 36, 32, 35],
}

/** Properties for portals; `expected` is the country that all must have. */
function kyero(add: Add, expected?: string): Format {
  const points = new Map<string, { count: number; towns: Set<string> }>()
  let version = ''
  return {
    ...{ entry: 'property', counted: 'properties', key: 'id', rules: KYERO_RULES },
    required: 'id date ref price currency price_freq type town province desc images.*/url'.split(' '),
    onOther: (node) => {
      version = textAt(node, 'feed_version')
      return node.name === 'kyero'
    },
    onEntry: (property, addHere) => {
      const country = textAt(property, 'country') || 'Spain'
      const ids = nodesAt(property, 'images.*').map(({ attributes }) => attributes.id)
      if (new Set(ids).size < ids.length) addHere('images must have different ids')
      if (expected && country.toLowerCase() !== expected.toLowerCase())
        addHere(`country must be ${expected}, not ${country}, as which none counts as well`)
      const [y = 0, x = 0] = ['latitude', 'longitude'].map((name) =>
        Number(textAt(property, `location.${name}`)),
      )
      // 0 stands for an unknown point.
      if (!y || !x) return
      const isMiddle = ([, , , , latitude = 0, longitude = 0]: number[]) =>
        Math.abs(latitude - y) < 1e-5 && Math.abs(longitude - x) < 1e-5
      if (Object.values(COUNTRIES).some(isMiddle))
        addHere(
          `location is the middle of a country, as geocoders answer for want of a better point: ${y}, ${x}`,
        )
      const [south = -90, north = 90, west = -180, east = 180] = COUNTRIES[country.toLowerCase()] ?? []
      if (y < south || y > north || x < west || x > east) addHere(`location is not in ${country}: ${y}, ${x}`)
      const place = points.get(`${y}, ${x}`) ?? { count: 0, towns: new Set() }
      points.set(`${y}, ${x}`, place)
      place.count++
      place.towns.add(textAt(property, 'town').toLowerCase())
    },
    onEnd: (count) => {
      if (version !== '3') add(`feed_version must be 3, not ${quote(version)}`)
      if (count === 0) add('has no property: readers would delete all they have')
      // Numbers at which exports are usually cut.
      else if ([50, 100, 200, 250, 500, 1500, 2500].includes(count) || count % 1000 === 0)
        add(`has exactly ${count} properties: was the list cut at a limit?`, 'warning')
      for (const [point, { count: shared, towns }] of points)
        if (shared > 2 && towns.size > 1)
          add(`${shared} properties of several towns are at ${point}, as where a geocoder finds nothing`)
    },
  }
}

const DATE = String.raw`\d{4}(-(0\d|1[0-2])(-[0-3]\d`
const MOMENT = String.raw`T[0-2]\d:[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)`

const SITEMAP_RULES: Rules = {
  loc: [RegExp(`${WEB_URL.source}(?<=^.{1,2048})`, 'i'), 'must be a URL of at most 2048 characters'],
  lastmod: [RegExp(`^${DATE}(${MOMENT})?)?)?$`), 'must be a date'],
  '*@name': [
    /^(loc|lastmod|changefreq|priority|xhtml:link|image:image)$/,
    'must be an element of the format',
  ],
  'xhtml:link@rel': [/^alternate$/, 'must have the rel alternate'],
  'xhtml:link@hreflang': [
    /^(x-default|[a-z]{2,3}(-[A-Z]{4})?(-([A-Z]{2}|\d{3}))?)$/i,
    'must have a language or x-default',
  ],
  ...{ 'xhtml:link@href': url, 'image:image.image:loc': url },
}

/** Addresses for search engines, or files of them, to which it leads. */
function sitemap(root: Node, leadsTo: string[], add: Add): Format {
  const isIndex = root.name === 'sitemapindex'
  const names = isIndex ? { entry: 'sitemap', counted: 'files' } : { entry: 'url', counted: 'addresses' }
  let host: string | undefined
  if (root.attributes.xmlns !== 'http://www.sitemaps.org/schemas/sitemap/0.9')
    add('its namespace must be that of sitemaps')
  return {
    ...{ ...names, key: 'loc', required: ['loc', 'image:image/image:loc'], rules: SITEMAP_RULES },
    onEntry: (page, addHere) => {
      const loc = textAt(page, 'loc')
      if (isIndex) leadsTo.push(loc)
      host ??= URL.parse(loc)?.host
      if (host !== URL.parse(loc)?.host)
        addHere(`loc must be on the host of the others, ${host}, not ${quote(loc)}`)
      const links = nodesAt(page, 'xhtml:link').map(({ attributes }) => attributes.href)
      if (links.length > 0 && !links.includes(loc)) addHere('its links must name the page itself as well')
      if (nodesAt(page, 'image:image').length > 1000) addHere('must have at most 1000 images')
    },
    onEnd: (count, bytes) => {
      if (count > 50_000 || bytes > 50 * 1024 * 1024)
        add(`must have at most 50000 entries and 50 MB, not ${count}`)
      if (count === 0) add('must have an entry')
    },
  }
}

const texts: Rules[string] = [/^string$/, 'must be text']
const list: Rules[string] = [/^array$/, 'must be a list']
const moment: Rules[string] = [RegExp(`^${DATE}${MOMENT}))$`), 'must be a date-time of RFC 3339']
const FEED_RULES: Rules = {
  version: [/^https:\/\/jsonfeed\.org\/version\/1(\.1)?$/, 'must be https://jsonfeed.org/version/1.1'],
  ...{ home_page_url: url, feed_url: url, next_url: url, 'items@type': list },
}
const ITEM_RULES: Rules = {
  ...{ 'id@type': texts, url, external_url: url, image: url, banner_image: url },
  ...{ date_published: moment, date_modified: moment, 'tags@type': list, 'tags.*@type': texts },
  ...{ 'attachments@type': list, 'attachments.*.url': url },
}

/** The items of a JSON Feed; the feed itself is checked here. */
function jsonFeed(root: Node, leadsTo: string[], add: Add): Format {
  checkNode({ required: ['title', 'version'], rules: FEED_RULES }, root, add)
  leadsTo.push(...nodesAt(root, 'next_url').map(({ text }) => text))
  return {
    ...{ entry: 'item', counted: 'items', key: 'id', rules: ITEM_RULES },
    required: ['id', 'attachments.*/url', 'attachments.*/mime_type'],
    onEntry: (item, addHere) => {
      if (!textAt(item, 'content_text') && !textAt(item, 'content_html'))
        addHere('content_text is missing, or content_html')
    },
  }
}

/** The rules of a file by its root. */
export function formatOf(root: Node, leadsTo: string[], add: Add, country?: string): Format {
  if (root.name === 'root') return kyero(add, country)
  if (root.name === 'urlset' || root.name === 'sitemapindex') return sitemap(root, leadsTo, add)
  if (root.attributes.type) return jsonFeed(root, leadsTo, add)
  throw new Unreadable(`is no feed that is known: its root is ${quote(root.name)}`)
}
