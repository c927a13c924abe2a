import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LISTING_STATUSES } from '../../src/catalogue/property-enums.ts'
import { send } from '../http/send.ts'
import { get, importRecords, ORIGIN, post } from '../support/api.ts'
import { execute } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { minimalListing, readListing } from '../support/factories/listing.ts'

const TOKEN = '0123456789abcdef0123456789abcdef'
const PATH = `/tours/${TOKEN}`
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const GREEK = { ...BROWSER, 'Accept-Language': 'el-GR,el;q=0.9' }
const ENGLISH = { ...BROWSER, 'Accept-Language': 'en-GB,en;q=0.9' }
const HOSTILE = `"><script>alert(1)</script>'&`

const PANORAMAS = [
  {
    image: 'photos/99999999999999999999999999999999.jpg',
    thumb: 'photos/88888888888888888888888888888888.jpg',
  },
  {
    image: 'photos/77777777777777777777777777777777.jpg',
    thumb: 'photos/66666666666666666666666666666666.jpg',
  },
]
const TITLES = [
  { language_id: 1, title: 'Διαμέρισμα στο Κολωνάκι' },
  { language_id: 2, title: 'Apartment in Kolonaki' },
]

beforeAll(seedAgency)
beforeEach(() => makeListing())

/** Makes listing 7 what the test needs; everything else about it is as small as can be. */
const makeListing = (changes: Record<string, unknown> = {}) =>
  importRecords([
    [
      'listings',
      {
        ...minimalListing,
        id: 7,
        tour_token: TOKEN,
        panorama_photos: PANORAMAS,
        translations: TITLES,
        ...changes,
      },
    ],
  ])

const visit = (headers: Record<string, string> = GREEK, path = PATH) => get(path, { headers })

/** The content of every `<meta>` that has one, by name or property. */
function metaOf(page: string): Record<string, string> {
  const found = page.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)
  return Object.fromEntries([...found].map(([, name, content]) => [name, content]))
}

const textOf = (page: string, tag: string) => new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(page)?.[1]

describe('a tour', () => {
  it('shows title, office and every picture', async () => {
    const { status, headers, body } = await visit()
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('text/html; charset=UTF-8')
    expect(textOf(body, 'h1')).toBe('Διαμέρισμα στο Κολωνάκι')
    expect(textOf(body, 'title')).toBe('Διαμέρισμα στο Κολωνάκι · Περιήγηση 360°')
    expect(body).toContain('<p>Center</p>')
    expect([...body.matchAll(/data-image="([^"]+)"/g)].map(([, image]) => image)).toEqual([
      '/photos/99999999999999999999999999999999.jpg',
      '/photos/77777777777777777777777777777777.jpg',
    ])
    expect(body).toContain(
      '<img src="/photos/66666666666666666666666666666666.jpg" alt="Εικόνα 2 από 2" width="128" height="64"',
    )
  })

  it('shows the pictures without scripts, too', async () => {
    const stills = /<noscript>([\s\S]*)<\/noscript>/.exec((await visit()).body)?.[1] ?? ''
    for (const { image, thumb } of PANORAMAS) {
      expect(stills).toContain(`<a href="/${image}">`)
      expect(stills).toContain(`<img src="/${thumb}" alt="Εικόνα`)
    }
  })

  it('gives every picture a text and every button a name', async () => {
    const { body } = await visit()
    for (const [picture] of body.matchAll(/<img [^>]*>/g)) expect(picture).toMatch(/ alt="[^"]+"/)
    const buttons = [...body.matchAll(/<button [^>]*id=[^>]*>/g)].map(([button]) => button)
    expect(buttons).toHaveLength(4)
    expect(body).toMatch(/<button type="button" id="back" hidden>\s*<svg[\s\S]*?<\/svg>Πίσω\s*<\/button>/)
    for (const control of buttons.slice(1)) expect(control).toMatch(/ aria-label="[^"]+"/)
    expect(body).toMatch(/role="application"[^>]* aria-describedby="keys"/)
  })

  it('names the rooms as their captions do: in the language of the page, otherwise in another one', async () => {
    const captions = [
      { language_id: 1, caption: 'Κουζίνα' },
      { language_id: 2, caption: '<Kitchen>' },
    ]
    const [one, two] = PANORAMAS
    await makeListing({
      panorama_photos: [
        { ...one, captions },
        { ...two, captions: captions.slice(0, 1) },
      ],
    })
    const greek = (await visit()).body
    expect(greek).toContain(
      '<img src="/photos/88888888888888888888888888888888.jpg" alt="Κουζίνα" width="128"',
    )
    expect(greek).toContain('<span aria-hidden="true">2 Κουζίνα</span>')
    const english = (await visit(ENGLISH)).body
    expect(english).toContain(
      '<img src="/photos/88888888888888888888888888888888.jpg" alt="&lt;Kitchen&gt;" width="128"',
    )
    expect(english).toContain(
      '<img src="/photos/66666666666666666666666666666666.jpg" alt="Κουζίνα" lang="el" width="128"',
    )
    expect(english).toContain('<span aria-hidden="true" lang="el">2 Κουζίνα</span>')
    expect(english).toContain(
      '<img src="/photos/88888888888888888888888888888888.jpg" alt="&lt;Kitchen&gt;" width="1024"',
    )
  })

  it('of one picture has no strip, and shows the picture where there is no thumb', async () => {
    expect((await visit()).body).not.toMatch(/<nav id="strip"[^>]* hidden>/)
    await makeListing({ panorama_photos: [{ image: 'photos/99999999999999999999999999999999.jpg' }] })
    const { body } = await visit()
    expect(body).toMatch(/<nav id="strip"[^>]* hidden>/)
    expect(body).toContain('<img src="/photos/99999999999999999999999999999999.jpg" alt="Εικόνα 1 από 1">')
  })

  it('says what anyone may know, and no more', async () => {
    await makeListing({ notes: 'internal note', location: { address: 'Σόλωνος 5' } })
    const { body } = await visit()
    for (const secret of ['estia_', 'test-admin-token', 'internal note', 'Σόλωνος'])
      expect(body).not.toContain(secret)
  })
})

describe('the languages', () => {
  it.each([
    ['Accept-Language', ENGLISH, '', 'en', 'Apartment in Kolonaki', '360° tour'],
    ['the address', ENGLISH, '?lang=el', 'el', 'Διαμέρισμα στο Κολωνάκι', 'Περιήγηση 360°'],
  ])('are chosen by %s: %o %s', async (_, headers, query, language, title, tour) => {
    const reply = await visit(headers, PATH + query)
    expect(reply.headers.get('Content-Language')).toBe(language)
    expect(reply.headers.get('Vary')).toContain('Accept-Language')
    expect(reply.body).toContain(`<html lang="${language}">`)
    expect(textOf(reply.body, 'h1')).toBe(title)
    expect(textOf(reply.body, 'title')).toBe(`${title} · ${tour}`)
  })

  it('can be switched', async () => {
    const link = (language: string, name: string) =>
      `<a href="?lang=${language}" lang="${language}" hreflang="${language}">${name}</a>`
    expect((await visit(GREEK)).body).toContain(link('en', 'English'))
    expect((await visit(ENGLISH)).body).toContain(link('el', 'Ελληνικά'))
  })

  it.each([
    [
      'the other title, marked as such, when its own is blank',
      [TITLES[0], { language_id: 2, title: ' ' }],
      '<h1 lang="el">Διαμέρισμα στο Κολωνάκι</h1>',
    ],
    ['the code', [], '<h1>RES-7</h1>'],
  ])('fall back to %s', async (_, translations, heading) => {
    await makeListing({ translations, code: 'RES-7' })
    expect((await visit(ENGLISH)).body).toContain(heading)
  })

  it('have a name for a listing that has none', async () => {
    await makeListing({ translations: [{ language_id: 2, title: null }], code: null })
    expect(textOf((await visit(ENGLISH)).body, 'h1')).toBe('360° tour')
  })
})

describe('a shared link', () => {
  it('has title, description, picture and address', async () => {
    expect(metaOf((await visit(ENGLISH, `${PATH}?lang=en`)).body)).toMatchObject({
      description: 'See the property in 2 360° pictures. Center',
      'og:title': 'Apartment in Kolonaki',
      'og:description': 'See the property in 2 360° pictures. Center',
      'og:image': `${ORIGIN}/photos/88888888888888888888888888888888.jpg`,
      'og:url': ORIGIN + PATH,
      'og:locale': 'en_GB',
      'og:locale:alternate': 'el_GR',
      'og:site_name': 'Center',
      'twitter:card': 'summary_large_image',
      robots: 'noindex',
    })
  })

  it('stands under the public origin, while the page loads from its own', async () => {
    const answer = await send(
      'GET',
      PATH,
      { headers: GREEK },
      { PUBLIC_BASE_URL: 'https://api.agency.example/' },
    )
    const page = await answer.text()
    expect(metaOf(page)).toMatchObject({
      'og:image': 'https://api.agency.example/photos/88888888888888888888888888888888.jpg',
      'og:url': `https://api.agency.example${PATH}`,
    })
    expect(page).toContain('data-image="/photos/99999999999999999999999999999999.jpg"')
  })
})

describe('hostile content', () => {
  it('stays text', async () => {
    await importRecords([['stores', { id: 9, name: HOSTILE }]])
    await makeListing({
      store_id: 9,
      translations: [{ language_id: 1, title: HOSTILE }],
      panorama_photos: [{ image: `https://cdn.test/${HOSTILE}`, thumb: null }],
    })
    // As versions before 0.4.0 took it.
    await execute("update listing_panoramas set thumb = '//cdn.test/x.jpg'")
    const { body } = await visit(ENGLISH)
    expect([...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script src="/viewer/tours.js" defer>',
    ])
    expect(body).not.toContain('"><script')
    expect(textOf(body, 'h1')).toBe('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;')
    // A key with slashes before it is a path of ours, not another host.
    expect(body).toContain('<img src="/cdn.test/x.jpg"')
  })

  it.each(['https://cdn.test;script-src/x.jpg', "https://cdn.test'/x.jpg"])(
    'adds no rule: %s',
    async (image) => {
      await makeListing({ panorama_photos: [{ image }] })
      const policy = (await visit()).headers.get('Content-Security-Policy')
      expect(policy).toContain("img-src 'self' blob: data:; connect-src 'self';")
      expect(policy?.match(/script-src/g)).toHaveLength(1)
    },
  )
})

describe('the headers', () => {
  it('allow our own script and style and nothing else', async () => {
    const { headers, body } = await visit()
    expect(headers.get('Content-Security-Policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors *',
    ])
    expect(body).not.toMatch(/ style=| on\w+=|<style/)
  })

  it('allow the pictures that are stored elsewhere', async () => {
    await makeListing({
      panorama_photos: [
        { image: 'https://cdn.test/a.jpg', thumb: 'https://thumbs.test:8443/a.jpg' },
        { image: 'https://cdn.test/b.jpg', thumb: 'photos/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.jpg' },
      ],
    })
    const { headers, body } = await visit()
    const policy = headers.get('Content-Security-Policy')
    expect(policy).toContain("img-src 'self' blob: data: https://cdn.test https://thumbs.test:8443;")
    expect(policy).toContain("connect-src 'self' https://cdn.test https://thumbs.test:8443;")
    expect(body).toContain('data-image="https://cdn.test/a.jpg"')
    expect(metaOf(body)['og:image']).toBe('https://thumbs.test:8443/a.jpg')
  })

  it('let other sites show the tour in a frame, and nothing else of ours', async () => {
    expect((await visit()).headers.get('X-Frame-Options')).toBeNull()
    expect((await get('/health')).headers.get('X-Frame-Options')).toBe('SAMEORIGIN')
  })

  it('keep the address to ourselves and the page fresh', async () => {
    const { headers } = await visit()
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('a tour that is not there', () => {
  const UNKNOWN = '/tours/ffffffffffffffffffffffffffffffff'

  async function expectMissing(path: string): Promise<void> {
    const page = await visit(ENGLISH, path)
    expect(page.status).toBe(404)
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=UTF-8')
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(page.headers.get('Cache-Control')).toBe('no-cache')
    expect(page.body).toContain('<html lang="en">')
    expect(textOf(page.body, 'title')).toBe('Tour not found')
    expect(page.body).toContain('<section lang="el">\n        <h1>Η περιήγηση δεν βρέθηκε</h1>')
    expect(page.body).not.toContain('<script')
  }

  it.each([UNKNOWN, "/tours/'%20or%201=1"])('is told to browsers as a page: %s', (path) =>
    expectMissing(path),
  )

  it('begins with the language of the reader', async () => {
    const { body } = await visit(GREEK, UNKNOWN)
    expect(textOf(body, 'title')).toBe('Η περιήγηση δεν βρέθηκε')
    expect(body.indexOf('<section lang="el">')).toBeLessThan(body.indexOf('<section lang="en">'))
  })

  it.each([undefined, '*/*', 'application/problem+json'])(
    'is told to programs as any error is: Accept %s',
    async (accept) => {
      const { status, body } = await get(UNKNOWN, accept ? { headers: { Accept: accept } } : {})
      expect(status).toBe(404)
      expect(body).toMatchObject({ status: 404, error_message: 'Not found' })
    },
  )

  it('has a listing that is off the market, until it is back', async () => {
    await makeListing({ status: 'draft' })
    const stored = await readListing(7)
    expect(stored.panorama_tour_url).toBe(ORIGIN + PATH)
    expect((await visit()).status).toBe(200)
    for (const to of LISTING_STATUSES.filter((status) => status !== 'draft')) {
      await post('/api/listings/7/status', { to })
      if (['pending', 'active'].includes(to)) expect((await visit()).status, to).toBe(200)
      else {
        await expectMissing(PATH)
        const { status, body, headers } = await get(PATH)
        expect([status, body]).toEqual([404, { status: 404, error_message: 'Not found' }])
        expect(headers.get('Cache-Control'), to).toBe('no-cache')
      }
    }
    await post('/api/listings/7/status', { to: 'active' })
    expect((await visit()).status).toBe(200)
  })

  it('has a listing whose panoramas are gone', async () => {
    await makeListing({ panorama_photos: [] })
    await expectMissing(PATH)
  })
})
