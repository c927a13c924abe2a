import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { SITEVERIFY } from '../../../src/resources/enquiries/turnstile.ts'
import { bearer, send, silenceLog } from '../../http/send.ts'
import {
  type Data,
  expectError,
  expectInvalid,
  keyWith,
  post,
  type Reply,
  websiteKey,
} from '../../support/api.ts'
import { CountingLimit } from '../../support/counting-limit.ts'
import { selectAll } from '../../support/database.ts'
import { DATE_TIME } from '../../support/factories/dates.ts'
import {
  createEnquiry,
  FULL,
  findEnquiries,
  MINIMAL,
  READ,
  REFERENCE,
  readEnquiry,
  seedEnquiries,
  storedEnquiries,
} from './seed.ts'

const PATH = '/api/enquiries'

let keys: Awaited<ReturnType<typeof seedEnquiries>>

beforeAll(async () => {
  keys = await seedEnquiries()
})

/** Sends an enquiry to a deployment whose bindings differ. */
const sendTo = (bindings: Partial<Env>, body: object, key: string, headers: Record<string, string>) =>
  send('POST', PATH, { headers: { ...bearer(key), ...headers }, body: JSON.stringify(body) }, bindings)

/** What a visitor can tell replies by, but for ids. */
const shapeOf = ({ status, headers, body }: Reply) => [status, Object.keys(body), [...headers.keys()]]

const feed = () => selectAll(`select * from changes where resource = 'enquiries' order by cursor`)

describe('POST /api/enquiries', () => {
  it.each(['page', 'store', 'server', 'writer'] as const)('stores what a key of a %s sends', async (name) => {
    const { status, headers, body } = await post(PATH, MINIMAL, { key: keys[name] })
    const reference = expect.stringMatching(REFERENCE)
    const created_id = expect.any(Number)
    expect({ status, body }).toEqual({
      status: 200,
      body: name === 'writer' ? { status: 200, created_id, reference } : { status: 200, reference },
    })
    // Visitors learn nothing of the record, and of the state of the database.
    expect(headers.has('ETag')).toBe(name === 'writer')
    expect(headers.has('X-D1-Bookmark')).toBe(name === 'writer')
    expect(headers.get('Cache-Control')).toContain('no-store')
    const [listed, ...others] = await findEnquiries(body.reference.toLowerCase())
    expect(others).toEqual([])
    const { id, date_created, date_updated, status_date, ...rest } = await readEnquiry(listed.id)
    expect(rest).toEqual({ ...READ, reference: body.reference })
    expect(id).toBe(body.created_id ?? listed.id)
    expect([date_created, date_updated]).toEqual([status_date, status_date])
    expect(date_created).toMatch(DATE_TIME)
  })

  it('stores every field as it was sent', async () => {
    const id = await createEnquiry(FULL)
    const { date_created, date_updated, status_date, ...rest } = await readEnquiry(id)
    expect(rest).toEqual({ id, ...READ, ...FULL })
  })

  /** Values of a key that are stored as they are. */
  const same = (key: string, ...values: unknown[]) =>
    values.map((value): [Data, Data] => [{ [key]: value }, { [key]: value }])
  const LONGEST = `${'a'.repeat(242)}@example.com`
  const EMAILS = [
    ...['info@xn--pxael7b.xn--qxam', 'sales&lettings@example.com', 'a@localhost'],
    "o'neil+a/b={c}|d!#$%*^_`~-?@example.com",
  ]

  it.each<[Data, Data]>([
    [{ type: 'offer', amount: 5 }, { amount: 5 }],
    [
      { amount: 'much', dates: 'tomorrow' },
      { amount: null, dates: [] },
    ],
    [{ type: 'offer', dates: FULL.dates }, { dates: [] }],
    [{ type: 'viewing', dates: FULL.dates }, { dates: FULL.dates }],
    [{ search: { price_max: null, locations: [], has_elevator: false, extra_fields: {} } }, { search: null }],
    [{ search: { extra_fields: { listing_tags: [1], special_locations: [1] } } }, { search: null }],
    [
      { email: '', phone: ' 210 ' },
      { email: null, phone: ' 210 ' },
    ],
    ...same('message', 'ω'.repeat(5000)),
    [{ website: '' }, {}],
    [{ status: 'spam', notes: 'x', users: [1], contact_id: 1, request_id: 1 }, {}],
    [{ reference: 'ABCDEFGHJK' }, {}],
    [
      { first_name: 'An\u0007na\u202e', last_name: '\u2066Ρή\tγα\n\u0000' },
      { first_name: 'Anna', last_name: 'Ρή γα ' },
    ],
    [
      { message: 'One\r\ntwo\rthree\n\u2028four\u0085\u200f\u061c five\u0000\u007f\tsix 👨\u200d👩' },
      { message: 'One\ntwo\nthree\n\nfour\n five six 👨\u200d👩' },
    ],
    [{ email: '\u202aanna@example.com\u202c' }, { email: 'anna@example.com' }],
    [{ phone: '\u202a+30 (210) 123-45.67/8\u202c' }, { phone: '+30 (210) 123-45.67/8' }],
    [{ phone: '210−123‑4567' }, { phone: '210-123-4567' }],
    ...['ext. 12', 'x12', '#12', 'εσωτ. 12', 'εσωτερικό 12'].flatMap((extension) =>
      same('phone', `210 1234567, ${extension}`, `2101234567${extension}`),
    ),
    ...same('email', ...EMAILS, LONGEST),
    ...EMAILS.map((email): [Data, Data] => [{ email: ` ${email}\u00a0\n` }, { email }]),
    [{ page_url: 'https://example.com/\u202egnp' }, { page_url: 'https://example.com/gnp' }],
    // Without a category, subcategories of several may stand there.
    ...same('search', { subcategories: ['plot', 'apartment'] }),
  ])('%j → %j', async (body, change) => {
    const id = await createEnquiry(body)
    const { type, ...others } = READ
    const rest = await readEnquiry(id)
    expect(rest).toMatchObject({ ...others, ...change })
  })

  const refused = (key: string, message: string, ...values: string[]) =>
    values.map((value): [Data, string] => [{ [key]: value }, message])

  it.each<[Data, string]>([
    [{ last_name: ' ' }, 'Missing last_name'],
    [{ email: undefined }, 'Missing email: an enquiry needs an e-mail address or a phone number'],
    [{ email: null, phone: ' ' }, 'Missing email: an enquiry needs an e-mail address or a phone number'],
    [{ type: 'viewing', dates: ['2026-12-01'] }, 'Invalid dates.0: must be a date-time, YYYY-MM-DD HH:MM:SS'],
    [{ search: { locations: [99] } }, 'Unknown search.locations 99'],
    [{ consent: { marketing: true } }, 'Missing consent.privacy'],
    ...refused(
      'page_url',
      'Invalid page_url: must be an http or https URL without credentials and backslashes',
      ...['javascript:alert(1)', 'https://user@example.com/', 'https://:@example.com/'],
      ...['https:///user:secret@example.com/', 'https://bank.example\\@evil.example/'],
      'https://example.com/a\\b',
    ),
    ...refused(
      'phone',
      'Invalid phone: must be a phone number of digits, spaces and +-()./, possibly with an extension',
      ...['call me', '210 ext.', '210 ext 123456789', 'x12', '210 x1 x2', '٢١٠', '<210>'],
    ),
    ...refused(
      'email',
      'Invalid email: must be an e-mail address',
      ...['anna', 'a b@example.com', 'a@b@example.com', 'a@-b.com', 'a@b..com', 'Anna <a@example.com>'],
      'a@ελ.ελ',
    ),
    [{ last_name: '\u202e\u0007' }, 'Invalid last_name: must not be blank'],
    [{ message: '\ud800' }, 'Invalid message: must not contain NUL or broken Unicode'],
    [{ search: { price_min: 2, price_max: 1 } }, 'Invalid search.price_min: must not be above price_max'],
    [
      { search: { rooms_min: 3, rooms_max: 2, category: 'land' } },
      'Invalid search.rooms_min: must not be above rooms_max',
    ],
    [
      { search: { category: 'land', subcategories: ['plot', 'apartment'] } },
      'Invalid search.subcategories: must be any of plot, parcel, island',
    ],
  ])('%j → 400, and nothing is stored', async (change, message) => {
    const before = [await storedEnquiries(), await feed()]
    for (const key of [keys.page, keys.writer])
      await expectInvalid(post(PATH, { ...MINIMAL, ...change }, { key }), message)
    expect([await storedEnquiries(), await feed()]).toEqual(before)
  })

  it('lets a key name the listings that it may see', async () => {
    const named = async (key: string | undefined, listing_id: number) =>
      (await post(PATH, { ...MINIMAL, listing_id }, key === undefined ? {} : { key })).status
    const seen = async (key?: string) => Promise.all([1, 2, 3, 99].map((id) => named(key, id)))
    expect(await seen(keys.page)).toEqual([200, 400, 200, 400])
    expect(await seen(keys.server)).toEqual([200, 400, 200, 400])
    expect(await seen(keys.store)).toEqual([400, 400, 200, 400])
    expect(await seen(keys.writer)).toEqual([200, 400, 200, 400])
    expect(await seen(await keyWith('enquiries:write', 'listings:read'))).toEqual([200, 200, 200, 400])
    // A draft, a listing of another store and none at all look the same.
    const [draft, other, none] = await Promise.all(
      [2, 1, 99].map((listing_id) => post(PATH, { ...MINIMAL, listing_id }, { key: keys.store })),
    )
    const shape = (reply: Reply | undefined) =>
      reply && [...shapeOf(reply), JSON.stringify(reply.body).replace(/\d+"/, 'N"')]
    expect([draft, other].map(shape)).toEqual([none, none].map(shape))
  })

  it('answers alike whether the sender is known or not', async () => {
    await post('/api/contacts', { last_name: 'Known', emails: [{ email_address: 'known@example.com' }] })
    await createEnquiry({ email: 'known@example.com' })
    const replies = await Promise.all(
      ['known@example.com', 'unknown@example.com'].map((email) =>
        post(PATH, { ...MINIMAL, email }, { key: keys.page }),
      ),
    )
    const [a, b] = replies.map(shapeOf)
    expect(a).toEqual(b)
  })
})

describe('an enquiry that a program has filled in', () => {
  it('is answered alike with an id of its own, and dropped', async () => {
    const before = [await storedEnquiries(), await feed()]
    const first = await post(PATH, { ...MINIMAL, website: 'http://spam.example' }, { key: keys.page })
    const second = await post(PATH, { ...MINIMAL, website: 'x', message: 'y' }, { key: keys.page })
    expect([await storedEnquiries(), await feed()]).toEqual(before)
    const real = await post(PATH, MINIMAL, { key: keys.page })
    for (const { body } of [first, second]) expect(await findEnquiries(body.reference)).toEqual([])
    expect(await findEnquiries(real.body.reference)).toHaveLength(1)
    expect(new Set([first, second, real].map(({ body }) => body.reference)).size).toBe(3)
    expect(shapeOf(first)).toEqual(shapeOf(real))
    await expectInvalid(
      post(PATH, { ...MINIMAL, type: 'x', website: 'x' }, { key: keys.page }),
      'Invalid type: must be one of information, viewing, offer, valuation, search',
    )
  })

  it('is stored for keys that a server keeps, which has its own means', async () => {
    for (const key of [keys.server, keys.writer]) {
      const { body } = await post(PATH, { ...MINIMAL, website: 'https://www.example.com' }, { key })
      expect(await findEnquiries(body.reference)).toMatchObject([READ])
    }
  })
})

describe('idempotency keys of visitors', () => {
  const sendFrom = (address: string, key: string, body: object = MINIMAL, apiKey = keys.page) =>
    post(PATH, body, { key: apiKey, headers: { 'Idempotency-Key': key, 'CF-Connecting-IP': address } })

  it('are their own for each address', async () => {
    const first = await sendFrom('192.0.2.1', 'a')
    expect((await sendFrom('192.0.2.1', 'a')).body).toEqual(first.body)
    const other = await sendFrom('192.0.2.2', 'a', { ...MINIMAL, message: 'Other' })
    expect(await findEnquiries(other.body.reference)).toMatchObject([{ message: 'Other' }])
    await expectError(
      sendFrom('192.0.2.1', 'a', { ...MINIMAL, message: 'Other' }),
      422,
      'Idempotency-Key was used for another request',
    )
    const replay = await sendFrom('192.0.2.1', 'a')
    expect([replay.headers.get('Idempotent-Replayed'), replay.headers.has('ETag')]).toEqual(['true', false])
    // Nothing stored names the address.
    const rows = [
      ...(await selectAll('select * from idempotency_keys')),
      ...(await selectAll('select * from idempotency_usage')),
    ]
    expect(JSON.stringify(rows)).not.toContain('192.0.2')
  })
})

describe('the limit of enquiries', () => {
  it.each([
    ['192.0.2.', '192.0.2.0/24', '192.0.3.1'],
    ['2001:db8:7:', '2001:db8:7::/48', '2001:db8:8::1'],
  ])('is 50 a minute of a network: %s', async (prefix, network, other) => {
    const counter = new CountingLimit(50)
    const bindings = { NETWORK_BUDGET: counter, ENQUIRIES_PER_NETWORK: '50' }
    const from = (address: string, key = keys.page, body: object = MINIMAL) =>
      sendTo(bindings, body, key, { 'CF-Connecting-IP': address })
    const address = (index: number) => `${prefix}${index + 1}${prefix.includes(':') ? '::1' : ''}`
    expect((await from(address(0), keys.page, {})).status).toBe(400)
    const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => from(address(index))))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await from(address(60))
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
    await expectError(refused, 429, 'Too many requests')
    expect((await from(other)).status).toBe(200)
    expect((await from(address(61), keys.server)).status).toBe(200)
    expect((await from(address(62), keys.store)).status).toBe(200)
    expect(new Set(counter.counted.slice(0, 51).map((call) => call.split(' ')[1]))).toEqual(
      new Set([network]),
    )
  })

  it('is five valid ones a minute and address, of keys that anybody may know', async () => {
    const counter = new CountingLimit(5)
    const bindings = { ENQUIRY_BUDGET: counter, ENQUIRIES_PER_VISITOR: '5' }
    const from = (address: string, body: object = MINIMAL, key = keys.page) =>
      sendTo(bindings, body, key, { 'CF-Connecting-IP': address })
    for (let count = 0; count < 8; count++) expect((await from('192.0.2.1', {})).status).toBe(400)
    for (let count = 0; count < 4; count++) expect((await from('192.0.2.1')).status).toBe(200)
    expect((await from('192.0.2.1', { ...MINIMAL, website: 'x' })).status).toBe(200)
    const before = await storedEnquiries()
    const sixth = await from('192.0.2.1')
    expect([sixth.status, sixth.headers.get('Retry-After')]).toEqual([429, '60'])
    await expectError(sixth, 429, 'Too many requests')
    expect((await from('192.0.2.1', { ...MINIMAL, website: 'x' })).status).toBe(429)
    expect(await storedEnquiries()).toEqual(before)
    expect((await from('192.0.2.2')).status).toBe(200)
    expect((await from('192.0.2.1', MINIMAL, keys.server)).status).toBe(200)
    expect((await from('192.0.2.1', MINIMAL, keys.writer)).status).toBe(200)
  })

  it.each([
    ['enquiries:write', '192.0.2.1', '192.0.2.1', '192.0.2.0/24'],
    ['enquiries:write', '2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['enquiries:create', '192.0.2.1', '192.0.2.1', '192.0.2.0/24'],
  ])('holds for the visitor whom a server with %s names: %s', async (scope, visitor, network, site) => {
    const secret = await websiteKey({ publishable: false }, ['listings:public', scope])
    const [ENQUIRY_BUDGET, NETWORK_BUDGET] = [new CountingLimit(5), new CountingLimit(5)]
    const vars = {
      ENQUIRY_BUDGET,
      ENQUIRIES_PER_VISITOR: '5',
      NETWORK_BUDGET: {
        limit: (call: RateLimitOptions) => NETWORK_BUDGET.limit(call).then(() => ({ success: true })),
      },
      ENQUIRIES_PER_NETWORK: '50',
    }
    const from = (address: string, key = secret, body: object = MINIMAL) =>
      sendTo(vars, body, key, { 'CF-Connecting-IP': '198.51.100.7', 'X-Visitor-Address': address })
    for (let count = 0; count < 3; count++) expect((await from(visitor, secret, {})).status).toBe(400)
    for (let count = 0; count < 5; count++) expect((await from(visitor)).status).toBe(200)
    const before = await storedEnquiries()
    await expectError(from(visitor), 429, 'Too many requests')
    await expectError(from(`${visitor}/32`), 400, 'Invalid X-Visitor-Address: must be one IP address')
    expect(await storedEnquiries()).toEqual(before)
    const names = (counter: CountingLimit) => [...counter.counts.keys()].map((name) => name.split(' ')[1])
    expect([names(ENQUIRY_BUDGET), names(NETWORK_BUDGET)]).toEqual([[network], [site]])
    expect((await from('203.0.113.1')).status).toBe(200)
    // From other keys it is nothing.
    const counted = ENQUIRY_BUDGET.counts.size
    expect((await from('nonsense', keys.writer)).status).toBe(200)
    expect(ENQUIRY_BUDGET.counts.size).toBe(counted)
    expect((await from(visitor, keys.page)).status).toBe(200)
    expect(names(ENQUIRY_BUDGET).at(-1)).toBe('198.51.100.7')
  })
})

describe('Turnstile', () => {
  /** A stand-in that speaks the protocol: `good` tokens are valid once, unless a call repeats its own check. */
  function standIn() {
    const spent = new Map<string, string>()
    const calls: Record<string, string>[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      expect([String(input), init?.method]).toEqual([SITEVERIFY, 'POST'])
      const form = Object.fromEntries(new URLSearchParams(String(init?.body)))
      calls.push(form)
      const { secret, response = '', idempotency_key = '' } = form
      const fail = (...codes: string[]) => Response.json({ success: false, 'error-codes': codes })
      if (secret !== 'right') return fail('invalid-input-secret')
      if (!response.startsWith('good')) return fail('invalid-input-response')
      if (spent.has(response) && (!idempotency_key || spent.get(response) !== idempotency_key))
        return fail('timeout-or-duplicate')
      spent.set(response, idempotency_key)
      return Response.json({ success: true, hostname: 'www.example.com', 'error-codes': [] })
    })
    return calls
  }

  const sendWith = (body: object, { key = keys.page, secret = 'right', headers = {} } = {}) =>
    sendTo({ TURNSTILE_SECRET: secret }, { ...MINIMAL, ...body }, key, {
      ...{ 'CF-Connecting-IP': '192.0.2.1', ...headers },
    })
  const WRONG = 'Invalid turnstile_token: it has expired, was used before, or is wrong'

  it('is asked for the visitor whom a server names, unless it has its own means', async () => {
    const calls = standIn()
    const headers = { 'X-Visitor-Address': '2001:db8::1' }
    const key = await websiteKey({ publishable: false }, ['enquiries:create'])
    expect((await sendWith({ turnstile_token: 'good of a server' }, { key, headers })).status).toBe(200)
    expect(calls).toMatchObject([{ remoteip: '2001:db8::1' }])
    expect((await sendWith({}, { key: keys.server, headers })).status).toBe(200)
    expect(calls).toHaveLength(1)
  })

  it('is asked for a token of a page, each once, and of nobody else', async () => {
    const calls = standIn()
    const before = await storedEnquiries()
    await expectError(sendWith({}), 400, 'Missing turnstile_token')
    await expectError(sendWith({ turnstile_token: '' }), 400, 'Missing turnstile_token')
    await expectError(sendWith({ turnstile_token: 'bad' }), 400, WRONG)
    await expectError(
      sendWith({ turnstile_token: 'good', type: 'x' }),
      400,
      'Invalid type: must be one of information, viewing, offer, valuation, search',
    )
    expect(await storedEnquiries()).toEqual(before)
    expect((await sendWith({ turnstile_token: 'good 1' })).status).toBe(200)
    await expectError(sendWith({ turnstile_token: 'good 1' }), 400, WRONG)
    expect(calls).toEqual([
      { secret: 'right', response: 'bad', remoteip: '192.0.2.1' },
      { secret: 'right', response: 'good 1', remoteip: '192.0.2.1' },
      { secret: 'right', response: 'good 1', remoteip: '192.0.2.1' },
    ])
    for (const key of [keys.server, keys.writer]) expect((await sendWith({}, { key })).status).toBe(200)
    expect(calls).toHaveLength(3)
  })

  it('answers a repetition with the same idempotency key, and checks its token for it again', async () => {
    const calls = standIn()
    const headers = { 'Idempotency-Key': 'repeated' }
    const first = await sendWith({ turnstile_token: 'good 2' }, { headers })
    const again = await sendWith({ turnstile_token: 'good 2' }, { headers })
    expect(await again.json()).toEqual(await first.json())
    expect(calls).toHaveLength(1)
    expect(calls[0]?.idempotency_key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['is away', () => Promise.reject(new Error('no route'))],
    ['fails', () => new Response('Bad gateway', { status: 502 })],
    ['sends no verdict', () => Response.json({})],
    ['sends too much', () => new Response(`{"success":true,"x":"${'x'.repeat(20_000)}"}`)],
    [
      'does not know the secret',
      () => Response.json({ success: false, 'error-codes': ['invalid-input-secret'] }),
    ],
  ])('that %s → 503, nothing is stored, and no secret is logged', async (_, answer) => {
    const log = silenceLog()
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer())
    const before = await storedEnquiries()
    const reply = await sendWith({ turnstile_token: 'good' })
    expect(reply.headers.get('Retry-After')).toBe('5')
    await expectError(reply, 503, 'The check of turnstile_token gave no answer; try again')
    expect(await storedEnquiries()).toEqual(before)
    expect(log.join()).not.toMatch(/right|good|anna@example/)
  })
})

it('nothing of an enquiry is logged', async () => {
  const log = silenceLog()
  const body = JSON.stringify(MINIMAL)
  await send('POST', `${PATH}?key=${keys.page}`, { body })
  vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is away'))
  vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
    throw new Error('D1 is away')
  })
  const reply = await send('POST', `${PATH}?key=${keys.page}`, { body })
  vi.restoreAllMocks()
  expect(reply.status).toBeGreaterThanOrEqual(500)
  expect(log.join()).not.toMatch(/anna@example|Ρήγα|available/)
})
