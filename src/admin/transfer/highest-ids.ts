/**
 * Refuses ids that leave too few for other records. A new record gets the id after the highest one, so a single record with the
 * highest possible id would leave none. The lower half is free: an export has ids in ascending order, whatever order they were
 * stored in. A limit to their gaps would refuse what an export has.
 */
import type { Reference } from '../../db/references.ts'
import { type Statement, textStatement } from '../../db/statements.ts'
import type { Entity } from './entity.ts'

/** Up to this id, the order and the gaps of ids are free. */
const MAX_FREE = 2 ** 39
/** How far an id beyond that may be above the highest one of its table: stored, or of a line before it. */
const MAX_STEP = 1_000_000

/** The highest id of each table so far. */
export type HighestIds = Map<string, number>

/** The ids that storing a line may add to their tables: that of a new record, and those of the records within it. */
export function addedIds(
  { name, key, nestedIds }: Entity,
  values: Record<string, unknown>,
  stored: object | null,
): Reference[] {
  const own = !stored && !key && typeof values.id === 'number' ? [values.id] : []
  return [{ field: 'id', table: name, ids: own }, ...(nestedIds?.(values) ?? [])].filter(
    ({ ids }) => ids.length > 0,
  )
}

/** The statement for the highest stored ids of the tables of `added`, which must not be empty. */
export function selectHighest(added: Reference[]): Statement<Record<string, number | null>> {
  const columns = [...new Set(added.map(({ table }) => table))].map(
    (table) => `(select max(id) from ${table}) as ${table}`,
  )
  return textStatement(`select ${columns.join(', ')}`, [])
}

/** Raises `highest` to the result of `selectHighest`. */
export function readHighest(highest: HighestIds, [row]: Record<string, number | null>[]): void {
  for (const [table, id] of Object.entries(row ?? {})) raise(highest, table, id ?? 0)
}

/** The id up to which new ones of a table are near enough, whatever other lines add. */
export function idLimit(highest: HighestIds, table: string): number {
  return Math.max((highest.get(table) ?? 0) + MAX_STEP, MAX_FREE)
}

/** Refuses each of the ids that is too far above the highest one. */
export function refuseDistantIds(
  draft: { refuse: (field: string, message: string) => void },
  added: Reference[],
  highest: HighestIds,
): void {
  for (const { field, table, ids } of added) {
    const limit = idLimit(highest, table)
    if (ids.every((id) => id <= limit)) continue
    const reason = limit > MAX_FREE ? `, ${MAX_STEP} above the highest so far` : ''
    draft.refuse(field, `Invalid ${field}: must be at most ${limit}${reason}`)
  }
}

/** Records that a valid line has these ids. */
export function raiseHighest(highest: HighestIds, added: Reference[]): void {
  for (const { table, ids } of added) raise(highest, table, Math.max(...ids))
}

function raise(highest: HighestIds, table: string, id: number): void {
  highest.set(table, Math.max(highest.get(table) ?? 0, id))
}
