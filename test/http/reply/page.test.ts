import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, get, importRecords, query } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'

const TOTAL = 120

beforeAll(async () => {
  await seedAgency()
  await importRecords(
    Array.from({ length: TOTAL }, (_, index) => [
      'listings',
      { ...minimalListing, id: index + 1, status: index < 51 ? 'active' : 'pending' },
    ]),
  )
})

const idsDown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index)

async function page(path: string) {
  const { status, headers, body } = await get(path)
  expect(status).toBe(200)
  const { data, ...frame } = body
  return {
    ...frame,
    ids: data.map(({ id }: { id: number }) => id),
    link: headers.get('Link'),
    total: headers.get('X-Total-Count'),
  }
}

const frame = { status: 200, results_per_page: 50, total_pages: 3, total_results: TOTAL, total: '120' }

describe('a list', () => {
  it('is the newest first, 50 a page', async () => {
    const next = '<http://estia.test/api/listings?page=2>; rel="next"'
    expect(await page('/api/listings')).toEqual({ ...frame, page: 1, ids: idsDown(120, 71), link: next })
    expect(await page('/api/listings?page=1')).toEqual({
      ...frame,
      page: 1,
      ids: idsDown(120, 71),
      link: next,
    })
  })

  it('links to its neighbours', async () => {
    const link = (number: number, rel: string) =>
      `<http://estia.test/api/listings?page=${number}>; rel="${rel}"`
    expect(await page('/api/listings?page=2')).toEqual({
      ...frame,
      page: 2,
      ids: idsDown(70, 21),
      link: `${link(1, 'prev')}, ${link(3, 'next')}`,
    })
    expect(await page('/api/listings?page=3')).toEqual({
      ...frame,
      page: 3,
      ids: idsDown(20, 1),
      link: link(2, 'prev'),
    })
  })

  it('has no pages when nothing matches', async () => {
    const empty = { status: 200, results_per_page: 50, total_pages: 0, total_results: 0, total: '0', ids: [] }
    expect(await page('/api/listings?category=land')).toEqual({ ...empty, page: 1, link: null })
    expect(await page('/api/listings?category=land&page=7')).toEqual({
      ...empty,
      page: 7,
      link: '<http://estia.test/api/listings?category=land&page=1>; rel="prev"',
    })
  })

  it('keeps the filters in its links', async () => {
    const { link, ...rest } = await page('/api/listings?status=active&status=draft&search=&page=1')
    expect(rest).toMatchObject({ total_results: 51, total_pages: 2, ids: idsDown(51, 2) })
    expect(link).toBe(
      '<http://estia.test/api/listings?status=active&status=draft&search=&page=2>; rel="next"',
    )
    const next = /<http:\/\/estia\.test(.*)>/.exec(link ?? '')?.[1] ?? ''
    expect((await page(next)).ids).toEqual([1])
  })

  it('does not carry what is in the query into a header unescaped', async () => {
    const { link } = await page(`/api/listings?x=${encodeURIComponent('"><\r\nSet-Cookie: a=b, ελ')}`)
    expect(link).toMatch(/^<http:\/\/estia\.test\/api\/listings\?x=[!-;=?-~]*&page=2>; rel="next"$/)
  })

  it('ends exactly on a full page', async () => {
    await execute('update listings set status = ? where id = 51', 'pending')
    const { total_pages, ids, link } = await page('/api/listings?status=active')
    expect({ total_pages, ids, link }).toEqual({ total_pages: 1, ids: idsDown(50, 1), link: null })
  })
})

describe('page', () => {
  it.each([
    ['0', 'must be at least 1'],
    ['-1', 'must be at least 1'],
    ['1.5', 'must be an integer'],
    ['x', 'must be an integer'],
    ['1e2', 'must be an integer'],
    ['0x1', 'must be an integer'],
    ['true', 'must be an integer'],
    ['1&page=2', 'must be an integer'],
  ])('is not %s', async (value, explanation) => {
    await expectInvalid(get(`/api/listings?page=${value}`), `Invalid page: ${explanation}`)
  })

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
