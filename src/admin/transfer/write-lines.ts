/** Writes valid lines of one or several entities in shared transactions, and finds the line at fault when the database refuses one. */
import { lookupIn } from '../../catalogue/lookups.ts'
import { requireUnchanged } from '../../db/changes.ts'
import { batch, type Database, mayCall } from '../../db/client.ts'
import {
  changeDefinitions,
  type DefinitionChange,
  recordAgencyChanges,
  requireDefinitionsUnchanged,
} from '../../db/definitions.ts'
import { findViolation, isTooLarge } from '../../db/errors.ts'
import { isVersionGuard } from '../../db/merge.ts'
import type { Statement } from '../../db/statements.ts'
import { changesOf, enterChanges } from '../../db/trail.ts'
import { describeFailure, log } from '../../http/log.ts'
import {
  type Entity,
  isInChangeFeed,
  keptKeys,
  type PendingReference,
  recordKeyOf,
  type StoredLine,
} from './entity.ts'
import { type Line, refuseLine } from './line.ts'
import { namesDefinition } from './named-definitions.ts'

/** What lines of an entity were checked against. */
export interface Basis {
  declared: Entity
  context: unknown
  /** The version of the definitions; null if the lines depend on none. */
  definitions: number | null
  /** The newest cursor of the change feed when lookups were read; null for other records, which have versions. */
  newest: number | null
}

/** A line that changes something. */
export interface CheckedLine extends StoredLine<object> {
  line: Line
  basis: Basis
  values: Record<string, unknown>
  awaited: PendingReference[]
}

/** The ids of stored lines whose entity has work to do afterwards. */
export type Written = Map<Entity, Set<number>>

/** Why a line is refused whose value another record has. */
export const TAKEN = 'A value that must be unique is taken by another record'

const CONSTRAINTS: Record<string, string> = {
  UNIQUE: TAKEN,
  FOREIGNKEY: 'Refers to a record that was refused',
  HIGHEST_ID: 'No id is left for the expense that its commission makes',
  TOOBIG: 'Too large: a record has at most 2 MB',
}

/**
 * Stores all lines in one transaction. If a constraint fails, it tries each half separately, down to the line at fault.
 * @returns lines whose records or definitions changed since they were read
 */
export async function storeTogether(db: Database, good: CheckedLine[], written: Written): Promise<Line[]> {
  if (good.length === 0) return []
  const groups = [...Map.groupBy(good, ({ basis }) => basis)].map(([basis, entries]) => ({
    basis,
    entries,
    changed: basis.declared.changesDefinitions?.(entries),
  }))
  try {
    await batch(db, {
      groups: groups.map(({ basis, entries, changed }) => ({
        guard: guardOf(basis, entries, changed),
        unchanged: unchangedOf(basis, entries),
        writes: basis.declared.store(entries, basis.context, keptKeys(db, basis.declared)),
        screened: basis.declared.screen?.store?.(entries) ?? null,
        ...notesOf(basis, entries),
      })),
    })
    // The other half, if the lines were halved, has to expect this version.
    for (const { basis, changed } of groups)
      if (changed?.altered.length && basis.definitions !== null) basis.definitions++
  } catch (error) {
    if (isVersionGuard(error)) {
      const changedMeanwhile = findViolation(error)?.column?.includes('agency_versions')
        ? 'definitions'
        : 'record'
      return good.map(({ line }) => Object.assign(line, { changedMeanwhile }))
    }
    const violated = isTooLarge(error) ? 'TOOBIG' : findViolation(error)?.kind
    if (!violated) throw error
    const [only, ...others] = good
    if (only && others.length === 0) {
      const { declared } = only.basis
      const message = CONSTRAINTS[violated]
      // Checks should have caught it: an unexpected constraint is logged.
      if (!message) log('error', { work: `import of ${declared.name}`, ...describeFailure(error) })
      refuseLine(only.line, message ?? 'Does not fit the stored data', fieldOf(declared, error))
      return []
    }
    if (!mayCall(db, 2)) {
      for (const { line } of good) refuseLine(line, 'Stands among too many that are refused; send it again')
      return []
    }
    const middle = good.length >> 1
    return [
      ...(await storeTogether(db, good.slice(0, middle), written)),
      ...(await storeTogether(db, good.slice(middle), written)),
    ]
  }
  for (const { line, basis } of good) {
    if (!basis.declared.after || typeof line.id !== 'number') continue
    const ids = written.get(basis.declared) ?? new Set()
    written.set(basis.declared, ids.add(line.id))
  }
  return []
}

/** Does what is left to do once lines are stored. Failures are only logged, and cron finishes what is left. */
export async function finishWritten(db: Database, written: Written): Promise<void> {
  for (const [{ name, after }, ids] of written) {
    try {
      await after?.(db, [...ids])
    } catch (error) {
      log('error', { work: `import of ${name}`, ...describeFailure(error) })
    }
  }
}

/** The field that a violated constraint names, if it is one of the record itself. */
function fieldOf({ name }: Entity, error: unknown): string | null {
  const [table, field] = findViolation(error)?.column?.split('.') ?? []
  return table === name ? (field ?? null) : null
}

/** The statements that note what is written: in the trail, and outside the change feed for the agency. */
function notesOf({ declared }: Basis, entries: CheckedLine[]) {
  const { name } = declared
  const written = entries.map(({ row, stored }: { row: { version?: number }; stored: object | null }) => {
    const changes = stored && changesOf(name, stored, row)
    return { id: recordKeyOf(declared, row) ?? '', isNew: !stored, version: row.version ?? null, changes }
  })
  const records = written.map(({ id, isNew }) => ({ key: id, isNew }))
  return {
    trail: enterChanges(name, written),
    agency: isInChangeFeed(declared) ? null : recordAgencyChanges(name, records),
  }
}

/** The guard that rolls the batch back if others have changed entries of a lookup since they were read. */
function unchangedOf({ declared, newest }: Basis, entries: CheckedLine[]): Statement | null {
  const lookup = lookupIn(declared.name)
  if (!lookup || newest === null) return null
  return requireUnchanged(
    lookup,
    entries.map(({ line }) => line.id),
    newest,
  )
}

/** The guard that rolls the batch back if definitions have changed, or if altered definitions are in use. */
function guardOf(
  { declared: { name, usesDefinitions }, definitions }: Basis,
  good: CheckedLine[],
  changed: Pick<DefinitionChange, 'altered' | 'uses'> | undefined,
): Statement | null {
  if (definitions === null) return null
  const added = good.flatMap(({ line, stored }) => (stored ? [] : Number(line.id)))
  if (changed) return changeDefinitions(definitions, { table: name, added, ...changed })
  const depends = usesDefinitions && good.some(({ values }) => namesDefinition(values))
  return depends ? requireDefinitionsUnchanged(definitions) : null
}
