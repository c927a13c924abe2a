/** The published rules of Kyero's format, version 3, and the faults that its feeds are known for. */
import { checkPlace, type SharedPoints } from './places.ts'
import { isWebUrl, quote, type Report } from './report.ts'
import { childOf, type Node, type XmlHandlers } from './xml.ts'

const LANGUAGES = new Set('ca da de en es fi fr it nl no pt ru sv'.split(' '))
const TYPES = [
  ...['Apartment', 'Villa', 'Town house', 'Country house', 'Land', 'Garage', 'Commercial property'],
  ...['Cave house', 'Wooden home'],
]
const MAX_IMAGES = 50
/** Numbers of properties at which exports are usually cut. */
const LIMITS = [50, 100, 200, 250, 500, 1000, 1500, 2000, 2500, 5000]

/** What is wrong with the text of an element; null if nothing is. */
type Rule = (text: string) => string | null

const matches =
  (pattern: RegExp, rule: string): Rule =>
  (text) =>
    pattern.test(text) ? null : `${rule}, not ${quote(text)}`
const upTo =
  (max: number): Rule =>
  (text) =>
    [...text].length <= max ? null : `must have at most ${max} characters, not ${[...text].length}`
const both =
  (...rules: Rule[]): Rule =>
  (text) =>
    rules.map((rule) => rule(text)).find((problem) => problem !== null) ?? null

const flag = matches(/^[01]$/, 'must be 1 or 0')
const whole = matches(/^\d{1,9}$/, 'must be a whole number')
const rating = matches(/^[A-GX]$/, 'must be a letter from A to G, or X')
const url = both(upTo(255), (text) => (isWebUrl(text) ? null : `must be a URL, not ${quote(text)}`))
const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text.replace(' ', 'T')}Z`))

/** The rules of elements with a text, by their path. */
const RULES: Record<string, Rule> = {
  id: upTo(50),
  date: (text) => (isDate(text) ? null : `must be YYYY-MM-DD HH:MM:SS, not ${quote(text)}`),
  ref: upTo(255),
  price: matches(/^[1-9]\d{0,7}$/, 'must be a whole number of at most 8 digits'),
  currency: matches(/^(EUR|GBP|USD)$/, 'must be EUR, GBP or USD'),
  price_freq: matches(/^(sale|month)$/, 'must be sale or month'),
  new_build: flag,
  type: (text) =>
    TYPES.some((type) => type.toLowerCase() === text.toLowerCase())
      ? null
      : `must be one of ${TYPES.join(', ')}, not ${quote(text)}`,
  location_detail: upTo(50),
  beds: whole,
  baths: whole,
  pool: flag,
  'surface_area.built': whole,
  'surface_area.plot': whole,
  'energy_rating.consumption': rating,
  'energy_rating.emissions': rating,
  video_url: url,
  virtual_tour_url: url,
}

const REQUIRED = ['id', 'date', 'ref', 'price', 'currency', 'price_freq', 'type', 'town', 'province', 'desc']

/** A tag or an entity that was left in a text. */
const HTML = /<\/?[a-z][a-z\d]*(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d{1,7});/i

/** Checks a feed while it is read. `country` is where all properties must be. */
export class KyeroCheck implements XmlHandlers {
  readonly #report: Report
  readonly #places: SharedPoints = new Map()
  readonly #ids = new Set<string>()
  readonly #country: string | undefined
  #version: string | undefined

  constructor(report: Report, country?: string) {
    this.#report = report
    this.#country = country
  }

  onRoot(): void {
    // The root says that this is such a feed.
  }

  onStray(text: string): void {
    this.#report.error('the file', `there is text between its elements, as after a fault: ${quote(text)}`)
  }

  onEntry(entry: Node): void {
    if (entry.name === 'property') this.#checkProperty(entry)
    else if (entry.name === 'kyero') this.#version = childOf(entry, 'feed_version')?.text.trim()
    else this.#report.error('the file', `has an element that readers do not know: ${quote(entry.name)}`)
  }

  /** Reports what only the whole file shows. */
  finish(): void {
    const report = this.#report
    const properties = report.counts.get('properties') ?? 0
    if (this.#version !== '3')
      report.error('the file', `feed_version must be 3, not ${quote(this.#version ?? '')}`)
    if (properties === 0) report.error('the file', 'has no property: readers would delete all they have')
    if (LIMITS.includes(properties) || (properties > 0 && properties % 1000 === 0))
      report.warn('the file', `has exactly ${properties} properties: was the list cut at a limit?`)
    for (const [point, { properties: shared, towns }] of this.#places)
      if (shared > 2 && towns.size > 1)
        report.error(
          'the file',
          `${shared} properties in ${towns.size} towns are at the point ${point}: a geocoder's answer when it finds nothing?`,
        )
  }

  #checkProperty(property: Node): void {
    const report = this.#report
    const number = report.count('properties')
    const id = childOf(property, 'id')?.text.trim() ?? ''
    const where = `property ${number}${id ? ` (${id.slice(0, 50)})` : ''}`
    const refuse = (element: string, problem: string) => report.error(where, `${element} ${problem}`)

    if (id && this.#ids.has(id)) refuse('id', `is that of another property: ${quote(id)}`)
    this.#ids.add(id)
    if (property.text.trim() !== '')
      report.error(
        where,
        `there is text between its elements, as after a fault: ${quote(property.text.trim())}`,
      )
    for (const name of REQUIRED) if (!isFilled(childOf(property, name))) refuse(name, 'is missing')
    for (const { name } of property.children)
      if (name !== name.toLowerCase()) refuse(name, 'must be written in lower case')
    for (const [path, rule] of Object.entries(RULES)) {
      const node = path
        .split('.')
        .reduce<Node | undefined>((inner, name) => inner && childOf(inner, name), property)
      const text = node?.text.trim() ?? ''
      const problem = text === '' ? null : rule(text)
      if (problem) refuse(path, problem)
    }
    checkTexts(childOf(property, 'desc'), refuse)
    checkPages(childOf(property, 'url'), refuse)
    for (const feature of childOf(property, 'features')?.children ?? []) {
      const problem = upTo(35)(feature.text.trim())
      if (problem) refuse('feature', problem)
    }
    checkImages(childOf(property, 'images'), refuse)
    checkPlace(property, this.#places, this.#country, refuse)
  }
}

type Refuse = (element: string, problem: string) => void

function isFilled(node: Node | undefined): boolean {
  return node !== undefined && (node.text.trim() !== '' || node.children.some(isFilled))
}

function checkTexts(desc: Node | undefined, refuse: Refuse): void {
  for (const { name, text, children } of desc?.children ?? []) {
    if (!LANGUAGES.has(name)) refuse('desc', `has a language that the format does not know: ${quote(name)}`)
    const html = HTML.exec(text)?.[0] ?? (children[0] && `<${children[0].name}>`)
    if (html) refuse(`desc.${name}`, `has HTML in it: ${quote(html)}`)
  }
  if (desc && desc.children.length === 0 && desc.text.trim() !== '')
    refuse('desc', 'must have an element for each language')
}

function checkPages(pages: Node | undefined, refuse: Refuse): void {
  for (const { name, text } of pages?.children ?? []) {
    if (!LANGUAGES.has(name)) refuse('url', `has a language that the format does not know: ${quote(name)}`)
    if (!isWebUrl(text.trim())) refuse(`url.${name}`, `must be a URL, not ${quote(text.trim())}`)
  }
}

function checkImages(images: Node | undefined, refuse: Refuse): void {
  const list = images?.children ?? []
  if (list.length > MAX_IMAGES) refuse('images', `must be at most ${MAX_IMAGES}, not ${list.length}`)
  const ids = list.map(({ attributes }) => attributes.id ?? '')
  if (new Set(ids).size < ids.length || ids.some((id) => !/^([1-9]|[1-4]\d|50)$/.test(id)))
    refuse('images', 'must have ids from 1 to 50, each once')
  for (const image of list) {
    const address = childOf(image, 'url')
    if (!address || !isWebUrl(address.text.trim()))
      refuse('image.url', `must be a URL, not ${quote(address?.text.trim() ?? '')}`)
    if (address?.hasCdata) refuse('image.url', 'must not be CDATA')
  }
}
