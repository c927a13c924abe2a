/** Empties the storage of the tests. */
import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { overlay } from '../../tools/runtime/overlay.ts'
import { resetDefaultKey } from './api.ts'

/** How often emptying is repeated when work of an earlier test still writes to the storage. */
const ATTEMPTS = 5

type Seed = () => Promise<unknown>

/** What each seed leaves in the database, as statements for a new one. */
const seeded = new Map<Seed, D1PreparedStatement[]>()

/** Empties the service, and leaves it as `seed` does, which runs only once: then its rows are stored as they were. */
export async function emptyAndSeed(seed: Seed): Promise<void> {
  const rows = seeded.get(seed)
  await renew(rows ?? [])
  if (rows) return
  await seed()
  seeded.set(seed, await copyRows())
}

/** Statements that store every row again, but for the state of the feed of changes: that of a new database is its own. */
async function copyRows(): Promise<D1PreparedStatement[]> {
  const { results } = await env.DB.prepare(
    `select name, (select json_group_array(name) from pragma_table_info(tables.name)) as columns
    from sqlite_schema as tables where type = 'table' and name not like 'sqlite~_%' escape '~'
      and name not like '~_cf~_%' escape '~' and name not in ('d1_migrations', 'change_feed')`,
  ).all<{ name: string; columns: string }>()
  const copies = results.map(async ({ name, columns }) => {
    const names: string[] = JSON.parse(columns)
    const rows = await env.DB.prepare(`select ${names.join(', ')} from ${name}`).raw()
    const values = names.map((_, index) => `json_extract(value, '$[${index}]')`)
    return env.DB.prepare(
      `insert or replace into ${name} (${names.join(', ')}) select ${values.join(', ')} from json_each(?)`,
    ).bind(JSON.stringify(rows))
  })
  return Promise.all(copies)
}

/** Empties database, bucket and keys, and creates the tables. */
export function emptyService(): Promise<void> {
  return renew([])
}

/** Makes a new database with `rows`, in one batch, as each costs a transaction. */
async function renew(rows: D1PreparedStatement[]): Promise<void> {
  const prepared = (texts: string[]) => texts.map((text) => env.DB.prepare(text))
  const { tables, rest } = env.SCHEMA
  const statements = [...prepared([...tables, 'pragma defer_foreign_keys = on']), ...rows, ...prepared(rest)]
  for (let attempt = 1; ; attempt++) {
    await reset()
    try {
      await env.DB.batch(statements)
      break
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
  resetDefaultKey()
}

/** A bucket or a store of keys, of which some methods are other ones. */
export function bindingWith<T extends object>(binding: T, changes: Partial<Record<keyof T, unknown>>): T {
  return overlay(binding, changes)
}
