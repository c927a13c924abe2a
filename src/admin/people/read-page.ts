/** Reads records of a place, whole. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, runStatement } from '../../db/client.ts'
import { ENTITIES } from '../transfer/entities.ts'
import type { EntityReads } from '../transfer/entity.ts'
import type { Place } from './places.ts'
import type { person } from './schema.ts'

/** Records read at once. */
export const PAGE = 200

/** An entry of what is held about a person. */
export type Entry = z.output<typeof person>['contact']

/** The records of a place that meet `where`, as an export has them. */
export async function readPage(
  db: Database,
  { resource, table }: Place,
  where: SQL,
  after: number,
  limit = PAGE,
): Promise<Entry[]> {
  const entity: EntityReads | undefined = ENTITIES.find(({ name }) => name === getTableName(table))
  if (!entity) throw new Error(`${resource} cannot be read`)
  const rows = await runStatement(db, entity.read(sql`${where} and ${table.id} > ${after}`, limit))
  return rows.map((row: { id: number }) => ({ resource, id: row.id, fields: entity.present(row) }))
}
