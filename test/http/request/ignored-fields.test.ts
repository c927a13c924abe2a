import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, get, post, query } from '../../support/api.ts'
import { selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'

const strict = { headers: { Prefer: 'handling=strict' } }
const countListings = async () => (await selectFirst<{ n: number }>('select count(*) as n from listings'))?.n

beforeAll(seedAgency)

async function ignored(body: Record<string, unknown>): Promise<string | null> {
  const { status, headers } = await post('/api/listings', { ...minimalListing, ...body })
  expect(status).toBe(200)
  return headers.get('X-Ignored-Fields')
}

describe('unknown fields', () => {
  it('of a body are named in a header', async () => {
    expect(await ignored({})).toBeNull()
    expect(await ignored({ colour: 'red' })).toBe('colour')
    expect(await ignored({ colour: null, status: 'active', id: 7, code: 'X' })).toBe(
      'colour, status, id, code',
    )
  })

  it('of a group are dotted', async () => {
    expect(
      await ignored({
        details: { wcs: 1, cellar: true },
        location: { area_level4: 1, nested: { deep: 1 } },
        'the service': { a: 1 },
        extra: { b: 2 },
      }),
    ).toBe('location.area_level4, location.nested, details.cellar, the%20service.a, extra.b')
  })

  it.each([
    ['a b', 'a%20b'],
    ['a,b', 'a%2Cb'],
    ['100%', '100%25'],
    ['χρώμα', '%CF%87%CF%81%CF%8E%CE%BC%CE%B1'],
    ['🏠', '%F0%9F%8F%A0'],
    ['a\r\nSet-Cookie: x=y', 'a%0D%0ASet-Cookie:%20x=y'],
    ['\0', '%00'],
    ['\ud800', '%EF%BF%BD'],
    ['', ''],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['x'.repeat(300), 'x'.repeat(100)],
  ])('%j is written %s', async (name, written) => {
    const text = JSON.stringify({ ...minimalListing, placeholder: 1 }).replace(
      '"placeholder"',
      JSON.stringify(name),
    )
    const { status, headers } = await post('/api/listings', text)
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, written])
  })

  it('of lists of objects and of ranges are dotted, too', async () => {
    const contact = {
      first_name: 'A',
      phones: [{ number: '1' }, { number: '2', colour: 'red', length: 1 }],
      emails: [{ email_address: 'a@b.c', constructor: 1 }],
      contact_details: [{ toString: 1 }],
      address: { area: 'x', room: 1 },
    }
    const made = await post('/api/contacts', contact)
    expect([made.status, made.headers.get('X-Ignored-Fields')]).toEqual([
      200,
      'phones.1.colour, phones.1.length, emails.0.constructor, address.room, contact_details.0.toString',
    ])
    await expectInvalid(post('/api/contacts', contact, strict), 'Invalid phones.1.colour: no such field')
    const range = { min: '2026-01-01', mid: '2026-01-02' }
    const found = await query('/api/contacts', { date_created: range })
    expect([found.status, found.headers.get('X-Ignored-Fields')]).toEqual([200, 'date_created.mid'])
    await expectInvalid(
      query('/api/contacts', { date_created: range }, strict),
      'Invalid date_created.mid: no such field',
    )
    const inQuery = '/api/contacts?date_created[min]=2026-01-01&date_created[mid]=2026-01-02'
    expect((await get(inQuery)).headers.get('X-Ignored-Fields')).toBe('date_created.mid')
    await expectInvalid(get(inQuery, strict), 'Invalid date_created.mid: no such field')
    const amounts = await query('/api/incomes', { total_amount: { max: '5.00', avg: 1 } })
    expect(amounts.headers.get('X-Ignored-Fields')).toBe('total_amount.avg')
  })

  it('fit a header whatever they are', async () => {
    for (const text of ['🏠', 'ω', '\0', '\ud800', 'x', '%', 'x🏠']) {
      const body = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [text.repeat(200) + index, 1]))
      const named = (await ignored(body)) ?? ''
      expect(named.length).toBeLessThanOrEqual(2048)
      expect(named).toMatch(/^[!-~]+(, [!-~]+)*$/)
      expect(() => decodeURIComponent(named)).not.toThrow()
    }
  })

  it('are named 20 at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 1]))
    const names = Array.from({ length: 20 }, (_, index) => `f${index}`)
    expect(await ignored(many)).toBe(names.join(', '))
  })

  it('of filters are named, from query and body', async () => {
    const { headers } = await query('/api/listings?sorted=price&order[max]=1', { colour: 'red', page: 1 })
    expect(headers.get('X-Ignored-Fields')).toBe('sorted, order, colour')
    expect((await get('/api/listings?page=1')).headers.get('X-Ignored-Fields')).toBeNull()
    expect((await get('/api/listings?results_per_page=5')).headers.get('X-Ignored-Fields')).toBe(
      'results_per_page',
    )
  })

  it('are readable by browsers', async () => {
    const { headers } = await get('/api/listings?sorted=price')
    expect(headers.get('Access-Control-Expose-Headers')).toBe(
      'Link,ETag,X-Total-Count,X-Request-Id,X-Ignored-Fields,Preference-Applied,X-D1-Bookmark,RateLimit-Policy,Retry-After,' +
        'Idempotent-Replayed,Deprecation,Sunset,X-Merged-Into,X-Left-Out,X-Photo-Errors,X-Possible-Duplicates,X-Conflicts,' +
        'X-Not-Notified,Last-Modified',
    )
  })
})

describe('Prefer: handling=strict', () => {
  it('makes them a mistake, and nothing is stored', async () => {
    const before = await countListings()
    await expectInvalid(
      post('/api/listings', { ...minimalListing, colour: 'red' }, strict),
      'Invalid colour: no such field',
    )
    await expectInvalid(
      post('/api/listings', { ...minimalListing, details: { cellar: 1 } }, strict),
      'Invalid details.cellar: no such field',
    )
    expect(await countListings()).toBe(before)
  })

  it('says that it was heard', async () => {
    const { headers } = await post('/api/listings', { ...minimalListing, colour: 'red' }, strict)
    expect(headers.get('Preference-Applied')).toBe('handling=strict')
    expect(headers.get('X-Ignored-Fields')).toBeNull()
  })

  it.each([
    'handling=strict, respond-async',
    'respond-async; wait=10, handling=strict',
    'return=minimal,handling=strict',
    'Handling="strict"',
    'handling = strict',
  ])('may be one of several preferences: %s', async (Prefer) => {
    expect((await get('/api/listings?sorted=price', { headers: { Prefer } })).status).toBe(400)
  })

  it.each([
    'handling=lenient',
    'handling=lenient, handling=strict',
    'return=minimal',
    'x-handling=strict',
    'wait=1; handling=strict',
    '',
  ])('is not %j', async (Prefer) => {
    expect((await get('/api/listings?sorted=price', { headers: { Prefer } })).status).toBe(200)
  })
})
