/**
 * The database of a call, and its transactions. All statements of the service run here.
 *
 *     const { contact: [row], total } = await batch(db, { contact: selectContact({ id }), total: countContacts() })
 */
import type { Provenance } from '../http/caller/provenance.ts'
import { sleep } from '../http/concurrency/waiting.ts'
import { beingRestored } from '../http/errors.ts'
import type { Allowance } from './allowance.ts'
import type { DryRun } from './dry-run.ts'
import { DatabaseBusy, isPassing, isTooLarge, RowTooLarge } from './errors.ts'
import type { JoinedReads } from './joined-reads.ts'
import { isRefusedWhileRestoring, REFUSE_WHILE_RESTORING } from './restoring.ts'
import { Statement } from './statements.ts'
import { TrailStatement } from './trail.ts'

/** A database, and what is known of the call or job that uses it. */
export interface Database {
  readonly client: D1Database
  /** The calls that a job of cron, or an import, may make. */
  readonly allowance?: Allowance | undefined
  /** Where writes come from. Without it, nothing is entered in the trail. */
  readonly provenance?: Provenance | undefined
  /** Whether writes of records are not entered in the trail. */
  readonly skipsTrail?: boolean
  readonly sendsMails?: boolean
  /** Keeps what is written, so that nothing is stored. */
  readonly dryRun?: DryRun
  /** Joins reads that are asked for at the same time. */
  readonly joined?: JoinedReads
}

/** The database that the bindings of a call refer to. */
export function database({ DB, ALLOWANCE, PROVENANCE, RECORD_TRAIL, MAIL, MAIL_FROM }: Bindings): Database {
  return {
    client: DB,
    allowance: ALLOWANCE,
    provenance: PROVENANCE,
    skipsTrail: RECORD_TRAIL === 'off',
    sendsMails: Boolean(MAIL && MAIL_FROM),
  }
}

type Bindings = Pick<Env, 'DB' | 'ALLOWANCE' | 'PROVENANCE' | 'RECORD_TRAIL' | 'MAIL' | 'MAIL_FROM'>

/** Whether a job or an import may still make so many calls; true in all other work. */
export function mayCall({ allowance }: Database, calls: number): boolean {
  return allowance?.has(calls) ?? true
}

/** How long a read waits before it is tried once more, in milliseconds; up to twice as long. */
const RETRY_MS = 50

/** A statement of a transaction, or several: as a list or by name. */
export type Statements = Statement | null | readonly Statements[] | NamedStatements
/** Statements that run in the order of their keys. */
export type NamedStatements = { readonly [name: string]: Statements }

/** The rows of `S`, under the names of its statements. */
export type Results<S> = S extends Statement<infer Row> ? Row[] : ResultsOf<S>
type ResultsOf<S> = { -readonly [Name in keyof S]: Results<S[Name]> }

/** Runs statements as one transaction in one round trip, in the order of their keys. Returns their rows by name. */
export async function batch<S>(db: Database, statements: S & NamedStatements): Promise<ResultsOf<S>> {
  if (db.dryRun) return tryOut(db, db.dryRun, statements)
  return (await batchWithSize(db, statements)).rows
}

/** Like `batch`, with the size of the database in bytes; null if D1 does not name it. */
export async function batchWithSize<S>(
  db: Database,
  statements: S & NamedStatements,
): Promise<{ rows: ResultsOf<S>; bytes: number | null }> {
  const { provenance, skipsTrail } = db
  const isLeftOut = (statement: Statement) =>
    statement instanceof TrailStatement && (!provenance || (skipsTrail && statement.isOfRecord))
  const list: Statement[] = provenance?.waitsForRestore ? [REFUSE_WHILE_RESTORING] : []
  let next = list.length
  mapStatements(statements, (statement) => isLeftOut(statement) || list.push(statement))
  const paramsOf = (statement: Statement) =>
    statement instanceof TrailStatement && provenance ? statement.paramsFrom(provenance) : statement.params
  const bind = (statement: Statement) => db.client.prepare(statement.sql).bind(...paramsOf(statement))
  const send = (all: readonly Statement[]) =>
    call(db, all, () => db.client.batch<Record<string, unknown>>(all.map(bind)))
  const isJoined = db.joined && list.every(reads)
  const results = list.length === next ? [] : await (isJoined ? db.joined.run(list, send) : send(list))
  // The compiler cannot follow the recursion.
  const rows = mapStatements(statements, (statement) =>
    isLeftOut(statement) ? [] : statement.read(results[next++]?.results ?? []),
  ) as ResultsOf<S>
  return { rows, bytes: results.at(-1)?.meta?.size_after ?? null }
}

/** The database as it is, without what a dry run has written. */
export function withoutDryRun({ dryRun: _, ...db }: Database): Database {
  return db
}

/** Runs statements as a transaction of a dry run. */
async function tryOut<S>(
  db: Database,
  dryRun: DryRun,
  statements: S & NamedStatements,
): Promise<ResultsOf<S>> {
  const list: Statement[] = []
  mapStatements(statements, (statement) => list.push(statement))
  const found = await dryRun.run(list, async (reads) => (await batch(withoutDryRun(db), { reads })).reads)
  let next = 0
  return mapStatements(statements, () => found[next++]) as ResultsOf<S>
}

/** Runs a single statement. */
export async function runStatement<Row>(db: Database, statement: Statement<Row>): Promise<Row[]> {
  if (db.dryRun || db.joined || db.provenance?.waitsForRestore)
    return (await batch(db, { statement })).statement
  const { sql, params, read } = statement
  const { results } = await call(db, [statement], () =>
    db.client
      .prepare(sql)
      .bind(...params)
      .all<Record<string, unknown>>(),
  )
  return read(results)
}

/**
 * Calls D1 once, or twice if that failed for a passing reason and `statements` only read: a write may be stored although it
 * seems to have failed. Throws `DatabaseBusy` if the reason lasts.
 */
async function call<T>(
  { allowance }: Database,
  statements: readonly Statement[],
  send: () => Promise<T>,
): Promise<T> {
  allowance?.count()
  try {
    return await send().catch((error: unknown) => {
      if (!isPassing(error) || !statements.every(reads)) throw error
      allowance?.count()
      return wait().then(send)
    })
  } catch (error) {
    if (isRefusedWhileRestoring(error)) throw beingRestored()
    if (isTooLarge(error) && !statements.every(reads)) throw new RowTooLarge(error)
    throw isPassing(error) ? new DatabaseBusy(error) : error
  }
}

function reads({ writes }: Statement): boolean {
  return !writes
}

function wait(): Promise<void> {
  return sleep(RETRY_MS * (1 + Math.random()))
}

function mapStatements(node: Statements, visit: (statement: Statement) => unknown): unknown {
  if (node === null) return null
  if (node instanceof Statement) return visit(node)
  if (isList(node)) return node.map((child) => mapStatements(child, visit))
  const entries = Object.entries(node).map(([name, child]) => {
    // JavaScript puts numeric keys first, which would change the order of the statements.
    if (/^\d+$/.test(name)) throw new Error(`A statement cannot be named ${name}`)
    return [name, mapStatements(child, visit)]
  })
  return Object.fromEntries(entries)
}

function isList(node: Statements): node is readonly Statements[] {
  return Array.isArray(node)
}
