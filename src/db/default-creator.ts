/** The user behind the caller, and the creator of a record whose body does not say. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './client.ts'
import { type Statement, sqlStatement } from './statements.ts'

/**
 * SQL for the creator of a record whose body has no `created_by`: the user behind the caller, else the setting
 * `default_user_id`, else the user with the lowest id. Null only if there is no user at all.
 */
export function defaultCreator({ provenance }: Pick<Database, 'provenance'>): SQL {
  return sql`cast(coalesce((select id from users where id = ${provenance?.user_id ?? null}),
    (select value from settings where key = 'default_user_id'), (select min(id) from users)) as integer)`
}

/** The statement that reads the default creator, for the batch that reads what a write needs. */
export function selectDefaultCreator(db: Database): Statement<{ created_by: number | null }> {
  return sqlStatement(sql`select ${defaultCreator(db)} as created_by`)
}

/** The statement that reads the user behind the caller; no row for a program. */
export function selectCaller({ provenance }: Database): Statement<{ id: number }> {
  return sqlStatement(sql`select id from users where id = ${provenance?.user_id ?? null}`)
}
