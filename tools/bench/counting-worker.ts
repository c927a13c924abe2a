/**
 * A Worker with its storage counted: `/counts` answers what was asked of it since it was last asked, and begins anew.
 * Bundled before the Worker itself, which stays as it is.
 */
import { overlay } from '../runtime/overlay.ts'
import { countDatabase, type DatabaseCounts } from './count-database.ts'

// @ts-expect-error The bundle that lies beside it once it runs.
import worker from './index.js'

/** What calls ask of storage. */
export interface Counts extends DatabaseCounts {
  /** Look-ups in KV. */
  keys: number
}

const none = (): Counts => ({ trips: 0, keys: 0, rowsRead: 0, rowsWritten: 0 })
const counts = none()

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === '/counts') {
      const answer = Response.json(counts)
      Object.assign(counts, none())
      return answer
    }
    return worker.fetch(request, countingEnv(env), context)
  },
}

let counting: Env | undefined

/** Made once, as `env` itself is, so that what is kept beside a database is kept here, too. */
function countingEnv(env: Env): Env {
  counting ??= { ...env, DB: countDatabase(env.DB, counts), API_KEYS: countKeys(env.API_KEYS) }
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
