/** What it costs, in rows written, that a listing can be searched. */
import type { SearchService } from './service.ts'

/** The tables that triggers keep for searches begin with one of these. */
const PREFIXES = ['public_', 'searched_']

/** At most so many listings become visible. */
const LISTINGS = 10

/** Rows written while a listing becomes visible, on average. */
export interface WriteCost {
  with: number
  without: number
  /** New rows of each table, without those of its indexes. */
  tables: [name: string, rows: number][]
}

/** Activates the same drafts with the triggers and without: nothing can be searched afterwards. */
export async function measureWrites(service: SearchService): Promise<WriteCost> {
  const drafts = await service.query(
    `select id from listings where status = 'draft' order by id limit ${LISTINGS}`,
  )
  const ids = drafts.map(({ id }) => Number(id))
  // What only the first change of a status writes is not counted.
  await activate(service, ids)
  await withdraw(service, ids)
  const kept = await namesOf(service, 'table')
  const before = await countRows(service, kept)
  const withTriggers = await activate(service, ids)
  const after = await countRows(service, kept)
  await withdraw(service, ids)
  for (const name of await namesOf(service, 'trigger')) await service.query(`drop trigger ${name}`)
  const tables = kept.map((name, index): [string, number] => [
    name,
    ((after[index] ?? 0) - (before[index] ?? 0)) / ids.length,
  ])
  return { with: withTriggers, without: await activate(service, ids), tables }
}

/** Makes them drafts again, which the service never does. */
async function withdraw(service: SearchService, ids: number[]): Promise<void> {
  await service.query(
    `update listings set status = 'draft' where id in (select value from json_each(?))`,
    JSON.stringify(ids),
  )
}

/** The tables, or the triggers that write to them. */
async function namesOf(service: SearchService, type: 'table' | 'trigger'): Promise<string[]> {
  const column = type === 'table' ? 'name' : 'sql'
  const conditions = PREFIXES.map((prefix) => `${column} glob '${type === 'table' ? '' : '*'}${prefix}*'`)
  const found = await service.query(
    `select name from sqlite_master where type = '${type}' and (${conditions.join(' or ')})`,
  )
  return found.map(({ name }) => String(name))
}

async function countRows(service: SearchService, tables: string[]): Promise<number[]> {
  const counts: number[] = []
  for (const table of tables) {
    const [found] = await service.query(`select count(*) as count from ${table}`)
    counts.push(Number(found?.count))
  }
  return counts
}

async function activate(service: SearchService, ids: number[]): Promise<number> {
  let rows = 0
  for (const id of ids) {
    const { status, body, rowsWritten } = await service.call('secret', `/api/listings/${id}/status`, {
      to: 'active',
    })
    if (status !== 200) throw new Error(body)
    rows += rowsWritten
  }
  return rows / ids.length
}
