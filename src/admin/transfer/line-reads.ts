/** What is read before lines are stored: the records that they name, and what they refer to. */
import { sql } from 'drizzle-orm'
import { batch, type Database, runStatement, withoutDryRun } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { selectDefinitions } from '../../db/definitions.ts'
import { type Reference, selectMissing } from '../../db/references.ts'
import { type KnownPersons, selectKnownPersons } from '../people/lines.ts'
import { selectApiCreations } from './creations.ts'
import { type EntityReads, type EntityWrites, type Line, recordKeyOf } from './entity.ts'
import { type HighestIds, readHighest, selectHighest } from './highest-ids.ts'

/** The version of the definitions; null for an entity that depends on none. */
export async function readDefinitions(
  db: Database,
  { usesDefinitions, changesDefinitions }: EntityWrites,
): Promise<number | null> {
  if (!usesDefinitions && !changesDefinitions) return null
  const [found] = await runStatement(db, selectDefinitions())
  return found?.definitions ?? null
}

/** The stored records by the ids of lines, and what is known of the persons of the lines. */
export async function readStored(
  db: Database,
  declared: EntityReads,
  lines: Line[],
): Promise<{ stored: Map<Line['id'], object>; persons: KnownPersons[] }> {
  const ids = lines.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return { stored: new Map(), persons: [] }
  const { name, key = 'id' } = declared
  // Nearly all records of a dry run are either stored or not there.
  const isTriedOut = db.dryRun?.has(name, key, new Set(ids)) || db.dryRun?.changes('erased_records')
  const at = isTriedOut ? db : withoutDryRun(db)
  const reading = declared.read(isOneOf(sql.raw(`${name}.${key}`), ids), ids.length)
  const finding = selectKnownPersons(name, lines)
  const { rows, persons } = finding
    ? await batch(at, { rows: reading, persons: finding })
    : { rows: await runStatement(at, reading), persons: [] }
  const stored = new Map<Line['id'], object>(
    rows.map((row: object) => [recordKeyOf(declared, row), row] as const),
  )
  return { stored, persons }
}

interface Lookups {
  references: Reference[]
  added: Reference[]
  stored: ReadonlyMap<Line['id'], object>
}

/**
 * Reads which of `references` are missing, by table, and the highest ids of the tables to which `added` are added. Of the
 * `stored` records, it reads which the API created.
 */
export async function readIds(
  db: Database,
  declared: EntityReads,
  { references, added, stored }: Lookups,
  highest: HighestIds,
): Promise<{ missing: Map<string, Set<number>>; creations: Map<Line['id'], string> }> {
  const creations = stored.size > 0 ? selectApiCreations(declared, [...stored.keys()]) : null
  const isAsked = references.some(({ ids }) => ids.length > 0)
  if (added.length === 0 && !isAsked && !creations) return { missing: new Map(), creations: new Map() }
  const found = await batch(db, {
    missing: selectMissing(references),
    highest: added.length > 0 ? selectHighest(added) : null,
    creations,
  })
  readHighest(highest, found.highest ?? [])
  const missing = Map.groupBy(found.missing, ({ table }) => table)
  return {
    missing: new Map([...missing].map(([table, rows]) => [table, new Set(rows.map(({ id }) => id))])),
    creations: new Map(found.creations?.map(({ id, message }) => [id, message])),
  }
}
