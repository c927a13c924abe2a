/** The records that own child rows with ids of their own, such as the rounds of an offer. */
import { sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isOneOf } from '../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import type { Draft } from '../../http/request/check.ts'

export interface StoredChild {
  id: number
  owner: number
}

type Values = Record<string, unknown>

/** The statement for the owners of the rows `ids` that are already stored. `ownerColumn` is a column such as `offer_id`. */
export function selectOwners(
  table: SQLiteTable,
  ownerColumn: string,
  ids: readonly number[],
): Statement<StoredChild> {
  return sqlStatement(sql`select id, ${sql.identifier(ownerColumn)} as owner
    from ${table} where ${isOneOf(sql`id`, ids)}`)
}

/** Refuses `field` of a line if an id in it is repeated or belongs to another record. */
export function checkChildIds(
  draft: Pick<Draft<Values>, 'values' | 'refuse'>,
  field: string,
  stored: StoredChild[],
  earlier: readonly Values[],
): void {
  const seen = new Set<number>()
  for (const id of idsIn(draft.values[field])) {
    const owner = ownerOf(id, field, stored, earlier)
    if (seen.has(id)) draft.refuse(field, `Invalid ${field}: id ${id} stands twice`)
    else if (owner !== undefined && owner !== draft.values.id) {
      draft.refuse(field, `Invalid ${field}: id ${id} belongs to another record, ${owner}`)
    }
    seen.add(id)
  }
}

/** The owner of a child once the `earlier` lines are stored: each of them replaces its whole list. */
function ownerOf(id: number, field: string, stored: StoredChild[], earlier: readonly Values[]): unknown {
  const newOwner = earlier.findLast((line) => idsIn(line[field]).includes(id))
  if (newOwner) return newOwner.id
  const owner = stored.find((child) => child.id === id)?.owner
  return earlier.some((line) => line.id === owner) ? undefined : owner
}

function idsIn(children: unknown): number[] {
  return Array.isArray(children) ? children.map((child: { id: number }) => child.id) : []
}
