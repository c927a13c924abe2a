/** Finds out what the lines of an import depend on, by a look at what is stored before it. */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import type { Reference } from '../../db/references.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { checkObject } from '../../http/request/check.ts'
import { type Dependences, type Entity, recordKeyOf } from './entity.ts'
import { addedIds, type HighestIds, idLimit, readHighest, selectHighest } from './highest-ids.ts'
import type { Line } from './line.ts'
import { isSameJson, prepareLine } from './merge-lines.ts'
import { definitionsIn, recordsInCustomValues } from './named-definitions.ts'
import type { ReadLine } from './read-lines.ts'

export type EntityLine = NonNullable<ReadLine['read']>

/** What is known before lines are arranged. */
export interface Known {
  /** The records that lines may change, by the names of `Dependences`. */
  named: Set<string>
  /** Those of them that are stored. */
  stored: Set<string>
  highest: HighestIds
  /** Lines of surveyed entities that have what is stored. */
  unchanged: Set<Line>
  /** Groups of records and of values that only one record may have, which have or had each other: each one's way to its group. */
  groups: Map<string, string>
}

/** Looks up what is stored of the records that lines name. One call. */
export async function surveyLines(db: Database, lines: readonly EntityLine[]): Promise<Known> {
  const added = lines.flatMap(({ entity, line }) =>
    addedIds(entity, { ...(entity.nestedIds && validValues({ entity, line })), id: line.id }, null),
  )
  const entities = [...Map.groupBy(lines, ({ entity }) => entity)]
  const idsOf = (group: EntityLine[]) =>
    group.flatMap(({ line: { id } }) => (typeof id === 'number' ? id : []))
  const surveyed = entities.filter(([{ isSurveyed }]) => isSurveyed)
  const found = await batch(db, {
    stored: [...Map.groupBy(added, ({ table }) => table)].map(([table, named]) =>
      selectStored(
        table,
        named.flatMap(({ ids }) => ids),
      ),
    ),
    highest: added.length > 0 ? selectHighest(added) : null,
    surveyed: surveyed.map(([entity, group]): Statement<object> => {
      const ids = idsOf(group)
      return entity.read(isOneOf(sql.raw(`${entity.name}.id`), ids), ids.length)
    }),
    unique: entities.flatMap(([entity, group]) =>
      (entity.unique ?? []).map((column) => selectUnique(entity.name, column, idsOf(group))),
    ),
  })
  const highest: HighestIds = new Map()
  readHighest(highest, found.highest ?? [])
  const unchanged = surveyed.flatMap(([entity, group], index) => {
    const rows = new Map(found.surveyed[index]?.map((row) => [recordKeyOf(entity, row), row]))
    return group.flatMap(({ line }) => (isUnchanged(entity, line, rows.get(line.id)) ? line : []))
  })
  const groups: Known['groups'] = new Map()
  for (const { record, name } of found.unique.flat()) joinGroups(groups, [valuesOfRecord(record), name])
  return {
    named: new Set([...lines.map(recordName), ...added.flatMap(namesOf)]),
    stored: new Set(found.stored.flat().map(({ name }) => name)),
    highest,
    unchanged: new Set(unchanged),
    groups,
  }
}

/**
 * What a line depends on and changes.
 * @param isKnown whether something is stored, or a line above may store it
 */
export function dependencesOf(
  one: EntityLine,
  { named, stored, highest, groups }: Known,
  isKnown: (name: string) => boolean,
): Required<Dependences> {
  const { entity, line } = one
  const { name, nestedIds } = entity
  const values = validValues(one)
  const record = recordName(one)
  const more = entity.dependences?.(values, isKnown) ?? {}
  const added = addedIds(entity, values, null)
  const distant = added.filter(({ table, ids }) => ids.some((id) => id > idLimit(highest, table)))
  // Which of its records a line gives up is not in its text, so lines with records of their own stay in order.
  const within = nestedIds ? [`records within ${name}`] : []
  const screened = entity.screen?.dependences(line)
  const only = (entity.unique ?? []).flatMap((column) =>
    values[column] == null ? [] : `${name}.${column} ${values[column]}`,
  )
  // Any line above may be refused, so all values that the record may have had count as changed.
  const exclusive = only.length > 0 ? joinGroups(groups, [valuesOfRecord(record), ...only]) : []
  const referred = (entity.references?.(values) ?? []).flatMap(namesOf)
  // Of a stored record, only that it exists is of interest. Definitions are another matter, which has a name of its own.
  const isNew = (other: string) => named.has(other) && !stored.has(other)
  return {
    reads: [
      ...[...referred, ...definitionsIn(values)].filter(isNew),
      ...recordsInCustomValues(values, isNew),
      ...(entity.usesDefinitions ? ['definitions'] : []),
      ...(screened?.reads ?? []),
      ...distant.map(({ table }) => `${table} *`),
      ...within,
      ...(more.reads ?? []),
    ],
    changes: [
      record,
      ...(nestedIds?.(values) ?? []).flatMap(namesOf),
      ...exclusive,
      ...(entity.changesDefinitions && isKnown(record) ? ['definitions'] : []),
      ...(screened?.changes ?? []),
      ...(more.changes ?? []),
    ],
    adds: [...new Set(added.map(({ table }) => `${table} *`)), ...within, ...(more.adds ?? [])],
  }
}

const valuesOfRecord = (record: string) => `values of ${record}`

/** Makes one group of several, and returns their names so far: what follows names the first, and is behind all of them. */
function joinGroups(groups: Known['groups'], names: string[]): string[] {
  const found = [...new Set(names.map((name) => groupOf(groups, name)))]
  const [first, ...others] = found
  if (first !== undefined) for (const other of others) groups.set(other, first)
  return found
}

/** The group of a name. Shortens the ways to it, so that they do not grow with the lines. */
function groupOf(groups: Known['groups'], name: string): string {
  const way = [name]
  for (let next = groups.get(name); next !== undefined; next = groups.get(next)) way.push(next)
  const group = way.at(-1) ?? name
  for (const passed of way.slice(0, -1)) groups.set(passed, group)
  return group
}

function validValues({ entity, line }: EntityLine): Record<string, unknown> {
  return checkObject(entity.schema, line.data).values
}

/** The record of a line, as `Dependences` names it. */
export function recordName({ entity, line }: EntityLine): string {
  return `${entity.name} ${line.id}`
}

function namesOf({ table, ids }: Reference): string[] {
  return ids.map((id) => `${table} ${id}`)
}

function isUnchanged(entity: Entity, line: Line, stored: object | undefined): boolean {
  if (!stored || entity.isDifferentRecord?.(line.data, stored)) return false
  const { current, changedKeys } = prepareLine(entity, line, stored)
  return current ? changedKeys.size === 0 : isSameJson(line.data, entity.present(stored))
}

function selectStored(table: string, ids: number[]): Statement<{ name: string }> {
  return sqlStatement(
    sql`select ${`${table} `} || id as name from ${sql.identifier(table)} where ${isOneOf(sql`id`, ids)}`,
  )
}

/** The statement for the values of a column, as `Dependences` names them. */
function selectUnique(
  table: string,
  column: string,
  ids: number[],
): Statement<{ record: string; name: string }> {
  return sqlStatement(sql`select ${`${table} `} || id as record,
      ${`${table}.${column} `} || ${sql.identifier(column)} as name
    from ${sql.identifier(table)} where id in (${valuesOf(ids)}) and ${sql.identifier(column)} is not null`)
}
