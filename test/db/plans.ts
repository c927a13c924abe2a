/** Records the statements of the service: their query plans, and the rows that they read and write. */
import { env } from 'cloudflare:workers'
import { databaseOf, RecordedStatement, type Sent, selectAll } from '../support/database.ts'

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
      const steps = await selectAll<{ detail: string }>(`explain query plan ${text}`, ...params)
      return { text, steps: steps.map(({ detail }) => detail) }
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

/** How many rows, those of indexes and of triggers included, `work` writes. */
export async function rowsWritten(work: (DB: D1Database) => Promise<unknown>): Promise<number> {
  let rows = 0
  await work(watched(undefined, (result) => (rows += result.meta.rows_written)))
  return rows
}

/** How many rows, those of indexes included, `work` reads. */
export async function rowsRead(work: (DB: D1Database) => Promise<unknown>): Promise<number> {
  let rows = 0
  await work(watched(undefined, (result) => (rows += result.meta.rows_read)))
  return rows
}

/** The real database with its calls recorded. */
function watched(onStatement?: (sent: Sent) => void, onResult?: (result: D1Result) => void): D1Database {
  return databaseOf({
    prepare: (text: string) => new RecordedStatement({ text, params: [] }, onStatement, onResult),
    batch: async (statements: RecordedStatement[]) => {
      const results = await env.DB.batch(statements.map((statement) => statement.send()))
      for (const result of results) onResult?.(result)
      return results
    },
  })
}
