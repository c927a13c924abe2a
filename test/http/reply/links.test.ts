import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, keyWith, ORIGIN, query } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { bearer, getWithBody, send, sendTo } from '../send.ts'

const TOTAL = 120

let headers: Record<string, string> = {}

beforeAll(async () => {
  headers = bearer(await keyWith('*:read'))
  await seedAgency()
  const each = <T>(make: (id: number) => T) => Array.from({ length: TOTAL }, (_, index) => make(index + 1))
  await importRecords(
    each((id) => [
      'listings',
      {
        ...minimalListing,
        id,
        // Two of three match the filters below.
        status: (['active', 'pending', 'archived'] as const)[id % 3],
        subcategory: 'apartment',
        subtype: 1 + (id % 2),
        date_created: '2026-02-01 10:20:30',
      },
    ]),
  )
  const income = { category: 'referral', date: '2026-03-01', status: 'pending', created_by: 1 }
  await importRecords(
    each((id) => ['incomes', { ...income, id, total_amount: id % 3 === 2 ? '0.10' : '1250.50' }]),
  )
  await importRecords(
    each((id) => [
      'contacts',
      { id: 1000 + id, first_name: id % 3 === 2 ? 'Else' : 'Α & β+γ=1%', created_by: 1 },
    ]),
  )
})

interface Page {
  ids: number[]
  page: number
  next: string | undefined
  prev: string | undefined
}

async function readPage(answer: Response): Promise<Page> {
  expect(answer.status).toBe(200)
  const link = answer.headers.get('Link') ?? ''
  const { data, page } = await answer.json<{ data: { id: number }[]; page: number }>()
  const target = (rel: string) => new RegExp(`<${ORIGIN}([^>]*)>; rel="${rel}"`).exec(link)?.[1]
  return { ids: data.map(({ id }) => id), page, next: target('next'), prev: target('prev') }
}

/** The pages of a list from `answer` on, by the links of each alone. */
async function follow(answer: Response): Promise<Page[]> {
  const first = await readPage(answer)
  const pages = [first]
  for (let { next } = first; next; next = pages.at(-1)?.next) {
    pages.push(await readPage(await send('GET', next, { headers })))
  }
  return pages
}

const wanted = Array.from({ length: TOTAL }, (_, index) => TOTAL - index).filter((id) => id % 3 !== 2)

describe('a list whose filters came in a body', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      '/api/listings',
      {
        status: ['active', 'pending'],
        category: 'residential',
        subtype: [1, 2],
        date_created: { min: '2026-02-01 10:20:30', max: null },
        search: null,
        availability: [],
        unknown: 1,
      },
      '?status=archived&search=x&date_created[max]=2000-01-01&availability=rent',
    ],
    [
      '/api/incomes',
      {
        total_amount: { min: '1250.5', max: 1250.5 },
        date: { max: '2026-03-01' },
        category: 'referral',
        status: 'pending',
      },
      '?status=confirmed',
    ],
    ['/api/contacts', { search: ' α & Β+γ=1% ' }, '?search=else'],
  ])('%s links to its next page: %j', async (path, filters, overruled) => {
    const body = JSON.stringify(filters)
    const first = [
      await sendTo({}, getWithBody(path, body, headers)),
      await send('QUERY', path, { headers, body }),
      await send('QUERY', path + overruled, { headers, body }),
      await sendTo({}, getWithBody(path + overruled, body, headers)),
    ]
    for (const answer of first) {
      const pages = await follow(answer)
      expect(pages.map(({ page }) => page)).toEqual([1, 2])
      expect(pages.flatMap(({ ids }) => ids).map((id) => (id > 1000 ? id - 1000 : id))).toEqual(wanted)
      // And back.
      const back = await readPage(await send('GET', pages[1]?.prev ?? '', { headers }))
      expect(back.ids).toEqual(pages[0]?.ids)
    }
  })

  it('carries exactly what counts', async () => {
    const { headers: answer } = await query('/api/listings?colour=red', {
      status: ['active', 'pending'],
      date_created: { min: '2026-01-01', max: null },
      search: null,
      page: 1,
      unknown: 1,
    })
    expect(decodeURIComponent(answer.get('Link') ?? '')).toBe(
      `<${ORIGIN}/api/listings?colour=red&status=active&status=pending&date_created[min]=2026-01-01&page=2>; rel="next"`,
    )
  })
})

describe('Link', () => {
  it('leads back to the last page from beyond it, and nowhere when nothing matches', async () => {
    const total = { page: 1, total_pages: 0, total_results: 0, results_per_page: 50 }
    for (const [page, link] of [
      [1, null],
      [7, `<${ORIGIN}/api/listings?category=land&page=1>; rel="prev"`],
    ] as const) {
      const empty = await get(`/api/listings?category=land&page=${page}`)
      expect(empty.body).toEqual({ ...total, page, status: 200, data: [] })
      expect(['Link', 'X-Total-Count'].map((name) => empty.headers.get(name))).toEqual([link, '0'])
    }
  })

  it('does not carry what is in the query into a header unescaped', async () => {
    const { headers: sent } = await get(`/api/listings?x=${encodeURIComponent('"><\r\nSet-Cookie: a=b, ελ')}`)
    expect(sent.get('Link')).toMatch(
      /^<http:\/\/estia\.test\/api\/listings\?x=[!-;=?-~]*&page=2>; rel="next"$/,
    )
  })

  it.each([1000, 1900, 1950, 2000, 5000, 50_000])(
    'is at most 2,000 characters, or none: %i',
    async (length) => {
      for (const answer of [
        await send('GET', `/api/listings?x=${'x'.repeat(length)}`, { headers }),
        await send('GET', `/api/listings?page=2&x=${'|'.repeat(length / 10)}`, { headers }),
      ]) {
        expect(answer.status).toBe(200)
        expect((answer.headers.get('Link') ?? '').length).toBeLessThanOrEqual(2000)
        await answer.body?.cancel()
      }
    },
  )

  it('is left out where the filters of a body are too long for it', async () => {
    const subtype = Array.from({ length: 500 }, (_, index) => index)
    const long = await query('/api/listings', { subtype })
    expect([long.status, long.body.total_pages, long.headers.get('Link')]).toEqual([200, 3, null])
    expect((await query('/api/listings', { subtype: subtype.slice(0, 50) })).headers.get('Link')).toContain(
      'next',
    )
  })
})
