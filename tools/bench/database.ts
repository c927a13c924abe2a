/** Agencies of any size, made once and kept in `build/bench`, so that a run begins at once. */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/d1'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { showProgress } from '../../scripts/service/terminal.ts'
import { matchUnmatched } from '../../src/resources/matching/run.ts'
import { migrationStatements } from '../runtime/migrations.ts'
import { type Demand, loadAgency, USUAL_DEMAND } from './agency.ts'
import { loadListings } from './listings.ts'

const CACHE = join('build', 'bench')

/** A folder of its own with an agency of `size` listings; the caller removes it. */
export async function copyDatabase(size: number, demand = USUAL_DEMAND): Promise<string> {
  const name = `${size}-${demand.requests}-${demand.places}-`
  const kept = join(CACHE, name + fingerprint())
  if (!existsSync(kept)) {
    forget(name)
    await makeDatabase(kept, size, demand)
  }
  const folder = mkdtempSync(join(tmpdir(), 'estia-bench-'))
  cpSync(kept, folder, { recursive: true })
  return folder
}

async function makeDatabase(kept: string, size: number, demand: Demand): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'making-'))
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: folder,
      modules: true,
      script: 'export default {}',
      compatibilityDate: '2026-08-15',
      d1Databases: ['DB'],
    }),
  )
  try {
    const db = await miniflare.getD1Database('DB')
    for (const statement of migrationStatements()) await db.prepare(statement).run()
    await loadListings(db, size, (done) => showProgress(`Loading ${done} of ${size} listings`))
    showProgress('Loading the rest of the agency …')
    await loadAgency(db, size, demand)
    // Each request is held against all listings, each listing against the requests for its places only.
    if (demand.requests > USUAL_DEMAND.requests) await db.exec(MARK_LISTINGS)
    await storeMatches(db)
  } finally {
    await miniflare.dispose()
  }
  renameSync(folder, kept)
}

/** Has the matches found from the listings instead of the requests. */
const MARK_LISTINGS = `update requests set matched_version = version; update listings set matched_version = 0 where status = 'active' and category = 'residential' and availability = 'sale'`

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
    await matchUnmatched(drizzle(client))
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

/** Changes with whatever a prepared database is made of. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const statement of migrationStatements()) hash.update(statement)
  for (const file of ['agency.ts', 'listings.ts', 'database.ts'])
    hash.update(readFileSync(join(import.meta.dirname, file)))
  return hash.digest('hex').slice(0, 12)
}

/** Removes what was prepared under `name` before. */
function forget(name: string): void {
  if (!existsSync(CACHE)) return
  const outdated = readdirSync(CACHE).filter((kept) => kept.startsWith(name) || kept.startsWith('making-'))
  for (const kept of outdated) rmSync(join(CACHE, kept), { recursive: true, force: true })
}
