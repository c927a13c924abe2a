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

const ELSEWHERE = { PUBLIC_BASE_URL: 'https://other.example' }
let bindings: Partial<Env>

async function readAll() {
  const answers: { text: string; tag: string | null }[] = []
  for (const path of paths) {
    const { status, headers, text } = await readFeed(path, {}, bindings)
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

async function putFeed(index: number, values: object) {
  const token = paths[index]?.split('/')[2]
  const feed = await selectFirst<{ id: number }>('select id from feeds where token = ?', token)
  return put(`/admin/feeds/${feed?.id}`, values)
}

const language = (id: number, code: string) => importRecords([['languages', { id, code, name: code }]])
const nothing = async () => undefined

/** What is changed and by which writer, the change, what goes before it, and how many feeds become others, if not just any. */
const CHANGES: [
  name: string,
  change: () => Promise<unknown>,
  prepare?: () => Promise<unknown>,
  feeds?: number,
][] = [
  ['a price, by the API', () => put('/api/listings/1', { price: 123_000 })],
  ['a price, by import', () => line({ price: 124_000 })],
  ['a title, by the API', () => put('/api/listings/1', { title: 'Calm', language_id: 2 })],
  ['a title, by import', () => line({})],
  ['the exact address behind another, by import', () => line(place({ address: 'Ερμού 7' }))],
  [
    'an address that is shown exactly, with the same text, by the API',
    () => put('/api/listings/1', { location: { display_address: 'real' } }),
    () =>
      line({
        location: {
          ...{ area_level1: 1, area_level2: 11, latitude: null, longitude: null },
          ...{ display_address: 'fake', address: 'Ερμού 5', fake_address_el: 'Ερμού 5', address_en: null },
        },
      }),
  ],
  ['a point, by import', () => line({})],
  ['the name of a place, by import', () => kolonaki('Kolonáki Hill')],
  ['the words of a place, by import', () => kolonaki('Lycabettus')],
  [
    'the size of a picture, by cron',
    () => measurePictures(env),
    () => execute('update listing_photos set width = null, height = null'),
  ],
  [
    'a caption, by the API',
    () => put('/api/listings/1/photos/1', { captions: [{ language_id: 2, caption: 'Door' }] }),
  ],
  ['a kind of photo, by the API', () => put('/api/listings/1/photos/2', { kind: 'floor_plan' })],
  ['the order of photos, by the API', () => put('/api/listings/1/photos', { order: [2, 1] })],
  ['a photo less, by the API', () => remove('/api/listings/1/photos/1')],
  ['photos, by import', () => line({})],
  ['a panorama, by import', () => line({ panorama_photos: [{ image: 'https://p.example/p.jpg' }] })],
  ['tags, by the API', () => put('/api/listings/2', { tags: [1] }), nothing, 1],
  ['tags, by import', () => line({ tags: [2] }), nothing, 1],
  ['agents, by the API', () => put('/api/listings/1', { users: [2] }), nothing, 1],
  ['agents, by import', () => line({ tags: [2], users: [1] }), nothing, 1],
  [
    'the date of creation, by import',
    () => line({ tags: [2], date_created: '2026-07-01 00:00:00' }),
    nothing,
    1,
  ],
  ['the code, by import', () => line({ code: 'L-9' })],
  ['an office, by import', () => line({ store_id: 2 })],
  ['a status, by the API', () => post('/api/listings/2/status', { to: 'archived' })],
  ['a status, by import', () => importListings({ 2: {} })],
  ['the code of a language, by import', () => language(2, 'en-GB')],
  ['a language more, by import', () => language(3, 'de')],
  ['the title of a feed', () => putFeed(1, { name: 'Another' }), nothing, 1],
  ['the pages of a feed', () => putFeed(2, { page_url: PAGE.replace('listings', 'homes') }), nothing, 1],
  ['the filters of a feed', () => putFeed(0, { filters: { ids: [1] } }), nothing, 1],
  ['the address of the service', async () => Object.assign(bindings, ELSEWHERE)],
]

it.each(CHANGES)('a change of %s', async (_, change, prepare, feeds) => {
  bindings = { PHOTOS }
  await prepare?.()
  const before = await readAll()
  await change()
  const after = await readAll()
  const differing = FEEDS.flatMap((_feed, index) => (before[index]?.text === after[index]?.text ? [] : index))
  const stale = differing.filter((index) => before[index]?.tag === after[index]?.tag)
  expect(stale, 'other bytes under the same tag').toEqual([])
  if (feeds === undefined) expect(differing.length, 'feeds that differ').toBeGreaterThan(0)
  else expect(differing.length, 'feeds that differ').toBe(feeds)
})
