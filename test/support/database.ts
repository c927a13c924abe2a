/** Databases for tests that observe or break calls to D1. */
import { env } from 'cloudflare:workers'
import type { Session } from '../../src/http/context.ts'
import { countDatabase } from '../../tools/bench/count-database.ts'

type Row = Record<string, unknown>

/** Every row that the statement answers. */
export async function selectAll<T = Row>(sql: string, ...params: unknown[]): Promise<T[]> {
  return (await statementOf(sql, params).all<T>()).results
}

/** The first row that the statement answers. */
export function selectFirst<T = Row>(sql: string, ...params: unknown[]): Promise<T | null> {
  return statementOf(sql, params).first<T>()
}

/** Every row of every table, by its name. */
export async function everyTable(): Promise<[table: string, rows: Row[]][]> {
  const tables = await selectAll<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like '~_cf~_%' escape '~' order by name",
  )
  const found = await env.DB.batch<Row>(tables.map(({ name }) => env.DB.prepare(`select * from ${name}`)))
  return tables.map(({ name }, index) => [name, found[index]?.results ?? []])
}

/** Runs one statement. */
export function execute(sql: string, ...params: unknown[]): Promise<D1Result> {
  return statementOf(sql, params).run()
}

/** Does `work` while a trigger refuses `event`: `insert on listings`. */
export async function whileBroken<T>(event: string, work: () => Promise<T>): Promise<T> {
  await execute(`create trigger broken before ${event} begin select raise(abort, 'broken'); end`)
  try {
    return await work()
  } finally {
    await execute('drop trigger broken')
  }
}

/** Gives a row another id, also one that import would refuse as too far above the others. */
export async function changeId(table: string, from: number, to: number): Promise<void> {
  await execute(`update ${table} set id = ? where id = ?`, to, from)
}

function statementOf(sql: string, params: unknown[]): D1PreparedStatement {
  return env.DB.prepare(sql).bind(...params)
}

type DatabaseCalls = Pick<D1Database, 'prepare' | 'batch'>

/** A session that calls the current methods of `database`, including spies. It has no bookmark. */
export function sessionOn(database: DatabaseCalls): Session {
  return {
    prepare: (text: string) => database.prepare(text),
    batch: <T>(statements: D1PreparedStatement[]) => database.batch<T>(statements),
    getBookmark: () => null,
  }
}

/** The real database but for these methods, which its sessions use as well. */
export function databaseOf(calls: { prepare?: unknown; batch?: unknown }): D1Database {
  const database = {
    prepare: (text: string) => env.DB.prepare(text),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    ...calls,
    withSession: () => sessionOn(database as DatabaseCalls),
  }
  return database as unknown as D1Database
}

/**
 * The real database, whose calls `around` makes: a batch, or a statement by itself. It gets what sends the call, and the
 * texts of its statements, and what is bound to each.
 */
export function databaseAround(
  around: <T extends D1Result | D1Result[]>(
    send: () => Promise<T>,
    texts: string[],
    params: unknown[][],
  ) => Promise<T>,
): D1Database {
  const statement = (text: string, params: unknown[] = []) => ({
    text,
    params,
    real: () => statementOf(text, params),
    bind: (...bound: unknown[]): object => statement(text, bound),
    all: () => around(() => statementOf(text, params).all(), [text], [params]),
  })
  return databaseOf({
    prepare: (text: string) => statement(text),
    batch: (statements: ReturnType<typeof statement>[]) =>
      around(
        () => env.DB.batch(statements.map(({ real }) => real())),
        statements.map(({ text }) => text),
        statements.map(({ params }) => params),
      ),
  })
}

/** The real database, which counts its batches and adds up the rows that they read. The second batch waits for `meanwhile`. */
export function counting(meanwhile?: () => Promise<unknown>) {
  let [rows, batches] = [0, 0]
  const batch = async (statements: D1PreparedStatement[]) => {
    if (++batches === 2) await meanwhile?.()
    const results = await env.DB.batch(statements)
    for (const { meta } of results) rows += meta.rows_read
    return results
  }
  return { DB: databaseOf({ batch }), rowsRead: () => rows, batches: () => batches }
}

/** The real database, which counts its calls, and the rows that they read and write. */
export function counted() {
  const counts = { trips: 0, rowsRead: 0, rowsWritten: 0 }
  return { DB: countDatabase(env.DB, counts), counts }
}

/** The real database. `onText` gets the text of each statement. */
export function watching(onText: (text: string) => void): D1Database {
  const prepare = (text: string) => {
    onText(text)
    return env.DB.prepare(text)
  }
  return databaseOf({ prepare })
}

/** Which batch of a call fails, from 1, and whether it is stored all the same. */
export type BatchFault = { at: number; isStored: boolean } | null

/** The real database, one of whose batches fails, before or after it is stored. */
export function failingBatch(fault: BatchFault, onFault: () => void): D1Database {
  let calls = 0
  return databaseOf({
    batch: async (statements: D1PreparedStatement[]) => {
      const fails = ++calls === fault?.at
      if (fails) onFault()
      if (fails && !fault.isStored) throw new Error('D1_ERROR: Network connection lost')
      const results = await env.DB.batch(statements)
      if (fails) throw new Error('D1_ERROR: Network connection lost')
      return results
    },
  })
}

/**
 * The real database, whose first call with a statement that matches `pattern` waits for `meanwhile`. So a test can write
 * between the reads and the writes of a call.
 */
export function failBefore(pattern: RegExp, meanwhile: () => Promise<unknown>): D1Database {
  let isDone = false
  return databaseAround(async (send, texts) => {
    if (!isDone && texts.some((text) => pattern.test(text))) {
      isDone = true
      await meanwhile()
    }
    return send()
  })
}
