/**
 * The Worker with its database recorded. Every call is answered by a `Recording`: the reply, and what was sent to D1 for
 * it. `/bench/run` runs batches and says what they took, so that anyone's SQL is measured in the same place.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import worker from '../../src/index.ts'
import type { BoundStatement } from '../bench/kept.ts'
import { overlay } from '../runtime/overlay.ts'

/** One call to D1. */
export type Trip = BoundStatement[]

/** A call to the API. */
export interface Recording {
  status: number
  /** The header `X-Ignored-Fields`. */
  ignored: string
  body: string
  trips: Trip[]
  rowsWritten: number
}

/** What to run on D1. */
export interface Run {
  trips: Trip[]
  /** It is run again until that many milliseconds have passed: clocks of a Worker have no finer unit than one. */
  enough: number
}

/** What it took. */
export interface TripOutcome {
  /** Of one time on average. */
  milliseconds: number
  rowsRead: number
  /** The rows of every statement, by trip. */
  results: Record<string, unknown>[][][]
}

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname === '/bench/run') {
      try {
        return Response.json(await run(env.DB, await request.json()))
      } catch (error) {
        return new Response(String(error), { status: 500 })
      }
    }
    const recording: Recording = { status: 0, ignored: '', body: '', trips: [], rowsWritten: 0 }
    return recordings.run(recording, async () => {
      const answer = await worker.fetch(request, recordingEnv(env), context)
      recording.status = answer.status
      recording.ignored = answer.headers.get('X-Ignored-Fields') ?? ''
      recording.body = await answer.text()
      return Response.json(recording)
    })
  },
} satisfies ExportedHandler<Env>

async function run(db: D1Database, { trips, enough }: Run): Promise<TripOutcome> {
  const once = async () => {
    const answers: D1Result<Record<string, unknown>>[][] = []
    for (const trip of trips) {
      answers.push(await db.batch(trip.map(({ sql, params }) => db.prepare(sql).bind(...params))))
    }
    return answers
  }
  const start = performance.now()
  let answers = await once()
  let times = 1
  for (; performance.now() - start < enough; times++) answers = await once()
  return {
    milliseconds: (performance.now() - start) / times,
    rowsRead: answers.flat().reduce((sum, { meta }) => sum + meta.rows_read, 0),
    results: answers.map((trip) => trip.map(({ results }) => results)),
  }
}

/** Work after a reply goes on in the storage of its own call. */
const recordings = new AsyncLocalStorage<Recording>()

let recordingBindings: Env | undefined

/** Made once, as `env` itself is, so that what is kept beside a database is kept here, too. */
function recordingEnv(env: Env): Env {
  recordingBindings ??= { ...env, DB: recordDatabase(env.DB) }
  return recordingBindings
}

function recordDatabase<T extends D1Database | D1DatabaseSession>(db: T): T {
  return overlay(db, {
    prepare: (sql: string) => recordStatement(db.prepare(sql), { sql, params: [] }),
    batch: async (statements: D1PreparedStatement[]) => {
      const sent = statements.map((statement) => recorded.get(statement) ?? unknownStatement())
      return note(
        sent.map(({ bound }) => bound),
        await db.batch(sent.map(({ plain }) => plain)),
      )
    },
    withSession: (bookmark?: string) => recordDatabase((db as D1Database).withSession(bookmark)),
  })
}

/** What recorded statements stand for: a batch takes no other. */
const recorded = new WeakMap<object, { plain: D1PreparedStatement; bound: BoundStatement }>()

function unknownStatement(): never {
  throw new Error('A statement was prepared elsewhere')
}

function recordStatement(plain: D1PreparedStatement, bound: BoundStatement): D1PreparedStatement {
  const all = async () => note([bound], [await plain.all()])[0]
  const statement = overlay(plain, {
    bind: (...params: unknown[]) => recordStatement(plain.bind(...params), { ...bound, params }),
    all,
    run: all,
    // Neither of these says what it cost, so both are made of `all`.
    first: async (column?: string) => {
      const [row] = (await all())?.results ?? []
      return (column && row ? (row as Record<string, unknown>)[column] : row) ?? null
    },
    raw: async () => ((await all())?.results ?? []).map((row) => Object.values(row as object)),
  })
  recorded.set(statement, { plain, bound })
  return statement
}

function note<R extends { meta: D1Meta }>(trip: Trip, results: R[]): R[] {
  const recording = recordings.getStore()
  recording?.trips.push(trip)
  for (const { meta } of results) if (recording) recording.rowsWritten += meta.rows_written
  return results
}
