/** Writes of many pictures: what they cost, and that visitors see them whoever writes them. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { measurePictures } from '../../../../src/resources/listings/pictures/measure.ts'
import { rowsRead, rowsWritten } from '../../../db/plans.ts'
import { get, importRecords, post, put, websiteKey } from '../../../support/api.ts'
import { execute } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { listingLine } from '../../../support/factories/listing.ts'
import { expectShownAnew } from '../steps.ts'

const PHOTOS = 1000
/** Rows that a photo may cost, those of indexes and triggers included. */
const PER_PHOTO = 20

beforeAll(seedAgency)

const listingWith = (id: number, data: object) => importRecords([listingLine(id, data)])

const photosOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    original_image: `photos/${String(index).padStart(32, '0')}.jpg`,
    watermark_image: `photos/${String(index).padStart(32, '1')}.jpg`,
  }))

/** The rows that calls read and write; each gets a listing of its own. */
async function rowsOf(
  work: (DB: D1Database, id: number) => Promise<unknown>,
  ids: [number, number],
): Promise<number> {
  return (await rowsRead((DB) => work(DB, ids[0]))) + (await rowsWritten((DB) => work(DB, ids[1])))
}

describe(`${PHOTOS} photos of an active listing`, () => {
  const sendImport = (data: object) => async (DB: D1Database, id: number) => {
    const line = { entity: 'listings', data: { id, ...data } }
    const { body } = await post('/admin/import', line, { bindings: { DB } })
    expect(body).toMatchObject({ data: { accepted: 1 } })
  }

  it('cost some rows each when they are imported', async () => {
    await listingWith(1, {})
    await listingWith(2, {})
    expect(await rowsOf(sendImport({ photos: photosOf(PHOTOS) }), [1, 2])).toBeLessThan(PER_PHOTO * PHOTOS)
    await expectShownAnew()
  })

  it('cost some rows each when their order is turned', async () => {
    const order = Array.from({ length: PHOTOS }, (_, index) => PHOTOS - index)
    const turn = async (DB: D1Database, id: number) => {
      const { status } = await put(`/api/listings/${id}/photos`, { order }, { bindings: { DB } })
      expect(status).toBe(200)
    }
    expect(await rowsOf(turn, [1, 2])).toBeLessThan(PER_PHOTO * PHOTOS)
    const { photos } = (await get('/api/listings/1', { key: await websiteKey() })).body.data
    expect([photos.length, photos[0].image]).toEqual([
      PHOTOS,
      expect.stringContaining(`${'1'.repeat(29)}999.jpg`),
    ])
    await expectShownAnew()
  })

  it('are not read where only a price changes', async () => {
    const change = async (DB: D1Database, id: number) => {
      expect((await put(`/api/listings/${id}`, { price: 7 }, { bindings: { DB } })).status).toBe(200)
    }
    expect(await rowsOf(change, [1, 2])).toBeLessThan(100)
    await expectShownAnew()
  })

  it('are read once for each five that are measured', async () => {
    const measured = 200
    const measure = (DB: D1Database) => measurePictures({ ...env, DB }, measured)
    expect(await rowsOf(measure, [1, 2])).toBeLessThan(1.3 * PHOTOS * (measured / 5))
    await expectShownAnew()
  })
})

describe('what visitors see', () => {
  it('follows writes that defer nothing', async () => {
    await listingWith(3, {
      photos: photosOf(3),
      panorama_photos: [{ image: 'https://cdn.example/a.jpg' }],
      translations: [{ language_id: 1, title: 'a' }],
    })
    for (const statement of [
      "insert into listing_photos (listing_id, ordernum, original_image) values (3, 8, 'x.jpg'), (3, 9, 'y.jpg')",
      'update listing_photos set ordernum = -ordernum where listing_id = 3',
      'update listing_photos set ordernum = 20 + ordernum where listing_id = 3',
      'delete from listing_photos where listing_id = 3 and ordernum > 15',
      'delete from listing_panoramas where listing_id = 3',
      "insert into listing_panoramas (listing_id, ordernum, image) values (3, 1, 'b.jpg')",
      "insert into listing_translations (listing_id, language_id, title) values (3, 2, 'b')",
      "update listing_translations set title = 'c', description = 'd' where listing_id = 3",
      'delete from listing_translations where listing_id = 3 and language_id = 1',
    ]) {
      await execute(statement)
      await expectShownAnew()
    }
  })
})
