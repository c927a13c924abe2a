/** Sitemaps: what a listing looks like in them, and when there are several. Pages of JSON Feeds, too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WEB_URL } from '../../scripts/feed-check/rules.ts'
import { releaseIndex } from '../../src/resources/listings/search/shared-index.ts'
import { importRecords } from '../support/api.ts'
import { execute, selectAll, selectFirst } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { importListings, makeFeed, PAGE, readFeed } from './serving.ts'

beforeAll(async () => {
  await seedAgency()
  await importListings({
    7: {
      date_updated: '2026-02-03 04:05:06',
      photos: [
        { original_image: 'https://p.example/1.jpg?a&b' },
        { original_image: 'https://p.example/2.jpg' },
      ],
    },
  })
})

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
`
const IMAGES = `<image:image>
<image:loc>https://p.example/1.jpg?a&amp;b</image:loc>
</image:image>
<image:image>
<image:loc>https://p.example/2.jpg</image:loc>
</image:image>
`
const alternate = (hreflang: string, language: string) =>
  `<xhtml:link rel="alternate" hreflang="${hreflang}" href="https://www.agency.example/${language}/listings/7"/>\n`

describe('a sitemap', () => {
  it('has an address for each language, with the others and the pictures', async () => {
    const alternates = alternate('el', 'el') + alternate('en', 'en') + alternate('x-default', 'el')
    const address = (language: string) => `<url>
<loc>https://www.agency.example/${language}/listings/7</loc>
<lastmod>2026-02-03T04:05:06Z</lastmod>
${alternates}${IMAGES}</url>
`
    const { text } = await readFeed(await makeFeed('sitemap'))
    expect(text).toBe(`${HEAD}${address('el')}${address('en')}</urlset>\n`)
  })

  it('has one address where there is one language, or no name of it', async () => {
    const expected = (loc: string) => `${HEAD}<url>
<loc>${loc}</loc>
<lastmod>2026-02-03T04:05:06Z</lastmod>
${IMAGES}</url>
</urlset>
`
    const english = await readFeed(await makeFeed('sitemap', { languages: ['en'] }))
    expect(english.text).toBe(expected('https://www.agency.example/en/listings/7'))
    const page_url = 'https://www.agency.example/ακίνητα?id={id}&a=1'
    const unnamed = await readFeed(await makeFeed('sitemap', { languages: ['en'], page_url }))
    expect(unnamed.text).toBe(
      expected('https://www.agency.example/%CE%B1%CE%BA%CE%AF%CE%BD%CE%B7%CF%84%CE%B1?id=7&amp;a=1'),
    )
  })

  it('has the first page of the website without listings, as the format knows no empty file', async () => {
    const { status, text } = await readFeed(await makeFeed('sitemap', { filters: { ids: 999 } }))
    const first = '<url>\n<loc>https://www.agency.example/</loc>\n</url>\n'
    expect([status, text]).toEqual([200, `${HEAD}${first}</urlset>\n`])
  })

  it('leaves out pages in a language that makes their address too long', async () => {
    const page_url = `https://www.agency.example/${'x'.repeat(1500)}/{language}/{id}`
    const path = await makeFeed('sitemap', { page_url, filters: { ids: 7 } })
    const greek = page_url.replace('{language}', 'el').replace('{id}', '7')
    expect(locsIn((await readFeed(path)).text)).toEqual([greek, greek.replace('/el/', '/en/')])
    await importRecords([['languages', { id: 3, code: 'ξ'.repeat(200), name: 'Long' }]])
    expect(locsIn((await readFeed(path)).text)).toEqual([greek, greek.replace('/el/', '/en/')])
    await execute('delete from languages where id = 3')
  })
})

describe('pictures', () => {
  const odd = [
    'https://p.example/a "b" <c>.jpg?d=<e>&f="g"',
    'https://p.example/σαλόνι.jpg',
    'http://p.example:99999/1.jpg',
    'https://',
    'https://p.example/2.jpg',
  ]
  const written = [
    'https://p.example/a%20%22b%22%20%3Cc%3E.jpg?d=%3Ce%3E&f=%22g%22',
    'https://p.example/%CF%83%CE%B1%CE%BB%CF%8C%CE%BD%CE%B9.jpg',
    'https://p.example/2.jpg',
  ]

  beforeAll(async () => {
    const photos = odd.map((_, index) => ({ original_image: `https://p.example/${index}` }))
    await importListings({ 5: { photos } })
    // As versions before 0.4.0 took them.
    for (const [index, address] of odd.entries())
      await execute(
        'update listing_photos set original_image = ? where listing_id = 5 and ordernum = ?',
        address,
        index + 1,
      )
    await execute('update listings set version = version + 1 where id = 5')
  })
  afterAll(() => importListings({ 5: { status: 'archived' } }))

  it.each([
    ['kyero', /<url>(https:\/\/p\.example[^<]*)<\/url>/g],
    ['json', /"url":"(https:\/\/p\.example.*?)","mime_type"/g],
    ['sitemap', /<image:loc>(.*?)<\/image:loc>/g],
  ])('of a feed of the format %s are at addresses that its check takes', async (format, pattern) => {
    const { text } = await readFeed(await makeFeed(format, { languages: ['en'], filters: { ids: 5 } }))
    const found = [...text.matchAll(pattern)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
    expect(found).toEqual(written)
    expect(found.every((one) => WEB_URL.test(one))).toBe(true)
  })
})

/** Columns of a table, but for its id and those `without`. */
async function columnsOf(table: string, ...without: string[]): Promise<string> {
  const columns = await selectAll<{ name: string }>('select name from pragma_table_info(?)', table)
  return columns.flatMap(({ name }) => (['id', ...without].includes(name) ? [] : name)).join()
}

/** Copies listing 7 so that there are `count` active listings, each with `shown`. */
async function fill(count: number, shown: string): Promise<void> {
  await execute('delete from public_listings where id > 7')
  await execute('delete from listings where id > 7')
  const ids = `with recursive numbers (value) as (select 8 union all select value + 1 from numbers where value < ?)`
  const columns = await columnsOf('listings', 'status', 'code')
  // As drafts, so that no trigger makes what is shown.
  await execute(
    `${ids} insert into listings (id, status, ${columns}) select value, 'draft', ${columns} from numbers, listings where id = 7`,
    count + 6,
  )
  const shownColumns = await columnsOf('public_listings', 'shown')
  await execute(
    `${ids} insert into public_listings (id, shown, ${shownColumns}) select value, ?, ${shownColumns} from numbers, public_listings where id = 7`,
    count + 6,
    shown,
  )
  // The change feed does not say what the last statement did.
  releaseIndex()
}

async function shownOfSeven(): Promise<string> {
  const row = await selectFirst<{ shown: string }>('select shown from public_listings where id = 7')
  return row?.shown ?? ''
}

describe('a JSON Feed', () => {
  it('has 1,000 listings a page', async () => {
    await fill(1001, await shownOfSeven())
    const path = await makeFeed('json')
    const whole = JSON.parse((await readFeed(path)).text)
    expect([whole.items.length, whole.next_url]).toEqual([1000, `http://estia.test${path}?after=1006`])
    const last = JSON.parse((await readFeed(`${path}?after=1006`)).text)
    expect([last.items.map(({ id }: { id: string }) => id), last.next_url]).toEqual([['1007'], undefined])
    expect(last.feed_url).toBe(whole.feed_url)
  })
})

const locsIn = (text: string) => [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc ?? '')

describe('an index of sitemaps', { timeout: 120_000 }, () => {
  it('begins past 50,000 addresses', { tags: 'slow' }, async () => {
    const shown = await shownOfSeven()
    const bare = shown.replace(/"photos":\[.*?\]/, '"photos":[]')
    await fill(25_000, bare)
    const path = await makeFeed('sitemap')
    const whole = await readFeed(path)
    expect(locsIn(whole.text).length).toBe(50_000)
    await fill(25_001, bare)
    const { text } = await readFeed(path)
    const url = `http://estia.test${path}`
    const files = [1, 2].map((number) => url.replace('sitemap.xml', `sitemap-${number}.xml`))
    expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${files.map((loc) => `<sitemap>\n<loc>${loc}</loc>\n</sitemap>\n`).join('')}</sitemapindex>
`)
    const found = await Promise.all(
      files.map(async (file) => locsIn((await readFeed(new URL(file).pathname)).text)),
    )
    expect(found.map((locs) => locs.length)).toEqual([50_000, 2])
    expect(new Set(found.flat()).size).toBe(50_002)
    expect((await readFeed(path.replace('sitemap.xml', 'sitemap-3.xml'))).status).toBe(404)
  })

  it('begins before 50 MB', { tags: 'slow' }, async () => {
    const photos = Array.from(
      { length: 1000 },
      (_, index) => `https://p.example/${'x'.repeat(150)}${index}.jpg?a&b`,
    )
    const shown = await shownOfSeven()
    await fill(140, shown.replace(/"photos":\[.*?\]/, `"photos":${JSON.stringify(photos)}`))
    const path = await makeFeed('sitemap', { page_url: PAGE })
    const files = locsIn((await readFeed(path)).text)
    expect(files.length).toBe(2)
    const texts = await Promise.all(files.map(async (file) => (await readFeed(new URL(file).pathname)).text))
    expect(texts.every((text) => new TextEncoder().encode(text).length < 50_000_000)).toBe(true)
    expect(texts.flatMap(locsIn).length).toBe(280)
    await fill(1, '[]')
  })
})
