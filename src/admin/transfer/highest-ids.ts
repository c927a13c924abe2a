/**
 * Refuses ids that are far above the others of their table. A new record gets the id after the highest one, so a single
 * record with the highest possible id would leave none for any other.
 */
import type { Reference } from '../../db/references.ts'
import { type Statement, textStatement } from '../../db/statements.ts'
import type { Entity } from './entity.ts'

/** How far an id may be above the highest one of its table: stored, or of a line before it. */
const MAX_STEP = 1_000_000
/** The highest id that a table may begin with. A copy of a deployment begins where that one did. */
export const MAX_FIRST = 2 ** 39

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
  return Math.max(highest.get(table) ?? 0, 1) + MAX_STEP
}

/** Refuses each of the ids that is too far above the highest one. */
export function refuseDistantIds(
  draft: { refuse: (field: string, message: string) => void },
  added: Reference[],
  highest: HighestIds,
): void {
  for (const { field, table, ids } of added) {
    const last = highest.get(table) ?? 0
    const limit = last > 0 ? last + MAX_STEP : MAX_FIRST
    if (ids.every((id) => id <= limit)) continue
    const reason = last > 0 ? `, ${MAX_STEP} above the highest so far` : ''
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
