/** The records that own child rows with ids of their own, such as the rounds of an offer. */
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

/** The statement for the owners of `children` that are already stored. `ownerColumn` is a column such as `offer_id`. */
export function selectOwners(
  table: SQLiteTable,
  ownerColumn: string,
  children: Parent[],
): Statement<StoredChild> {
  const ids = children.map(({ id }) => id)
  return sqlStatement(sql`select id, ${sql.identifier(ownerColumn)} as owner
    from ${table} where ${isOneOf(sql`id`, ids)}`)
}

/** Refuses `field` of a line if an id in it is repeated or belongs to another record. */
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

/** The owner of a child once the `earlier` lines are stored: each of them replaces its whole list. */
function ownerOf<T extends Parent>(
  id: number,
  field: keyof T,
  stored: StoredChild[],
  earlier: T[],
): number | undefined {
  const newOwner = earlier.findLast((line) => idsIn(line[field]).includes(id))
  if (newOwner) return newOwner.id
  const owner = stored.find((child) => child.id === id)?.owner
  return earlier.some((line) => line.id === owner) ? undefined : owner
}

function idsIn(children: unknown): number[] {
  return Array.isArray(children) ? children.map((child: Parent) => child.id) : []
}
