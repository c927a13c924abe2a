/** What a write enters in the trail, and what the change feed says of it. */
import { selectAll } from '../../support/database.ts'

/** What a write has left. */
export interface Written {
  entries: {
    resource: string
    record_id: string
    version: number | null
    changed: Record<string, unknown[]> | null
    others: string[]
  }[]
  moved: string[]
}

/** Runs `write`, and returns the entries of records that it makes, and the records that the change feed says it changes. */
export async function follow(write: () => Promise<unknown>): Promise<Written> {
  const [before] = await selectAll<{ cursor: number; id: number }>(
    'select ifnull((select max(cursor) from changes), 0) as cursor, ifnull((select max(id) from trail), 0) as id',
  )
  await write()
  const moved = await selectAll<{ record: string }>(
    `select distinct resource || ' ' || id as record from changes where cursor > ? and resource <> 'matches'`,
    before?.cursor,
  )
  const rows = await selectAll<{
    resource: string
    record_id: string
    version: number
    changed: string
    others: string
  }>('select resource, record_id, version, changed, others from trail where id > ? order by id', before?.id)
  const entries = rows.map(({ changed, others, ...row }) => ({
    ...row,
    changed: JSON.parse(changed),
    others: JSON.parse(others) ?? [],
  }))
  return { entries, moved: moved.map(({ record }) => record) }
}
