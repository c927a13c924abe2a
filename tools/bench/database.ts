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
import { showProgress } from '../../scripts/service.ts'
import { loadAgency } from './agency.ts'
import { loadListings } from './listings.ts'

const CACHE = join('build', 'bench')

/** A folder of its own with an agency of `size` listings; the caller removes it. */
export async function copyDatabase(size: number): Promise<string> {
  const kept = join(CACHE, `${size}-${fingerprint()}`)
  if (!existsSync(kept)) {
    forget(size)
    await makeDatabase(kept, size)
  }
  const folder = mkdtempSync(join(tmpdir(), 'estia-bench-'))
  cpSync(kept, folder, { recursive: true })
  return folder
}

async function makeDatabase(kept: string, size: number): Promise<void> {
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
    for (const statement of migrations()) await db.prepare(statement).run()
    await loadListings(db, size, (done) => showProgress(`Loading ${done} of ${size} listings`))
    showProgress('Loading the rest of the agency …')
    await loadAgency(db, size)
  } finally {
    await miniflare.dispose()
  }
  renameSync(folder, kept)
}

function migrations(): string[] {
  return readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .flatMap((name) => readFileSync(join('migrations', name), 'utf8').split('--> statement-breakpoint'))
}

/** Changes with whatever a prepared database is made of. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const statement of migrations()) hash.update(statement)
  for (const file of ['agency.ts', 'listings.ts', 'database.ts'])
    hash.update(readFileSync(join(import.meta.dirname, file)))
  return hash.digest('hex').slice(0, 12)
}

/** Removes what was prepared of this size before. */
function forget(size: number): void {
  if (!existsSync(CACHE)) return
  const outdated = readdirSync(CACHE).filter(
    (name) => name.startsWith(`${size}-`) || name.startsWith('making-'),
  )
  for (const name of outdated) rmSync(join(CACHE, name), { recursive: true, force: true })
}
