/** Lookup lists of an id and a name. */
import { z } from 'zod'
import { database } from '../../db/client.ts'
import type { NameTable } from '../../db/tables/lookups.ts'

export const named = z
  .object({ id: z.int().describe('What records refer to'), name: z.string().describe('Its name') })
  .meta({ id: 'LookupItem', description: 'An entry of a lookup' })

/** Every entry, by id. */
export function findNames(env: Env, table: NameTable) {
  return database(env).select().from(table).orderBy(table.id)
}

/** An item of a lookup whose ids are keys. */
export const keyed = z
  .object({ id: z.string().describe('The key that records carry'), name: z.string().describe('Its name') })
  .meta({ id: 'KeyedLookupItem', description: 'An entry of a lookup whose ids are keys' })

/** The items for `keys`: `{id: 'pending', name: 'Pending'}`. */
export function keyedItems(keys: readonly string[]): z.output<typeof keyed>[] {
  return keys.map((key) => ({ id: key, name: key.charAt(0).toUpperCase() + key.slice(1) }))
}
