/** No feed depends on what visitors may not see. */
import { beforeAll, expect, it } from 'vitest'
import { linesOf, STATES, sentinelsOf } from '../resources/listings/public/hidden.ts'
import { importRecords, post } from '../support/api.ts'
import { execute } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { makeFeed, readFeed } from './serving.ts'

beforeAll(seedAgency)

/** Filters by what is shown. */
const FILTERS = [
  {},
  { price: { min: 1, max: 600_000 } },
  { near: { latitude: 37.9735, longitude: 23.727, radius: 5000 } },
  { areas: [11], rooms: { min: 1 } },
  { text: 'sunny' },
]

async function become(lines: ReturnType<typeof linesOf>): Promise<void> {
  for (const table of [
    'listing_tag_links',
    'listing_users',
    'listing_contacts',
    'listing_documents',
    'listing_photos',
  ])
    await execute(`delete from ${table}`)
  for (const table of ['listing_translations', 'listings']) await execute(`delete from ${table}`)
  await importRecords(lines)
}

it('shows nothing else, whatever is hidden', { timeout: 120_000 }, async () => {
  const feeds = FILTERS.flatMap((filters) =>
    ['kyero', 'json', 'sitemap'].map((format) => ({ format, filters })),
  )
  const paths = await Promise.all(feeds.map(({ format, filters }) => makeFeed(format, { filters })))
  const read = () => Promise.all(paths.map(async (path) => (await readFeed(path)).text))
  const [one, other] = STATES
  await become(linesOf(one))
  const first = await read()
  await become(linesOf(other))
  const second = await read()
  expect(feeds.filter((_, index) => first[index] !== second[index])).toEqual([])
  expect(first.every((text) => /<id>|<loc>|"id":/.test(text))).toBe(true)
  const sentinels = STATES.flatMap(sentinelsOf)
  expect(sentinels.filter((one) => [...first, ...second].some((text) => text.includes(one)))).toEqual([])
})

it('has no listing any more that is hidden', async () => {
  const path = await makeFeed('kyero', { filters: { ids: [1, 2, 3, 4, 5, 6, 7, 8] } })
  const ids = async () =>
    [...(await readFeed(path)).text.matchAll(/<id>(\d+)<\/id>/g)].map(([, id]) => Number(id))
  const [one = 0, ...others] = await ids()
  expect(others.length).toBeGreaterThan(0)
  await post(`/api/listings/${one}/status`, { to: 'inactive' })
  expect(await ids()).toEqual(others)
})
