/** Writes of pictures move the date that visitors see only if what they see of them changes. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { get, importRecords, put, remove, websiteKey } from '../../../support/api.ts'
import { execute, selectAll } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing } from '../../../support/factories/listing.ts'

interface Photo {
  original_image: string | null
  watermark_image: string | null
}

const ID = 7
const PATH = `/api/listings/${ID}`
const LONG_AGO = '2020-01-01 00:00:00'

let key = ''

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
  await importRecords([['listings', { ...minimalListing, id: ID, status: 'active' }]])
})

const addressOf = (name: string | null) => name && `https://pictures.example/${name}`
const photo = (original: string | null, watermarked: string | null = null): Photo => ({
  original_image: addressOf(original),
  watermark_image: addressOf(watermarked),
})
/** A photo that nobody sees. */
const NONE = photo(null)
const [A, B, C] = [photo('a.jpg'), photo('b.jpg', 'b-marked.jpg'), photo('c.jpg', 'c-marked.jpg')]

const seen = (photos: Photo[]) =>
  photos
    .map(({ original_image, watermark_image }) => watermark_image ?? original_image)
    .flatMap((image) => image?.split('/').at(-1) ?? [])

const send = (photos: Photo[]) => importRecords([['listings', { id: ID, photos }]])

/** Stores photos, at other numbers than 1, 2, 3 … if `numbers` has some, long ago. */
async function begin(photos: Photo[], numbers: number[] = []): Promise<void> {
  await send([])
  await send(photos)
  for (const [index, number] of [...numbers.entries()].toReversed())
    await execute(
      'update listing_photos set ordernum = ? where listing_id = ? and ordernum = ?',
      number,
      ID,
      index + 1,
    )
  for (const table of ['listings', 'public_listings'])
    await execute(`update ${table} set date_updated = ? where id = ?`, LONG_AGO, ID)
}

const storedPhotos = () =>
  selectAll<Photo & { ordernum: number }>(
    'select ordernum, original_image, watermark_image from listing_photos where listing_id = ? order by ordernum',
    ID,
  )

const numbered = (photos: Photo[]) => photos.map((one, index) => ({ ordernum: index + 1, ...one }))

/** What visitors see: the names of the photos, and the date. */
async function readSeen(): Promise<{ images: string[]; date: string }> {
  const { photos, date_updated } = (await get(PATH, { key })).body.data
  const images = photos.map(({ image }: { image: string }) => image.split('/').at(-1))
  return { images, date: date_updated }
}

async function expectUnseen(): Promise<void> {
  expect((await readSeen()).date).toBe(LONG_AGO)
  expect((await get(PATH)).body.data.date_updated).not.toBe(LONG_AGO)
}

describe('the public date stays', () => {
  it('of other listings in the same import', async () => {
    await importRecords([['listings', { ...minimalListing, id: 8, status: 'active', photos: [B, A] }]])
    await begin([A, B])
    await importRecords([
      ['listings', { id: 8, photos: [A] }],
      ['listings', { id: ID, photos: [A, photo('other.jpg', 'b-marked.jpg')] }],
    ])
    await expectUnseen()
    expect((await get('/api/listings/8', { key })).body.data.photos).toHaveLength(1)
  })

  it.each(['photos', 'panorama-photos'])('when the numbers of %s are closed up', async (kind) => {
    await begin([A, B, C])
    await importRecords([
      [
        'listings',
        { id: ID, panorama_photos: ['1', '2', '3'].map((image) => ({ image: addressOf(image) })) },
      ],
    ])
    const { images } = await readSeen()
    expect((await remove(`${PATH}/${kind}/1`)).status).toBe(200)
    for (const table of ['listings', 'public_listings'])
      await execute(`update ${table} set date_updated = ? where id = ?`, LONG_AGO, ID)
    expect((await put(`${PATH}/${kind}`, { order: [2, 3] })).status).toBe(200)
    await expectUnseen()
    const { data } = (await get(`${PATH}/${kind}`)).body
    expect(data.map(({ ordernum }: { ordernum: number }) => ordernum)).toEqual([1, 2])
    if (kind === 'photos') expect((await readSeen()).images).toEqual(images.slice(1))
  })

  it('when an unseen photo is removed', async () => {
    await begin([A, NONE])
    expect((await remove(`${PATH}/photos/2`)).status).toBe(200)
    await expectUnseen()
  })
})

describe('any write of photos', () => {
  const image = fc.constantFrom('1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg', null, null).map(addressOf)
  const photos: fc.Arbitrary<Photo[]> = fc.array(
    fc.record({ original_image: image, watermark_image: image }),
    { maxLength: 5 },
  )
  const gaps = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 5 })
  /** The photos to import, or how to sort them. */
  const change = fc.oneof(
    photos.map((list) => ({ list })),
    // The photos as they are, but for what is not seen.
    fc
      .array(fc.constantFrom('a.jpg', 'b.jpg').map(addressOf), { minLength: 5, maxLength: 5 })
      .map((originals) => ({ originals })),
    fc.infiniteStream(fc.nat()).map((stream) => ({ keys: [...stream.take(5)] })),
    fc.constant({ keys: [1, 2, 3, 4, 5] }),
  )

  beforeEach(() => begin([]))

  it('stores them, and moves the date if what is seen of them changes', { timeout: 120_000 }, async () => {
    let unseen = 0
    await fc.assert(
      fc.asyncProperty(photos, gaps, change, async (before, steps, action) => {
        // Whether two equal photos change places is all the same.
        fc.pre(!('keys' in action) || new Set(seen(before)).size === seen(before).length)
        let last = 0
        const numbers = before.map((_, index) => (last += steps[index] ?? 1))
        await begin(before, numbers)
        const expected = before.map((one, index) => ({ one, number: numbers[index] ?? 0 }))
        if ('keys' in action) {
          expected.sort(
            (a, b) => (action.keys[before.indexOf(a.one)] ?? 0) - (action.keys[before.indexOf(b.one)] ?? 0),
          )
          await put(`${PATH}/photos`, { order: expected.map(({ number }) => number) })
        } else {
          const list =
            'list' in action
              ? action.list
              : before.map((one, index) =>
                  one.watermark_image ? { ...one, original_image: action.originals[index] ?? null } : one,
                )
          expected.splice(0, before.length, ...list.map((one) => ({ one, number: 0 })))
          await send(list)
        }
        const after = expected.map(({ one }) => one)
        const stored = await storedPhotos()
        expect(stored.map(({ ordernum, ...one }) => one)).toEqual(after)
        const isWritten = JSON.stringify(after) !== JSON.stringify(before) || 'keys' in action
        if (isWritten) expect(stored).toEqual(numbered(after))
        const isSame = JSON.stringify(seen(after)) === JSON.stringify(seen(before))
        const { images, date } = await readSeen()
        expect(images).toEqual(seen(after))
        expect(date === LONG_AGO).toBe(isSame)
        if (isSame && JSON.stringify(stored) !== JSON.stringify(numbered(before))) unseen++
      }),
      { numRuns: 70, interruptAfterTimeLimit: 60_000 },
    )
    expect(unseen).toBeGreaterThan(8)
  })
})
