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
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { showProgress } from '../../scripts/service/terminal.ts'
import { database } from '../../src/db/client.ts'
import { matchUnmatched } from '../../src/resources/matching/run.ts'
import { migrationStatements } from '../runtime/migrations.ts'
import { loadAgency } from './agency.ts'
import { loadListings } from './listings.ts'

const CACHE = join('build', 'bench')
/** What a database is made of, beside the migrations: when one changes, it is made anew. */
const SOURCES = ['agency.ts', 'listings.ts', 'database.ts'].map((file) => join(import.meta.dirname, file))

/** A folder of its own with an agency of `size` listings; the caller removes it. */
export async function copyDatabase(size: number): Promise<string> {
  const name = `listings-${size}-`
  const kept = join(CACHE, name + fingerprint())
  if (!existsSync(kept)) {
    mkdirSync(CACHE, { recursive: true })
    for (const outdated of readdirSync(CACHE).filter((one) => one.startsWith(name)))
      rmSync(join(CACHE, outdated), { recursive: true, force: true })
    const making = mkdtempSync(join(CACHE, `${name}making-`))
    await makeDatabase(making, size)
    renameSync(making, kept)
  }
  const folder = mkdtempSync(join(tmpdir(), 'estia-bench-'))
  cpSync(kept, folder, { recursive: true })
  return folder
}

async function makeDatabase(resourcePersistencePath: string, size: number): Promise<void> {
  const options = { modules: true, script: 'export default {}', compatibilityDate: '2026-08-15' } as const
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ ...options, resourcePersistencePath, d1Databases: ['DB'] }),
  )
  try {
    const db = await miniflare.getD1Database('DB')
    await db.batch(migrationStatements().map((sql) => db.prepare(sql)))
    await loadListings(db, size, (done) => showProgress(`Loading ${done} of ${size} listings`))
    showProgress('Loading the rest of the agency …')
    await loadAgency(db, size)
    await storeMatches(db)
  } finally {
    await miniflare.dispose()
  }
}

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const statement of migrationStatements()) hash.update(statement)
  for (const file of SOURCES) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
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
