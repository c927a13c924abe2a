/**
 * Checks and stores the lines of a step: each is merged and checked by itself, and all are written together. A line that
 * cannot be stored is refused without affecting others. A line that changes nothing writes nothing.
 */

import { Allowance } from '../../db/allowance.ts'
import { portionsOf } from '../../db/bulk.ts'
import { batch, type Database, mayCall, runStatement } from '../../db/client.ts'
import { JoinedReads } from '../../db/joined-reads.ts'
import { pauseBeforeRetry } from '../../db/merge.ts'
import { isDateTime } from '../../fields/values.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'
import { checkLines } from './check-lines.ts'
import { surveyLines } from './dependences.ts'
import { type Entity, isRestrictedCaller } from './entity.ts'
import type { HighestIds } from './highest-ids.ts'
import { type Line, MAX_LINE_PROBLEMS, refuseLine } from './line.ts'
import type { ReadLine } from './read-lines.ts'
import { PORTION, type Step, Steps } from './steps.ts'
import { type CheckedLine, finishWritten, storeTogether, type Written } from './write-lines.ts'

/** Lines stored in one transaction. */
const TRANSACTION = { entries: 200, length: 1_000_000, lengthOf: ({ line }: CheckedLine) => line.length }
/** Calls to D1 of one attempt to store a portion: two reads and a write. */
const CALLS_PER_ATTEMPT = 3
/** Calls that are kept for a portion, as some lines are checked twice. Further attempts take what others have left. */
const CALLS_PER_PORTION = 2 * CALLS_PER_ATTEMPT
/** Maximum attempts to store a line whose record, or whose definitions, keep changing meanwhile. */
const ATTEMPTS = 16

/** Lines of an entity that are stored at the same time as those of others. */
interface Group {
  entity: Entity
  lines: Line[]
  /** Ids of lines that are stored after them. */
  laterIds: ReadonlySet<Line['id']>
  highest: HighestIds
  /** Lines that wait for one of `laterIds`. */
  waiting: Line[]
}

const isRemoval = ({ mode }: Line) => mode === 'remove'

/**
 * Stores the valid lines of a step and sets `problems` of the others. No two of them name the same record.
 * @param later calls to D1 to leave for what comes after it
 */
async function storeStep(db: Database, step: Step, written: Written, later: number): Promise<void> {
  for (const [entity, lines] of step) await removeRecords(db, entity, lines.filter(isRemoval))
  const runs = [...step].map(([entity, lines]) => ({
    entity,
    portions: portionsOf(
      lines.filter((line) => !isRemoval(line)),
      PORTION,
    ),
    highest: new Map<string, number>(),
    waiting: [] as Line[],
  }))
  const longest = Math.max(0, ...runs.map(({ portions }) => portions.length))
  for (let index = 0; index < longest; index++) {
    await yieldToEventLoop()
    const groups = runs.flatMap(({ portions, waiting, ...run }) => {
      const lines = portions[index]
      const later = [...waiting, ...portions.slice(index + 1).flat()].map(({ id }) => id)
      return lines ? { ...run, lines, laterIds: new Set(later), waiting } : []
    })
    await storeGroups(db, groups, written, later + (longest - index - 1) * CALLS_PER_PORTION)
  }
  const last = runs.flatMap(({ portions: _, waiting, ...run }) =>
    waiting.length > 0 ? { ...run, lines: waiting, laterIds: new Set<Line['id']>(), waiting: [] } : [],
  )
  await storeGroups(db, last, written, later)
}

/** Why other callers may not: a restore needs it alone. */
const NOT_REMOVED = 'Invalid mode: only ADMIN_TOKEN may remove records'

/** Removes the records that lines name, in portions that fit a parameter list. One that is not there is none any more. */
async function removeRecords(db: Database, { name, remove }: Entity, lines: Line[]): Promise<void> {
  for (const portion of portionsOf(lines, PORTION)) {
    const removals = portion.flatMap((line) => {
      const { id, data } = line
      const date = data.date_updated ?? null
      if (isRestrictedCaller(db)) refuseLine(line, NOT_REMOVED, 'mode')
      else if (!remove || typeof id !== 'number')
        refuseLine(line, `Invalid mode: remove needs an id, and is not for ${name}`, 'mode')
      else if (date !== null && !(typeof date === 'string' && isDateTime(date)))
        refuseLine(line, 'Invalid date_updated: must be a date-time, YYYY-MM-DD HH:MM:SS', 'date_updated')
      else return { id, date }
      return []
    })
    if (!remove || removals.length === 0) continue
    const { held = null, removed, left } = remove(removals)
    const before = await batch(db, { held, removed })
    const after = left ? await runStatement(db, left) : []
    const reasons = new Map([...(before.held ?? []), ...after].map(({ id, reason }) => [id, reason]))
    for (const line of portion) {
      const reason = reasons.get(Number(line.id))
      if (reason !== undefined) refuseLine(line, reason)
    }
  }
}

/** Stores lines whose pending references are stored or among them. Those that wait for a later line are added to `waiting`. */
async function storeGroups(db: Database, groups: Group[], written: Written, later: number): Promise<void> {
  let remaining = groups
  for (let tries = 1; remaining.length > 0; tries++) {
    const checked = await Promise.all(remaining.map((group) => checkGroup(db, group)))
    const ready = checked.flatMap(({ good }, index) => {
      const { laterIds = new Set<Line['id']>(), waiting = [] } = remaining[index] ?? {}
      return readyLines(good, laterIds, waiting)
    })
    const again = new Set(checked.flatMap(({ recheck }) => recheck))
    for (const together of portionsOf(ready, TRANSACTION))
      for (const line of await storeTogether(db, together, written)) again.add(line)
    remaining = remaining.flatMap((group) => {
      const lines = group.lines.filter((line) => again.has(line))
      return lines.length > 0 ? { ...group, lines } : []
    })
    if (tries === 1 || (tries < ATTEMPTS && mayCall(db, later + CALLS_PER_ATTEMPT))) {
      if (remaining.length > 0) await pauseBeforeRetry(tries)
      continue
    }
    for (const line of remaining.flatMap(({ lines }) => lines)) {
      refuseLine(line, `Others keep changing the ${line.changedMeanwhile ?? 'record'}; send the line again`)
    }
    break
  }
}

/** Checks the lines of a group in portions; those that wait for others may be many. */
async function checkGroup(db: Database, { entity, lines, highest }: Group) {
  const checked = []
  for (const portion of portionsOf(lines, PORTION))
    checked.push(await checkLines(db, entity, portion, highest))
  return {
    good: checked.flatMap(({ good }) => good),
    recheck: checked.flatMap(({ recheck }) => recheck),
  }
}

/**
 * The valid lines whose pending references are stored or among them. A line that needs one of `laterIds` is added to
 * `waiting`; a line whose reference no line provides is refused.
 */
function readyLines(good: CheckedLine[], laterIds: ReadonlySet<Line['id']>, waiting: Line[]): CheckedLine[] {
  let ready = good
  for (let before = Number.POSITIVE_INFINITY; ready.length < before; ) {
    before = ready.length
    const readyIds = new Set(ready.map(({ line }) => line.id))
    const waitingIds = new Set(waiting.map(({ id }) => id))
    ready = ready.filter(({ line, awaited }) => {
      const unmet = awaited.filter(({ id }) => !readyIds.has(id))
      const unknown = unmet.filter(({ id }) => !laterIds.has(id) && !waitingIds.has(id))
      if (unknown.length > 0)
        line.problems = unknown
          .slice(0, MAX_LINE_PROBLEMS)
          .map(({ field, id }) => ({ field, message: `Unknown ${field} ${id}` }))
      else if (unmet.length > 0) waiting.push(line)
      return unmet.length === 0
    })
  }
  return ready
}

const MAX_CALLS = 300
/** Calls for what follows stored lines, such as matching. */
const CALLS_AFTERWARDS = 50

/**
 * Imports lines in the order of the file, and returns how many it has looked at. Cloudflare ends a call after 1,000 calls to D1, so
 * it stops before a line that might need more than its own.
 */
export async function importLines(called: Database, lines: readonly ReadLine[]): Promise<number> {
  const allowance = new Allowance(MAX_CALLS, { left: 0 })
  const db: Database = { ...called, allowance, joined: new JoinedReads() }
  const written: Written = new Map()
  let done = 0
  while (done < lines.length && mayCall(db, CALLS_AFTERWARDS + CALLS_PER_PORTION + 1)) {
    const rest = lines.slice(done)
    const readable = rest.flatMap(({ read }) => read ?? [])
    const steps = new Steps(await surveyLines(db, readable))
    const end = rest.findIndex(({ read }) => {
      if (!mayCall(db, CALLS_AFTERWARDS + (steps.portions + 1) * CALLS_PER_PORTION)) return true
      if (read) steps.add(read)
      return false
    })
    let later = CALLS_AFTERWARDS + steps.portions * CALLS_PER_PORTION
    for (const [index, step] of steps.list.entries()) {
      later -= steps.portionsIn(index) * CALLS_PER_PORTION
      await storeStep(db, step, written, later)
    }
    done = end < 0 ? lines.length : done + end
  }
  await markDownloads(db, lines.slice(0, done))
  if (!db.dryRun) await finishWritten(db, written)
  return done
}

async function markDownloads(db: Database, lines: readonly ReadLine[]): Promise<void> {
  const stored = lines.flatMap(({ read }) =>
    read?.line.downloads && read.line.problems.length === 0 ? read : [],
  )
  for (const [entity, group] of Map.groupBy(stored, ({ entity }) => entity))
    await entity.markDownloads?.(
      db,
      group.map(({ line }) => line),
    )
}
