/** Databases for tests that observe or break calls to D1. */
import { env } from 'cloudflare:workers'
import type { Session } from '../../src/http/context.ts'

type DatabaseCalls = Pick<D1Database, 'prepare' | 'batch'>

/** A session that calls the current methods of `database`, including spies. It has no bookmark. */
export function sessionOn(database: DatabaseCalls): Session {
  return {
    prepare: (text: string) => database.prepare(text),
    batch: <T>(statements: D1PreparedStatement[]) => database.batch<T>(statements),
    getBookmark: () => null,
  }
}

/** A database with these two methods, which its sessions use as well. */
export function databaseOf(calls: { prepare: unknown; batch: unknown }): D1Database {
  const database = { ...calls, withSession: () => sessionOn(database as DatabaseCalls) }
  return database as unknown as D1Database
}

/**
 * The real database, whose first batch with a statement that matches `pattern` waits for `meanwhile`. So a test can write
 * between the reads and the writes of a call.
 */
export function failBefore(pattern: RegExp, meanwhile: () => Promise<unknown>): D1Database {
  let isDone = false
  return databaseOf({
    prepare: (text: string) => new Named(text, env.DB.prepare(text)),
    batch: async (statements: Named[]) => {
      if (!isDone && statements.some(({ text }) => pattern.test(text))) {
        isDone = true
        await meanwhile()
      }
      return env.DB.batch(statements.map(({ statement }) => statement))
    },
  })
}

/** A statement with its SQL text. */
class Named {
  readonly text: string
  readonly statement: D1PreparedStatement

  constructor(text: string, statement: D1PreparedStatement) {
    this.text = text
    this.statement = statement
  }

  bind(...params: unknown[]): Named {
    return new Named(this.text, this.statement.bind(...params))
  }

  all() {
    return this.statement.all()
  }

  run() {
    return this.statement.run()
  }

  raw() {
    return this.statement.raw()
  }

  first() {
    return this.statement.first()
  }
}
