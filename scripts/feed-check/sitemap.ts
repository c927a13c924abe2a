/** The rules of https://www.sitemaps.org/protocol.html, and those of search engines for languages and pictures. */
import { isWebUrl, quote, type Report } from './report.ts'
import type { Node, XmlHandlers } from './xml.ts'

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const XHTML = 'http://www.w3.org/1999/xhtml'
const IMAGE = 'http://www.google.com/schemas/sitemap-image/1.1'
const MAX_ADDRESSES = 50_000
const MAX_BYTES = 50 * 1024 * 1024
const MAX_URL = 2048
const MAX_IMAGES = 1000
const MOMENT = /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?$/
const LANGUAGE = /^(x-default|[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Z]{2}|\d{3}))?)$/i

/** Checks a sitemap or an index of sitemaps while it is read. */
export class SitemapCheck implements XmlHandlers {
  /** The files of an index. */
  readonly files: string[] = []
  readonly #report: Report
  readonly #seen = new Set<string>()
  readonly #entry: 'url' | 'sitemap'
  /** Prefixes of elements, as the root declares them. */
  #prefixes = new Map<string, string>()
  #host: string | undefined
  #addresses = 0

  constructor(report: Report, root: string) {
    this.#report = report
    this.#entry = root === 'urlset' ? 'url' : 'sitemap'
  }

  onRoot({ attributes }: Node): void {
    if (attributes.xmlns !== SITEMAP) this.#report.error('the file', `its namespace must be ${SITEMAP}`)
    for (const [name, namespace] of Object.entries(attributes))
      if (name.startsWith('xmlns:')) this.#prefixes.set(namespace, name.slice('xmlns:'.length))
  }

  onStray(text: string): void {
    this.#report.error('the file', `there is text between its elements, as after a fault: ${quote(text)}`)
  }

  onEntry(entry: Node): void {
    if (entry.name !== this.#entry) {
      this.#report.error('the file', `has an element that readers do not know: ${quote(entry.name)}`)
      return
    }
    this.#addresses++
    const number = this.#report.count(this.#entry === 'url' ? 'addresses' : 'files')
    const location = textOf(entry, 'loc') ?? ''
    const where = `${this.#entry} ${number}`
    const refuse = (problem: string) => this.#report.error(where, problem)
    if (!isWebUrl(location)) refuse(`loc must be a URL, not ${quote(location)}`)
    else if (location.length > MAX_URL) refuse(`loc must have at most ${MAX_URL} characters`)
    else this.#checkHost(location, refuse)
    if (this.#seen.has(location)) refuse(`loc is that of another: ${quote(location)}`)
    this.#seen.add(location)
    const changed = textOf(entry, 'lastmod')
    if (changed !== undefined && (!MOMENT.test(changed) || Number.isNaN(Date.parse(changed))))
      refuse(`lastmod must be a date, not ${quote(changed)}`)
    if (this.#entry === 'sitemap') this.files.push(location)
    else this.#checkPage(entry, location, refuse)
  }

  /** Reports what only the whole file shows. */
  finish(bytes: number): void {
    if (this.#addresses > MAX_ADDRESSES)
      this.#report.error('the file', `must have at most ${MAX_ADDRESSES} entries, not ${this.#addresses}`)
    if (bytes > MAX_BYTES) this.#report.error('the file', `must have at most 50 MB, not ${bytes} bytes`)
    if (this.#addresses === 0) this.#report.error('the file', 'must have an entry')
  }

  #checkHost(location: string, refuse: (problem: string) => void): void {
    const { host } = new URL(location)
    this.#host ??= host
    if (host !== this.#host) refuse(`loc must be on the same host as the others, ${this.#host}, not ${host}`)
  }

  #checkPage(entry: Node, location: string, refuse: (problem: string) => void): void {
    const links = entry.children.filter(({ name }) => name === this.#named(XHTML, 'link'))
    const images = entry.children.filter(({ name }) => name === this.#named(IMAGE, 'image'))
    const known = new Set(['loc', 'lastmod', 'changefreq', 'priority'])
    for (const child of entry.children)
      if (!known.has(child.name) && !links.includes(child) && !images.includes(child))
        refuse(`has an element that readers do not know: ${quote(child.name)}`)
    for (const { attributes } of links) {
      const { rel, hreflang = '', href = '' } = attributes
      if (rel !== 'alternate') refuse(`rel of a link must be alternate, not ${quote(rel ?? '')}`)
      if (!LANGUAGE.test(hreflang)) refuse(`hreflang must be a language or x-default, not ${quote(hreflang)}`)
      if (!isWebUrl(href)) refuse(`href of a link must be a URL, not ${quote(href)}`)
    }
    if (links.length > 0 && !links.some(({ attributes }) => attributes.href === location))
      refuse('its links must name the page itself as well')
    if (images.length > MAX_IMAGES) refuse(`must have at most ${MAX_IMAGES} images, not ${images.length}`)
    for (const image of images) {
      const address = textOf(image, this.#named(IMAGE, 'loc')) ?? ''
      if (!isWebUrl(address)) refuse(`loc of an image must be a URL, not ${quote(address)}`)
    }
  }

  #named(namespace: string, name: string): string {
    const prefix = this.#prefixes.get(namespace)
    return prefix === undefined ? '' : `${prefix}:${name}`
  }
}

function textOf({ children }: Node, name: string): string | undefined {
  return children.find((child) => child.name === name)?.text.trim()
}
