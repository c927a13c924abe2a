/**
 * Writes entries of lookups one by one, by what an import does with their lines: the same checks, the same statements, and what
 * follows them. In the transaction of the write, an entry must be as it was read.
 */
import { sql } from 'drizzle-orm'
import { type Lookup, lookupIn } from '../../catalogue/lookups.ts'
import { SETTINGS } from '../../catalogue/settings.ts'
import { requireUnchanged, selectLookupVersion, selectNewest } from '../../db/changes.ts'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { recordAgencyChanges } from '../../db/definitions.ts'
import { findViolation } from '../../db/errors.ts'
import { highestIdOf, keepIds } from '../../db/id-floors.ts'
import { recordReply } from '../../db/idempotency-store.ts'
import { JoinedReads } from '../../db/joined-reads.ts'
import { isVersionGuard, pauseBeforeRetry } from '../../db/merge.ts'
import { Statement, sqlStatement, textStatement } from '../../db/statements.ts'
import { enterChanges } from '../../db/trail.ts'
import { type RecordRef, requireMatch } from '../../http/concurrency/entity-tags.ts'
import { runInOrder } from '../../http/concurrency/queue.ts'
import type { RecordVersion } from '../../http/context.ts'
import { ApiError, invalid, notFound, writeConflict } from '../../http/errors.ts'
import { createdReply } from '../../http/reply/envelope.ts'
import { checkLines, isForbidden } from '../transfer/check-lines.ts'
import { settings } from '../transfer/entities/agency.ts'
import type { Entity, Screen, StoredLine } from '../transfer/entity.ts'
import type { Line } from '../transfer/line.ts'
import { lineOf } from '../transfer/read-lines.ts'
import { requireUnused, selectUses, sentenceOf, usesByKeys } from '../transfer/uses.ts'
import { type CheckedLine, storeTogether, type Written } from '../transfer/write-lines.ts'

/** The name in the message of 404. */
export const DEFINITION = 'Definition'

/** How often a write is attempted while other calls change what it has read. */
const ATTEMPTS = 16

type Values = Record<string, unknown>

export interface DefinitionWrite {
  entity: Entity
  values: Values
  /** With the id of what is updated; 0 for a new entry. */
  record: RecordRef
  /** Reports the keys of the body that are ignored. Throws if the caller prefers that. */
  onIgnored: (names: string[]) => void
}

/** The lookup of an entity. */
export function lookupOf({ name }: Entity): Lookup {
  const lookup = lookupIn(name)
  if (!lookup) throw new Error(`${name} is no lookup`)
  return lookup
}

/** Creates or updates an entry. Returns its id, and what there is to do afterwards. Throws 400, 404, 409 and 412. */
export function storeDefinition(
  called: Database,
  write: DefinitionWrite,
): Promise<{ id: number; written: Written }> {
  return runInOrder(`definitions ${write.entity.name}`, () => storeInTurn(called, write))
}

/** One call reads, and one writes. What uses the entry is counted only once the transaction has found some. */
async function storeInTurn(
  called: Database,
  { entity, values: { id: sentId, ...values }, record, onIgnored }: DefinitionWrite,
): Promise<{ id: number; written: Written }> {
  const db: Database = { ...called, joined: new JoinedReads() }
  const written: Written = new Map()
  const { loadMore, ...rules } = { ...entity, screen: screenOf(entity, record) }
  let isReported = false
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const line = lineOf(entity, { ...values, id: record.id || PLACEHOLDER })
    const good = await checkAll(db, tries === 1 || !loadMore ? rules : { ...rules, loadMore }, [line])
    // All problems are named together, those of uses among them.
    if (line.problems.length > 0 && tries === 1 && loadMore) continue
    if (!isReported) onIgnored([...(sentId === undefined ? [] : ['id']), ...line.ignored])
    isReported = true
    throwProblems([line])
    if (good.some(isRedefined(entity))) await requireNoUse(db, entity, record.id)
    const again = await storeTogether(db, good, written)
    // A record that it refers to was deleted meanwhile: another check says which.
    const isRefused = line.problems.length > 0
    if (again.length === 0 && !isRefused) return { id: Number(line.id), written }
    if (isRefused && tries > 2) throwProblems([line])
    await pauseBeforeRetry(tries)
  }
  throw writeConflict()
}

/** Stands for the id of a new entry until it is read. */
const PLACEHOLDER = 1

/** Checks lines, once more if they have keys that their other keys override. */
async function checkAll(db: Database, entity: Entity, lines: Line[]): Promise<CheckedLine[]> {
  const checked = await checkLines(db, entity, lines, new Map())
  if (checked.recheck.length === 0) return checked.good
  return (await checkLines(db, entity, lines, new Map())).good
}

/** Throws the problems of lines: 403 for what the caller must not change, 400 for all others. */
function throwProblems(
  lines: readonly Line[],
  fieldOf: (line: Line, field: string | null) => string = (_, field) => field ?? '',
): void {
  const problems = lines.flatMap((line) =>
    line.problems.map(({ field, message }) => ({ field: fieldOf(line, field), message })),
  )
  const forbidden = problems.find(isForbidden)
  if (forbidden) throw new ApiError(403, forbidden.message)
  if (problems.length > 0) throw invalid(problems)
}

/** What a write looks at besides the line, and stores with it. A new entry, which is no record yet, gets its id. */
function screenOf(entity: Entity, record: RecordRef): Screen<RecordVersion | { id: number }> {
  const lookup = lookupOf(entity)
  return {
    dependences: () => ({}),
    table: entity.name,
    // Ids of deleted entries are not given again.
    select: () =>
      record.id === 0
        ? sqlStatement(sql`select 1 + id as id from (${highestIdOf(entity.name)})`)
        : selectLookupVersion(lookup, record.id),
    judge: ([line], [known], stored) => {
      if (!known || !line) return
      if ('id' in known) {
        line.id = known.id
        line.data.id = known.id
        return
      }
      if (!stored.has(record.id)) throw notFound(DEFINITION)
      requireMatch(record, known)
      record.reportVersion(known)
    },
    store: (entries) => {
      const [entry] = entries
      const { pathFrom, resource } = lookup
      const path = pathFrom ? `${entry?.row[pathFrom]}/${resource}` : resource
      const { sql: text, params, read } = selectLookupVersion(lookup, entry?.row.id)
      const reporting = new Statement(text, params, (rows) => {
        for (const version of read(rows)) record.reportVersion(version)
        return []
      })
      const id = { text: '?', params: [entry?.row.id] }
      const unused = entries.some(isRedefined(entity))
        ? [requireUnused(entity.name, record.id, { keptToo: true })]
        : []
      return [...unused, reporting, ...recordReply(record.idempotentCall, path, id, createdReply)]
    },
  }
}

/** Whether a line changes what is fixed while its entry is in use. */
const isRedefined =
  (entity: Entity) =>
  ({ row, stored }: StoredLine<object>): boolean =>
    lookupOf(entity).fixedInUse?.some(
      (key) => stored && Reflect.get(row, key) !== Reflect.get(stored, key),
    ) === true

/** Throws 409 if something uses an entry. */
async function requireNoUse(db: Database, { name }: Entity, id: number): Promise<void> {
  const { uses } = await batch(db, { uses: selectUses(name, id) })
  const sentence = sentenceOf(uses, id)
  if (sentence) throw new ApiError(409, sentence)
}

/** Stores settings together, as lines of an import, and returns all of them. Throws 400 and 403. */
export async function storeSettings(
  called: Database,
  sent: [key: string, value: unknown][],
): Promise<Record<string, unknown>> {
  const db: Database = { ...called, joined: new JoinedReads() }
  let all: Record<string, unknown> = {}
  const { sql: text, params, read } = selectSettings()
  const reporting = new Statement(text, params, (rows) => {
    all = settingsOf(read(rows))
    return []
  })
  const screen = { dependences: () => ({}), table: 'settings', select: () => reporting, judge: () => {} }
  const screened = { ...settings, screen: { ...screen, store: () => [reporting] } }
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const lines = sent.map(([key, value]) => lineOf(settings, { key, value }))
    const good = await checkAll(db, screened, lines)
    throwProblems(lines, ({ id }) => String(id))
    const again = await storeTogether(db, good, new Map())
    throwProblems(lines, ({ id }) => String(id))
    if (again.length === 0) return all
    await pauseBeforeRetry(tries)
  }
  throw writeConflict()
}

/** All settings. */
export async function findSettings(db: Database): Promise<Record<string, unknown>> {
  return settingsOf(await runStatement(db, selectSettings()))
}

const selectSettings = () => settings.read(sql`true`, Object.keys(SETTINGS).length)
const settingsOf = (rows: { key: string; value: unknown }[]) =>
  Object.fromEntries(rows.map(({ key, value }) => [key, value]))

/** Deletes an entry that nothing uses. Throws 404, 409 and 412. */
export async function deleteDefinition(
  db: Database,
  keys: KVNamespace,
  entity: Entity,
  record: RecordRef,
): Promise<void> {
  const { name } = entity
  const { id } = record
  const lookup = lookupOf(entity)
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const [{ rows, versions, newest, uses }, byKeys] = await Promise.all([
      batch(db, {
        rows: entity.read(sql`${sql.raw(name)}.id = ${id}`, 1),
        versions: selectLookupVersion(lookup, id),
        newest: selectNewest(),
        uses: selectUses(name, id),
      }),
      usesByKeys(keys, name, id),
    ])
    if (rows.length === 0) throw notFound(DEFINITION)
    if (versions[0]) requireMatch(record, versions[0])
    const sentence = sentenceOf([...uses, byKeys], id)
    if (sentence) throw new ApiError(409, sentence)
    try {
      await batch(db, {
        unchanged: requireUnchanged(lookup, [id], newest[0]?.cursor ?? 0),
        unused: requireUnused(name, id),
        floor: keepIds(name, sql`id = ${id}`),
        trail: enterChanges(name, [
          { id, version: null, changes: { changed: { is_deleted: [false, true] }, others: [] } },
        ]),
        agency: recordAgencyChanges(name, [{ key: id, isNew: false }]),
        deleted: textStatement(`delete from ${name} where id = ?`, [id]),
      })
      return
    } catch (error) {
      if (!isVersionGuard(error) && findViolation(error)?.kind !== 'FOREIGNKEY') throw error
    }
    await pauseBeforeRetry(tries)
  }
  throw writeConflict()
}
