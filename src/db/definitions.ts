/**
 * Definitions (places, subtypes, custom fields) and the records that are judged by them. All definitions share one
 * version, which the change of one raises. A record that names one is stored only while they are at the version that it
 * was judged by; a definition is changed only while nothing uses it. Both are looked at within the transaction of the
 * write. An update of a request is not guarded for the places that it names: it only needs them to exist.
 *
 *     const { definitions } = …                               // `select ${DEFINITIONS} as definitions`
 *     insertRow(requests, columns, definitionsAt(definitions))
 */
import { type SQL, sql } from 'drizzle-orm'
import { isOneOf } from './conditions.ts'
import { type SqlFragment, type Statement, sqlStatement, textStatement } from './statements.ts'

/** The version of all definitions, as SQL. */
export const DEFINITIONS = "(select version from agency_versions where name = 'definitions')"

/** What is true while the definitions are at `version`. */
export function definitionsUnchanged(version: number): SqlFragment {
  return { text: `${DEFINITIONS} = ?`, params: [version] }
}

/** The statement that reads the version. */
export function selectDefinitions(): Statement<{ definitions: number }> {
  return textStatement(`select ${DEFINITIONS} as definitions`)
}

/** The statement that undoes its batch, as a version guard does, unless the definitions are at `version`. */
export function requireDefinitionsUnchanged(version: number): Statement<never> {
  return textStatement(
    `insert into agency_versions (name, version) select 'definitions', null where ${DEFINITIONS} is not ?`,
    [version],
  )
}

/** What a batch does to definitions. */
export interface DefinitionChange {
  table: string
  /** Ids that are new, and must still be so. */
  added: number[]
  /** Ids of those that come to mean something else. */
  altered: number[]
  /** What must not be, as selects that find nothing. */
  uses: SQL[]
}

/** The statement that lets a batch change definitions that are at `version`; it undoes the batch where it must not. */
export function changeDefinitions(
  version: number,
  { table, added, altered, uses }: DefinitionChange,
): Statement {
  const taken = sql`select 1 from ${sql.identifier(table)} where ${isOneOf(sql`id`, added)}`
  const refused = [...(added.length > 0 ? [taken] : []), ...(altered.length > 0 ? uses : [])]
  const holds = [sql`version = ${version}`, ...refused.map((select) => sql`not exists (${select})`)]
  return sqlStatement(sql`update agency_versions
    set version = case when ${sql.join(holds, sql` and `)} then version + ${sql.raw(altered.length > 0 ? '1' : '0')} end
    where name = 'definitions'`)
}

/** The statement that notes a write of what is not in the feed of changes. */
export function raiseAgencyVersion(): Statement<never> {
  return textStatement("update agency_versions set version = version + 1 where name = 'agency'")
}
