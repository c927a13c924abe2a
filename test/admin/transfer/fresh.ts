import { env } from 'cloudflare:workers'
import { selectAll } from '../../support/database.ts'

/** Every row of every table, unordered, except tables that record only history. */
export async function everyRow(): Promise<Record<string, string[]>> {
  const results = await selectAll<{ name: string }>(`select name from sqlite_master where type = 'table'
    and name not like 'sqlite~_%' escape '~' and name not like '~_cf~_%' escape '~'
    and name not in ('d1_migrations', 'changes', 'change_feed', 'feed_changes', 'agency_changes', 'trail', 'job_leases')`)
  const tables = results.map(async ({ name }): Promise<[string, string[]]> => {
    const stored = await env.DB.prepare(`select * from ${name}`).all()
    // Leaves out record versions, and counters that are zero again.
    const held = stored.results
      .map(({ version, matched_version, ...row }) => row)
      .filter(({ listings }) => listings !== 0)
    return [name, held.map((row) => JSON.stringify(row)).toSorted((a, b) => a.localeCompare(b))]
  })
  return Object.fromEntries(await Promise.all(tables))
}
