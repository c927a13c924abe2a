/** Serves lookups: all rows of a small table, or the keys of an enumeration. */
import { getTableName, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { lookupItem } from '../../catalogue/agency.ts'
import type { Names } from '../../catalogue/enumeration.ts'
import { lookupIn } from '../../catalogue/lookups.ts'
import type { ResourceName } from '../../catalogue/resources.ts'
import { database, runStatement } from '../../db/client.ts'
import { selectRows } from '../../db/statements.ts'
import * as tables from '../../db/tables/lookups.ts'
import { outputs } from '../../fields/derive.ts'
import { capitalised, named } from '../../fields/values.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { lookupBody } from '../../http/reply/envelope.ts'

/** The tables of ids and names, in the order of an import. */
export const NAME_TABLES: readonly tables.NameTable[] = [
  ...[tables.listing_sources, tables.listing_tags],
  ...[tables.external_listing_statuses, tables.external_listing_sources, tables.external_listing_tags],
  ...[tables.request_statuses, tables.request_sources, tables.request_tags],
  ...[tables.contact_sources, tables.contact_tags],
  ...[tables.income_other_categories, tables.expense_categories],
]

const nameItem = named('LookupItem', 'An entry of a lookup', outputs(lookupItem))

const keyedItem = named('KeyedLookupItem', 'An entry of a lookup whose ids are keys', {
  id: z.string().describe('Key in records'),
  name: z.string().describe('Its name'),
})

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
  router.get(path, { ...texts, reply: lookupBody(entry) }, (c) =>
    runStatement(database(c.env), selectRows(table, sql`order by id`)),
  )
}

/** Adds the list of a table of ids and names. */
export function serveNames(router: Router, path: string, names: Texts & { table: tables.NameTable }): void {
  serveTable(router, path, { ...names, entry: nameItem })
}

/** Adds the lists of the ids and names that the records of a resource refer to. */
export function serveLookups(router: Router, resource: ResourceName): void {
  for (const table of NAME_TABLES) {
    const { resource: path, many } = lookupIn(getTableName(table)) ?? { resource: '', many: '' }
    if (path.startsWith(`${resource}/`))
      serveNames(router, `/api/${path}`, { summary: capitalised(many), table })
  }
}

/** Adds the list of the values of an enumeration with their English names: `{id: 'pending', name: 'Pending'}`. */
export function serveKeys(
  router: Router,
  path: string,
  { table, ...texts }: Texts & { table: Readonly<Record<string, Names>> },
): void {
  const items = Object.entries(table).map(([id, [, name]]) => ({ id, name }))
  router.get(path, { ...texts, reply: lookupBody(keyedItem) }, () => items)
}
