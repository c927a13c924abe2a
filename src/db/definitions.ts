/**
 * Definitions: places, subtypes and custom fields, by which records are validated. All definitions share one version,
 * which rises whenever one of them changes.
 *
 * A record that names a definition is stored only if that version is still the one it was validated by. A definition
 * may change only while no record uses it. Both are checked in the transaction of the write. An update of a request is
 * not guarded for the places that it names: these only have to exist.
 *
 *     const { definitions } = …                               // `select ${DEFINITIONS} as definitions`
 *     insertRow(requests, columns, definitionsUnchanged(definitions))
 */
import { type SQL, sql } from 'drizzle-orm'
import { isOneOf } from './conditions.ts'
import { type SqlFragment, type Statement, sqlStatement, textStatement } from './statements.ts'

/** SQL for the version of all definitions. */
export const DEFINITIONS = "(select version from agency_versions where name = 'definitions')"

/** The guard that holds while the definitions are at `version`. */
export function definitionsUnchanged(version: number): SqlFragment {
  return { text: `${DEFINITIONS} = ?`, params: [version] }
}

/** The statement that reads the version of the definitions. */
export function selectDefinitions(): Statement<{ definitions: number }> {
  return textStatement(`select ${DEFINITIONS} as definitions`)
}

/** The statement that rolls its batch back, as a version guard does, unless the definitions are at `version`. */
export function requireDefinitionsUnchanged(version: number): Statement<never> {
  return textStatement(
    `insert into agency_versions (name, version) select 'definitions', null where ${DEFINITIONS} is not ?`,
    [version],
  )
}

export interface DefinitionChange {
  table: string
  /** Ids of new definitions. They must not exist yet. */
  added: number[]
  /** Ids of definitions whose meaning changes. */
  altered: number[]
  /** Selects that find records that use the altered definitions. None may find a row. */
  uses: SQL[]
}

/**
 * The statement that allows a batch to change definitions at `version`. If the change is refused, it rolls the batch
 * back.
 */
export function changeDefinitions(
  version: number,
  { table, added, altered, uses }: DefinitionChange,
): Statement {
  const existing = sql`select 1 from ${sql.identifier(table)} where ${isOneOf(sql`id`, added)}`
  const refused = [...(added.length > 0 ? [existing] : []), ...(altered.length > 0 ? uses : [])]
  const conditions = [sql`version = ${version}`, ...refused.map((select) => sql`not exists (${select})`)]
  return sqlStatement(sql`update agency_versions
    set version = case when ${sql.join(conditions, sql` and `)} then version + ${sql.raw(altered.length > 0 ? '1' : '0')} end
    where name = 'definitions'`)
}

/** The statements that record a write to data outside the change feed: to records of `entity`, the name of their table. */
export function recordAgencyChanges(
  entity: string,
  records: readonly { key: number | string; isNew: boolean }[],
): Statement<never>[] {
  return [
    textStatement("update agency_versions set version = version + 1 where name = 'agency'"),
    textStatement(
      `insert into agency_changes (entity, key, version, added)
      select ?, value ->> 'key', version, iif(value ->> 'isNew', version, 0)
      from json_each(?), agency_versions where name = 'agency'
      on conflict do update set version = excluded.version`,
      [entity, JSON.stringify(records)],
    ),
  ]
}
