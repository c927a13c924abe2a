/**
 * What does not move the moment of feeds: whoever knows a feed must not see that something private changed. What moves it:
 * `versions.test.ts`.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { importRecords, post, put } from '../support/api.ts'
import { execute, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { importListings, makeFeed, readFeed } from './serving.ts'

const PAST = '2026-01-05 10:00:00'
const EPOCH = 'Mon, 05 Jan 2026 10:00:00 GMT'

const names = { name_el: 'Αθήνα', name_en: 'Athens', full_name_el: 'Α', full_name_en: 'A' }
const place = { id: 11, level: 2, parent_id: 1, ...names }

let all = ''
let tagged = ''

beforeAll(async () => {
  await seedAgency()
  await importListings({
    1: {
      price: 100_000,
      location: { area_level1: 1, area_level2: 11, display_address: 'none', address: 'Ερμού 5' },
    },
    2: { status: 'draft', code: null },
    3: { tags: [1], users: [1, 2] },
    4: { extra: { has_hidden_price: true }, photos: [{ original_image: 'https://p.example/1.jpg' }] },
  })
  await importRecords([
    ['locations', place],
    ['languages', { id: 3, code: 'de', name: 'Deutsch' }],
  ])
  all = await makeFeed('json')
  tagged = await makeFeed('kyero', { filters: { tags: 1 } })
})

/** Which of the feeds `change` moves: that of all listings, and one with a filter by tags. */
async function movedBy(change: () => Promise<unknown>): Promise<boolean[]> {
  const paths = [all, tagged]
  await execute('update feed_changes set date = ?', PAST)
  await execute('update feeds set date_updated = ?', PAST)
  const before = await Promise.all(paths.map((path) => readFeed(path)))
  expect(before.map(({ headers }) => headers.get('Last-Modified'))).toEqual(paths.map(() => EPOCH))
  await change()
  return Promise.all(
    paths.map(async (path, index) => {
      const after = await readFeed(path, { 'If-None-Match': before[index]?.headers.get('ETag') ?? '' })
      const dated = await readFeed(path, { 'If-Modified-Since': EPOCH })
      // Tag and date agree.
      expect(dated.status).toBe(after.status)
      return after.status === 200
    }),
  )
}

const photo = () => put('/api/listings/4/photos', { order: [1] })

describe('feeds move', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['another tag', () => put('/api/listings/3', { tags: [1, 2] })],
    ['no tag', () => put('/api/listings/3', { tags: [] })],
    ['another agent', () => put('/api/listings/3', { users: [2] })],
    [
      'another date of creation',
      () => execute("update listings set date_created = '2020-01-01 00:00:00' where id = 3"),
    ],
  ])('with %s only where a filter is by what nobody is shown', async (_, change) => {
    expect(await movedBy(change)).toEqual([false, true])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a note', () => put('/api/listings/1', { notes: 'x' })],
    ['a lowest price', () => put('/api/listings/1', { extra: { min_price: 5 } })],
    ['a price that is hidden', () => put('/api/listings/4', { price: 5 })],
    ['an owner', () => put('/api/listings/1', { contacts: [2] })],
    ['what is stored already', () => put('/api/listings/3', { rooms: null })],
    ['an address that is not shown', () => put('/api/listings/4', { location: { address: 'Αθηνάς 7' } })],
    ['a draft', () => put('/api/listings/2', { price: 7 })],
    ['a draft with tags', () => put('/api/listings/2', { tags: [1, 2] })],
    ['the order of one photo', photo],
    ['a place that keeps its names', () => importRecords([['locations', place]])],
    ['the name of a language', () => importRecords([['languages', { id: 3, code: 'de', name: 'German' }]])],
    ['a contact', () => post('/api/contacts', { first_name: 'a', last_name: 'b', created_by: 1 })],
  ])('not with %s', async (_, change) => {
    expect(await movedBy(change)).toEqual([false, false])
  })

  it('with a change of the feed itself, each for itself', async () => {
    const [feed] = await selectAll<{ id: number }>('select id from feeds order by id')
    expect(await movedBy(() => put(`/admin/feeds/${feed?.id}`, { name: 'Other' }))).toEqual([true, false])
  })
})
