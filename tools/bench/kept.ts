/** Prepared databases, made once and kept in `build/bench`, so that a run begins at once. */
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
import { http } from '../runtime/http.ts'
import { migrationStatements } from '../runtime/migrations.ts'

const CACHE = join('build', 'bench')

interface KeptDatabase {
  /** What it is called, whatever it is made of. */
  name: string
  /** The files that say what it is made of, beside the migrations: when one changes, it is made anew. */
  sources: string[]
  /** Fills the migrated database. */
  fill: (filling: Filling) => Promise<void>
}

/** Two ways to fill a database. */
interface Filling {
  /** The database until the next `run`. */
  db: () => Promise<D1Database>
  run: RunBatch
}

/** A statement, and its parameters. */
export interface BoundStatement {
  sql: string
  params: readonly unknown[]
}

/** Runs statements as one transaction. Long parameters reach the database much faster than through Miniflare's proxy. */
type RunBatch = (statements: BoundStatement[]) => Promise<void>

const RUN_BATCH = `export default { async fetch(request, { DB }) {
  const statements = await request.json()
  await DB.batch(statements.map(({ sql, params }) => DB.prepare(sql).bind(...params)))
  return new Response()
} }`

/** A folder of its own with a copy of the database, which is made if there is none; the caller removes it. */
export async function copyKept({ name, sources, fill }: KeptDatabase): Promise<string> {
  const kept = join(CACHE, `${name}-${fingerprint(sources)}`)
  if (!existsSync(kept)) {
    mkdirSync(CACHE, { recursive: true })
    forget(`${name}-`)
    await makeDatabase(kept, mkdtempSync(join(CACHE, `${name}-making-`)), fill)
  }
  const folder = mkdtempSync(join(tmpdir(), 'estia-bench-'))
  cpSync(kept, folder, { recursive: true })
  return folder
}

async function makeDatabase(kept: string, folder: string, fill: KeptDatabase['fill']): Promise<void> {
  let miniflare = start(folder)
  let sent = 0
  const run: RunBatch = async (statements) => {
    if (sent > MAX_SENT) {
      await miniflare.dispose()
      miniflare = start(folder)
      sent = 0
    }
    const body = JSON.stringify(statements)
    sent += body.length
    // No connection is used again: workerd may close an idle one just then.
    const headers = { Connection: 'close' }
    const { status, text } = await http(await miniflare.ready, 'POST', { body, headers })
    if (status !== 200) throw new Error(text)
  }
  try {
    await run(migrationStatements().map((sql) => ({ sql, params: [] })))
    await fill({ db: () => miniflare.getD1Database('DB'), run })
  } finally {
    await miniflare.dispose()
  }
  renameSync(folder, kept)
}

/** workerd keeps the memory of what it is sent, and ends at some GB. In characters. */
const MAX_SENT = 100_000_000

const start = (folder: string) =>
  new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: folder,
      modules: true,
      script: RUN_BATCH,
      compatibilityDate: '2026-08-15',
      d1Databases: ['DB'],
    }),
  )

function fingerprint(sources: string[]): string {
  const hash = createHash('sha256')
  for (const statement of migrationStatements()) hash.update(statement)
  for (const file of sources) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

/** Removes what was prepared under names that begin like this. */
function forget(prefix: string): void {
  const outdated = readdirSync(CACHE).filter((kept) => kept.startsWith(prefix))
  for (const kept of outdated) rmSync(join(CACHE, kept), { recursive: true, force: true })
}
