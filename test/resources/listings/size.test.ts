/**
 * How much of the database a listing takes, as agencies have them.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { demoLines } from '../../support/demo.ts'
import { emptyService } from '../../support/storage.ts'

const LISTINGS = 150

const GREEK = 'Φωτεινό διαμέρισμα κοντά στο μετρό, με μεγάλη βεράντα, αποθήκη και θέα στη θάλασσα. '
const ENGLISH = 'A bright apartment near the metro, with a large terrace, storage and a view of the sea. '
const textOf = (sentence: string) => sentence.repeat(40).slice(0, 2200)

const key = (listing: number, photo: number, kind: number) =>
  `photos/${[listing, photo, kind]
    .map((part) => part.toString(16).padStart(4, '0'))
    .join('')
    .padEnd(32, '0')}.jpg`

/** The size of the database. */
async function bytes(): Promise<number> {
  return (await env.DB.prepare('select 1').all()).meta.size_after
}

it('an active listing with 20 photos and texts of 2,200 letters takes less than 30 KB once it was read twice', async () => {
  await emptyService()
  const lines = demoLines({ contacts: 50, listings: LISTINGS })
  const agency = lines.slice(
    0,
    lines.findIndex(({ entity }) => entity === 'listings'),
  )
  for (let start = 0; start < agency.length; start += 1000)
    await importRecords(agency.slice(start, start + 1000).map(({ entity, data }) => [entity, { ...data }]))
  const listings = lines
    .filter(({ entity }) => entity === 'listings')
    .map(({ data }, listing): [string, Record<string, unknown>] => [
      'listings',
      {
        ...data,
        status: 'active',
        is_deleted: false,
        translations: [
          { language_id: 1, title: 'Διαμέρισμα προς πώληση', description: textOf(GREEK) },
          { language_id: 2, title: 'Apartment for sale', description: textOf(ENGLISH) },
        ],
        photos: Array.from({ length: 20 }, (_, photo) => ({
          original_image: key(listing, photo, 1),
          watermark_image: key(listing, photo, 2),
          width: 1920,
          height: 1280,
        })),
      },
    ])
  const before = await bytes()
  for (let start = 0; start < LISTINGS; start += 50) {
    const together = listings.slice(start, start + 50)
    await importRecords(together.map(([entity, data]) => [entity, { ...data, status: 'draft' }]))
    await importRecords(together.map(([entity, { id }]) => [entity, { id, status: 'active' }]))
    // The second reading stores them.
    for (let times = 0; times < 2; times++) expect((await get('/api/listings')).body.data).toHaveLength(50)
  }
  await vi.waitFor(async () =>
    expect(await selectAll('select 1 from listing_documents')).toHaveLength(LISTINGS),
  )
  expect(((await bytes()) - before) / LISTINGS).toBeLessThan(30_000)
})
