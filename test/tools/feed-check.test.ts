/** `npm run feeds -- --check`: one file for each fault that feeds are known for. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkFeed } from '../../scripts/feed-check/check.ts'
import { Report } from '../../scripts/feed-check/report.ts'

let folder = ''
let server: Server | undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'feed-check-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => server?.close())

/** What is found in a file, as it is printed. */
async function findingsIn(content: string | Uint8Array, country?: string): Promise<string[]> {
  const file = join(folder, 'feed')
  writeFileSync(file, content)
  return findingsAt(file, country)
}

async function findingsAt(source: string, country?: string): Promise<string[]> {
  const report = new Report()
  await checkFeed(report, source, { country })
  return report.findings.map(({ level, where, message }) => `${level}: ${where}: ${message}`)
}

/** Serves a feed and returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener)
  server = started
  await new Promise<void>((resolve) => started.listen(0, resolve))
  return `http://localhost:${(started.address() as AddressInfo).port}/`
}

const PROPERTY: Record<string, string> = {
  id: '1',
  date: '2026-01-02 03:04:05',
  ref: 'A-1',
  price: '250000',
  currency: 'EUR',
  price_freq: 'sale',
  new_build: '0',
  type: 'Apartment',
  town: 'Kifisia',
  province: 'Attica',
  country: 'Greece',
  location: '<latitude>38.07</latitude><longitude>23.81</longitude>',
  beds: '2',
  baths: '1',
  pool: '0',
  surface_area: '<built>80</built><plot>0</plot>',
  energy_rating: '<consumption>B</consumption><emissions>X</emissions>',
  url: '<en>https://a.example/en/1</en>',
  desc: '<en>Flat &lt; 100 m² &amp; sunny</en>',
  features: '<feature>Sea view</feature>',
  images: '<image id="1"><url>https://p.example/1.jpg</url></image>',
}

/** A property with other elements; null takes one away. */
function property(changes: Record<string, string | null> = {}): string {
  const elements = Object.entries({ ...PROPERTY, ...changes }).flatMap(([name, content]) =>
    content === null ? [] : `<${name}>${content}</${name}>`,
  )
  return `<property>${elements.join('\n')}</property>\n`
}

const START =
  '<?xml version="1.0" encoding="UTF-8"?>\n<root>\n<kyero><feed_version>3</feed_version></kyero>\n'
const kyero = (properties: string, end = '</root>\n') => `${START}${properties}${end}`
const ONE = 'error: property 1 (1): '

describe('a Kyero feed', () => {
  it('without a fault has no finding', async () => {
    expect(await findingsIn(kyero(property()), 'Greece')).toEqual([])
  })

  it.each<[string, Record<string, string | null>, string]>([
    ['rent as the frequency', { price_freq: 'rent' }, 'price_freq must be sale or month, not "rent"'],
    ['a missing date', { date: null }, 'date is missing'],
    ['an empty date', { date: '' }, 'date is missing'],
    ['a date in another form', { date: '2026-01-02' }, 'date must be YYYY-MM-DD HH:MM:SS, not "2026-01-02"'],
    [
      'a date that is none',
      { date: '2026-13-02 00:00:00' },
      'date must be YYYY-MM-DD HH:MM:SS, not "2026-13-02 00:00:00"',
    ],
    ['text in pool', { pool: 'Communal' }, 'pool must be 1 or 0, not "Communal"'],
    ['HTML in desc', { desc: '<en>&lt;p&gt;Flat&lt;/p&gt;</en>' }, 'desc.en has HTML in it: "<p>"'],
    ['elements in desc', { desc: '<en>A <b>flat</b></en>' }, 'desc.en has HTML in it: "<b>"'],
    ['entities in desc', { desc: '<en>A&amp;nbsp;flat</en>' }, 'desc.en has HTML in it: "&nbsp;"'],
    [
      'a language that is not known',
      { desc: '<el>Διαμέρισμα</el>' },
      'desc has a language that the format does not know: "el"',
    ],
    ['a text without a language', { desc: 'A flat' }, 'desc must have an element for each language'],
    ['no text', { desc: '<en> </en>' }, 'desc is missing'],
    [
      'the middle of the country',
      { location: '<latitude>39.074208</latitude><longitude>21.824312</longitude>' },
      'location is the middle of a country, which geocoders answer for want of a better point: 39.074208, 21.824312',
    ],
    [
      'a point elsewhere',
      { location: '<latitude>40.41</latitude><longitude>-3.70</longitude>' },
      'location is not in Greece: 40.41, -3.70',
    ],
    [
      'text for a point',
      { location: '<latitude>38°</latitude><longitude>23.8100000000000000</longitude>' },
      'location.latitude must be degrees, not "38°"',
    ],
    ['another country', { country: 'Spain', location: null }, 'country must be Greece, not "Spain"'],
    ['no country', { country: null, location: null }, 'country is missing, which means Spain'],
    [
      'a type that is not known',
      { type: 'Penthouse' },
      `type must be one of Apartment, Villa, Town house, Country house, Land, Garage, Commercial property, Cave house, Wooden home, not "Penthouse"`,
    ],
    ['cents', { price: '250000.00' }, 'price must be a whole number of at most 8 digits, not "250000.00"'],
    [
      'nine digits',
      { price: '123456789' },
      'price must be a whole number of at most 8 digits, not "123456789"',
    ],
    [
      'no number',
      { price: 'On request' },
      'price must be a whole number of at most 8 digits, not "On request"',
    ],
    ['another currency', { currency: '€' }, 'currency must be EUR, GBP or USD, not "€"'],
    [
      'a fraction',
      { surface_area: '<built>80.5</built>' },
      'surface_area.built must be a whole number, not "80.5"',
    ],
    [
      'a rating that is none',
      { energy_rating: '<consumption>B+</consumption>' },
      'energy_rating.consumption must be a letter from A to G, or X, not "B+"',
    ],
    [
      'a long feature',
      { features: `<feature>${'x'.repeat(36)}</feature>` },
      'feature must have at most 35 characters, not 36',
    ],
    ['a long reference', { ref: 'x'.repeat(256) }, 'ref must have at most 255 characters, not 256'],
    [
      'CDATA',
      { images: '<image id="1"><url><![CDATA[https://p.example/1.jpg]]></url></image>' },
      'image.url must not be CDATA',
    ],
    [
      'a path for a picture',
      { images: '<image id="1"><url>/1.jpg</url></image>' },
      'image.url must be a URL, not "/1.jpg"',
    ],
    [
      'two pictures of one number',
      { images: `${PROPERTY.images}${PROPERTY.images}` },
      'images must have ids from 1 to 50, each once',
    ],
    ['capitals', { Beds: '2' }, 'Beds must be written in lower case'],
    [
      'text between elements',
      { beds: '2</beds>Warning: division by zero<beds>2' },
      'there is text between its elements, as after a fault: "Warning: division by zero"',
    ],
  ])('with %s is told', async (_, changes, message) => {
    expect(await findingsIn(kyero(property(changes)), 'Greece')).toContain(ONE + message)
  })

  it.each<[string, string, string]>([
    [
      'whose list was cut at a limit',
      kyero(Array.from({ length: 250 }, (_, index) => property({ id: String(index) })).join('')),
      'warning: the file: has exactly 250 properties: was the list cut at a limit?',
    ],
    [
      'whose root was closed after a fault',
      kyero(`${property()}Fatal error: Out of memory\n`),
      'error: the file: there is text between its elements, as after a fault: "Fatal error: Out of memory"',
    ],
    [
      'that was cut off',
      kyero(property(), ''),
      'error: the file: it ends before its root is closed: it was cut off',
    ],
    [
      'that was cut off in a property',
      kyero(property().slice(0, 300), ''),
      'error: the file: it ends before its root is closed: it was cut off',
    ],
    [
      'that is not well-formed',
      kyero(property({ ref: 'A & B' })),
      'error: the file: it is not well-formed: each & must be written as &amp;',
    ],
    [
      'whose tags do not match',
      kyero(property().replace('</beds>', '</bed>')),
      'error: the file: it is not well-formed: 16:13: unexpected close tag.',
    ],
    ['without a property', kyero(''), 'error: the file: has no property: readers would delete all they have'],
    [
      'of another version',
      kyero(property()).replace('>3<', '>2<'),
      'error: the file: feed_version must be 3, not "2"',
    ],
    [
      'in another encoding',
      kyero(property()).replace('UTF-8', 'ISO-8859-1'),
      'error: the file: its encoding must be UTF-8, not ISO-8859-1',
    ],
    [
      'with one id twice',
      kyero(property() + property()),
      'error: property 2 (1): id is that of another property: "1"',
    ],
    [
      'with another element',
      kyero(`${property()}<error>timeout</error>`),
      'error: the file: has an element that readers do not know: "error"',
    ],
    [
      'with one point for several towns',
      kyero(['A', 'B', 'C'].map((town, index) => property({ id: String(index), town })).join('')),
      "error: the file: 3 properties in 3 towns are at the point 38.07, 23.81: a geocoder's answer when it finds nothing?",
    ],
    ['that is none', '<html><body/></html>', 'error: the file: is no feed that is known: its root is "html"'],
    ['that is empty', '', 'error: the file: it ends before its root is closed: it was cut off'],
  ])('%s is told', async (_, content, message) => {
    expect(await findingsIn(content)).toEqual(expect.arrayContaining([message]))
  })

  it('that is not UTF-8 is told', async () => {
    const bytes = Buffer.from(kyero(property({ town: 'Málaga' })), 'latin1')
    expect(await findingsIn(bytes)).toEqual(['error: the file: it is not UTF-8'])
  })

  it('names five places of a fault, and counts the others', async () => {
    const report = new Report()
    const file = join(folder, 'many')
    writeFileSync(
      file,
      kyero(
        Array.from({ length: 7 }, (_, index) => property({ id: String(index), pool: `x${index}` })).join(''),
      ),
    )
    await checkFeed(report, file)
    expect(report.findings.length).toBe(5)
    expect([report.unnamed, report.total]).toEqual([[['pool must be 1 or 0, not …', 2]], 7])
  })
})

const JSON_FEED = {
  version: 'https://jsonfeed.org/version/1.1',
  title: 'Portal',
  items: [{ id: '1', url: 'https://a.example/1', content_text: 'x', date_modified: '2026-01-02T03:04:05Z' }],
}
const item = (changes: object) => ({ ...JSON_FEED, items: [{ ...JSON_FEED.items[0], ...changes }] })

describe('a JSON Feed', () => {
  it('without a fault has no finding', async () => {
    expect(await findingsIn(JSON.stringify(JSON_FEED))).toEqual([])
  })

  it.each<[unknown, string]>([
    [
      { ...JSON_FEED, version: '1.1' },
      'error: the file: version must be https://jsonfeed.org/version/1.1, not "1.1"',
    ],
    [{ ...JSON_FEED, title: undefined }, 'error: the file: title is missing'],
    [{ ...JSON_FEED, items: {} }, 'error: the file: items must be a list'],
    [{ ...JSON_FEED, next_url: '/2' }, 'error: the file: next_url must be a URL'],
    [[], 'error: the file: it must be an object'],
    [item({ id: undefined }), 'error: item 1: id is missing'],
    [item({ id: 1 }), 'error: item 1: id must be text'],
    [item({ url: '/1' }), 'error: item 1: url must be a URL'],
    [
      item({ content_text: '' }),
      'error: item 1: content_text and content_html are missing: one of them is needed',
    ],
    [
      item({ date_modified: '2026-01-02 03:04:05' }),
      'error: item 1: date_modified must be a date-time of RFC 3339, not "2026-01-02 03:04:05"',
    ],
    [item({ tags: 'x' }), 'error: item 1: tags must be a list of texts'],
    [
      item({ attachments: [{ url: 'https://p.example/1.jpg' }] }),
      'error: item 1: an attachment must have a url and a mime_type',
    ],
    [
      { ...JSON_FEED, items: [JSON_FEED.items[0], JSON_FEED.items[0]] },
      'error: item 2: id is that of another item: "1"',
    ],
  ])('is told of %j', async (feed, message) => {
    expect(await findingsIn(JSON.stringify(feed))).toEqual([message])
  })

  it('that was cut off is told', async () => {
    expect(await findingsIn(JSON.stringify(JSON_FEED).slice(0, -2))).toEqual([
      'error: the file: it is not JSON, or was cut off',
    ])
  })

  it('is read page by page, and not in a circle', async () => {
    const url = await serve((request, response) => {
      const last = request.url === '/2'
      const page = {
        ...item({ id: last ? '2' : '1' }),
        ...(last ? { next_url: url } : { next_url: `${url}2` }),
      }
      response.setHeader('Last-Modified', 'x').end(JSON.stringify(page))
    })
    expect(await findingsAt(url)).toEqual([
      `error: the file: leads in a circle, or to more than 1000 files: ${url}`,
    ])
  })
})

const sitemap = (entries: string) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">${entries}</urlset>`
const address = (more = '', loc = 'https://a.example/1') => `<url><loc>${loc}</loc>${more}</url>`
const link = (hreflang: string, href = 'https://a.example/1') =>
  `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`

describe('a sitemap', () => {
  it('without a fault has no finding', async () => {
    const more = `<lastmod>2026-01-02T03:04:05Z</lastmod>${link('el')}${link('x-default')}<image:image><image:loc>https://p.example/1.jpg</image:loc></image:image>`
    expect(await findingsIn(sitemap(address(more)))).toEqual([])
  })

  it.each<[string, string]>([
    [address('', '/1'), 'error: url 1: loc must be a URL, not "/1"'],
    [address('<lastmod>02/01/2026</lastmod>'), 'error: url 1: lastmod must be a date, not "02/01/2026"'],
    [
      address(link('greek language')),
      'error: url 1: hreflang must be a language or x-default, not "greek language"',
    ],
    [address(link('en', 'https://a.example/2')), 'error: url 1: its links must name the page itself as well'],
    [address('<image:image/>'), 'error: url 1: loc of an image must be a URL, not ""'],
    [
      address('<image:image><image:loc>https://p.example/1.jpg</image:loc></image:image>'.repeat(1001)),
      'error: url 1: must have at most 1000 images, not 1001',
    ],
    [address('<price>5</price>'), 'error: url 1: has an element that readers do not know: "price"'],
    [address() + address(), 'error: url 2: loc is that of another: "https://a.example/1"'],
    [
      address() + address('', 'https://b.example/1'),
      'error: url 2: loc must be on the same host as the others, a.example, not b.example',
    ],
    ['<page/>', 'error: the file: has an element that readers do not know: "page"'],
    ['', 'error: the file: must have an entry'],
  ])('is told of %s', async (entries, message) => {
    expect(await findingsIn(sitemap(entries))).toContain(message)
  })

  it('with too many addresses is told', async () => {
    const entries = Array.from({ length: 50_001 }, (_, index) => address('', `https://a.example/${index}`))
    expect(await findingsIn(sitemap(entries.join('')))).toEqual([
      'error: the file: must have at most 50000 entries, not 50001',
    ])
  })

  it('is read file by file', async () => {
    const url = await serve((request, response) => {
      const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${url}1.xml</loc></sitemap></sitemapindex>`
      response.setHeader('Last-Modified', 'x').end(request.url === '/' ? index : sitemap(address('', '/1')))
    })
    expect(await findingsAt(url)).toEqual(['error: url 1: loc must be a URL, not "/1"'])
  })
})

describe('an address', () => {
  it('that answers an error, or without a date, is told', async () => {
    const missing = await serve((_, response) => response.writeHead(404).end())
    expect(await findingsAt(missing)).toEqual(['error: the file: its address answers 404'])
    server?.close()
    const undated = await serve((_, response) => response.end(kyero(property())))
    expect(await findingsAt(undated)).toEqual([
      'warning: the file: has no Last-Modified: readers cannot tell whether it has changed',
    ])
  })

  it('that breaks off is told', async () => {
    const url = await serve((_, response) => {
      response.setHeader('Last-Modified', 'x').write(kyero(property(), ''))
      setTimeout(() => response.destroy(), 100)
    })
    const [first] = await findingsAt(url)
    expect(first).toMatch(/^error: the file: it breaks off: /)
  })
})

describe('the command', () => {
  const run = (...parameters: string[]) =>
    promisify(execFile)('node', ['scripts/feeds.ts', ...parameters]).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        output: stdout + stderr,
      }),
    )

  it('lists what is wrong, and says it by its status', async () => {
    const file = join(folder, 'command')
    writeFileSync(file, kyero(property({ pool: 'yes' })))
    expect(await run('--check', file)).toEqual({
      code: 1,
      output: `error: property 1 (1): pool must be 1 or 0, not "yes"\n1 properties: 1 problems\n`,
    })
    writeFileSync(file, kyero(property()))
    expect(await run('--check', file, '--country', 'Greece')).toEqual({
      code: 0,
      output: '1 properties: no problem\n',
    })
    expect(await run('--check', join(folder, 'none'))).toMatchObject({ code: 1 })
    expect((await run()).code).toBe(2)
  })
})
