/** Databases for tests that look at, or break, what is asked of D1. */
import type { Session } from '../../src/http/app.ts'

type Calls = Pick<D1Database, 'prepare' | 'batch'>

/** A session that runs on `database` as it stands when it is called, spies included. It knows no bookmark. */
export function sessionOn(database: Calls): Session {
  return {
    prepare: (text: string) => database.prepare(text),
    batch: <T>(statements: D1PreparedStatement[]) => database.batch<T>(statements),
    getBookmark: () => null,
  }
}

/** A database of these two calls, which its sessions use, too. */
export function databaseOf(calls: { prepare: unknown; batch: unknown }): D1Database {
  const database = { ...calls, withSession: () => sessionOn(database as Calls) }
  return database as unknown as D1Database
}
