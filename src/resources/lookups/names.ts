/** Serves lookups: all rows of a small table, or the keys of an enumeration. */
import { sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { lookupItem } from '../../catalogue/agency.ts'
import type { Names } from '../../catalogue/enumeration.ts'
import { database, runStatement } from '../../db/client.ts'
import { selectRows } from '../../db/statements.ts'
import type { NameTable } from '../../db/tables/lookups.ts'
import { outputs } from '../../fields/derive.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { lookupBody, replyWithLookup } from '../../http/reply/envelope.ts'

const nameItem = z.object(outputs(lookupItem)).meta({ id: 'LookupItem', description: 'An entry of a lookup' })

const keyedItem = z
  .object({ id: z.string().describe('Key in records'), name: z.string().describe('Its name') })
  .meta({ id: 'KeyedLookupItem', description: 'An entry of a lookup whose ids are keys' })

/** The texts of a lookup in the documentation. */
interface Texts {
  summary: string
  description?: string
}

/** Adds the list of all rows of `table`, by id. `entry` is the schema of a row. */
export function serveTable(
  router: Router,
  path: string,
  { table, entry, ...texts }: Texts & { table: SQLiteTable & Record<'id', SQLiteColumn>; entry: z.ZodType },
): void {
  router.get(path, { ...texts, reply: lookupBody(entry) }, async (c) =>
    replyWithLookup(c, await runStatement(database(c.env), selectRows(table, sql`order by id`))),
  )
}

/** Adds the list of a table of ids and names. */
export function serveNames(router: Router, path: string, names: Texts & { table: NameTable }): void {
  serveTable(router, path, { ...names, entry: nameItem })
}

/** Adds the list of the values of an enumeration with their English names: `{id: 'pending', name: 'Pending'}`. */
export function serveKeys(
  router: Router,
  path: string,
  { table, ...texts }: Texts & { table: Readonly<Record<string, Names>> },
): void {
  const items = Object.entries(table).map(([id, [, name]]) => ({ id, name }))
  router.get(path, { ...texts, reply: lookupBody(keyedItem) }, (c) => replyWithLookup(c, items))
}
