/**
 * Writes entries of lookups one by one, by what an import does with their lines: the same checks, the same statements, and what
 * follows them. In the transaction of the write, an entry must be as it was read.
 */
import { sql } from 'drizzle-orm'
import { type Lookup, lookupIn } from '../../catalogue/lookups.ts'
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
import type { RecordVersion } from '../../http/context.ts'
import { ApiError, invalid, notFound, writeConflict } from '../../http/errors.ts'
import { createdReply } from '../../http/reply/envelope.ts'
import { checkLines, isForbidden } from '../transfer/check-lines.ts'
import type { Entity, Screen } from '../transfer/entity.ts'
import type { Line } from '../transfer/line.ts'
import { lineOf } from '../transfer/read-lines.ts'
import { type CheckedLine, storeTogether, type Written } from '../transfer/write-lines.ts'
import { requireUnused, selectUses, sentenceOf } from './uses.ts'

/** The name in the message of 404. */
export const DEFINITION = 'Definition'

/** How often a write is attempted while other calls change what it has read. */
const ATTEMPTS = 16

type Values = Record<string, unknown>

/** What a call writes. */
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
export async function storeDefinition(
  called: Database,
  { entity, values: { id: sentId, ...values }, record, onIgnored }: DefinitionWrite,
): Promise<{ id: number; written: Written }> {
  const db: Database = { ...called, joined: new JoinedReads() }
  const written: Written = new Map()
  let isReported = false
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const id = record.id || (await findNextId(db, entity.name))
    const line = lineOf(entity, { ...values, id })
    const screened = { ...entity, screen: screenOf(entity, { ...record, id }, record.id === 0) }
    const good = await checkAll(db, screened, [line])
    if (!line.problems.includes(ID_TAKEN)) {
      if (!isReported) onIgnored([...(sentId === undefined ? [] : ['id']), ...line.ignored])
      isReported = true
      throwProblems([line])
      const again = await storeTogether(db, good, written)
      // A record that it refers to was deleted meanwhile: another check says which.
      const isRefused = line.problems.length > 0
      if (again.length === 0 && !isRefused) {
        return { id, written: new Map([...written].map(([{ screen, ...own }, ids]) => [own, ids])) }
      }
      if (isRefused && tries > 2) throwProblems([line])
    }
    await pauseBeforeRetry(tries)
  }
  throw writeConflict()
}

/** Checks lines, once more if they have keys that their other keys override. */
export async function checkAll(db: Database, entity: Entity, lines: Line[]): Promise<CheckedLine[]> {
  const checked = await checkLines(db, entity, lines, new Map())
  if (checked.recheck.length === 0) return checked.good
  return (await checkLines(db, entity, lines, new Map())).good
}

/** Throws the problems of lines: 403 for what the caller must not change, 400 for all others. */
export function throwProblems(
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

/** The problem of a new entry whose id another call got first: its line would change that entry. */
const ID_TAKEN = { field: 'id', message: 'Invalid id: is taken' }

/** What a write looks at besides the line, and stores with it. */
function screenOf(entity: Entity, record: RecordRef, isNew: boolean): Screen<RecordVersion | NextId> {
  const lookup = lookupOf(entity)
  const selectVersion = () => selectLookupVersion(lookup, record.id)
  return {
    dependences: () => ({}),
    table: entity.name,
    select: () => (isNew ? selectNextId(entity.name) : selectVersion()),
    judge: ([line], [known], stored) => {
      if (!known || !line) return
      if ('id' in known) {
        if (known.id !== record.id) line.problems = [ID_TAKEN]
        return
      }
      if (!stored.has(record.id)) throw notFound(DEFINITION)
      requireMatch(record, known)
      record.reportVersion(known)
    },
    store: ([entry]) => {
      const { pathFrom, resource } = lookup
      const path = pathFrom ? `${entry?.row[pathFrom]}/${resource}` : resource
      const { sql: text, params, read } = selectVersion()
      const reporting = new Statement(text, params, (rows) => {
        for (const version of read(rows)) record.reportVersion(version)
        return []
      })
      const id = { text: '?', params: [record.id] }
      return [reporting, ...recordReply(record.idempotentCall, path, id, createdReply)]
    },
  }
}

interface NextId {
  id: number
}

/** The statement for the id of a new entry. Ids of deleted ones are not given again. */
function selectNextId(table: string): Statement<NextId> {
  return sqlStatement(sql`select 1 + id as id from (${highestIdOf(table)})`)
}

async function findNextId(db: Database, table: string): Promise<number> {
  const [next] = await runStatement(db, selectNextId(table))
  return next?.id ?? 1
}

/** Deletes an entry that nothing uses. Throws 404, 409 and 412. */
export async function deleteDefinition(db: Database, entity: Entity, record: RecordRef): Promise<void> {
  const { name } = entity
  const { id } = record
  const lookup = lookupOf(entity)
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const { rows, versions, newest, uses } = await batch(db, {
      rows: entity.read(sql`${sql.raw(name)}.id = ${id}`, 1),
      versions: selectLookupVersion(lookup, id),
      newest: selectNewest(),
      uses: selectUses(name, id),
    })
    if (rows.length === 0) throw notFound(DEFINITION)
    if (versions[0]) requireMatch(record, versions[0])
    const sentence = sentenceOf(uses, id)
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
