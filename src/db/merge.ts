/**
 * Writing a record while others may be writing it, or what it refers to: read, decide, write unless somebody was
 * faster.
 *
 *     await mergeRecord(db, `contacts ${id}`, async () => {
 *       const [[current]] = await batch(db, [selectContacts(db).where(…), …])
 *       if (!current) throw notFound('Contact')
 *       return [updateRow(contacts, current, columns), ...replaceLinks(LINKS, id, lists)]
 *     })
 */
import { conflict, findViolation } from '../http/errors.ts'
import { takeTurn } from '../http/turns.ts'
import { batch, type Database, type Statement } from './client.ts'

/** How often a merge is tried when somebody else wrote first. */
const ATTEMPTS = 16
/** How often a write is tried when what it refers to vanished after it was looked for. */
const REFERENCE_ATTEMPTS = 3
/** Longest pause before the second try, in milliseconds; twice as long before each further one, up to the most. */
const FIRST_PAUSE = 10
const LONGEST_PAUSE = 640

/**
 * Runs the statements of `attempt` as one transaction, anew while the record changes under them. Null means that
 * nothing is to be stored. Throws 409 when others keep writing.
 * @param record names it among all, as writers of one record take turns
 * @returns what the statements returned, null when nothing was to be stored
 */
export function mergeRecord(
  db: Database,
  record: string,
  attempt: () => Promise<Statement[] | null>,
): Promise<unknown[] | null> {
  return takeTurn(record, () => store(db, attempt))
}

/**
 * The same for a new record, which nobody else knows yet.
 * @param assuming the statements where everything that the record refers to is as it should be, which a guard of theirs
 *   looks at within the transaction; null where that cannot be. They spare the round trip of `attempt` that reads first:
 *   it is made only when the guard does not hold, to say what is wrong.
 */
export async function createRecord(
  db: Database,
  attempt: () => Promise<Statement[]>,
  assuming: () => Statement[] | null = () => null,
): Promise<unknown[]> {
  const statements = assuming()
  if (statements) {
    try {
      return await batch(db, statements)
    } catch (error) {
      if (!isUndone(error)) throw error
    }
  }
  return (await store(db, attempt)) ?? []
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

async function store(db: Database, attempt: () => Promise<Statement[] | null>): Promise<unknown[] | null> {
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const statements = await attempt()
    if (!statements) return null
    try {
      return await batch(db, statements)
    } catch (error) {
      if (!isLostRace(error, tries)) throw error
    }
    await pause(tries)
  }
  throw conflict()
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
function pause(tries: number): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1))
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest))
}
