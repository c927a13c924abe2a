/** `npm run feeds -- --check`: one file for each fault that feeds are known for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { checkFeed } from '../../scripts/feed-check/check.ts'
import { run } from '../../tools/runtime/dev-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'feed-check-'))
const file = join(folder, 'feed')
let server: Server | undefined
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => server?.close())

async function findingsAt(source: string): Promise<string[]> {
  const { findings } = await checkFeed(source, 'Greece')
  return findings.map(({ level, where, message }) => `${level}: ${where}: ${message}`)
}
function findingsIn(content: string | Uint8Array): Promise<string[]> {
  writeFileSync(file, content)
  return findingsAt(file)
}
async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, resolve))
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

/** What is between the lines of a table, of which `→` parts the columns. */
const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' → ').map((one) => one.trim()) as [string, string])

const PROPERTY = `<property><id>1</id><date>2026-01-02 03:04:05</date><ref>A-1</ref><price>250000</price><currency>EUR</currency>
<price_freq>sale</price_freq><new_build>0</new_build><type>Apartment</type><town>Kifisia</town><province>Attica</province>
<country>Greece</country><location><latitude>38.07</latitude><longitude>23.81</longitude></location><beds>2</beds><baths>1</baths>
<pool>0</pool><surface_area><built>80</built><plot>0</plot></surface_area><energy_rating><consumption>B</consumption></energy_rating>
<url><en>https://a.example/en/1</en></url><desc><en>Flat &lt; 100 m² &amp; sunny</en></desc><features><feature>Sea view</feature></features>
<images><image id="1"><url>https://p.example/1.jpg</url></image></images></property>`
const START = '<?xml version="1.0" encoding="UTF-8"?><root><kyero><feed_version>3</feed_version></kyero>'
const kyero = (properties: string) => `${START}${properties}</root>`
/** A property with other elements; nothing takes one away. */
function changed(element: string): string {
  const name = element.replace(/[^\w].*/s, '')
  const content = element.slice(name.length + 1)
  return PROPERTY.replace(RegExp(`<${name}>.*?</${name}>`, 's'), content && `<${name}>${content}</${name}>`)
}

describe('a Kyero feed', () => {
  it('without a fault has no finding', async () => expect(await findingsIn(kyero(PROPERTY))).toEqual([]))

  it.each(
    rows(`
    price_freq=rent → price_freq must be sale or month, not "rent"
    date → date is missing
    date=2026-13-02 00:00:00 → date must be YYYY-MM-DD HH:MM:SS, not "2026-13-02 00:00:00"
    pool=Communal → pool must be 1 or 0, not "Communal"
    desc=<en>&lt;p&gt;Flat&lt;/p&gt;</en> → desc.en must be without HTML, not "<p>Flat</p>"
    desc=<en>A <b>flat</b></en> → desc.*.b must be no element of HTML, not "b"
    desc=<en>A&amp;nbsp;flat</en> → desc.en must be without HTML, not "A&nbsp;flat"
    desc=<en>A house&#10;&lt;br&gt;by the sea</en> → desc.en must be without HTML, not "A house\\n<br>by the sea"
    desc=<el>Σπίτι</el> → desc.el must be a language of the format, not "el"
    desc=A flat → desc must have an element for each language, not "A flat"
    desc=<en> </en> → desc is missing
    location=<latitude>39.074208</latitude><longitude>21.824312</longitude> → location is the middle of a country, as geocoders answer for want of a better point: 39.074208, 21.824312
    location=<latitude>40.41</latitude><longitude>-3.70</longitude> → location is not in Greece: 40.41, -3.7
    location=<latitude>38°</latitude><longitude>23.8</longitude> → location.latitude must be degrees of at most 15 characters, not "38°"
    country=Spain → country must be Greece, not Spain, as which none counts as well
    country → country must be Greece, not Spain, as which none counts as well
    type=Penthouse → type must be a type of the format, such as Apartment or Villa, not "Penthouse"
    price=250000.00 → price must be a whole number of at most 8 digits, not "250000.00"
    price=123456789 → price must be a whole number of at most 8 digits, not "123456789"
    currency=€ → currency must be EUR, GBP or USD, not "€"
    surface_area=<built>80.5</built> → surface_area.built must be a whole number, not "80.5"
    energy_rating=<consumption>B+</consumption> → energy_rating.consumption must be a letter from A to G, or X, not "B+"
    features=<feature>A very long feature of this apartment</feature> → features.feature must have at most 35 characters, not "A very long feature of this apartment"
    images=<image id="1"><url><![CDATA[https://p.example/1.jpg]]></url></image> → images.*.url must be no CDATA, not "yes"
    images=<image id="1"><url>/1.jpg</url></image> → images.*.url must be a URL, not "/1.jpg"
    images=<image id="1"/> → images.*.url is missing
    images=<image id="51"><url>https://p.example/1.jpg</url></image> → images.image must have an id from 1 to 50, not "51"
    beds=2</beds><Beds>2</Beds><beds> → Beds must be written in lower case, not "Beds"
    beds=2</beds>Warning: division by zero<beds>2 → must have no text between its elements, as after a fault, not "Warning: division by zero"`),
  )('with %s: %s', async (change, message) => {
    expect(await findingsIn(kyero(changed(change)))).toContain(`error: property 1 (1): ${message}`)
  })

  const many = (count: number) =>
    Array.from({ length: count }, (_, id) => changed(`id=${id}`).replace('Kifisia', `${id}`)).join('')
  const cutOff = 'error: the file: it ends before its root is closed: it was cut off'
  it.each([
    ['warning: the file: has exactly 250 properties: was the list cut at a limit?', kyero(many(250))],
    [cutOff, START + PROPERTY],
    [cutOff, START + PROPERTY.slice(0, 300)],
    [cutOff, ''],
    ['error: property 2 (1): id is that of another: "1"', kyero(PROPERTY + PROPERTY)],
    ['error: the file: is no feed that is known: its root is "html"', '<html><body/></html>'],
    ...rows(`
    error: the file: there is text between its elements, as after a fault: "Fatal error" → ${kyero('Fatal error')}
    error: the file: it is not well-formed: each & must be written as &amp; → ${kyero('<property><ref>A & B, which goes on for a while</ref></property>')}
    error: the file: it is not well-formed: 1:112: unexpected close tag. → ${kyero('<property><beds>2</bed></property>')}
    error: the file: has no property: readers would delete all they have → ${kyero('')}
    error: the file: feed_version must be 3, not "2" → ${kyero('').replace('>3<', '>2<')}
    error: the file: its encoding must be UTF-8, not ISO-8859-1 → ${kyero('').replace('UTF-8', 'ISO-8859-1')}
    error: the file: has an element that readers do not know: "error" → ${kyero('<error>timeout</error>')}
    error: the file: 3 properties of several towns are at 38.07, 23.81, as where a geocoder finds nothing → ${kyero(many(3)).replaceAll('\n', '')}`),
  ])('%s', async (message, content) => expect(await findingsIn(content)).toContain(message))

  it('that is not UTF-8', async () => {
    const bytes = Buffer.from(kyero(changed('town=Málaga')), 'latin1')
    expect(await findingsIn(bytes)).toEqual(['error: the file: it is not UTF-8'])
  })
})

const ITEM = { id: '1', url: 'https://a.example/1', content_text: 'x', date_modified: '2026-01-02T03:04:05Z' }
const FEED = { version: 'https://jsonfeed.org/version/1.1', title: 'Portal', items: [ITEM] }

describe('a JSON Feed', () => {
  it('without a fault has no finding', async () => expect(await findingsIn(JSON.stringify(FEED))).toEqual([]))

  it.each(
    rows(`
    {"version": "1.1"} → the file: version must be https://jsonfeed.org/version/1.1, not "1.1"
    {"title": ""} → the file: title is missing
    {"items": {}} → the file: items must be a list, not "object"
    {"next_url": "/2"} → the file: next_url must be a URL, not "/2"
    {"items": [{"url": "https://a.example/1", "content_text": "x"}]} → item 1: id is missing
    {"items": [{"id": 1, "content_html": "x"}]} → item 1: id must be text, not "number"
    {"items": [{"id": "1", "content_text": "x", "url": "/1"}]} → item 1: url must be a URL, not "/1"
    {"items": [{"id": "1", "content_text": ""}]} → item 1: content_text is missing, or content_html
    {"items": [{"id": "1", "content_text": "x", "date_modified": "2026-01-02"}]} → item 1: date_modified must be a date-time of RFC 3339, not "2026-01-02"
    {"items": [{"id": "1", "content_text": "x", "tags": "x"}]} → item 1: tags must be a list, not "string"
    {"items": [{"id": "1", "content_text": "x", "attachments": [{"url": "https://a.example/1"}]}]} → item 1: attachments.*.mime_type is missing
    {"items": [{"id": "1", "content_text": "x"}, {"id": "1", "content_text": "x"}]} → item 2: id is that of another: "1"`),
  )('with %s: %s', async (changes, message) => {
    expect(await findingsIn(JSON.stringify({ ...FEED, ...JSON.parse(changes) }))).toEqual([
      `error: ${message}`,
    ])
  })

  it('that was cut off', async () => {
    expect(await findingsIn(JSON.stringify(FEED).slice(0, -2))).toEqual([
      'error: the file: it is not JSON, or was cut off',
    ])
  })

  it('is read page by page, and not in a circle', async () => {
    const url = await serve(({ url: path }, response) => {
      const page = { ...FEED, items: [{ ...ITEM, id: path }], next_url: path === '/2' ? url : `${url}2` }
      response.setHeader('Last-Modified', 'x').end(JSON.stringify(page))
    })
    expect(await findingsAt(url)).toEqual([
      `error: the file: leads in a circle, or to more than 1000 files: ${url}`,
    ])
  })
})

const sitemap = (entries: string) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.w3.org/1999/xhtml" xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">${entries}</urlset>`
const page = (more = '', loc = 'https://a.example/1') => `<url><loc>${loc}</loc>${more}</url>`
const link = (hreflang: string, href = 'https://a.example/1') =>
  `<x:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`
const IMAGE = '<i:image><i:loc>https://p.example/1.jpg</i:loc></i:image>'

describe('a sitemap', () => {
  it('without a fault has no finding', async () => {
    const more = `<lastmod>2026-01-02T03:04:05Z</lastmod>${link('el')}${link('x-default')}${IMAGE}`
    expect(await findingsIn(sitemap(page(more)))).toEqual([])
  })

  it.each([
    ...rows(`
    <url><loc>/1</loc></url> → url 1: loc must be a URL of at most 2048 characters, not "/1"
    <url><loc>https://a.example/1</loc><lastmod>02/01/2026</lastmod></url> → url 1: lastmod must be a date, not "02/01/2026"
    <url><loc>https://a.example/1</loc><i:image/></url> → url 1: image:image.image:loc is missing
    <url><loc>https://a.example/1</loc><price>5</price></url> → url 1: price must be an element of the format, not "price"
    <page/> → the file: has an element that readers do not know: "page"`),
    ['', 'the file: must have an entry'],
    [page(link('greek')), 'url 1: xhtml:link must have a language or x-default, not "greek"'],
    [page(link('en', 'https://a.example/2')), 'url 1: its links must name the page itself as well'],
    [page(IMAGE.repeat(1001)), 'url 1: must have at most 1000 images'],
    [page() + page(), 'url 2: loc is that of another: "https://a.example/1"'],
    [
      page() + page('', 'https://b.example/'),
      'url 2: loc must be on the host of the others, a.example, not "https://b.example/"',
    ],
  ])('with %s: %s', async (entries, message) => {
    expect(await findingsIn(sitemap(entries))).toContain(`error: ${message}`)
  })

  it('with too many addresses', async () => {
    const entries = Array.from({ length: 50_001 }, (_, index) => page('', `https://a.example/${index}`))
    expect(await findingsIn(sitemap(entries.join('')))).toEqual([
      'error: the file: must have at most 50000 entries and 50 MB, not 50001',
    ])
  })

  it('is read file by file', async () => {
    const url = await serve((request, response) => {
      const index = sitemap(`<sitemap><loc>${url}1.xml</loc></sitemap>`).replaceAll('urlset', 'sitemapindex')
      response.setHeader('Last-Modified', 'x').end(request.url === '/' ? index : sitemap(page('<price/>')))
    })
    expect(await findingsAt(url)).toEqual([
      'error: url 1: price must be an element of the format, not "price"',
    ])
  })
})

describe('an address', () => {
  it('that answers an error, or without a date', async () => {
    expect(await findingsAt(await serve((_, response) => response.writeHead(404).end()))).toEqual([
      'error: the file: its address answers 404',
    ])
    server?.close()
    expect(await findingsAt(await serve((_, response) => response.end(kyero(PROPERTY))))).toEqual([
      'warning: the file: has no Last-Modified: readers cannot tell whether it has changed',
    ])
  })

  it('that breaks off', async () => {
    const url = await serve((_, response) => {
      response.setHeader('Last-Modified', 'x').write(START + PROPERTY)
      setTimeout(() => response.destroy(), 100)
    })
    expect((await findingsAt(url))[0]).toMatch(/^error: the file: it breaks off: /)
  })
})

it('the command names five places of a problem, and says by its status whether there is an error', async () => {
  const many = Array.from({ length: 7 }, (_, id) => changed(`id=${id}`).replace('<pool>0', `<pool>x${id}`))
  writeFileSync(file, kyero(many.join('')))
  const faulty = await run('scripts/feeds.ts', ['--check', file])
  expect(faulty).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^(error: property.*pool.*\n){5}… and 2 more: /),
  })
  expect(faulty.output).toContain(' more: pool must be 1 or 0, not …\n7 properties: 7 problems\n')
  writeFileSync(file, kyero(PROPERTY))
  const sound = await run('scripts/feeds.ts', ['--check', file, '--country', 'Greece'])
  expect(sound).toMatchObject({ code: 0, output: '1 properties: no problem\n' })
  expect((await run('scripts/feeds.ts', ['--check', join(folder, 'none')])).code).toBe(1)
  expect((await run('scripts/feeds.ts', [])).code).toBe(2)
})
