/**
 * Merging into a record that others may be writing: read it, decide, write it unless somebody was faster.
 *
 *     await mergeRecord(db, async () => {
 *       const [[current]] = await batch(db, [selectContacts(db).where(…), …])
 *       if (!current) throw notFound('Contact')
 *       return [db.update(contacts).set({ …, version: nextVersion(current.version) }).where(…), …]
 *     })
 */
import { type SQL, sql } from 'drizzle-orm'
import { conflict, violatedConstraint } from '../http/errors.ts'
import { batch, type Database, type Statement } from './client.ts'

/** How often a merge is tried when somebody else wrote first. */
const ATTEMPTS = 12
/** Longest pause before the next try, in milliseconds per try so far. */
const PAUSE = 10

/**
 * Runs the statements of `attempt` as one transaction, anew while the record changes under them. Null means that
 * nothing is to be stored. Throws 409 when others keep writing.
 * @returns what the statements returned, null when nothing was to be stored
 */
export async function mergeRecord(
  db: Database,
  attempt: () => Promise<Statement[] | null>,
): Promise<unknown[] | null> {
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const statements = await attempt()
    if (!statements) return null
    const results = await store(db, statements)
    if (results) return results
    // A random while, longer after each try, so that writers who met do not meet again.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE * tries))
  }
  throw conflict()
}

/** The `version` to write: null unless the row is still at the one `read`, and NOT NULL then undoes the whole batch. */
export function nextVersion(read: number): SQL<number> {
  return sql<number>`case when version = ${read} then version + 1 end`
}

/** Whether a key of `changes` that is not undefined differs from the stored one. */
export function differs(changes: object, stored: object): boolean {
  const before = new Map<string, unknown>(Object.entries(stored))
  return Object.entries(changes).some(
    ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before.get(key)),
  )
}

/** Null when the record changed since it was read. */
async function store(db: Database, statements: Statement[]): Promise<unknown[] | null> {
  try {
    return await batch(db, statements)
  } catch (error) {
    if (violatedConstraint(error) === 'NOTNULL') return null
    throw error
  }
}
