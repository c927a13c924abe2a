/**
 * The work of cron on many records, one portion after the other. A record that makes its portion fail must not keep the job
 * from the others: the portion is halved until the record is alone. Then it is noted in `job_failures`, which `/admin/stats`
 * shows, passed over, and tried again after a while, at last every six hours.
 *
 * A fault of D1 or the bucket that passes is not the fault of a record, nor is a missing table: the job ends, and the next run
 * goes on. Unless the portion may be too much for D1, which would fail each time: then it is halved as well.
 */
import { yieldToEventLoop } from '../http/concurrency/waiting.ts'
import { describeFailure, log } from '../http/log.ts'
import { batch, type Database, mayCall, runStatement, type Statements } from './client.ts'
import { isMissing, isOutage } from './errors.ts'
import { textStatement } from './statements.ts'

/** Work on the records of a resource. Each function may call D1. */
interface Work {
  /** The job, as the log names it. */
  job: string
  /** The resource of the records, as the change feed names it. */
  resource: string
  /** Maximum portions of a run. */
  portions: number
  /** Calls to D1 that a portion takes. */
  calls: number
  /**
   * The ids of the next portion; none if nothing is left.
   * @param failed records to pass over, unless a cursor leads past them
   */
  next: (failed: readonly number[]) => Promise<number[]>
  /** Works on records, and returns the statements that store what is made of them, if they are still to run. */
  work: (ids: number[]) => Promise<Statements>
  /**
   * The statements that move a cursor past a record and those before it. They run in one transaction with those of `work`,
   * or without them for one that failed.
   */
  pass?: ((id: number, hasFailed: boolean) => Statements) | undefined
}

/** Most records that may have failed at once. If more do, it is hardly their fault, and the job fails. */
const MAX_FAILED = 500
/** Records that are tried again in a run, one by one. */
const MAX_AGAIN = 10
/** Minutes until a record is tried again, by how often it has failed. */
const PAUSES = [0, 10, 60, 360]
/** Characters of an error that are kept. */
const MAX_ERROR = 200

/** Works within the limits of one run, and returns how many records have failed. Several runs may work at the same time. */
export async function workThrough(db: Database, work: Work): Promise<{ failed?: number }> {
  const { job, resource, portions, calls, next } = work
  const noted = await runStatement(
    db,
    textStatement<{ id: number; due: number }>(
      'select id, due from job_failures where job = ? and resource = ? order by due',
      [job, resource],
    ),
  )
  const failed = new Set(noted.map(({ id }) => id))
  const now = Date.now()
  for (const { id } of noted.filter(({ due }) => due <= now).slice(0, MAX_AGAIN))
    if (mayCall(db, calls)) await tryAll(db, { ...work, pass: undefined }, [id], failed)
  for (let count = 0; count < portions && mayCall(db, calls); count++) {
    await yieldToEventLoop()
    const ids = await next([...failed])
    if (ids.length === 0 || !(await tryAll(db, work, ids, failed))) break
  }
  return failed.size > 0 ? { failed: failed.size } : {}
}

/** Works on records, in halves if that fails. Returns whether the run may go on. */
async function tryAll(db: Database, work: Work, ids: number[], failed: Set<number>): Promise<boolean> {
  const { job, resource, calls } = work
  const last = ids.at(-1)
  if (last === undefined) return true
  const ofJob = [job, resource]
  try {
    const again = ids.filter((id) => failed.has(id))
    const done = await work.work(ids)
    await batch(db, {
      done,
      passed: work.pass?.(last, false) ?? [],
      forgotten:
        again.length > 0
          ? textStatement(
              'delete from job_failures where job = ? and resource = ? and id in (select value from json_each(?))',
              [...ofJob, JSON.stringify(again)],
            )
          : [],
    })
    for (const id of again) failed.delete(id)
    return true
  } catch (error) {
    if (isOutage(error) || isMissing(error)) throw error
    if (ids.length > 1) {
      const middle = ids.length >> 1
      const mayGoOn = await tryAll(db, work, ids.slice(0, middle), failed)
      return mayGoOn && mayCall(db, calls) && tryAll(db, work, ids.slice(middle), failed)
    }
    if (!failed.has(last) && failed.size >= MAX_FAILED) throw error
    const failure = describeFailure(error)
    log('error', { work: job, resource, id: last, ...failure })
    const pauses = PAUSES.slice(1).map((minutes, index) => `when ${index + 1} then ${minutes * 60_000}`)
    await batch(db, {
      noted: textStatement(
        `insert into job_failures (job, resource, id, error, failures, due) values (?1, ?2, ?3, ?4, 1, ?5)
        on conflict do update set error = excluded.error, failures = failures + 1,
          due = ?5 + (case failures ${pauses.join(' ')} else ${(PAUSES.at(-1) ?? 0) * 60_000} end)`,
        [...ofJob, last, failure.error.slice(0, MAX_ERROR), Date.now()],
      ),
      passed: work.pass?.(last, true) ?? [],
    })
    failed.add(last)
    return mayCall(db, calls)
  }
}
