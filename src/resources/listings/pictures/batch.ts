/** Writes of several pictures in one transaction, for which what visitors see is made anew once and not for each. */
import { sql } from 'drizzle-orm'
import { valuesOf } from '../../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../../db/statements.ts'

/** `writes` of pictures of the listings `ids`. Where they stand in a batch, the rows of the listings are stored. */
export function asOneChange(ids: readonly number[], writes: readonly Statement[]): Statement[] {
  if (writes.length === 0) return []
  const defer = (value: 0 | 1) =>
    sqlStatement(
      sql`update public_listings set pictures_deferred = ${sql.raw(String(value))} where id in (${valuesOf(ids)})`,
    )
  return [defer(1), ...writes, defer(0)]
}
