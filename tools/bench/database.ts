/** Agencies of any size. */
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { showProgress } from '../../scripts/service/terminal.ts'
import { database } from '../../src/db/client.ts'
import { matchUnmatched } from '../../src/resources/matching/run.ts'
import { loadAgency } from './agency.ts'
import { copyKept } from './kept.ts'
import { loadListings } from './listings.ts'

const SOURCES = ['agency.ts', 'listings.ts', 'database.ts'].map((file) => join(import.meta.dirname, file))

/** A folder of its own with an agency of `size` listings; the caller removes it. */
export function copyDatabase(size: number): Promise<string> {
  return copyKept({
    name: `listings-${size}`,
    sources: SOURCES,
    fill: async (filling) => {
      const db = await filling.db()
      await loadListings(db, size, (done) => showProgress(`Loading ${done} of ${size} listings`))
      showProgress('Loading the rest of the agency …')
      await loadAgency(db, size)
      await storeMatches(db)
    },
  })
}

/** Finds the matches, as otherwise the writes that are measured would. */
async function storeMatches(client: D1Database): Promise<void> {
  const unmatched = () =>
    client
      .prepare(
        `select (select count(*) from requests where matched_version <> version)
          + (select count(*) from listings where matched_version <> version) as left`,
      )
      .first<number>('left')
  for (let left = await unmatched(); left; left = await unmatched()) {
    showProgress(`Matching ${left} records`)
    await matchUnmatched(database({ DB: client }))
  }
}

/** Ids of active flats. */
export async function findFlats(miniflare: Miniflare, availability: 'sale' | 'rent'): Promise<number[]> {
  const db = await miniflare.getD1Database('DB')
  const { results } = await db
    .prepare(
      `select id from listings where status = 'active' and category = 'residential' and subcategory = 'apartment'
      and availability = ? order by id limit 1000`,
    )
    .bind(availability)
    .all<{ id: number }>()
  return results.map(({ id }) => id)
}

/** Removes the stored documents, so that the next read of each listing is its first. */
export async function removeDocuments(miniflare: Miniflare): Promise<void> {
  const db = await miniflare.getD1Database('DB')
  await db.exec('delete from listing_documents')
}
