/** Writing good lines: one transaction for many, and what becomes of a line that the database does not take. */
import { batch, type Database } from '../../db/client.ts'
import {
  changeDefinitions,
  type DefinitionChange,
  raiseAgencyVersion,
  requireDefinitionsUnchanged,
} from '../../db/definitions.ts'
import { findViolation, isTooLarge } from '../../db/errors.ts'
import { isVersionGuard } from '../../db/merge.ts'
import type { Statement } from '../../db/statements.ts'
import { describeFailure, log } from '../../http/log.ts'
import { type Entity, isInChangeFeed, type Mode, type PendingReference, type StoredEntry } from './entity.ts'
import { namesDefinition } from './named-definitions.ts'

/** One line of a file, its JSON read. */
export interface Line {
  number: number
  /** The value that its record is known by; null where it has none that could be one. */
  id: number | string | null
  /** The keys that its entity knows. */
  data: Record<string, unknown>
  /** The first of the others, at the top or in a group. */
  unknown: string[]
  mode: Mode
  /** Bytes. */
  length: number
  /** Keys that count as sent although the record has their values: else the other keys would change them. */
  forcedKeys: Set<string>
  /** Unknown keys, those within lists included. */
  ignored: string[]
  /** What was not as it was read when the line was to be stored. */
  changedMeanwhile?: 'record' | 'definitions'
  /** Why it was refused; null while it is good. */
  message: string | null
}

/** A line that changes something. */
export interface CheckedLine extends StoredEntry<object> {
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

/** What lines were judged by. */
interface CheckedAgainst {
  context: unknown
  /** The version of the definitions; null where the lines depend on none. */
  definitions: number | null
}

/**
 * One transaction for all; where a constraint stops it, one for each half, down to the line at fault.
 * @returns lines whose records changed since they were read
 */
export async function storeTogether(
  db: Database,
  declared: Entity,
  good: CheckedLine[],
  basis: CheckedAgainst,
): Promise<Line[]> {
  if (good.length === 0) return []
  const changed = declared.changesDefinitions?.(good)
  try {
    await batch(db, {
      guard: guardOf(declared, good, changed, basis),
      writes: declared.store(good, basis.context),
      agency: isInChangeFeed(declared) ? null : raiseAgencyVersion(),
    })
    // The version that the other half meets, where the lines have been halved.
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
      // Nothing that a line can hold should get this far.
      if (!message) log('error', { work: `import of ${declared.name}`, ...describeFailure(error) })
      for (const { line } of good) line.message = message ?? 'Does not fit the stored data'
      return []
    }
    const middle = good.length >> 1
    return [
      ...(await storeTogether(db, declared, good.slice(0, middle), basis)),
      ...(await storeTogether(db, declared, good.slice(middle), basis)),
    ]
  }
  await runAfterHooks(db, declared, good)
  return []
}

/** The statement that undoes the batch where definitions are not as they were, or where what is changed of them is used. */
function guardOf(
  { name, usesDefinitions }: Entity,
  good: CheckedLine[],
  changed: Omit<DefinitionChange, 'table'> | undefined,
  { definitions }: CheckedAgainst,
): Statement | null {
  if (definitions === null) return null
  if (changed) return changeDefinitions(definitions, { table: name, ...changed })
  const depends = usesDefinitions && good.some(({ values }) => namesDefinition(values))
  return depends ? requireDefinitionsUnchanged(definitions) : null
}

/** What follows may fail: the lines are stored. */
async function runAfterHooks(db: Database, declared: Entity, good: CheckedLine[]): Promise<void> {
  try {
    await declared.after?.(
      db,
      good.map(({ row }) => row),
    )
  } catch (error) {
    log('error', { work: `import of ${declared.name}`, ...describeFailure(error) })
  }
}
