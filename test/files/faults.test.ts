// @module-tag slow
import { env } from 'cloudflare:workers'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Fault, Faults, withFaults } from '../../tools/faults/bindings.ts'
import { bearer, sendTo } from '../http/send.ts'
import { importArticle, seedKnowledgeBase } from '../resources/knowledge-base/seed.ts'
import { ADMIN_TOKEN, importRecords, keyWith, ORIGIN } from '../support/api.ts'
import { execute, failingBatch, selectAll, selectFirst } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing } from '../support/factories/listing.ts'
import { namedKeys, storedKeys, sweepAfter } from './stored.ts'

const PNG = toPng(paint(4, 4, () => RED))
const PHOTOS = new Array(3).fill({ data: Buffer.from(PNG).toString('base64') })
const MARK = 'watermarks/0123456789abcdef0123456789abcdef.png'

const KEPT = `photos/${'f'.repeat(32)}.png`
const FILE = `files/${'0'.repeat(32)}.png`

let key = ''
let listing = 0

beforeAll(async () => {
  key = await keyWith('*:read', '*:write')
  await seedAgency()
  await seedKnowledgeBase()
  await importRecords([['external_listing_statuses', { id: 1, name: 'New' }]])
  listing = await createListing()
})

beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(PNG))
})

/** Nothing stored but a watermark that both offices share, a photo of an external listing, and a file of an article. */
async function empty(): Promise<void> {
  const tables = ['listing_photos', 'listing_panoramas', 'external_listing_photo_names', 'external_listings']
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from ${table}`)))
  await env.PHOTOS.delete(await storedKeys())
  await env.PHOTOS.put(MARK, PNG)
  await execute('update stores set watermark = ?', MARK)
  await env.PHOTOS.put(FILE, PNG)
  await env.PHOTOS.put(KEPT, PNG)
  await execute(
    `insert into external_listings (id, created_by, store_id, photos, date_created, date_updated)
      values (700, 1, 1, json_array(?1), '2024-01-01 00:00:00', '2024-01-01 00:00:00')`,
    KEPT,
  )
  const files = [{ id: 201, original_name: 'file', size: 1, url: FILE, date_created: '2024-01-01 00:00:00' }]
  await importArticle({ id: 1, title: 'Files', category_id: 1, created_by: 1, files })
}

/** A call with a body of bytes or JSON. */
function request(method: string, path: string, body?: Uint8Array | object): Request {
  const headers = bearer(path.startsWith('/admin') ? ADMIN_TOKEN : key)
  const bytes = body instanceof Uint8Array ? body : JSON.stringify(body)
  return new Request(ORIGIN + path, { method, headers, body: bytes })
}

const photosOf = (table: string, column: string) =>
  selectAll<{ ordernum: number; key: string }>(
    `select ordernum, ${column} as key from ${table} order by ordernum`,
  )

interface Entry {
  success: boolean
  ordernum: number
  original_image?: string
  image?: string
}

/** Every entry that was answered as stored is there, under its number; numbers have no gaps. */
async function expectEntries(table: string, column: 'original_image' | 'image', entries: Entry[]) {
  const rows = await photosOf(table, column)
  expect(rows.map(({ ordernum }) => ordernum)).toEqual(rows.map((_, index) => index + 1))
  const answered = entries.filter(({ success }) => success)
  expect(rows).toEqual(
    expect.arrayContaining(
      answered.map((entry) => ({
        ordernum: entry.ordernum,
        key: entry[column]?.slice(ORIGIN.length + 1),
      })),
    ),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: each check looks at the part it knows
type Check = (data: any) => Promise<void>

const URLS = ['https://a.example/1', 'https://a.example/2']
const OFFICE = '/office/knowledge-base/articles/1'

/** Whether a row names a file, by its URL. */
const isNamed = async (url: string) => expect(await namedKeys()).toContain(url.slice(ORIGIN.length + 1))
const isGone = async () => expect(await namedKeys()).not.toContain(FILE)

const CALLS: [name: string, call: () => Parameters<typeof request>, expectStored: Check][] = [
  [
    'photos',
    () => ['POST', `/api/listings/${listing}/photos`, { photos: PHOTOS }],
    (data) => expectEntries('listing_photos', 'original_image', data),
  ],
  [
    'panoramas',
    () => ['POST', `/api/listings/${listing}/panorama-photos`, { photos: PHOTOS }],
    (data) => expectEntries('listing_panoramas', 'image', data),
  ],
  [
    'an external listing',
    () => ['POST', '/api/external-listings', { created_by: 1, store_id: 1, photos: URLS }],
    async ({ id, photos }) => {
      const row = await selectFirst<{ photos: string }>(
        'select photos from external_listings where id = ?',
        id,
      )
      const keys: string[] = JSON.parse(row?.photos ?? '[]')
      expect(keys.map((stored) => `${ORIGIN}/${stored}`)).toEqual(photos)
    },
  ],
  [
    'photos over that of an external listing',
    () => ['PUT', '/api/external-listings/700', { photos: URLS }],
    async () => {
      const count = 'select json_array_length(photos) as photos from external_listings where id = 700'
      expect(await selectFirst(count)).toEqual({ photos: 2 })
    },
  ],
  ['a file of an article', () => ['PUT', '/admin/knowledge-base/files/201', PNG], ({ url }) => isNamed(url)],
  [
    'another file of an article',
    () => ['POST', `${OFFICE}/files?name=a.png`, PNG],
    ({ url }) => isNamed(url),
  ],
  ['no file of an article', () => ['DELETE', `${OFFICE}/files/201`], isGone],
  ['no article with a file', () => ['DELETE', OFFICE], isGone],
  [
    'a watermark',
    () => ['PUT', '/admin/stores/1/watermark', PNG],
    ({ watermark_url }) => isNamed(watermark_url),
  ],
  [
    'no watermark',
    () => ['DELETE', '/admin/stores/1/watermark'],
    async () =>
      expect(await selectFirst('select watermark from stores where id = 1')).toEqual({ watermark: null }),
  ],
]

const FAULTS: [name: string, Omit<Fault, 'at'>][] = [
  ['before it took effect', { when: 'before' }],
  ['after it took effect', { when: 'after' }],
  ['and all behind it', { when: 'before', isLasting: true }],
]

/** What is answered when the bucket fails, and when the database does. */
const FAILURES = [
  [500, 'Internal server error'],
  [503, 'The database is busy, try again'],
  [503, 'The call cannot be entered in the trail, so nothing was done; try again'],
  [503, 'The file could not be stored, try again'],
  [503, 'photos.1: Failed to upload photo'],
].map(([status, error_message]) => ({ status, error_message }))

describe.each(CALLS)('storing %s', (_, call, expectStored) => {
  it.each(FAULTS)('holds whichever call fails %s', { timeout: 60_000 }, async (__, fault) => {
    for (let at = 1; ; at++) {
      await empty()
      const faults = new Faults({ ...fault, at })
      const answer = await sendTo(withFaults({ DB: env.DB, PHOTOS: env.PHOTOS }, faults), request(...call()))
      const body = await answer.json<{ status: number; data: unknown }>()
      expect(body.status).toBe(answer.status)
      const held = await selectFirst<{ photos: string }>(
        'select photos from external_listings where id = 700',
      )
      expect(JSON.parse(held?.photos ?? '[]')).not.toHaveLength(0)
      if (answer.status === 200) await expectStored(body.data)
      else expect(FAILURES).toContainEqual(body)
      // No row names a file that is not there, before the sweep and after it, which leaves nothing else.
      expect(await storedKeys()).toEqual(expect.arrayContaining(await namedKeys()))
      await sweepAfter(1)
      await sweepAfter(2)
      expect(await storedKeys()).toEqual(await namedKeys())
      if (faults.calls < at) {
        expect(at).toBeGreaterThan(1)
        break
      }
    }
  })
})

describe('one failure of the database', () => {
  it.each(['before', 'after'] as const)('costs no photo and stores none twice: %s', async (when) => {
    await empty()
    const onFault = vi.fn()
    const DB = failingBatch({ at: 2, isStored: when === 'after' }, onFault)
    const answer = await sendTo(
      { DB },
      request('POST', `/api/listings/${listing}/photos`, { photos: PHOTOS }),
    )
    expect(onFault).toHaveBeenCalled()
    const { data } = await answer.json<{ data: Entry[] }>()
    expect(data.map(({ ordernum }) => ordernum)).toEqual([1, 2, 3])
    await expectEntries('listing_photos', 'original_image', data)
    expect(await photosOf('listing_photos', 'original_image')).toHaveLength(3)
  })
})
