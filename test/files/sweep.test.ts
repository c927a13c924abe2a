// @module-tag slow
import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { RED } from '../../fixtures/pictures.ts'
import { sweepFiles } from '../../src/files/sweep.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../src/scheduled.ts'
import { Faults, withFaults } from '../../tools/faults/bindings.ts'
import { silenceLog } from '../http/send.ts'
import { call, get, importRecords, post } from '../support/api.ts'
import { selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing, minimalListing, readListing } from '../support/factories/listing.ts'
import { emptyAndSeed, emptyService } from '../support/storage.ts'
import { storedKeys, sweepAfter } from './stored.ts'

/** A key that tells its number. */
const keyOf = (number: number, folder = 'photos', extension = 'jpg') =>
  `${folder}/${String(number).padStart(32, '0')}.${extension}`

/** Keys of three sizes of a picture, in order. */
const sizesOf = (key: string) =>
  ['320/webp', '640/default', 'full/jpeg'].map((size) => `sizes/${size}/${key.slice('photos/'.length)}`)

const store = (...keys: string[]) => Promise.all(keys.map((key) => env.PHOTOS.put(key, 'x')))

const noted = async () =>
  (await selectAll<{ key: string }>('select key from unreferenced_files order by key')).map(({ key }) => key)

beforeEach(() => emptyAndSeed(seedAgency))

const LINK = 'https://cdn.example/x.jpg'

/** A listing that has these photos. */
const refer = (photos: unknown[], id = 5) => importRecords([['listings', { ...minimalListing, id, photos }]])

describe('the sweep', () => {
  it('deletes a file on the day after it was first seen without a reference', async () => {
    await store(keyOf(1))
    expect(await sweepAfter(0)).toEqual({ seen: 1, deleted: 0 })
    expect(await noted()).toEqual([keyOf(1)])
    expect(await sweepAfter(0.9)).toEqual({ seen: 1, deleted: 0 })
    expect(await sweepAfter(1.1)).toEqual({ seen: 1, deleted: 1 })
    expect(await storedKeys()).toEqual([])
    expect(await sweepAfter(1.2)).toEqual({ seen: 0, deleted: 0 })
    expect(await noted()).toEqual([])
  })

  it('waits as long for a file that was put there anew', async () => {
    await store(keyOf(1))
    await sweepAfter(-3)
    await sweepAfter(0)
    expect(await storedKeys()).toEqual([keyOf(1)])
  })

  it('leaves what has a reference again, and begins to wait anew when that goes', async () => {
    await store(keyOf(1))
    await sweepAfter(1)
    await refer([{ original_image: keyOf(1) }])
    expect(await sweepAfter(3)).toEqual({ seen: 1, deleted: 0 })
    expect(await noted()).toEqual([])
    await refer([])
    expect(await sweepAfter(4)).toEqual({ seen: 1, deleted: 0 })
    expect(await sweepAfter(5.1)).toEqual({ seen: 1, deleted: 1 })
  })

  /** What refers to `file`, by entity. */
  const REFERRING: [what: string, key: string, entity: string, data: (file: string) => object][] = [
    ['a photo', keyOf(1), 'listings', (file) => ({ photos: [{ original_image: file }] })],
    ['its copy', keyOf(1), 'listings', (file) => ({ photos: [{ watermark_image: file }] })],
    ['a panorama', keyOf(1), 'listings', (file) => ({ panorama_photos: [{ image: file }] })],
    ['its thumb', keyOf(1), 'listings', (file) => ({ panorama_photos: [{ image: LINK, thumb: file }] })],
    ['a watermark', keyOf(1, 'watermarks', 'webp'), 'stores', (file) => ({ name: 'S', watermark_url: file })],
    [
      'an external listing',
      keyOf(1, 'photos', 'webp'),
      'external_listings',
      (file) => ({ photos: [LINK, file] }),
    ],
    [
      'a file of an article',
      keyOf(1, 'files', 'pdf'),
      'knowledge_base_articles',
      (file) => ({ title: 'T', category_id: 1, files: [{ ...FILE, url: file }] }),
    ],
  ]

  it.each(REFERRING)('keeps what a row refers to: %s', async (_, key, entity, data) => {
    const category = { id: 1, name: 'C', icon: 'i', color: '#fff', is_active: true }
    await importRecords([['knowledge_base_categories', category]])
    const base = { listings: minimalListing, stores: {} }[entity] ?? { store_id: 1, created_by: 1 }
    const other = key.replace('1.', '2.')
    for (const url of [
      key,
      `/${key}`,
      `https://api.agency.example/${key}`,
      `http://x.test/v1/${key}?w=5#top`,
    ]) {
      await store(key, other)
      await importRecords([[entity, { ...base, id: 5, ...data(url) }]])
      await sweepAfter(1)
      await sweepAfter(2.1)
      expect(await storedKeys(), url).toEqual([key])
    }
  })

  it('follows the photos of an external listing when they change', async () => {
    const refer = (photos: string[]) =>
      importRecords([['external_listings', { id: 5, store_id: 1, created_by: 1, photos }]])
    await store(keyOf(1), keyOf(2))
    await refer([keyOf(1), keyOf(1)])
    await refer([keyOf(2)])
    await sweepAfter(1)
    await sweepAfter(2.1)
    expect(await storedKeys()).toEqual([keyOf(2)])
  })

  it.each(['jpg', 'webp'])('takes the sizes of a picture with it, however young: .%s', async (extension) => {
    const [gone, kept] = [keyOf(1, 'photos', extension), keyOf(2, 'photos', extension)]
    await store(gone, kept)
    await refer([{ original_image: `https://a.example/${kept}?w=320` }])
    await store(...sizesOf(kept))
    await sweepAfter(1)
    await store(...sizesOf(gone))
    expect(await sweepAfter(1.9)).toEqual({ seen: 8, deleted: 0 })
    expect(await sweepAfter(2.1)).toEqual({ seen: 8, deleted: 4 })
    expect(await storedKeys()).toEqual([kept, ...sizesOf(kept)])
  })

  it('takes sizes whose picture is not there, even if they are new', async () => {
    await store(...sizesOf(keyOf(1)))
    expect(await sweepAfter(-2)).toEqual({ seen: 3, deleted: 0 })
    expect(await sweepAfter(-1.1)).toEqual({ seen: 3, deleted: 0 })
    expect(await sweepAfter(-0.9)).toEqual({ seen: 3, deleted: 3 })
  })

  it('keeps the sizes of a picture that has a reference again', async () => {
    await store(keyOf(1), ...sizesOf(keyOf(1)))
    await sweepAfter(1)
    await refer([{ original_image: keyOf(1) }])
    expect(await sweepAfter(3)).toEqual({ seen: 4, deleted: 0 })
    expect(await noted()).toEqual([])
  })

  it('takes sizes in a later run, where it stopped before them', async () => {
    const bound = { pages: 1, size: 1 }
    await store(keyOf(1), ...sizesOf(keyOf(1)))
    for (let run = 0; run < 5; run++) await sweepAfter(1 + run / 10, bound)
    for (let run = 0; run < 5; run++) await sweepAfter(3 + run / 10, bound)
    expect(await storedKeys()).toEqual([])
  })

  it('leaves alone what others have put into the bucket', async () => {
    const name = keyOf(2).slice('photos/'.length)
    const theirs = [
      'a.txt',
      'backup/2024.sql',
      `photos/${'A'.repeat(32)}.jpg`,
      'photos/old.jpg',
      `sizes/064/jpeg/${name}`,
      `sizes/640/${name}`,
      `sizes/640/gif/${name}`,
      `sizes/640/jpeg/x/${name}`,
      'ω/1',
    ]
    await store(...theirs, keyOf(1))
    await sweepAfter(1)
    await sweepAfter(2.1)
    expect(await storedKeys()).toEqual(theirs)
  })

  it('does nothing while the database holds no agency', async () => {
    await emptyService()
    await store(keyOf(1))
    await sweepAfter(1)
    expect(await sweepAfter(3)).toEqual({ seen: 0, deleted: 0 })
    expect(await storedKeys()).toEqual([keyOf(1)])
  })

  it('goes on where it stopped, and begins again at the end', async () => {
    const keys = Array.from({ length: 7 }, (_, index) => keyOf(index))
    await store(...keys)
    const bound = { pages: 2, size: 2 }
    expect(await sweepAfter(1, bound)).toEqual({ seen: 4, deleted: 0 })
    expect(await noted()).toEqual(keys.slice(0, 4))
    expect(await sweepAfter(2, bound)).toEqual({ seen: 3, deleted: 0 })
    expect(await noted()).toEqual(keys)
    expect(await sweepAfter(3, bound)).toEqual({ seen: 4, deleted: 4 })
    expect(await storedKeys()).toEqual(keys.slice(4))
    expect(await sweepAfter(3, bound)).toEqual({ seen: 3, deleted: 3 })
    // A pass that is complete has forgotten what is gone.
    await sweepAfter(4, bound)
    expect(await noted()).toEqual([])
  })

  it('takes a page of a thousand', { tags: 'slow', timeout: 60_000 }, async () => {
    const keys = Array.from({ length: 1002 }, (_, index) => keyOf(index))
    await store(...keys)
    await refer([{ original_image: keyOf(1001) }])
    await sweepAfter(1)
    expect(await sweepAfter(2.1)).toEqual({ seen: 1002, deleted: 1001 })
    expect(await storedKeys()).toEqual([keyOf(1001)])
  })

  it.each(['before', 'after'] as const)(
    'keeps what it should whichever of its calls fails %s',
    async (when) => {
      await refer([{ original_image: keyOf(9) }])
      for (let at = 1, calls = 2; at <= calls; at++) {
        await store(keyOf(1), keyOf(9))
        for (const day of [1, 2.1]) {
          const faults = new Faults({ at, when })
          const now = new Date(Date.now() + (at * 10 + day) * 86_400_000)
          await sweepFiles(withFaults(env, faults), now).catch(() => undefined)
          calls = Math.max(calls, faults.calls)
        }
        expect(await storedKeys()).toContain(keyOf(9))
        await sweepAfter(at * 10 + 3)
        await sweepAfter(at * 10 + 5)
        expect(await storedKeys()).toEqual([keyOf(9)])
      }
    },
  )

  it('is run by the clock, once a day', async () => {
    const lines = silenceLog()
    const run = (cron: string) => runScheduled(createScheduledController({ cron }), env)
    await store(keyOf(1))
    await run(EVERY_MINUTE)
    expect(await noted()).toEqual([])
    await run(DAILY)
    expect(await noted()).toEqual([keyOf(1)])
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({
      level: 'info',
      cron: DAILY,
      job: 'files',
      milliseconds: expect.any(Number),
      calls: 3,
      seen: 1,
      deleted: 0,
    })
  })
})

const FILE = { id: 51, original_name: 'x', size: 1, date_created: '2024-01-01 00:00:00' }

describe('what the API leaves behind', () => {
  const photos = [{ data: RED }]
  const sweep = async () => {
    await sweepAfter(1)
    await sweepAfter(2.1)
  }

  it('goes with the sweep: the pictures of rows that are gone', async () => {
    const id = await createListing()
    await post(`/api/listings/${id}/photos`, { photos })
    await post(`/api/listings/${id}/panorama-photos`, { photos })
    await sweep()
    expect(await storedKeys()).toHaveLength(3)
    const image = (await readListing(id)).photos[0].original_image
    await refer([], id)
    await sweep()
    expect(await storedKeys()).toHaveLength(2)
    expect((await get(new URL(image).pathname)).status).toBe(404)
    const { panorama_photos } = await readListing(id)
    for (const { image: kept } of panorama_photos)
      expect((await get(new URL(kept).pathname)).status).toBe(200)
  })

  it('goes with the sweep: a watermark that no office has any more', async () => {
    const body = Uint8Array.from(atob(RED), (character) => character.charCodeAt(0))
    await call('PUT', '/admin/stores/1/watermark', { body })
    const [shared = ''] = await storedKeys()
    await importRecords([['stores', { id: 2, name: 'North', watermark_url: shared }]])
    await call('DELETE', '/admin/stores/1/watermark')
    await sweep()
    expect(await storedKeys()).toEqual([shared])
    expect((await get(`/${shared}`)).status).toBe(200)
    await call('PUT', '/admin/stores/2/watermark', { body })
    await sweep()
    expect(await storedKeys()).toHaveLength(1)
    expect(await storedKeys()).not.toContain(shared)
  })
})
