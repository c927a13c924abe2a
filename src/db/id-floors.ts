/** Floors of ids: the ids of records that are gone, which no other record gets. A creation takes the next one above (`rows.ts`). */
import { type SQL, sql } from 'drizzle-orm'
import { type Statement, sqlStatement } from './statements.ts'

/** SQL for the highest id that a row of `table` has or has had, at least `least`. */
export function highestIdOf(table: string, least = 0): SQL {
  return sql`select max(coalesce(max(id), 0), coalesce((select id from id_floors where name = ${table}), 0), ${least}) as id
    from ${sql.identifier(table)}`
}

/** The statement that keeps the ids of the rows `where` holds for. With `max(id)`, SQLite could read the whole table. */
export function keepIds(table: string, where: SQL): Statement {
  return sqlStatement(sql`insert into id_floors (name, id)
    select ${table}, max(+id) from ${sql.identifier(table)} where ${where} having max(+id) is not null
    on conflict (name) do update set id = max(id_floors.id, excluded.id)`)
}
