/**
 * One record of a call: reading it, and writing it while others may be writing it, or what it refers to. Each tells what
 * the record is at, for the tag of the answer, in the round trips that there are.
 *
 *     const row = await readRecord(db, record, selectContacts(db).where(…))
 *
 *     await mergeRecord(db, record, [selectContacts(db).where(…), …], (current, found) => {
 *       …
 *       return [updateRow(contacts, current, columns), ...replaceLinks(LINKS, record.id, lists)]
 *     })
 */
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Stamp } from '../http/app.ts'
import { type Call, requireExpected, type Target } from '../http/entity-tags.ts'
import { changed, conflict, notFound } from '../http/errors.ts'
import { takeTurn } from '../http/turns.ts'
import { batch, type Database, type Results, type Statement } from './client.ts'
import { findViolation } from './errors.ts'
import { recordAnswer } from './idempotency.ts'
import { newestOf } from './rows.ts'
import { resourceIn, selectNewestStamp, selectStamp } from './stamps.ts'
import type { Plain } from './statements.ts'

/** How often a merge is tried when somebody else wrote first. */
const ATTEMPTS = 16
/** How often a write is tried when what it refers to vanished after it was looked for. */
const REFERENCE_ATTEMPTS = 3
/** Longest pause before the second try, in milliseconds; twice as long before each further one, up to the most. */
const FIRST_PAUSE = 10
const LONGEST_PAUSE = 640

/** A statement for the record itself. */
type Selecting<Row> = Statement & { readonly _: { readonly result: Row[] } }

/** The record that `statement` reads. Throws 404. */
export async function readRecord<Row>(db: Database, record: Target, statement: Selecting<Row>): Promise<Row> {
  const [[row], [stamp]] = await batch(db, [statement, selectStamp(record)])
  if (row === undefined) throw notFound(record.name)
  if (stamp) record.tell(stamp)
  return row
}

/**
 * Reads a record and what its writing depends on, and runs the statements that `decide` makes of it as one transaction;
 * anew while the record changes under them. Null means that nothing is to be stored. Throws 404, 412 where the record is
 * not what is expected, and 409 when others keep writing.
 * @param reading of which the first gives the record as it is
 * @returns what the statements returned, null when nothing was to be stored
 */
export function mergeRecord<Row, const Rest extends readonly Statement[]>(
  db: Database,
  record: Target,
  reading: readonly [Selecting<Row>, ...Rest],
  decide: (current: Row, found: Results<Rest>) => Statement[] | null,
): Promise<unknown[] | null> {
  const [first, ...rest] = reading
  const attempt = async () => {
    const [[stamp], [current], ...found] = await batch<Statement[]>(db, [selectStamp(record), first, ...rest])
    if (current === undefined) throw notFound(record.name)
    // At each attempt: whoever was faster has made it another record.
    requireExpected(record, stamp)
    record.tell(stamp)
    return decide(current, found as Results<Rest>)
  }
  const closing = () => [selectStamp(record)] as const
  return takeTurn(`${record.resource} ${record.id}`, () => store(db, attempt, { call: record, closing }))
}

/**
 * Runs statements, of which the first that writes sets `nextVersion`, as one transaction. Throws 412 where the record is
 * not what is expected; that there is none has to be told by what they return.
 * @param answer what a POST answers
 */
export async function changeRecord<const T extends readonly Statement[]>(
  db: Database,
  record: Target,
  statements: T,
  answer?: object,
): Promise<Results<T>> {
  const id = { text: '?', params: [record.id] }
  const recording = answer ? recordAnswer(record.once, record.resource, id, () => answer) : []
  try {
    const results = await batch<Statement[]>(db, [...statements, ...recording])
    return results.slice(0, statements.length) as Results<T>
  } catch (error) {
    throw isVersionGuard(error) ? changed() : error
  }
}

/** A new record. */
interface Creation extends Call {
  table: SQLiteTable
  /** Makes the body that the call is answered with; run once the statements that store the record are made. */
  answer: (id: number) => unknown
}

/**
 * The same for a new record, which nobody else knows yet.
 * @param attempt gives the statements, the first of which inserts its row
 * @param assuming the statements where everything that the record refers to is as it should be, which a guard of theirs
 *   looks at within the transaction; null where that cannot be. They spare the round trip of `attempt` that reads first:
 *   it is made only when the guard does not hold, to say what is wrong.
 */
export async function createRecord(
  db: Database,
  { table, answer, ...call }: Creation,
  attempt: () => Promise<Statement[]>,
  assuming: () => Statement[] | null = () => null,
): Promise<{ id: number; results: unknown[] }> {
  const closing = () =>
    [
      selectNewestStamp(table),
      ...recordAnswer(call.once, resourceIn(table), newestOf(table), answer),
    ] as const
  const created = (results: unknown[]) => ({ id: (results[0] as { id: number }[])[0]?.id ?? 0, results })
  const statements = assuming()
  if (statements) {
    try {
      return created(await run(db, statements, { call, closing }))
    } catch (error) {
      if (!isUndone(error)) throw error
    }
  }
  return created((await store(db, attempt, { call, closing })) ?? [])
}

/** Whether a guard, or what the database itself knows of references, has undone a batch. */
function isUndone(error: unknown): boolean {
  return ['NOTNULL', 'FOREIGNKEY'].includes(findViolation(error)?.kind ?? '')
}

/** Whether a write was undone because the row is at another version than the one that was read. */
export function isVersionGuard(error: unknown): boolean {
  const violation = findViolation(error)
  return violation?.kind === 'NOTNULL' && violation.column?.endsWith('.version') === true
}

/** Whether a key of `changes` that is not undefined differs from the stored one, which must have been read. */
export function differs(changes: object, stored: object): boolean {
  const before = new Map<string, unknown>(Object.entries(stored))
  return Object.entries(changes).some(([key, value]) => {
    if (value === undefined) return false
    if (!before.has(key)) throw new Error(`${key} is compared, but was not read`)
    return JSON.stringify(value) !== JSON.stringify(before.get(key))
  })
}

/** What ends the transaction of every write. */
interface End {
  call: Call
  /** The statements behind those of the write, of which the first gives a stamp. */
  closing: () => readonly [Plain<Stamp>, ...Statement[]]
}

async function store(
  db: Database,
  attempt: () => Promise<Statement[] | null>,
  end: End,
): Promise<unknown[] | null> {
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const statements = await attempt()
    if (!statements) return null
    try {
      return await run(db, statements, end)
    } catch (error) {
      if (!isLostRace(error, tries)) throw error
    }
    await pause(tries)
  }
  throw conflict()
}

/** Runs statements, tells what the record is at, and gives what they returned. */
async function run(db: Database, statements: Statement[], { call, closing }: End): Promise<unknown[]> {
  const results: unknown[] = await batch<Statement[]>(db, [...statements, ...closing()])
  const [stamp] = results[statements.length] as Stamp[]
  if (stamp) call.tell(stamp)
  return results.slice(0, statements.length)
}

/**
 * Whether reading again may help: the row was written after it was read, or a row referred to is gone, which the
 * next attempt then tells. Every other constraint is a fault of ours.
 */
function isLostRace(error: unknown, tries: number): boolean {
  if (findViolation(error)?.kind === 'FOREIGNKEY') return tries < REFERENCE_ATTEMPTS
  return isVersionGuard(error)
}

/** A random while, so that writers who met do not meet again; longer after each try, as more of them seem to be there. */
export function pause(tries: number): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1))
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest))
}
