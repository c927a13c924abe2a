/** Writes of pictures move the date that visitors see only if what they see of them changes. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { get, importRecords, put, websiteKey } from '../../../support/api.ts'
import { execute, selectAll } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing } from '../../../support/factories/listing.ts'
import { runs } from '../../../support/runs.ts'

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

  const RUNS = runs(70)

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
      { numRuns: RUNS, interruptAfterTimeLimit: 60_000 },
    )
    expect(unseen).toBeGreaterThan(RUNS / 9)
  })
})
