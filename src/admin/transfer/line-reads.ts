/** What is read before lines are stored: the records that they name, and what they refer to. */
import { sql } from 'drizzle-orm'
import { lookupIn } from '../../catalogue/lookups.ts'
import { selectNewest } from '../../db/changes.ts'
import { batch, type Database, withoutDryRun } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { selectDefinitions } from '../../db/definitions.ts'
import { type Reference, selectMissing } from '../../db/references.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { selectApiCreations } from './creations.ts'
import { type Entity, type EntityReads, type EntityRules, recordKeyOf } from './entity.ts'
import { type HighestIds, readHighest, selectHighest } from './highest-ids.ts'
import type { Line } from './line.ts'

/** What is stored before lines are. */
interface Stored {
  definitions: number | null
  /** The newest cursor of the change feed; null for what is no lookup. */
  newest: number | null
  stored: Map<Line['id'], object>
  known: unknown[]
}

/**
 * The stored records by the ids of lines, what the screen of the entity has to know, and the version of the definitions; null
 * for an entity that depends on none.
 */
export async function readStored(db: Database, declared: Entity, lines: Line[]): Promise<Stored> {
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
    stored: new Map(found.rows?.map((row: object) => [recordKeyOf(declared, row), row])),
    known: found.known ?? [],
  }
}

interface Lookups {
  references: Reference[]
  added: Reference[]
  stored: ReadonlyMap<Line['id'], object>
  values: Record<string, unknown>[]
}

/** What `readIds` finds. */
interface FoundIds {
  missing: Map<string, Set<number>>
  creations: Map<Line['id'], string>
  /** The records that have values of `values` which only one may have, by column and value. */
  owners: Map<string, Line['id']>
}

/**
 * Reads which of `references` are missing, by table, and the highest ids of the tables to which `added` are added. Of the
 * `stored` records, it reads which the API created.
 */
export async function readIds(
  db: Database,
  declared: EntityReads & EntityRules,
  { references, added, stored, values }: Lookups,
  highest: HighestIds,
): Promise<FoundIds> {
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
    creations: new Map(found.creations?.map(({ id, message }) => [id, message])),
    owners: new Map(found.owners.flatMap((rows) => rows ?? []).map(({ id, name }) => [name, id])),
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
