/** The pages of the example website as HTML, before an Estia that answers what each test says. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import app from '../../examples/website/src/index.tsx'
import type { Settings } from '../../examples/website/src/settings.ts'

const SETTINGS: Settings = {
  ESTIA_URL: 'https://api.example',
  SITE_KEY: 'estia_secret',
  PUBLISHABLE_KEY: 'estia_pub_1',
  SITE_URL: 'https://www.example',
}

const AREA = { id: 7, name_el: 'Κηφισιά', name_en: 'Kifisia' }
const LISTING = {
  id: 5,
  code: 'RES-00005',
  store_id: 1,
  category: 'residential',
  subcategory: 'apartment',
  availability: 'sale',
  price: 250_000,
  price_per_sqm: 3048.78,
  size: 82,
  land_size: null,
  rooms: 2,
  bathrooms: 1,
  floor: 0,
  year_built: null,
  date_updated: '2026-03-02 10:00:00',
  property_condition: null,
  year_renovated: null,
  heating_type: null,
  parking_total: null,
  balcony_size: null,
  storage_size: null,
  garden_size: null,
  monthly_maintenance: null,
  distance_sea: null,
  available_from: null,
  date_listed: null,
  energy_class: 'ap',
  is_negotiable: false,
  features: ['elevator'],
  positioning: [],
  view: [],
  flooring: [],
  panorama_photos: [],
  panorama_tour_url: null,
  photos: [
    {
      image: 'https://api.example/photos/a.jpg',
      kind: 'photo',
      captions: [{ language_id: 2, caption: 'The <kitchen>' }],
      width: 1600,
      height: 1200,
    },
    {
      image: 'https://api.example/photos/b.jpg',
      kind: 'floor_plan',
      captions: [],
      width: null,
      height: null,
    },
  ],
  location: {
    area_level1: null,
    area_level2: AREA,
    area_level3: null,
    address: 'Λεβίδου',
    address_en: 'Levidou',
    postal_code: null,
    latitude: 38.07,
    longitude: 23.81,
    precision: 'circle',
  },
  translations: [
    { language_id: 1, title: 'Διαμέρισμα', description: 'Φωτεινό.' },
    { language_id: 2, title: 'A "quiet" <home>', description: 'Bright.\nAiry.' },
  ],
}

/** What Estia answers, by method and path; a function sees the request. */
type Answer = object | ((request: Request) => Response | Promise<Response>)
let answers: Record<string, Answer>
let asked: Request[]

beforeEach(() => {
  asked = []
  answers = {
    'GET /api/listings': { total_results: 1, total_pages: 1, page: 1, data: [LISTING] },
    'GET /api/listings/5': (request) =>
      request.url.includes('schema.org')
        ? new Response('{"@type":"RealEstateListing","name":"</script>"}', {
            headers: { 'Content-Type': 'application/ld+json' },
          })
        : Response.json({ data: LISTING }),
    'GET /api/listings/facets': {
      total_results: 1,
      data: { availability: [{ value: 'sale', count: 1 }], area_level2: [{ ...AREA, value: 7, count: 1 }] },
    },
    'GET /api/listings/map': { total_results: 1, data: [] },
    'GET /api/listings/features': {
      data: [{ key: 'elevator', name_el: 'Ανελκυστήρας', name_en: 'Elevator' }],
    },
    'GET /api/languages': {
      data: [
        { id: 1, code: 'el' },
        { id: 2, code: 'en' },
      ],
    },
    'GET /api/stores': {
      data: [{ id: 1, name: 'Centre', phone: '+30 210 1', email: null, address: null, url: null }],
    },
  }
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request.clone())
    const answer = answers[`${request.method} ${new URL(request.url).pathname}`]
    if (typeof answer === 'function') return answer(request)
    if (answer) return Response.json(answer)
    return Response.json({ status: 404, error_message: 'Not found' }, { status: 404 })
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = (path: string, init?: RequestInit) => app.request(path, init, SETTINGS)

const FORM = {
  type: 'viewing',
  first_name: 'Anna',
  last_name: 'Doe',
  email: 'anna@example.com',
  phone: '',
  message: 'Hello <there>',
  consent: 'yes',
  key: 'k',
  website: '',
}

const submit = (values: Partial<typeof FORM> = {}, path = '/en/listings/5') =>
  open(path, { method: 'POST', body: new URLSearchParams({ ...FORM, ...values }) })

describe('pages', () => {
  it.each([
    '/el/',
    '/en/',
    '/en/search',
    '/el/search?view=map',
    '/en/listings/5',
    '/el/office',
    '/en/privacy',
  ])('are whole, with their policy and for how long they are kept: %s', async (path) => {
    const answer = await open(path)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=30')
    expect(answer.headers.get('Content-Security-Policy')).toContain("script-src 'self'; style-src 'self'")
    expect(html).toMatch(/^<!doctype html><html lang="(el|en)">/)
    expect(html).not.toMatch(/ (style|on[a-z]+)="/)
    expect(html).not.toContain(SETTINGS.SITE_KEY)
  })

  it('name their language, their address and those in other languages', async () => {
    const html = await (await open('/en/listings/5')).text()
    expect(html).toContain('<link rel="canonical" href="https://www.example/en/listings/5"/>')
    expect(html).toContain('<link rel="alternate" hreflang="el" href="https://www.example/el/listings/5"/>')
    expect(html).toContain('hreflang="x-default" href="https://www.example/en/listings/5"')
    expect(html).toContain('<meta property="og:image" content="https://api.example/photos/a.jpg?w=1280"/>')
  })

  it('show a listing: escaped texts, captions, sizes of photos, floor plans, JSON-LD', async () => {
    const html = await (await open('/en/listings/5')).text()
    expect(html).toContain('A &quot;quiet&quot; &lt;home&gt;</h1>')
    expect(html).toContain('alt="The &lt;kitchen&gt;"')
    expect(html).toContain('https://api.example/photos/a.jpg?w=320&amp;format=webp 320w')
    expect(html).toContain('width="1600" height="1200"')
    expect(html).toContain('€250,000')
    expect(html).toContain('>A+</span>')
    expect(html).toContain('alt="Floor plan"')
    expect(html).toContain('{"@type":"RealEstateListing","name":"\\u003c/script>"}</script>')
  })

  it('leave JSON-LD out while the service has none', async () => {
    answers['GET /api/listings/5'] = { data: LISTING }
    expect(await (await open('/en/listings/5')).text()).not.toContain('application/ld+json')
  })

  it.each([
    ['el,en;q=0.8', '/el/'],
    ['fr, en-US', '/en/'],
    ['fr', '/el/'],
    ['', '/el/'],
  ])('begin in the language of the visitor: %j → %s', async (language, location) => {
    const answer = await open('/', { headers: { 'Accept-Language': language } })
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, location])
  })
})

describe('a search', () => {
  it('is passed on as filters', async () => {
    await open('/en/search?availability=sale&area=7&price_max=300000&rooms=2&tour=1&sort=cheapest&page=3')
    const call = asked.find(({ url }) => new URL(url).pathname === '/api/listings')
    const { fields, ...query } = Object.fromEntries(new URL(call?.url ?? '').searchParams)
    expect(fields).toBeTruthy()
    expect(query).toEqual({
      availability: 'sale',
      areas: '7',
      'price[max]': '300000',
      'rooms[min]': '2',
      has_tour: 'true',
      sort: 'price',
      page: '3',
      per_page: '12',
    })
    expect(call?.headers.get('Authorization')).toBe('Bearer estia_secret')
  })

  it.each([
    ['?availability=sale&text=&area=&price_min=', '?availability=sale'],
    ['?price_min=abc&rooms=-1&category=castle&page=0', ''],
    ['?availability=__proto__', ''],
  ])('has an address without what is no filter: %s', async (query, shown) => {
    const answer = await open(`/en/search${query}`)
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, `/en/search${shown}`])
  })
})

describe('errors', () => {
  it.each(['/en/nothing', '/en/listings/6', '/en/listings/0', '/en/listings/99999999999', '/nothing'])(
    'are 404: %s',
    async (path) => {
      const answer = await open(path)
      expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([404, 'no-store'])
    },
  )

  it('are 503 in the language of the page when the service does not answer', async () => {
    answers['GET /api/stores'] = () => {
      throw new TypeError('connection refused')
    }
    const answer = await open('/el/office')
    const html = await answer.text()
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30'])
    expect(html).toContain('Επιστρέφουμε αμέσως')
    expect(html).not.toContain('connection refused')
  })
})

describe('an enquiry', () => {
  beforeEach(() => {
    answers['POST /api/enquiries'] = { status: 200, created_id: 1 }
  })
  const sent = () => asked.filter(({ method }) => method === 'POST')

  it('is sent with the secret key, and leads to the thanks', async () => {
    const answer = await submit()
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/en/thank-you?listing=5'])
    const [call] = sent()
    expect(await call?.json()).toEqual({
      type: 'viewing',
      listing_id: 5,
      first_name: 'Anna',
      last_name: 'Doe',
      email: 'anna@example.com',
      message: 'Hello <there>',
      language_id: 2,
      consent: { privacy: true, marketing: false },
      page_url: 'https://www.example/en/listings/5',
    })
    expect(call?.headers.get('Authorization')).toBe('Bearer estia_secret')
  })

  it('has the same idempotency key when it is sent twice, and another one when it says something else', async () => {
    for (const message of ['One', 'One', 'Two']) await submit({ message })
    const keys = sent().map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  it.each([
    [{ last_name: '' }, 'last_name', 'Please fill in this field.'],
    [{ message: ' ' }, 'message', 'Please fill in this field.'],
    [{ message: 'x'.repeat(5_001) }, 'message', 'The text is too long.'],
    [{ email: '' }, 'email', 'Please give an e-mail or a phone number.'],
    [{ email: 'anna@' }, 'email', 'Please give an e-mail such as name@example.com.'],
    [{ phone: 'none' }, 'phone', 'Please give a phone number.'],
    [{ consent: '' }, 'consent', 'We need your consent to reply to you.'],
  ])('is refused beside the field, with what was typed: %j', async (values, field, text) => {
    const answer = await submit(values)
    const html = await answer.text()
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([422, 'no-store'])
    expect(html).toContain(`id="${field}-error">${text}`)
    expect(html).toContain('value="Anna"')
    expect(sent()).toEqual([])
  })

  it('shows what the service refuses beside the field', async () => {
    answers['POST /api/enquiries'] = () =>
      Response.json({ errors: [{ field: 'email', message: 'Invalid email' }] }, { status: 400 })
    const answer = await submit()
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('id="email-error">Please check this field.')
  })

  it.each([403, 404, 429, 503])('says that it was not sent, and keeps it: %d', async (status) => {
    answers['POST /api/enquiries'] = () => Response.json({ error_message: 'No' }, { status })
    const answer = await submit()
    const html = await answer.text()
    expect(answer.status).toBe(503)
    expect(html).toContain('The message was not sent.')
    expect(html).toContain('Hello &lt;there&gt;</textarea>')
  })

  it('of a program that fills in the hidden field goes nowhere', async () => {
    expect((await submit({ website: 'https://spam.example' })).status).toBe(303)
    expect(sent()).toEqual([])
  })

  it('of the office names no listing', async () => {
    expect((await submit({ type: 'valuation' }, '/en/office')).headers.get('Location')).toBe('/en/thank-you')
    expect(await sent()[0]?.json()).not.toHaveProperty('listing_id')
  })

  it('that is no form is refused', async () => {
    const answer = await open('/en/office', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(answer.status).toBe(422)
  })

  it('is refused when it is too large', async () => {
    expect((await submit({ message: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

describe('search engines', () => {
  it('find a sitemap with every page in each language', async () => {
    expect(await (await open('/robots.txt')).text()).toContain('Sitemap: https://www.example/sitemap.xml')
    const xml = await (await open('/sitemap.xml')).text()
    expect(xml).toContain(
      '<url><loc>https://www.example/el/listings/5</loc><lastmod>2026-03-02T10:00:00Z</lastmod>',
    )
    expect(xml).toContain('hreflang="en" href="https://www.example/en/listings/5"')
  })

  it('get the sitemap feed of the service if there is one', async () => {
    answers['GET /feeds/a/sitemap.xml'] = () => new Response('<urlset/>')
    const settings = { ...SETTINGS, SITEMAP_URL: 'https://api.example/feeds/a/sitemap.xml' }
    const answer = await app.request('/sitemap.xml', {}, settings)
    expect(await answer.text()).toBe('<urlset/>')
    expect(answer.headers.get('Content-Type')).toBe('application/xml; charset=utf-8')
  })
})
