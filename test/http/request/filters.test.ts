import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, get, importRecords, keyWith, type Line, query } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { bearer, getWithBody, sendTo } from '../send.ts'

const listing = (id: number, more: Record<string, unknown>) =>
  ['listings', { ...minimalListing, id, ...more }] as Line

let key = ''

beforeAll(async () => {
  key = await keyWith('*:read')
  await seedAgency()
  const [flat, at] = [{ subcategory: 'apartment' }, (date_created: string) => ({ date_created })]
  await importRecords([
    listing(1, { ...flat, status: 'active', code: 'RES-00001', subtype: 1, ...at('2026-01-01 00:00:00') }),
    listing(2, { ...flat, status: 'active', code: 'true', subtype: 2, ...at('2026-01-31 23:59:59') }),
    listing(3, { subcategory: 'villa', status: 'draft', code: 'ΑΘ-12', ...at('2026-02-01 00:00:00') }),
    listing(4, { category: 'commercial', subcategory: 'office', subtype: 3, ...at('2026-02-01 12:00:00') }),
    listing(5, { category: 'land', status: 'archived', ...at('2026-03-01 00:00:00') }),
  ])
})

const idsOf = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id).toSorted((a, b) => a - b)

/** Ids that a filter finds, the same in all its forms. */
async function find(filter: Record<string, unknown>): Promise<number[]> {
  const parameters = Object.entries(filter).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((one) => [name, String(one)])
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).map(([bound, limit]) => [`${name}[${bound}]`, String(limit ?? '')])
    }
    return [[name, String(value ?? '')]]
  })
  const path = '/api/listings'
  const inBody = getWithBody(path, JSON.stringify(filter), bearer(key))
  const answers = [
    (await get(`${path}?${new URLSearchParams(parameters)}`)).body,
    (await query(path, filter)).body,
    await (await sendTo({}, inBody)).json<{ data: { id: number }[] }>(),
  ]
  for (const answer of answers) expect(answer).toEqual(answers[0])
  return idsOf(answers[0])
}

describe('filters by query string, QUERY and GET body', () => {
  it.each<[Record<string, unknown>, number[]]>([
    [{ status: ['active', 'archived', 'active'] }, [1, 2, 5]],
    [{ status: [] }, [1, 2, 3, 4, 5]],
    [{ search: ' Res-00001 ' }, [1]],
    [{ search: ' 4\n' }, [4]],
    [{ search: 'αθ-12' }, [3]],
    [{ search: 'aΘ-12' }, []],
    [{ search: '04' }, []],
    [{ search: '99999999999999999999' }, []],
    [{ search: "' or 1=1 --" }, []],
    [{ date_created: { min: '2026-01-31', max: '2026-02-01' } }, [2, 3, 4]],
    [{ date_created: { min: '2026-02-01', max: null } }, [3, 4, 5]],
    [{ date_created: { min: null, max: null } }, [1, 2, 3, 4, 5]],
  ])('%j finds %j', async (filter, expected) => {
    expect(await find(filter)).toEqual(expected)
  })

  it.each([
    ['status[]=active&status[]=archived', [1, 2, 5]],
    ['status=active&status[]=archived', [1, 2, 5]],
    ['status[0]=active&status[1]=archived', [1, 2, 5]],
    ['status%5B0%5D=active&status%5B1%5D=archived', [1, 2, 5]],
    ['status[1]=archived&status[0]=active&status[]=active', [1, 2, 5]],
    ['status[999999999]=active', [1, 2]],
    ['subtype=%2B2', [2]],
    ['ids[]=1&ids=2&ids[0]=3', [1, 2, 3]],
    ['date_created%5Bmin%5D=2026-02-01', [3, 4, 5]],
    ['date_created[min]=2026-02-01%2012:00:00', [4, 5]],
    ['date_created[max]=2026-01-31&date_created[min]=', [1, 2]],
    ...['false', 'False', '0'].map((no): [string, number[]] => [`has_photos=${no}`, [1, 2, 3, 4, 5]]),
    ...['true', 'True', '1'].map((yes): [string, number[]] => [`has_photos=${yes}`, []]),
  ])('?%s', async (parameters, expected) => {
    const { body } = await get(`/api/listings?${parameters}`)
    expect(idsOf(body)).toEqual(expected)
  })
})

describe('page', () => {
  it('is no number beyond the safe ones', async () => {
    expect((await get('/api/listings?page=9007199254740992')).status).toBe(400)
    expect((await query('/api/listings', { page: 1e20 })).status).toBe(400)
  })

  it('may be null or a whole number written with a fraction', async () => {
    expect((await query('/api/listings', { page: null })).body.page).toBe(1)
    expect((await query('/api/listings', '{"page": 2.0}')).body.page).toBe(2)
    expect((await get('/api/listings?page=')).body.page).toBe(1)
  })
})

describe('a body beside a query string', () => {
  it('wins key by key', async () => {
    const { body } = await query('/api/listings?status=active&search=2', { status: 'archived', search: null })
    expect(idsOf(body)).toEqual([5])
    const both = await query('/api/listings?status=active', { search: '1' })
    expect(idsOf(both.body)).toEqual([1])
    const ranges = await query('/api/listings?date_created[min]=2026-03-01', {
      date_created: { max: '2026-01-31' },
    })
    expect(idsOf(ranges.body)).toEqual([1, 2])
  })

  it('overrides invalid values of the query', async () => {
    expect((await query('/api/listings?page=x', { page: 1 })).status).toBe(200)
    expect((await query('/api/listings?page=1', { page: 'x' })).status).toBe(400)
  })
})

describe('a filter that is not valid', () => {
  const STATUSES = 'draft, pending, active, inactive, archived, deleted'
  const range = 'Invalid date_created'
  it.each<[Record<string, unknown>, string]>([
    [{ status: 'gone' }, `Invalid status: must be one of ${STATUSES}`],
    [{ subtype: [1, 'x'] }, 'Invalid subtype.1: must be an integer'],
    [{ search: 5 }, 'Invalid search: must be text'],
    [{ search: 'x'.repeat(256) }, 'Invalid search: must be at most 255 characters'],
    [{ date_created: [] }, `${range}: must be an object`],
    [{ date_created: { from: '2026-01-01' } }, `${range}: must have min, max or both`],
    [{ date_created: { min: '2026-02-30' } }, `${range}.min: must be a date-time, YYYY-MM-DD HH:MM:SS`],
    [{ date_created: { min: '2026-02-01', max: '2026-01-31' } }, `${range}: min must not be above max`],
    [
      { date_created: { min: '2026-01-31 12:00:01', max: '2026-01-31 12:00:00' } },
      `${range}: min must not be above max`,
    ],
    [{ fields: 'none' }, 'Invalid fields: must name a field of the record'],
  ])('%j is 400', async (filter, message) => {
    await expectInvalid(query('/api/listings', filter), message)
  })

  it.each([
    ['date_created[min]=2026-01-01&date_created[min]=2026-01-02', `${range}.min: must be text`],
    ...['200.000', '200,000', '1e3', '1.0', '0x10', ' 5', '5 ', '٥'].flatMap(
      (written): [string, string][] => {
        const value = encodeURIComponent(written)
        return [
          [`price[max]=${value}`, 'Invalid price.max: must be an integer'],
          [`subtype=${value}`, 'Invalid subtype: must be an integer'],
          [`ids[0]=1&ids[1]=${value}`, 'Invalid ids.1: must be an integer'],
          [`page=${value}`, 'Invalid page: must be an integer'],
        ]
      },
    ),
    ['status[0]=active&status[1]=x', `Invalid status.1: must be one of ${STATUSES}`],
    ['status[1]=active&status[0]=x', `Invalid status.0: must be one of ${STATUSES}`],
    ['date_created[0]=2026-01-01', `${range}: must be an object`],
    ['date_created[from]=2026-01-01', `${range}: must have min, max or both`],
    ['near[lat]=38&near[longitude]=24&near[radius]=9', 'Missing near.latitude'],
    ['price=5&price[min]=1', 'Invalid price: must be an object'],
    ['near=Athens&near[latitude]=38&near[longitude]=24&near[radius]=9', 'Invalid near: must be an object'],
    ['status[min]=draft&status=active', `Invalid status.1: must be one of ${STATUSES}`],
    ...['2', 'yes', '01', '1.0'].map((value): [string, string] => [
      `has_photos=${value}`,
      'Invalid has_photos: must be true or false',
    ]),
    ['page[min]=1&page=2', 'Invalid page: must be an integer'],
    ['search=4&search[max]=5', 'Invalid search: must be text'],
  ])('?%s is 400', async (parameters, message) => {
    await expectInvalid(get(`/api/listings?${parameters}`), message)
  })

  it('is reported in the order of the filters; problem details list all', async () => {
    const headers = { Accept: 'application/problem+json' }
    const { body } = await query('/api/listings', { page: 0, status: 'x', search: 1 }, { headers })
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['search', 'status', 'page'])
    expect(body.error_message).toBe('Invalid search: must be text')
  })
})
