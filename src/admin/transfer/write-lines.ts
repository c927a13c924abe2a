/** Writes valid lines in shared transactions, and finds the line at fault when the database refuses one. */
import { batch, type Database } from '../../db/client.ts'
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
  type EntityReads,
  type EntityWrites,
  isInChangeFeed,
  type Line,
  type PendingReference,
  recordKeyOf,
  refuseLine,
  type StoredLine,
} from './entity.ts'
import { namesDefinition } from './named-definitions.ts'

type StoredEntity = EntityReads & EntityWrites

/** A line that changes something. */
export interface CheckedLine extends StoredLine<object> {
  line: Line
  values: Record<string, unknown>
  awaited: PendingReference[]
}

const CONSTRAINTS: Record<string, string> = {
  UNIQUE: 'A value that must be unique is taken by another record',
  FOREIGNKEY: 'Refers to a record that was refused',
  HIGHEST_ID: 'No id is left for the expense that its commission makes',
  TOOBIG: 'Too large: a record has at most 2 MB',
}

/** What lines were checked against. */
interface CheckedAgainst {
  context: unknown
  /** The version of the definitions; null if the lines depend on none. */
  definitions: number | null
}

/**
 * Stores all lines in one transaction. If a constraint fails, it tries each half separately, down to the line at fault.
 * @returns lines whose records or definitions changed since they were read
 */
export async function storeTogether(
  db: Database,
  declared: StoredEntity,
  good: CheckedLine[],
  basis: CheckedAgainst,
): Promise<Line[]> {
  if (good.length === 0) return []
  const changed = declared.changesDefinitions?.(good)
  try {
    await batch(db, {
      guard: guardOf(declared, good, changed, basis),
      writes: declared.store(good, basis.context),
      trail: enterChanges(declared.name, good.map(entryOf(declared))),
      agency: isInChangeFeed(declared)
        ? null
        : recordAgencyChanges(declared.name, good.map(writtenOf(declared))),
    })
    // The other half, if the lines were halved, has to expect this version.
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
    if (good.length === 1) {
      const message = CONSTRAINTS[violated]
      // Checks should have caught it: an unexpected constraint is logged.
      if (!message) log('error', { work: `import of ${declared.name}`, ...describeFailure(error) })
      for (const { line } of good)
        refuseLine(line, message ?? 'Does not fit the stored data', fieldOf(declared, error))
      return []
    }
    const middle = good.length >> 1
    return [
      ...(await storeTogether(db, declared, good.slice(0, middle), basis)),
      ...(await storeTogether(db, declared, good.slice(middle), basis)),
    ]
  }
  if (!db.dryRun) await runAfterHooks(db, declared, good)
  return []
}

/** The field that a violated constraint names, if it is one of the record itself. */
function fieldOf({ name }: StoredEntity, error: unknown): string | null {
  const [table, field] = findViolation(error)?.column?.split('.') ?? []
  return table === name ? (field ?? null) : null
}

/** What the trail is to say of a line. */
function entryOf(declared: StoredEntity) {
  return ({ row, stored }: CheckedLine) => {
    const { version }: { version?: number } = row
    return {
      id: recordKeyOf(declared, row) ?? '',
      version: version ?? null,
      changes: stored && changesOf(declared.name, stored, row),
    }
  }
}

/** What the agency is to record of a line. */
function writtenOf(declared: StoredEntity) {
  return ({ row, stored }: CheckedLine) => ({ key: recordKeyOf(declared, row) ?? '', isNew: !stored })
}

/** The guard that rolls the batch back if definitions have changed, or if altered definitions are in use. */
function guardOf(
  { name, usesDefinitions }: StoredEntity,
  good: CheckedLine[],
  changed: Omit<DefinitionChange, 'table'> | undefined,
  { definitions }: CheckedAgainst,
): Statement | null {
  if (definitions === null) return null
  if (changed) return changeDefinitions(definitions, { table: name, ...changed })
  const depends = usesDefinitions && good.some(({ values }) => namesDefinition(values))
  return depends ? requireDefinitionsUnchanged(definitions) : null
}

/** Failures are only logged, because the lines are already stored. */
async function runAfterHooks(db: Database, declared: StoredEntity, good: CheckedLine[]): Promise<void> {
  try {
    await declared.after?.(
      db,
      good.map(({ row }) => row),
    )
  } catch (error) {
    log('error', { work: `import of ${declared.name}`, ...describeFailure(error) })
  }
}
