import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, query } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'

beforeAll(async () => {
  await seedAgency()
  await importRecords(
    Array.from({ length: 60 }, (_, index) => ['listings', { ...minimalListing, id: index + 1 }]),
  )
})

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

describe('a list', () => {
  it('has no pages when nothing matches', async () => {
    const empty = { status: 200, results_per_page: 50, total_pages: 0, total_results: 0, total: '0', ids: [] }
    expect(await page('/api/listings?category=land')).toEqual({ ...empty, page: 1, link: null })
    expect(await page('/api/listings?category=land&page=7')).toEqual({
      ...empty,
      page: 7,
      link: '<http://estia.test/api/listings?category=land&page=1>; rel="prev"',
    })
  })

  it('does not carry what is in the query into a header unescaped', async () => {
    const { link } = await page(`/api/listings?x=${encodeURIComponent('"><\r\nSet-Cookie: a=b, ελ')}`)
    expect(link).toMatch(/^<http:\/\/estia\.test\/api\/listings\?x=[!-;=?-~]*&page=2>; rel="next"$/)
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
