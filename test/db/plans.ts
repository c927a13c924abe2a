/** Records the statements of the service: their query plans, and the rows that they read and write. */
import { counted, databaseAround, selectAll } from '../support/database.ts'

/** A statement and the steps of its plan, such as `SEARCH offers USING INDEX offers_by_status (status=?)`. */
export interface Plan {
  text: string
  steps: string[]
}

/** The plans of all statements that `work` runs on the database passed to it. */
export async function plansOf(work: (DB: D1Database) => Promise<unknown>): Promise<Plan[]> {
  const sent: [text: string, params: unknown[]][] = []
  const DB = databaseAround((send, texts, params) => {
    sent.push(...texts.map((text, index): [string, unknown[]] => [text, params[index] ?? []]))
    return send()
  })
  await work(DB)
  return await Promise.all(
    sent.map(async ([text, params]) => {
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
  const { DB, counts } = counted()
  await work(DB)
  return counts.rowsWritten
}

/** How many rows, those of indexes included, `work` reads. */
export async function rowsRead(work: (DB: D1Database) => Promise<unknown>): Promise<number> {
  const { DB, counts } = counted()
  await work(DB)
  return counts.rowsRead
}
