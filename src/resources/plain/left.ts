/** Users who have left the agency: nothing new is given to them. */
import { sql } from 'drizzle-orm'
import { isOneOf } from '../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import type { Draft } from '../../http/request/check.ts'

/** The statement that finds those of `users` who have left. */
export function selectLeft(users: readonly number[]): Statement<{ id: number }> {
  return sqlStatement(sql`select id from users where ${isOneOf(sql`id`, users)} and is_active = 0`)
}

/** Refuses `field` if it names one of them. */
export function refuseLeft(
  draft: Pick<Draft<unknown>, 'refuse'>,
  field: string,
  left: readonly { id: number }[],
): void {
  for (const { id } of left) draft.refuse(field, `Invalid ${field}: ${id} has left`)
}
