/** Lookup lists of an id and a name. */
import { z } from 'zod'
import { database } from '../../db/client.ts'
import type { NameTable } from '../../db/tables/lookups.ts'

export const named = z.object({ id: z.int(), name: z.string() })

/** Every entry, by id. */
export function findNames(env: Env, table: NameTable) {
  return database(env).select().from(table).orderBy(table.id)
}
