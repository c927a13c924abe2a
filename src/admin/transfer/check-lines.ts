/** Checks lines of one entity against what is stored, and finds out what each of them makes. */
import type { Database } from '../../db/client.ts'
import { changedBy } from '../../fields/changed-by.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import { isObject } from '../../http/request/object-keys.ts'
import { type Entity, isInChangeFeed, mayChange } from './entity.ts'
import { addedIds, type HighestIds, raiseHighest, refuseDistantIds } from './highest-ids.ts'
import { type Line, type LineProblem, MAX_LINE_PROBLEMS, refuseLine } from './line.ts'
import { readIds, readStored } from './line-reads.ts'
import { isSameJson, overriddenKeys, type PreparedLine, prepareLine } from './merge-lines.ts'
import { type Basis, type CheckedLine, TAKEN } from './write-lines.ts'

/** How the problem of a line begins that changes what its sender must not. */
const ONLY_TOKEN = 'Only ADMIN_TOKEN may change '
const NEEDS_SCOPE = 'Needs the scope '

/** Whether a line is refused because of who sends it. */
export function isForbidden({ message }: LineProblem): boolean {
  return message.startsWith(ONLY_TOKEN) || message.startsWith(NEEDS_SCOPE)
}

/**
 * Checks lines against the stored records and sets `problems` of those that are refused. Returns the valid lines that change
 * something, and those to check again with more `forcedKeys`.
 */
export async function checkLines(
  db: Database,
  declared: Entity,
  lines: Line[],
  highest: HighestIds,
): Promise<{ good: CheckedLine[]; recheck: Line[] }> {
  // What the agency's own records refer to follows from their lines, so it is read in the same call.
  const ahead = isInChangeFeed(declared)
    ? null
    : lines.map((line) => ({ line, ...prepareLine(declared, line, null) }))
  const [{ definitions, newest, stored, known }, foundAhead] = await Promise.all([
    readStored(db, declared, lines),
    ahead && readNeeded(db, declared, { all: ahead, changing: ahead, stored: new Map(), highest }),
  ])
  for (const line of lines) {
    const found = stored.get(line.id)
    const reason = found && declared.refuses?.(line, found, db)
    if (reason) refuseLine(line, reason)
  }
  declared.screen?.judge(lines, known, stored)
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
  const found = foundAhead ?? (await readNeeded(db, declared, { all: prepared, changing, stored, highest }))
  const { missing, creations, owners } = found
  const more = changing.length > 0 ? await declared.loadMore?.(db, changing.map(valuesOf)) : undefined
  const context = more ? { ...found.context, ...more } : found.context
  const basis: Basis = { declared, context, definitions, newest }
  for (const { line, stored } of prepared) line.warning = (stored && creations.get(line.id)) ?? null
  const good: CheckedLine[] = []
  const recheck: Line[] = []
  const earlier: Record<string, unknown>[] = []
  for (const entry of changing) {
    const { line, draft } = entry
    const added = addedIds(declared, draft.values, entry.stored)
    for (const { field, table, ids } of declared.references?.(draft.values, line.isStrict) ?? [])
      for (const id of ids) if (missing.get(table)?.has(id)) draft.refuse(field, `Unknown ${field} ${id}`)
    refuseDistantIds(draft, added, highest)
    declared.check?.(draft, context, { ...entry, values: draft.values }, earlier)
    checkLikePost(declared, entry, context)
    line.problems = problemsOf(draft)
    if (line.problems.length > 0) continue
    const values = draft.complete()
    const row = resolveLine(declared, entry, values, context)
    if (forceOverriddenKeys(declared, entry, row)) {
      recheck.push(line)
      continue
    }
    if (row && (isReserved(db, declared, entry, row) || isTaken(declared, entry, row, owners))) continue
    earlier.push(values)
    // The lines below may refer to this record.
    if (typeof line.id === 'number') missing.get(declared.name)?.delete(line.id)
    if (!row) continue
    raiseHighest(highest, added)
    const awaited = declared.pendingReferences?.(values, context) ?? []
    good.push({ line, values, row, stored: entry.stored, awaited, basis })
  }
  return { good, recheck }
}

type Prepared = PreparedLine & { line: Line }

/** Reads what lines refer to, and what else their rules need. */
async function readNeeded(
  db: Database,
  declared: Entity,
  lines: {
    all: Prepared[]
    changing: Prepared[]
    stored: ReadonlyMap<Line['id'], object>
    highest: HighestIds
  },
) {
  const { all, changing, stored, highest } = lines
  const references = changing.flatMap(
    ({ line, draft }) => declared.references?.(draft.values, line.isStrict) ?? [],
  )
  const added = changing.flatMap(({ draft, stored }) => addedIds(declared, draft.values, stored))
  const values = changing.map(({ draft }) => draft.values)
  const [ids, context] = await Promise.all([
    readIds(db, declared, { references, added, stored, values }, highest),
    changing.length > 0 ? declared.load?.(db, all.map(valuesOf)) : undefined,
  ])
  return { ...ids, context }
}

const valuesOf = ({ draft, ...rest }: PreparedLine) => ({ ...rest, values: draft.values })

/** Finds what POST refuses and import does not: a strict line is refused for it, others are named in a warning. */
function checkLikePost(
  { checkLikePost: check }: Entity,
  { line, draft, ...merged }: Prepared,
  context: unknown,
): void {
  const judged = line.isStrict ? draft : draft.fork()
  check?.(judged, context, { ...merged, values: draft.values })
  for (const field of misreadTexts(line.data, merged.changedKeys))
    judged.refuse(field, `Invalid ${field}: has characters that were read in a wrong encoding (U+FFFD)`)
  if (line.isStrict || !draft.isComplete) return
  const found = problemsOf(judged).map(({ message }) => message)
  line.warning = [...(line.warning === null ? [] : [line.warning]), ...found].join('; ') || null
}

/**
 * Adds to `forcedKeys` of a line the keys that equal the stored record, but whose values its other keys change. Returns
 * whether there are any.
 */
function forceOverriddenKeys(declared: Entity, { line, current }: Prepared, row: object | null): boolean {
  const paths = row && current ? overriddenKeys(declared, line, current, row) : []
  for (const path of paths) line.forcedKeys.add(path)
  return paths.length > 0
}

/** Refuses a line that changes what the caller must not. */
function isReserved(
  db: Database,
  { schema, present, changedBy: byKey = (key) => changedBy(schema.shape[key]) }: Entity,
  { line, stored }: Prepared,
  row: object,
): boolean {
  const before: Record<string, unknown> = stored ? present(stored) : {}
  const reserved = Object.entries(present(row)).flatMap(([key, value]) => {
    const by = byKey(key, row)
    return by && !mayChange(db, by) && !isSameJson(value ?? null, before[key] ?? null) ? { key, by } : []
  })
  const [first] = reserved
  if (!first) return false
  const what = 'key' in row ? row.key : first.key
  refuseLine(line, first.by === 'token' ? `${ONLY_TOKEN}${what}` : `${NEEDS_SCOPE}${first.by}`, first.key)
  return true
}

/**
 * Refuses a line with a value that another record has, and only one may have. Otherwise `owners` has its values from now on.
 */
function isTaken(
  { unique = [] }: Entity,
  { line, stored }: Prepared,
  row: object,
  owners: Map<string, Line['id']>,
): boolean {
  const valuesIn = (record: object | null) =>
    unique.flatMap((column) => {
      const value: unknown = record && Reflect.get(record, column)
      return value == null ? [] : { column, name: `${column} ${value}` }
    })
  const taken = valuesIn(row).find(({ name }) => (owners.get(name) ?? line.id) !== line.id)
  if (taken) {
    refuseLine(line, TAKEN, taken.column)
    return true
  }
  for (const { name } of valuesIn(stored)) owners.delete(name)
  for (const { name } of valuesIn(row)) owners.set(name, line.id)
  return false
}

function problemsOf(draft: PreparedLine['draft']): LineProblem[] {
  try {
    draft.complete()
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.problems.slice(0, MAX_LINE_PROBLEMS)
  }
}

/** The record that a line results in, with its dates and version; null if it equals the stored one. */
function resolveLine(
  declared: Entity,
  { line, stored, current, changedKeys }: Prepared,
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
  if (!stored && declared.isNone?.(row)) return null
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

/** What a reader puts in the place of bytes that its encoding does not have. */
const REPLACEMENT = '\uFFFD'
const MAX_FIELDS = 10

/** The dotted names of the texts under `keys` that have such characters. */
function misreadTexts(data: Record<string, unknown>, keys: ReadonlySet<string>): string[] {
  const found: string[] = []
  const search = (value: unknown, name: string) => {
    if (found.length === MAX_FIELDS) return
    if (typeof value === 'string') {
      if (value.includes(REPLACEMENT)) found.push(name)
    } else if (Array.isArray(value) || isObject(value)) {
      for (const [key, inner] of Object.entries(value)) search(inner, `${name}.${key}`)
    }
  }
  for (const [key, value] of Object.entries(data)) if (keys.has(key)) search(value, key)
  return found
}
