/** The service under measurement. */
import { rmSync } from 'node:fs'
import { buildBundle } from '../runtime/bundle.ts'
import { TOOLS_KEY as SECRET_KEY, storeKey } from '../runtime/key.ts'
import { startBundle } from '../runtime/workerd.ts'
import { copySearched } from './database.ts'
import type { Recording, Trip, TripOutcome } from './worker.ts'

const ADMIN_TOKEN = 'bench-admin-token'

/** Whose view of the listings is asked for. */
export type View = 'visitors' | 'secret'

/** What is asked of the service and of its database. */
export interface SearchService {
  /** A GET, or a POST of `body`. */
  call: (view: View, path: string, body?: unknown) => Promise<Recording>
  /** Runs trips again and again for `enough` milliseconds, at least once. */
  run: (trips: Trip[], enough?: number) => Promise<TripOutcome>
  /** Runs one statement and returns its rows. */
  query: (sql: string, ...params: unknown[]) => Promise<Record<string, unknown>[]>
  /** The name of the table with the JSON that visitors see. */
  documentTable: () => Promise<string>
  stop: () => Promise<void>
}

/** Starts the service on a copy of the database with `size` listings. */
export async function startSearch(size: number): Promise<SearchService> {
  const folder = await copySearched(size)
  const bundle = buildBundle('tools/bench-search/worker.ts')
  const miniflare = startBundle(bundle, {
    resourcePersistencePath: folder,
    d1Databases: ['DB'],
    r2Buckets: ['PHOTOS'],
    kvNamespaces: ['API_KEYS'],
    bindings: { ADMIN_TOKEN },
    // A kept answer would ask the database nothing.
    cacheAPI: false,
  })
  const url = await miniflare.ready
  await storeKey(miniflare, SECRET_KEY)
  const send = async (path: string, token: string, body?: unknown) => {
    const answer = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const made = (await send('/admin/keys', ADMIN_TOKEN, {
    name: 'Website',
    scopes: ['listings:public'],
  })) as Recording
  const { data } = JSON.parse(made.body) as { data: { key: string } }
  const keys: Record<View, string> = { visitors: data.key, secret: SECRET_KEY }
  const run: SearchService['run'] = async (trips, enough = 0) =>
    (await send('/bench/run', '', { trips, enough })) as TripOutcome
  const query: SearchService['query'] = async (sql, ...params) =>
    (await run([[{ sql, params }]])).results[0]?.[0] ?? []
  return {
    call: async (view, path, body) => (await send(path, keys[view], body)) as Recording,
    run,
    query,
    documentTable: async () => {
      const tables = `select name from sqlite_master where type = 'table' and sql like '%\`shown\`%' order by name`
      const [found] = await query(tables)
      return String(found?.name)
    },
    stop: async () => {
      await miniflare.dispose()
      for (const made of [bundle, folder]) rmSync(made, { recursive: true, force: true })
    },
  }
}
