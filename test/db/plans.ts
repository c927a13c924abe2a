/** Records the statements of the service: their query plans, and the rows that they read and write. */
import { env } from 'cloudflare:workers'
import { databaseOf } from '../support/database.ts'

interface Sent {
  text: string
  params: unknown[]
}

/** A statement and the steps of its plan, such as `SEARCH offers USING INDEX offers_by_status (status=?)`. */
export interface Plan {
  text: string
  steps: string[]
}

/** The plans of all statements that `work` runs on the database passed to it. */
export async function plansOf(work: (DB: D1Database) => Promise<unknown>): Promise<Plan[]> {
  const sent: Sent[] = []
  await work(watched((statement) => sent.push(statement)))
  return await Promise.all(
    sent.map(async ({ text, params }) => {
      const explained = env.DB.prepare(`explain query plan ${text}`).bind(...params)
      const { results } = await explained.all<{ detail: string }>()
      return { text, steps: results.map(({ detail }) => detail) }
    }),
  )
}

/** The indexes that the service itself has made and that `plans` use. */
export function indexesIn(plans: Plan[]): Set<string> {
  const names = plans
    .flatMap(({ steps }) => steps)
    .map((step) => /USING (?:COVERING )?INDEX (\w+)/.exec(step)?.[1])
  return new Set(names.filter((name) => name !== undefined))
}

/** How many rows, those of indexes and of triggers included, `work` writes in batches. */
export async function rowsWritten(work: (DB: D1Database) => Promise<unknown>): Promise<number> {
  let rows = 0
  await work(watched(undefined, (result) => (rows += result.meta.rows_written)))
  return rows
}

/** How many rows, those of indexes included, `work` reads in batches. */
export async function rowsRead(work: (DB: D1Database) => Promise<unknown>): Promise<number> {
  let rows = 0
  await work(watched(undefined, (result) => (rows += result.meta.rows_read)))
  return rows
}

/** The real database with its calls recorded. */
function watched(onStatement?: (sent: Sent) => void, onResult?: (result: D1Result) => void): D1Database {
  return databaseOf({
    prepare: (text: string) => new Watched({ text, params: [] }, env.DB.prepare(text), onStatement),
    batch: async (statements: Watched[]) => {
      const results = await env.DB.batch(statements.map((statement) => statement.sent()))
      for (const result of results) onResult?.(result)
      return results
    },
  })
}

class Watched {
  readonly #text: Sent
  readonly #statement: D1PreparedStatement
  readonly #onStatement: ((sent: Sent) => void) | undefined

  constructor(text: Sent, statement: D1PreparedStatement, onStatement?: (sent: Sent) => void) {
    this.#text = text
    this.#statement = statement
    this.#onStatement = onStatement
  }

  /** The real statement, which now runs. */
  sent(): D1PreparedStatement {
    this.#onStatement?.(this.#text)
    return this.#statement
  }

  bind(...params: unknown[]): Watched {
    return new Watched({ ...this.#text, params }, this.#statement.bind(...params), this.#onStatement)
  }

  all() {
    return this.sent().all()
  }

  run() {
    return this.sent().run()
  }

  raw() {
    return this.sent().raw()
  }

  first() {
    return this.sent().first()
  }
}
