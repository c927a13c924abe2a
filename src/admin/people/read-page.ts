/** Reads records of a place, whole. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { batch, type Database } from '../../db/client.ts'
import { sqlStatement } from '../../db/statements.ts'
import type { Place } from '../erasure/places.ts'
import { heldFields } from '../erasure/statements.ts'
import { ENTITIES } from '../transfer/entities.ts'
import type { EntityReads } from '../transfer/entity.ts'
import type { person } from './schema.ts'

/** Records read at once. */
export const PAGE = 200

export type Entry = z.output<typeof person>['contact']

/** The records of a place that meet `where`, as an export has them, and what an erasure of `persons` clears of each. */
export async function readPage(
  db: Database,
  place: Place,
  persons: SQL,
  where: SQL,
  after: number,
  limit = PAGE,
): Promise<Entry[]> {
  const { resource, table } = place
  const entity: EntityReads | undefined = ENTITIES.find(({ name }) => name === getTableName(table))
  if (!entity) throw new Error(`${resource} cannot be read`)
  const isWanted = sql`${where} and ${table.id} > ${after}`
  const { rows, held } = await batch(db, {
    rows: entity.read(isWanted, limit),
    held: sqlStatement<{ id: number; clears: string }>(
      sql`select id, ${heldFields(place, persons)} as clears from ${table} where ${isWanted} order by id limit ${limit}`,
    ),
  })
  const clears = new Map(held.map((row) => [row.id, JSON.parse(row.clears) as string[]]))
  return rows.map((row: { id: number }) => ({
    resource,
    id: row.id,
    fields: entity.present(row),
    clears: clears.get(row.id) ?? [],
  }))
}
