/** Entities whose records are single rows. */
import { getTableName, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { inIdOrder } from '../../../db/bulk.ts'
import type { TableWithId } from '../../../db/page.ts'
import { type Statement, selectRows } from '../../../db/statements.ts'
import { storeRows } from '../entity.ts'

/** What they have in common: the entity of `table`, whose lines are as `schema` says. */
export function rowsOf<T extends TableWithId, S extends z.ZodObject>(table: T, schema: S) {
  return {
    name: getTableName(table),
    schema,
    // The cast: TypeScript does not know that all columns are read.
    read: (where: SQL, limit: number) =>
      selectRows(table, inIdOrder(table.id, where, limit)) as unknown as Statement<InferSelectModel<T>>,
    store: storeRows(table),
  }
}
