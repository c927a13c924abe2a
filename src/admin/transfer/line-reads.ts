/** What is read before lines are stored: the records that they name, and what they refer to. */
import { sql } from 'drizzle-orm'
import { lookupIn } from '../../catalogue/lookups.ts'
import { selectNewest } from '../../db/changes.ts'
import { batch, type Database, withoutDryRun } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import { selectDefinitions } from '../../db/definitions.ts'
import { type Reference, selectMissing } from '../../db/references.ts'
import { Statement, sqlStatement } from '../../db/statements.ts'
import { resourceName } from '../../db/trail.ts'
import { KEYED_AREAS } from '../../http/areas.ts'
import { type Entity, isInChangeFeed, recordKeyOf } from './entity.ts'
import { type HighestIds, readHighest, selectHighest } from './highest-ids.ts'
import type { Line } from './line.ts'

/**
 * The stored records by the ids of lines, what the screen of the entity has to know, the version of the definitions, null
 * for an entity that depends on none, and the newest cursor of the change feed, null for what is no lookup.
 */
export async function readStored(db: Database, declared: Entity, lines: Line[]) {
  const ids = lines.flatMap(({ id }) => id ?? [])
  const { name, key = 'id', usesDefinitions, changesDefinitions, screen } = declared
  // Nearly all records of a dry run are either stored or not there.
  const isTriedOut = db.dryRun?.has(name, key, new Set(ids)) || (screen && db.dryRun?.changes(screen.table))
  const at = isTriedOut ? db : withoutDryRun(db)
  const found = await batch(at, {
    // If they change before the lines are stored, the lines are checked again.
    definitions: usesDefinitions || changesDefinitions ? selectDefinitions() : null,
    rows: ids.length > 0 ? declared.read(isOneOf(sql.raw(`${name}.${key}`), ids), ids.length) : null,
    known: ids.length > 0 && screen ? screen.select(lines) : null,
    newest: lookupIn(name) ? selectNewest() : null,
  })
  return {
    definitions: found.definitions?.[0]?.definitions ?? null,
    newest: found.newest?.[0]?.cursor ?? null,
    stored: new Map<Line['id'], object>(found.rows?.map((row: object) => [recordKeyOf(declared, row), row])),
    known: found.known ?? [],
  }
}

interface Lookups {
  references: Reference[]
  added: Reference[]
  stored: ReadonlyMap<Line['id'], object>
  values: Record<string, unknown>[]
}

/**
 * Reads which of `references` are missing, by table, and the highest ids of the tables to which `added` are added. Of the
 * `stored` records, it reads which the API created. `owners` are the records that have those of `values` which only one may
 * have, by column and value.
 */
export async function readIds(
  db: Database,
  declared: Entity,
  { references, added, stored, values }: Lookups,
  highest: HighestIds,
) {
  const isAsked = references.some(({ ids }) => ids.length > 0)
  const found = await batch(db, {
    missing: isAsked ? selectMissing(references) : null,
    highest: added.length > 0 ? selectHighest(added) : null,
    creations: stored.size > 0 ? selectApiCreations(declared, [...stored.keys()]) : null,
    owners: (declared.unique ?? []).map((column) => {
      const sent = values.flatMap((one) => (one[column] == null ? [] : String(one[column])))
      return sent.length > 0 ? selectOwners(declared.name, column, sent) : null
    }),
  })
  readHighest(highest, found.highest ?? [])
  const missing = Map.groupBy(found.missing ?? [], ({ table }) => table)
  return {
    missing: new Map([...missing].map(([table, rows]) => [table, new Set(rows.map(({ id }) => id))])),
    creations: new Map<Line['id'], string>(found.creations?.map(({ id, message }) => [id, message])),
    owners: new Map<string, Line['id']>(
      found.owners.flatMap((rows) => rows ?? []).map(({ id, name }) => [name, id]),
    ),
  }
}

/** The statement for the records that have one of `values` in a column. */
function selectOwners(
  table: string,
  column: string,
  values: string[],
): Statement<{ id: number; name: string }> {
  const named = sql.identifier(column)
  return sqlStatement(sql`select id, ${`${column} `} || ${named} as name from ${sql.identifier(table)}
    where ${named} is not null and ${isOneOf(named, values)}`)
}

const ROUTES = KEYED_AREAS.map((area) => sql.raw(`route like '/${area}/%'`))

/**
 * The statement that reads which of `ids` the API created, with warnings for their lines; null for entities that it does not
 * create. A line with such an id may come from another system that gave it to something else. The trail knows it, but for
 * entries that it has purged, and for what was made before it or while `RECORD_TRAIL` is off.
 */
function selectApiCreations(entity: Entity, ids: Line['id'][]) {
  if (!isInChangeFeed(entity)) return null
  const { sql: text, params } = sqlStatement(sql`select record_id, method, route, date from trail
    where resource = ${resourceName(entity.name)} and record_id in (${valuesOf(ids.map(String))})
      and changed is null and others is not null and status = 200
      and (${sql.join(ROUTES, sql` or `)})`)
  return new Statement(text, params, (rows) =>
    rows.map(({ record_id, method, route, date }) => ({
      id: Number(record_id),
      message: `${entity.name} ${record_id} was created by ${method} ${route} on ${date}, not by an import`,
    })),
  )
}
