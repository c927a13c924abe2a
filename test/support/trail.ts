/** What the trail says of a record. */
import { selectAll } from './database.ts'

/** The values that a write changed, before and after, and the names of the other fields that it changed. */
interface Entry {
  version: number
  changed: Record<string, unknown> | null
  others: string[] | null
}

/** The entries of a record, newest first. */
export async function entriesOf(resource: string, id: number): Promise<Entry[]> {
  const found = await selectAll<{ version: number; changed: string; others: string }>(
    'select version, changed, others from trail where resource = ? and record_id = ? order by id desc',
    resource,
    String(id),
  )
  return found.map(({ version, changed, others }) => ({
    version,
    changed: JSON.parse(changed),
    others: JSON.parse(others),
  }))
}

/** The newest entry of a record. */
export async function lastEntry(resource: string, id: number): Promise<Entry | undefined> {
  return (await entriesOf(resource, id))[0]
}
