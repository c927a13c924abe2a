/** Rows with an id of their own that belong to a record, such as a round to an offer: whose they are. */
import { sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isOneOf } from '../../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../../db/statements.ts'
import type { Draft } from '../../../http/request/check.ts'

export interface StoredChild {
  id: number
  owner: number
}

interface Parent {
  id: number
}

/** The statement for the owners of those of `children` that are stored; `ownerColumn` is `offer_id` and the like. */
export function selectOwners(
  table: SQLiteTable,
  ownerColumn: string,
  children: Parent[],
): Statement<StoredChild> {
  const ids = children.map(({ id }) => id)
  return sqlStatement(sql`select id, ${sql.identifier(ownerColumn)} as owner
    from ${table} where ${isOneOf(sql`id`, ids)}`)
}

/** Refuses the `field` of a line when an id in it stands twice, or is that of another record's. */
export function checkChildIds<T extends Parent, Field extends keyof T & string>(
  draft: Draft<T>,
  field: Field,
  stored: StoredChild[],
  earlier: T[],
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

/** Whose a child is once the `earlier` lines are stored: each of them replaces its whole list. */
function ownerOf<T extends Parent>(
  id: number,
  field: keyof T,
  stored: StoredChild[],
  earlier: T[],
): number | undefined {
  const taker = earlier.findLast((line) => idsIn(line[field]).includes(id))
  if (taker) return taker.id
  const owner = stored.find((child) => child.id === id)?.owner
  return earlier.some((line) => line.id === owner) ? undefined : owner
}

function idsIn(children: unknown): number[] {
  return Array.isArray(children) ? children.map((child: Parent) => child.id) : []
}
