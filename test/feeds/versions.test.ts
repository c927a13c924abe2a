/** Other bytes have another `ETag`: each thing that a feed shows or chooses by is changed by each writer there is. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { RED } from '../../fixtures/pictures.ts'
import { measurePictures } from '../../src/resources/listings/pictures/measure.ts'
import { importRecords, post, put, remove } from '../support/api.ts'
import { execute, selectFirst } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { importListings, makeFeed, PAGE, readFeed } from './serving.ts'

const PICTURE = `photos/${'5'.repeat(32)}.png`

const LISTING = {
  date_created: '2026-01-01 00:00:00',
  tags: [1],
  users: [1],
  translations: [{ language_id: 2, title: 'Sea view', description: 'Two rooms' }],
  photos: [{ original_image: 'https://p.example/1.jpg' }, { original_image: PICTURE }],
  location: {
    ...{ area_level1: 1, area_level2: 11, display_address: 'fake' },
    ...{ address: 'Ερμού 5 Πλάκα', fake_address_el: 'Ερμού Πλάκα', latitude: 38, longitude: 24 },
  },
}

/** Feeds of every format, and with a filter of every kind. */
const FEEDS: [format: string, filters: Record<string, unknown>][] = [
  ['kyero', {}],
  ['json', {}],
  ['sitemap', {}],
  ['json', { text: 'sea' }],
  ['json', { text: 'kolonaki' }],
  ['json', { tags: 1 }],
  ['json', { users: 1 }],
  ['json', { date_created: { max: '2026-06-01' } }],
  ['json', { date_updated: { min: '2020-01-01' }, price: { max: 500_000 } }],
  ['json', { areas: [11], has_photos: true }],
  ['json', { near: { latitude: 38, longitude: 24, radius: 5000 } }],
  ['json', { search: 'L-1' }],
]

let paths: string[] = []

beforeAll(async () => {
  await seedAgency()
  await importListings({ 1: LISTING, 2: { location: { area_level1: 1, area_level2: 11, area_level3: 111 } } })
  await env.PHOTOS.put(PICTURE, Uint8Array.fromBase64(RED))
  paths = await Promise.all(FEEDS.map(([format, filters]) => makeFeed(format, { filters })))
})

/** Nothing is kept, so that what is read is made of what is stored now. */
const PHOTOS = { get: () => Promise.reject(new Error('no bucket')) } as unknown as R2Bucket

async function readAll(changes: Partial<Env>) {
  const answers: { text: string; tag: string | null }[] = []
  for (const path of paths) {
    const { status, headers, text } = await readFeed(path, {}, { PHOTOS, ...changes })
    expect(status, text).toBe(200)
    answers.push({ text, tag: headers.get('ETag') })
  }
  return answers
}

const line = (values: Record<string, unknown>) => importListings({ 1: { ...LISTING, ...values } })
const place = (values: Record<string, unknown>) => ({ location: { ...LISTING.location, ...values } })
const kolonaki = (name_en: string) =>
  importRecords([
    [
      'locations',
      {
        ...{ id: 111, level: 3, parent_id: 11, name_el: 'Κολωνάκι', name_en },
        ...{ full_name_el: 'Κολωνάκι', full_name_en: name_en },
      },
    ],
  ])

const feedOf = (index: number) =>
  selectFirst<{ id: number }>('select id from feeds where token = ?', paths[index]?.split('/')[2])

interface Change {
  /** What is changed, and by which writer. */
  name: string
  prepare?: () => Promise<unknown>
  change: () => Promise<unknown>
  /** Bindings from then on. */
  changes?: Partial<Env>
  /** How many of the feeds become others, if not just any. */
  feeds?: number
}

const CHANGES: Change[] = [
  { name: 'a price, by the API', change: () => put('/api/listings/1', { price: 123_000 }) },
  { name: 'a price, by import', change: () => line({ price: 124_000 }) },
  {
    name: 'a title, by the API',
    change: () => put('/api/listings/1', { title: 'Calm', language_id: 2 }),
  },
  { name: 'a title, by import', change: () => line({}) },
  {
    name: 'the exact address behind another, by import',
    change: () => line(place({ address: 'Ερμού 7' })),
  },
  {
    name: 'an address that is shown exactly, with the same text, by the API',
    prepare: () =>
      line({
        location: {
          ...{ area_level1: 1, area_level2: 11, latitude: null, longitude: null },
          ...{ display_address: 'fake', address: 'Ερμού 5', fake_address_el: 'Ερμού 5', address_en: null },
        },
      }),
    change: () => put('/api/listings/1', { location: { display_address: 'real' } }),
  },
  { name: 'a point, by import', change: () => line({}) },
  { name: 'the name of a place, by import', change: () => kolonaki('Kolonáki Hill') },
  { name: 'the words of a place, by import', change: () => kolonaki('Lycabettus') },
  {
    name: 'the size of a picture, by cron',
    prepare: () => execute('update listing_photos set width = null, height = null'),
    change: () => measurePictures(env),
  },
  {
    name: 'a caption, by the API',
    change: () => put('/api/listings/1/photos/1', { captions: [{ language_id: 2, caption: 'Door' }] }),
  },
  {
    name: 'a kind of photo, by the API',
    change: () => put('/api/listings/1/photos/2', { kind: 'floor_plan' }),
  },
  { name: 'the order of photos, by the API', change: () => put('/api/listings/1/photos', { order: [2, 1] }) },
  { name: 'a photo less, by the API', change: () => remove('/api/listings/1/photos/1') },
  { name: 'photos, by import', change: () => line({}) },
  {
    name: 'a panorama, by import',
    change: () => line({ panorama_photos: [{ image: 'https://p.example/p.jpg' }] }),
  },
  { name: 'tags, by the API', change: () => put('/api/listings/2', { tags: [1] }), feeds: 1 },
  { name: 'tags, by import', change: () => line({ tags: [2] }), feeds: 1 },
  { name: 'agents, by the API', change: () => put('/api/listings/1', { users: [2] }), feeds: 1 },
  { name: 'agents, by import', change: () => line({ tags: [2], users: [1] }), feeds: 1 },
  {
    name: 'the date of creation, by import',
    change: () => line({ tags: [2], date_created: '2026-07-01 00:00:00' }),
    feeds: 1,
  },
  { name: 'the code, by import', change: () => line({ code: 'L-9' }) },
  { name: 'an office, by import', change: () => line({ store_id: 2 }) },
  { name: 'a status, by the API', change: () => post('/api/listings/2/status', { to: 'archived' }) },
  { name: 'a status, by import', change: () => importListings({ 2: {} }) },
  {
    name: 'the code of a language, by import',
    change: () => importRecords([['languages', { id: 2, code: 'en-GB', name: 'English' }]]),
  },
  {
    name: 'a language more, by import',
    change: () => importRecords([['languages', { id: 3, code: 'de', name: 'Deutsch' }]]),
  },
  {
    name: 'the title of a feed',
    change: async () => put(`/admin/feeds/${(await feedOf(1))?.id}`, { name: 'Another' }),
    feeds: 1,
  },
  {
    name: 'the pages of a feed',
    change: async () =>
      put(`/admin/feeds/${(await feedOf(2))?.id}`, { page_url: PAGE.replace('listings', 'homes') }),
    feeds: 1,
  },
  {
    name: 'the filters of a feed',
    change: async () => put(`/admin/feeds/${(await feedOf(0))?.id}`, { filters: { ids: [1] } }),
    feeds: 1,
  },
  {
    name: 'the address of the service',
    change: () => Promise.resolve(),
    changes: { PUBLIC_BASE_URL: 'https://other.example' },
  },
]

it.each(CHANGES)('a change of $name', async ({ prepare, change, changes = {}, feeds }) => {
  await prepare?.()
  const before = await readAll({})
  await change()
  const after = await readAll(changes)
  const differing = FEEDS.filter((_, index) => before[index]?.text !== after[index]?.text)
  const stale = differing.filter((feed) => {
    const index = FEEDS.indexOf(feed)
    return before[index]?.tag === after[index]?.tag
  })
  expect(stale, 'other bytes under the same tag').toEqual([])
  if (feeds === undefined) expect(differing.length, 'feeds that differ').toBeGreaterThan(0)
  else expect(differing.length, 'feeds that differ').toBe(feeds)
})
