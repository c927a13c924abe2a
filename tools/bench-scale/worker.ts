/**
 * The Worker with its storage counted. Three extra paths: `/counts` answers the counts since its last call,
 * `/scheduled?cron=…` runs cron, and `/measured` gives pictures that do not exist a size. The header `X-Without-Trail` turns the entries of records off.
 */
import worker from '../../src/index.ts'
import { countDatabase, type DatabaseCounts } from '../bench/count-database.ts'
import { overlay } from '../runtime/overlay.ts'

/** What calls ask of storage. */
export interface Counts extends DatabaseCounts {
  /** Reads of KV. */
  keys: number
  /** Operations of R2 that write or list, and those that read. */
  classA: number
  classB: number
}

const none = (): Counts => ({ trips: 0, rowsRead: 0, rowsWritten: 0, keys: 0, classA: 0, classB: 0 })
const counts = none()
let counting: Env | undefined

export default {
  async fetch(request, env, context) {
    counting ??= {
      ...env,
      DB: countDatabase(env.DB, counts),
      API_KEYS: countCalls(env.API_KEYS, { get: 'keys' }),
      PHOTOS: countCalls(env.PHOTOS, { put: 'classA', list: 'classA', get: 'classB', head: 'classB' }),
    }
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/counts') {
      const answer = Response.json(counts)
      Object.assign(counts, none())
      return answer
    }
    if (pathname === '/scheduled') {
      await worker.scheduled({ cron: searchParams.get('cron') ?? '' }, counting)
      return new Response('done')
    }
    if (pathname === '/measured') {
      await env.DB.exec('update listing_photos set width = 4, height = 3 where width is null')
      return new Response('done')
    }
    const bindings = request.headers.has('X-Without-Trail') ? { ...counting, RECORD_TRAIL: 'off' } : counting
    return worker.fetch(request, bindings, context)
  },
} satisfies ExportedHandler<Env>

/** `binding`, each of whose named methods adds to its count. */
function countCalls<T extends object>(binding: T, methods: Partial<Record<keyof T, keyof Counts>>): T {
  const entries = Object.entries(methods) as [keyof T, keyof Counts][]
  const counted = entries.map(([method, name]) => [
    method,
    (...args: unknown[]) => {
      counts[name]++
      return (binding[method] as (...args: unknown[]) => unknown)(...args)
    },
  ])
  return overlay(binding, Object.fromEntries(counted))
}
