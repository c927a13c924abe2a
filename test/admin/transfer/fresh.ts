import { env } from 'cloudflare:workers'

/** Every row of every table but those that tell how it came to that, in no particular order. */
export async function everyRow(): Promise<Record<string, string[]>> {
  const { results } = await env.DB.prepare(
    `select name from sqlite_master where type = 'table'
    and name not like 'sqlite~_%' escape '~' and name not like '~_cf~_%' escape '~'
    and name not in ('d1_migrations', 'changes', 'change_feed')`,
  ).all<{ name: string }>()
  const tables = results.map(async ({ name }): Promise<[string, string[]]> => {
    const stored = await env.DB.prepare(`select * from ${name}`).all()
    // Which write a row is at is no part of what it holds, nor is a counter that came back to nothing.
    const held = stored.results
      .map(({ version, matched_version, ...row }) => row)
      .filter(({ listings }) => listings !== 0)
    return [name, held.map((row) => JSON.stringify(row)).toSorted((a, b) => a.localeCompare(b))]
  })
  return Object.fromEntries(await Promise.all(tables))
}
