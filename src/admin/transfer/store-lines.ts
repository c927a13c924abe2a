/**
 * Stores consecutive lines of one entity: it merges and checks them one by one and writes them together. A line that
 * cannot be stored is refused without affecting others. A line that changes nothing writes nothing.
 */
import { portionsOf } from '../../db/bulk.ts'
import type { Database } from '../../db/client.ts'
import { pauseBeforeRetry } from '../../db/merge.ts'
import { formatDateTime } from '../../fields/values.ts'
import { yieldToEventLoop } from '../../http/concurrency/queue.ts'
import { ApiError } from '../../http/errors.ts'
import { screenLines } from '../people/lines.ts'
import {
  type Entity,
  type EntityReads,
  type EntityWrites,
  type Line,
  type LineProblem,
  MAX_LINE_PROBLEMS,
  type PendingReference,
  refuseLine,
} from './entity.ts'
import { addedIds, type HighestIds, raiseHighest, refuseDistantIds } from './highest-ids.ts'
import { readDefinitions, readIds, readStored } from './line-reads.ts'
import { isSameJson, overriddenKeys, type PreparedLine, prepareLine } from './merge-lines.ts'
import { type CheckedLine, storeTogether } from './write-lines.ts'

/** Lines stored in one transaction. */
const CHUNK = { entries: 100, length: 500_000, lengthOf: ({ length }: Line) => length }
/** Maximum attempts to store a line whose record, or whose definitions, keep changing meanwhile. */
const ATTEMPTS = 16

/** Stores the valid lines and sets `problems` of the others. No two of `lines` may name the same record. */
export async function storeLines(db: Database, declared: Entity, lines: Line[]): Promise<void> {
  const chunks = portionsOf(lines, CHUNK)
  const waiting: Line[] = []
  const highest: HighestIds = new Map()
  for (const [index, chunk] of chunks.entries()) {
    await yieldToEventLoop()
    const laterIds = [...waiting, ...chunks.slice(index + 1).flat()].map(({ id }) => id)
    waiting.push(...(await storeGroup(db, declared, chunk, new Set(laterIds), highest)))
  }
  await storeGroup(db, declared, waiting, new Set(), highest)
}

/** The result of checking lines together. */
interface CheckedLines {
  /** Valid lines that change something. */
  good: CheckedLine[]
  /** Lines to check again with more `forcedKeys`. */
  recheck: Line[]
  context: unknown
  /** The version of the definitions that they were checked against; null if they depend on none. */
  definitions: number | null
}

/** Stores lines whose pending references are stored or among them. Returns those that wait for a line of `laterIds`. */
async function storeGroup(
  db: Database,
  declared: Entity,
  lines: Line[],
  laterIds: ReadonlySet<Line['id']>,
  highest: HighestIds,
): Promise<Line[]> {
  const waiting: Line[] = []
  let remaining = lines
  for (let tries = 1; remaining.length > 0; tries++) {
    const checked: CheckedLines[] = []
    for (const chunk of portionsOf(remaining, CHUNK)) {
      checked.push(await checkLines(db, declared, chunk, highest))
    }
    const ready = readyLines(
      checked.flatMap(({ good }) => good),
      laterIds,
      waiting,
    )
    remaining = checked.flatMap(({ recheck }) => recheck)
    for (const basis of checked) {
      const together = basis.good.filter((entry) => ready.has(entry))
      remaining.push(...(await storeTogether(db, declared, together, basis)))
    }
    if (tries < ATTEMPTS) {
      if (remaining.length > 0) await pauseBeforeRetry(tries)
      continue
    }
    for (const line of remaining) {
      refuseLine(line, `Others keep changing the ${line.changedMeanwhile ?? 'record'}; send the line again`)
    }
    break
  }
  return waiting
}

/** Checks lines against the stored records and sets `problems` of those that are refused. */
async function checkLines(
  db: Database,
  declared: Entity,
  lines: Line[],
  highest: HighestIds,
): Promise<CheckedLines> {
  // Read first: if definitions change while the rest is read, their version no longer matches when the lines are stored.
  const definitions = await readDefinitions(db, declared)
  const { stored, persons } = await readStored(db, declared, lines)
  screenLines(declared, lines, persons, stored)
  const accepted = lines.filter(({ problems }) => problems.length === 0)
  const prepared = accepted.map((line) => {
    const found = stored.get(line.id)
    const record = found && !declared.isDifferentRecord?.(line.data, found) ? found : null
    const merged = prepareLine(declared, line, record)
    line.ignored = [...line.unknown, ...merged.draft.unknownFields]
    const refused = line.downloads ? (declared.refusedDownloads?.(line) ?? []) : []
    merged.draft.refuseAll(refused)
    return { line, ...merged, isRefused: refused.length > 0 }
  })
  // A line that changes nothing needs no check.
  const changing = prepared.filter(
    ({ current, changedKeys, isRefused }) => !current || changedKeys.size > 0 || isRefused,
  )
  const incoming = prepared.map(({ draft, ...rest }) => ({ ...rest, values: draft.values }))
  const references = changing.map(({ draft }) => declared.references?.(draft.values) ?? [])
  const added = changing.map(({ draft, stored }) => addedIds(declared, draft.values, stored))
  const [{ missing, creations }, context] = await Promise.all([
    readIds(db, declared, { references: references.flat(), added: added.flat(), stored }, highest),
    declared.load && changing.length > 0 ? declared.load(db, incoming) : undefined,
  ])
  for (const { line, stored } of prepared) line.warning = (stored && creations.get(line.id)) ?? null
  const good: CheckedLine[] = []
  const recheck: Line[] = []
  const earlier: Record<string, unknown>[] = []
  for (const [index, entry] of changing.entries()) {
    const { line, draft } = entry
    for (const { field, table, ids } of references[index] ?? [])
      for (const id of ids) if (missing.get(table)?.has(id)) draft.refuse(field, `Unknown ${field} ${id}`)
    refuseDistantIds(draft, added[index] ?? [], highest)
    declared.check?.(draft, context, { ...entry, values: draft.values }, earlier)
    const values = completeDraft(line, draft)
    if (!values) continue
    const row = resolveLine(declared, entry, values, context)
    if (forceOverriddenKeys(declared, entry, row)) {
      recheck.push(line)
      continue
    }
    earlier.push(values)
    // The lines below may refer to this record.
    if (typeof line.id === 'number') missing.get(declared.name)?.delete(line.id)
    if (!row) continue
    raiseHighest(highest, added[index] ?? [])
    const awaited = declared.pendingReferences?.(values, context) ?? []
    good.push({ line, values, row, stored: entry.stored, awaited })
  }
  return { good, recheck, context, definitions }
}

/**
 * Adds to `forcedKeys` of a line the keys that equal the stored record, but whose values its other keys change. Returns
 * whether there are any.
 */
function forceOverriddenKeys(
  declared: Entity,
  { line, current }: PreparedLine & { line: Line },
  row: object | null,
): boolean {
  const paths = row && current ? overriddenKeys(declared, line, current, row) : []
  for (const path of paths) line.forcedKeys.add(path)
  return paths.length > 0
}

function completeDraft(line: Line, draft: PreparedLine['draft']): Record<string, unknown> | null {
  try {
    return draft.complete()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    line.problems = error.problems.slice(0, MAX_LINE_PROBLEMS)
    return null
  }
}

/** The record that a line results in, with its dates and version; null if it equals the stored one. */
function resolveLine(
  declared: EntityReads & EntityWrites,
  { line, stored, current, changedKeys }: PreparedLine & { line: Line },
  values: Record<string, unknown>,
  context: unknown,
): object | null {
  const now = formatDateTime(new Date())
  const row: Record<string, unknown> = declared.resolve(
    values,
    context,
    { values, stored, current, changedKeys },
    now,
  )
  if (!stored) return 'version' in row ? { ...row, version: 1 } : row
  if (isSameJson(declared.present(row), declared.present(stored))) return null
  const { date_updated: sentDate } = line.data
  const needsDate =
    'date_updated' in row && (sentDate === undefined || (sentDate === null && row.date_updated !== null))
  const { version } = stored as { version?: number }
  return {
    ...row,
    ...(needsDate ? { date_updated: now } : {}),
    ...(version === undefined ? {} : { version: version + 1 }),
  }
}

/**
 * The valid lines whose pending references are stored or among them. A line that needs one of `laterIds` is added to
 * `waiting`; a line whose reference no line provides is refused.
 */
function readyLines(
  good: CheckedLine[],
  laterIds: ReadonlySet<Line['id']>,
  waiting: Line[],
): Set<CheckedLine> {
  let ready = good
  for (let before = Number.POSITIVE_INFINITY; ready.length < before; ) {
    before = ready.length
    const readyIds = new Set(ready.map(({ line }) => line.id))
    const waitingIds = new Set(waiting.map(({ id }) => id))
    ready = ready.filter(({ line, awaited }) => {
      const unmet = awaited.filter(({ id }) => !readyIds.has(id))
      const unknown = unmet.filter(({ id }) => !laterIds.has(id) && !waitingIds.has(id))
      if (unknown.length > 0) line.problems = unknown.slice(0, MAX_LINE_PROBLEMS).map(unknownReference)
      else if (unmet.length > 0) waiting.push(line)
      return unmet.length === 0
    })
  }
  return new Set(ready)
}

function unknownReference({ field, id }: PendingReference): LineProblem {
  return { field, message: `Unknown ${field} ${id}` }
}
