/**
 * A Worker with its storage counted: `/counts` answers what was asked of it since it was last asked, and begins anew.
 * Bundled before the Worker itself, which stays as it is.
 */
import { overlay } from '../runtime/overlay.ts'

// @ts-expect-error The bundle that lies beside it once it runs.
import worker from './index.js'

/** What calls ask of storage. */
export interface Counts {
  /** Calls to D1, each a round trip. */
  trips: number
  /** Look-ups in KV. */
  keys: number
  rowsRead: number
  rowsWritten: number
}

const none = (): Counts => ({ trips: 0, keys: 0, rowsRead: 0, rowsWritten: 0 })
let counts = none()

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === '/counts') {
      const answer = Response.json(counts)
      counts = none()
      return answer
    }
    return worker.fetch(request, countingEnv(env), context)
  },
}

let counting: Env | undefined

/** Made once, as `env` itself is, so that what is kept beside a database is kept here, too. */
function countingEnv(env: Env): Env {
  counting ??= { ...env, DB: countDatabase(env.DB), API_KEYS: countKeys(env.API_KEYS) }
  return counting
}

function countKeys(keys: KVNamespace): KVNamespace {
  return overlay(keys, {
    get: (...args: Parameters<KVNamespace['get']>) => {
      counts.keys++
      return keys.get(...args)
    },
  })
}

function countDatabase<T extends D1Database | D1DatabaseSession>(db: T): T {
  return overlay(db, {
    prepare: (text: string) => countStatement(db.prepare(text)),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await db.batch(statements.map((statement) => plain.get(statement) ?? statement))
      return add(results)
    },
    withSession: (bookmark?: string) => countDatabase((db as D1Database).withSession(bookmark)),
  })
}

/** The statements behind those that count: a batch takes no other. */
const plain = new WeakMap<object, D1PreparedStatement>()

function countStatement(statement: D1PreparedStatement): D1PreparedStatement {
  const all = async () => (await add([await statement.all()]))[0]
  const shown = overlay(statement, {
    bind: (...values: unknown[]) => countStatement(statement.bind(...values)),
    all,
    run: all,
    // Neither of these says what it cost, so both are made of `all`.
    first: async (column?: string) => {
      const [row] = (await all())?.results ?? []
      return (column && row ? (row as Record<string, unknown>)[column] : row) ?? null
    },
    raw: async () => ((await all())?.results ?? []).map((row) => Object.values(row as object)),
  })
  plain.set(shown, statement)
  return shown
}

function add<R extends { meta: D1Meta }>(results: R[]): R[] {
  counts.trips++
  for (const { meta } of results) {
    counts.rowsRead += meta.rows_read
    counts.rowsWritten += meta.rows_written
  }
  return results
}
