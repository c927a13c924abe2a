/** The Worker with its calls to D1 counted: `/counts` answers the most that one call of each kind has made. */
import worker from '../../src/index.ts'
import { countDatabase } from '../bench/count-database.ts'

const most: Record<string, number> = {}

/** Runs `work` with a database that is counted, and keeps the count if it is the highest. */
async function counted<T>(name: string, env: Env, work: (env: Env) => Promise<T>): Promise<T> {
  const counts = { trips: 0, rowsRead: 0, rowsWritten: 0 }
  try {
    return await work({ ...env, DB: countDatabase(env.DB, counts) })
  } finally {
    most[name] = Math.max(most[name] ?? 0, counts.trips)
  }
}

export default {
  fetch(request, env, context) {
    const { pathname } = new URL(request.url)
    if (pathname === '/counts') return Response.json(most)
    const name = `${request.method} ${pathname.replace(/\d{4}-.*/, '…')}`
    return counted(name, env, async (counting) => worker.fetch(request, counting, context))
  },
  scheduled(event, env) {
    return counted(`cron ${event.cron}`, env, (counting) => worker.scheduled(event, counting))
  },
} satisfies ExportedHandler<Env>
