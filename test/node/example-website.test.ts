/** The pages of the example website as HTML, before an Estia that answers what each test says. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import app from '../../examples/website/src/index.tsx'
import type { Settings } from '../../examples/website/src/settings.ts'
import { texts } from '../../examples/website/src/texts.ts'
import { ENUMERATIONS } from '../../src/catalogue/enumerations.ts'
import { core, details, extra } from '../../src/catalogue/listing.ts'
import { blankRecord } from '../../src/fields/derive.ts'

const SETTINGS: Settings = {
  ESTIA_URL: 'https://api.example',
  SITE_KEY: 'estia_secret',
  PUBLISHABLE_KEY: 'estia_pub_1',
  SITE_URL: 'https://www.example',
}

const AREA = { id: 7, name_el: 'Κηφισιά', name_en: 'Kifisia' }
const LISTING = {
  ...blankRecord(core),
  ...blankRecord(details),
  ...blankRecord(extra),
  id: 5,
  code: 'RES-00005',
  store_id: 1,
  category: 'residential',
  subcategory: 'apartment',
  availability: 'sale',
  price: 250_000,
  price_per_sqm: 3048.78,
  size: 82,
  rooms: 2,
  bathrooms: 1,
  floor: 0,
  date_updated: '2026-03-02 10:00:00',
  energy_class: 'ap',
  is_negotiable: false,
  features: ['elevator'],
  positioning: [],
  view: [],
  flooring: [],
  panorama_photos: [],
  panorama_tour_url: null,
  date_listed: null,
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
let settings: Settings
/** What the cache has, by its name and the address. */
let cached: Map<string, Response>

beforeEach(() => {
  asked = []
  cached = new Map()
  settings = { ...SETTINGS }
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
      data: [
        { group: 'features', key: 'elevator', name_el: 'Ανελκυστήρας', name_en: 'Elevator' },
        { group: 'view', key: 'sea_view', name_el: 'Θέα θάλασσα', name_en: 'Sea view' },
      ],
    },
    'GET /api/locations': {
      data: [AREA, { id: 8, name_el: 'Σπάτα', name_en: 'Spata' }],
    },
    'GET /api/languages': {
      data: [
        { id: 1, code: 'el' },
        { id: 2, code: 'en' },
      ],
    },
    'GET /api/enumerations': { data: ENUMERATIONS },
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
  vi.stubGlobal('caches', {
    open: async (name: string) => ({
      match: async (url: string) => cached.get(name + url)?.clone(),
      put: async (url: string, answer: Response) => void cached.set(name + url, answer),
    }),
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = (path: string, init?: RequestInit) => app.request(path, init, settings)
const read = async (path: string) => (await open(path)).text()
/** The paths that were called, without their queries. */
const called = () => asked.map(({ url }) => new URL(url).pathname)

/** The key of a form, which is another one on each page. */
const KEY = /name="key" value="[^"]*"/

const FORM: Record<string, string> = {
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

const submit = (values: object = {}, path = '/en/listings/5', dates: string[] = []) => {
  const body = new URLSearchParams({ ...FORM, ...values })
  for (const date of dates) body.append('dates', date)
  return open(path, { method: 'POST', body })
}

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

  const OG_IMAGE = '<meta property="og:image" content="https://api.example/photos/a.jpg?w=1280"/>'

  it.each([
    ...['<link rel="canonical" href="https://www.example/en/listings/5"/>', OG_IMAGE],
    '<link rel="alternate" hreflang="el" href="https://www.example/el/listings/5"/>',
    'hreflang="x-default" href="https://www.example/en/listings/5"',
    // Escaped texts, captions, sizes of photos, floor plans, JSON-LD.
    ...['A &quot;quiet&quot; &lt;home&gt;</h1>', 'alt="The &lt;kitchen&gt;"', 'alt="Floor plan"'],
    ...['https://api.example/photos/a.jpg?w=320&amp;format=webp 320w', 'width="1600" height="1200"'],
    ...['€250,000', '>A+</span>', '{"@type":"RealEstateListing","name":"\\u003c/script>"}</script>'],
  ])('of a listing show %s', async (part) => {
    expect(await read('/en/listings/5')).toContain(part)
  })

  it('ask Estia for sizes of photos that have a domain of their own', async () => {
    settings.PICTURES_URL = 'https://pictures.example/'
    const [photo] = LISTING.photos
    const photos = ['https://pictures.example/photos/a.jpg', 'https://other.example/photos/b.jpg']
    const data = { ...LISTING, photos: photos.map((image) => ({ ...photo, image })) }
    answers['GET /api/listings/5'] = (request) =>
      Response.json(request.url.includes('schema.org') ? {} : { data })
    const html = await read('/en/listings/5')
    for (const part of [
      'https://api.example/photos/a.jpg?w=320&amp;format=webp 320w',
      '<a href="https://pictures.example/photos/a.jpg"',
      'src="https://other.example/photos/b.jpg"',
      OG_IMAGE,
    ])
      expect(html).toContain(part)
    expect(html).not.toContain('b.jpg?')
  })

  it.each([
    ['el,en;q=0.8', '/el/'],
    ['fr, en-US', '/en/'],
    ['fr', '/el/'],
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
    ['?price_min=%E2%82%AC+300%C2%A0000&price_max=1,250,000.00', '?price_min=300000&price_max=1250000'],
    ['?price_max=1.2.3&price_min=300.00.000&rooms=1', '?rooms=1'],
    ['?price_min=300&price_max=200&rooms=2', '?price_min=300&rooms=2'],
    [
      '?features=elevator&features=nope&features=sea_view&availability=rent',
      '?availability=rent&features=elevator',
    ],
    ['?text=a%00b&availability=sale', '?text=a+b&availability=sale'],
    ['?text=1+2+3+4+5+6+7+8+9+10', '?text=1+2+3+4+5+6+7+8'],
    ['?page=99999999999&sort=random&view=globe&tour=yes&energy=z&condition=', ''],
    ['?area=1e3&store=-1&size_min=100001&rooms=2.5&area=7', ''],
    [`?text=${'%F0%9F%98%80'.repeat(150)}`, `?text=${'%F0%9F%98%80'.repeat(100)}`],
  ])('has an address without what is no filter: %s', async (query, shown) => {
    let answer = await open(`/en/search${query}`)
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, `/en/search${shown}`])
    answer = await open(`/en/search${shown}`)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    for (const [name, value] of new URLSearchParams(shown))
      if (/^(text|price_|size_)/.test(name))
        expect(html).toContain(
          `name="${name}" value="${name === 'text' ? value : Number(value).toLocaleString('en')}"`,
        )
  })

  it.each([
    ['en', '?availability=rent&category=residential', 'Homes to rent'],
    ['en', '?availability=auction&subcategory=apartment&area=7', 'Apartment at auction in Kifisia'],
    ['en', '?availability=sale&subcategory=other', 'Properties for sale'],
    ['el', '?availability=sale&category=land&area=7', 'Οικόπεδα και γη προς πώληση, Κηφισιά'],
  ])('has a heading that reads as a phrase: %s %s', async (language, query, heading) => {
    expect(await read(`/${language}/search${query}`)).toContain(`<h1>${heading}</h1>`)
  })

  it('a search that the API refuses shows every listing', async () => {
    answers['GET /api/listings/facets'] = ({ url }: Request) =>
      url.includes('rooms')
        ? Response.json({ status: 400, error_message: 'Invalid rooms' }, { status: 400 })
        : Response.json({ total_results: 0, data: {} })
    const answer = await open('/en/search?rooms=7&sort=cheapest')
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/en/search?sort=cheapest'])
    answers['GET /api/listings'] = () => Response.json({ status: 400, error_message: 'No' }, { status: 400 })
    expect((await open('/en/search')).status).toBe(503)
  })

  it('without results names what was chosen, and keeps it', async () => {
    answers['GET /api/listings'] = { total_results: 0, total_pages: 0, page: 1, data: [] }
    answers['GET /api/listings/facets'] = { total_results: 0, data: {} }
    const html = await read(
      '/el/search?availability=shortterm&category=residential&subcategory=farmhouse&area=8&store=1&rooms=4&condition=needs_renovation&energy=app&features=elevator',
    )
    for (const [value, name] of [
      ['shortterm', 'Βραχυχρόνια μίσθωση'],
      ['farmhouse', 'Αγροικία'],
      ['8', 'Σπάτα'],
      ['4', '4+'],
      ['needs_renovation', 'Χρειάζεται ανακαίνιση'],
      ['app', 'A++'],
    ])
      expect(html).toContain(`<option value="${value}" selected="">${name} (0)</option>`)
    expect(html).toContain('name="features" value="elevator" checked=""/><span>Ανελκυστήρας <small>(0)')
    expect(html).toContain('<input type="hidden" name="category" value="residential"/>')
    expect(html).toContain('<h1>Αγροικία για βραχυχρόνια μίσθωση, Σπάτα</h1>')
    // What people read has no key.
    const words = html.replace(/<script[\s\S]*?<\/script>|<[^>]*>/g, ' ')
    expect(words).not.toMatch(/shortterm|farmhouse|needs_renovation|elevator|residential|\bapp\b/)
  })
})

describe('a listing', () => {
  const show = (changes: object) => {
    answers['GET /api/listings/5'] = { data: { ...LISTING, ...changes } }
    return read('/en/listings/5')
  }

  it.each([
    [-2, 'Basement', 'Υπόγειο'],
    [-0.5, 'Semi-basement', 'Ημιυπόγειο'],
    [1.5, 'Mezzanine', 'Ημιώροφος'],
    [11, '11th', '11ος'],
  ])('is on floor %d: %s, %s', async (floor, english, greek) => {
    expect(await show({ floor })).toContain(`<dd>${english}</dd>`)
    expect(texts.el.floors(floor)).toBe(greek)
  })

  it('has its video, its tour elsewhere, its auction and its stay', async () => {
    const html = await show({
      availability: 'auction',
      video_url: 'https://video.example/1?a=1&b=2',
      virtual_tour_url: 'https://tours.example/2',
      auction_code: 'AU-1',
      auction_url: 'https://auctions.example/AU-1',
      auction_date: '2026-12-24',
      shortterm_unit: 'per_week',
      shortterm_min_stay: 2,
      shortterm_max_guests: 6,
    })
    for (const part of [
      ...['href="https://video.example/1?a=1&amp;b=2"', 'href="https://tours.example/2"'],
      ...['<dd>AU-1</dd>', '<a href="https://auctions.example/AU-1">', '<dd>24 December 2026</dd>'],
      ...['<dd>2 weeks</dd>', '<dd>6</dd>'],
    ])
      expect(html).toContain(part)
  })

  it.each(['javascript:alert(1)', '//video.example'])(
    'links to no address that is not one of the web: %s',
    async (address) => {
      const html = await show({ video_url: address, virtual_tour_url: address, auction_url: address })
      expect(html).not.toContain(address)
      expect(html).not.toContain('Watch the video')
    },
  )

  it('reads "on request" of a hidden price, and leaves out what is missing', async () => {
    const location = { ...LISTING.location, area_level2: null, address: null, address_en: null }
    const html = await show({ size: null, price: null, price_per_sqm: null, translations: [], location })
    expect(html).toContain('<meta name="description" content="Apartment for sale. Price on request"/>')
    expect(html).not.toMatch(/class="place"|>Size</)
  })

  it('shows four others', async () => {
    answers['GET /api/listings'] = { data: [7, 5, 6, 8, 9].map((id) => ({ ...LISTING, id })) }
    const html = await show({})
    expect([...html.matchAll(/id="listing-(\d+)"/g)].map(([, id]) => Number(id))).toEqual([7, 6, 8, 9])
    const { searchParams } = new URL(asked.find(({ url }) => /listings\?/.test(url))?.url ?? '')
    expect(['min', 'max'].map((bound) => searchParams.get(`price[${bound}]`))).toEqual(['162500', '337500'])
  })

  it('has the hours and people of its office', async () => {
    const html = await read('/el/office')
    expect(html).toContain('<span class="store-hours">Δευτέρα έως Παρασκευή, 9:00–18:00</span>')
    expect(html).toContain('Μαρία Αλεξίου')
  })
})

describe('what Estia answers', () => {
  it('is kept for half a minute, and is asked for once', async () => {
    const page = async () => (await read('/en/listings/5')).replace(KEY, '')
    const first = await page()
    const calls = called().length
    expect(calls).toBeGreaterThan(1)
    expect(await page()).toBe(first)
    expect(called()).toHaveLength(calls)
    expect(new Set([...cached.values()].map(({ headers }) => headers.get('Cache-Control')))).toEqual(
      new Set(['max-age=30']),
    )
  })

  it('is asked for in the name of the visitor, by pages, documents and enquiries', async () => {
    answers['POST /api/enquiries'] = { status: 200, reference: 'AB12CD34EF' }
    const headers = { 'CF-Connecting-IP': '2001:db8::1' }
    const sent = () => new Set(asked.map((request) => request.headers.get('X-Visitor-Address')))
    await open('/en/listings/5', { headers })
    await open('/en/search?features=elevator', { headers })
    await open('/en/office', { method: 'POST', headers, body: new URLSearchParams(FORM) })
    expect(called()).toContain('/api/enquiries')
    expect(sent()).toEqual(new Set(['2001:db8::1']))
    asked = []
    await open('/el/search?view=map')
    expect(sent()).toEqual(new Set([null]))
  })

  it('is not kept when it is an error', async () => {
    answers['GET /api/stores'] = () => Response.json({ error_message: 'Too many requests' }, { status: 429 })
    const busy = await open('/el/office')
    expect([busy.status, busy.headers.get('Retry-After'), busy.headers.get('Cache-Control')]).toEqual([
      429,
      '60',
      'no-store',
    ])
    expect(await busy.text()).toContain('Ένα λεπτό, παρακαλώ')
    answers['GET /api/stores'] = { data: [] }
    expect((await open('/el/office')).status).toBe(200)
  }, 20_000)

  it('is kept for one deployment only', async () => {
    await read('/el/office')
    settings = { ...SETTINGS, SITE_KEY: 'estia_other', PUBLISHABLE_KEY: 'estia_pub_2' }
    await read('/el/office')
    expect(called().filter((path) => path === '/api/stores')).toHaveLength(2)
  })
})

describe('errors', () => {
  it.each(['/en/nothing', '/en/listings/6', '/en/listings/99999999999', '/nothing'])(
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
    answers['POST /api/enquiries'] = { status: 200, created_id: 1, reference: 'AB12CD34EF' }
  })
  const sent = () => asked.filter(({ method }) => method === 'POST')

  it('is sent with the secret key, and leads to the thanks with its reference', async () => {
    const answer = await submit()
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      303,
      '/en/thank-you?listing=5&reference=AB12CD34EF',
    ])
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

  it('proposes times for a viewing, in UTC', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-10-01T12:00:00Z'), toFake: ['Date'] })
    // In summer and in winter time, just before the clocks change, and in the hour that there is twice.
    await submit({}, undefined, [
      '2026-10-24T18:30',
      '',
      '2026-12-01 10:00:00',
      '2026-10-25T02:30',
      '2026-10-25T03:30',
      '2026-10-24T18:30',
    ])
    await submit({ type: 'information' }, undefined, ['2026-12-01T10:00'])
    vi.useRealTimers()
    const [viewing, information] = await Promise.all(sent().map((call) => call.json() as Promise<object>))
    expect(viewing).toMatchObject({
      dates: ['2026-10-24 15:30:00', '2026-10-24 23:30:00', '2026-10-25 01:30:00', '2026-12-01 08:00:00'],
    })
    expect(information).not.toHaveProperty('dates')
  })

  it('has the same idempotency key when it is sent twice, and another one when it says something else', async () => {
    for (const message of ['One', 'One', 'Two']) await submit({ message })
    const keys = sent().map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  const WRONG_TIMES = 'id="dates-error">Please give days and times'

  it.each<[values: Record<string, string>, text: string, dates?: string[]]>([
    [{ last_name: '' }, 'id="last_name-error">Please fill in this field.'],
    [{ message: ' ' }, 'id="message-error">Please fill in this field.'],
    [{ message: 'x'.repeat(5_001) }, 'id="message-error">The text is too long.'],
    [{ email: '' }, 'id="email-error">Please give an e-mail or a phone number.'],
    [{ email: 'anna@' }, 'id="email-error">Please give an e-mail such as name@example.com.'],
    [{ phone: 'none' }, 'id="phone-error">Please give a phone number.'],
    [{ phone: '1'.repeat(41) }, 'id="phone-error">The text is too long.'],
    [{ consent: '' }, 'id="consent-error">We need your consent to reply to you.'],
    // Times that are none, or too far away.
    ...['2020-01-01T10:00', '2099-01-01T10:00', 'tomorrow', '2027-02-30T10:00'].map(
      (date): [Record<string, string>, string, string[]] => [{}, WRONG_TIMES, ['2026-12-01T10:00', date]],
    ),
  ])('is refused beside the field, with what was typed: %j, %s, %j', async (values, text, dates = []) => {
    vi.useFakeTimers({ now: Date.parse('2026-10-01T12:00:00Z'), toFake: ['Date'] })
    const answer = await submit(values, undefined, dates)
    vi.useRealTimers()
    const html = await answer.text()
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([422, 'no-store'])
    for (const part of [text, 'value="Anna"', ...dates.slice(0, 1).map((date) => `value="${date}"`)])
      expect(html).toContain(part)
    expect(sent()).toEqual([])
  })

  it.each([
    [404, {}, 503, 'The message was not sent.'],
    [429, {}, 429, 'You have sent many messages.'],
    [
      400,
      { errors: [{ field: 'email', message: 'Invalid' }] },
      422,
      'id="email-error">Please check this field.',
    ],
  ])('that the service refuses with %d is kept, with what went wrong', async (status, body, shown, text) => {
    answers['POST /api/enquiries'] = () => Response.json({ error_message: 'No', ...body }, { status })
    const answer = await submit()
    const html = await answer.text()
    expect(answer.status).toBe(shown)
    expect(html).toContain(text)
    expect(html).toContain('Hello &lt;there&gt;</textarea>')
  })

  it('of a program that fills in the hidden field goes nowhere', async () => {
    expect((await submit({ website: 'https://spam.example' })).status).toBe(303)
    expect(sent()).toEqual([])
  })

  it('is refused when it is too large', async () => {
    expect((await submit({ message: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

describe('the thanks', () => {
  it('have the reference, and ways on', async () => {
    const answer = await open('/en/thank-you?listing=5&reference=AB12CD34EF')
    const html = await answer.text()
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    expect(html).toContain('Reference <strong>AB12CD34EF</strong>')
    expect(html).toContain('href="/en/listings/5">Back to the property')
    const plain = await read('/en/thank-you?listing=x&reference=%3Cb%3E')
    expect(plain).not.toMatch(/Reference|Back to the property/)
  })
})

describe('search engines', () => {
  it('get the sitemap feed of the service if there is one', async () => {
    answers['GET /feeds/a/sitemap.xml'] = () => new Response('<urlset/>')
    settings.SITEMAP_URL = 'https://api.example/feeds/a/sitemap.xml'
    expect(await read('/robots.txt')).toContain('Sitemap: https://www.example/sitemap.xml')
    const answer = await open('/sitemap.xml')
    expect(await answer.text()).toBe('<urlset/>')
    expect(answer.headers.get('Content-Type')).toBe('application/xml; charset=utf-8')
    settings.SITEMAP_URL = ''
    expect(await read('/robots.txt')).not.toContain('Sitemap')
    expect((await open('/sitemap.xml')).status).toBe(404)
  })
})
