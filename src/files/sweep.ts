/**
 * Deletes what is in the bucket and no row refers to. Nothing else deletes there: uploads that came to nothing, pictures
 * that were replaced and those of rows that are gone all end here.
 *
 * A file goes when it is at least a day old, was seen without a reference at least a day ago, and has none now, in the
 * transaction right before. A key is random and its row is written in the same call, so nothing can begin to refer to such
 * a file but an import of an old record; one that does so between that transaction and the deletion, a fraction of a
 * second, comes too late.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, database, runStatement } from '../db/client.ts'
import { valuesOf } from '../db/conditions.ts'
import { sqlStatement } from '../db/statements.ts'
import { formatDateTime } from '../fields/values.ts'
import { yieldToEventLoop } from '../http/concurrency/queue.ts'
import { log } from '../http/log.ts'
import { isReferenced } from './references.ts'
import { isFileKey } from './store.ts'

/** Files of one page: as many as R2 lists, and deletes, at once. */
const PAGE = 1000

/** Pages of one run; the next run goes on from there. A Worker may make 1,000 calls, and a page makes up to three. */
const MAX_PAGES = 200

/** How long a file is kept without a reference, in milliseconds. */
const GRACE_MS = 24 * 60 * 60 * 1000

/** Behind every key of ours. */
const END = '~'

/** What a run did, in files. */
export interface SweepReport {
  seen: number
  deleted: number
}

interface Page {
  /** The last key of the page before, empty at the beginning. */
  after: string
  /** The last key of this page. */
  upTo: string
  objects: R2Object[]
}

/** Goes on through the bucket from where it stopped, to its end or so many pages. */
export async function sweepFiles(
  env: Env,
  now = new Date(),
  { pages = MAX_PAGES, size = PAGE } = {},
): Promise<SweepReport> {
  const db = database(env)
  const selecting = sqlStatement<{ last_key: string | null; is_empty: number }>(sql`select
    (select last_key from file_sweeps where id = 1) as last_key,
    not exists (select 1 from stores) as is_empty`)
  const [state] = await runStatement(db, selecting)
  const sweep = { seen: 0, deleted: 0 }
  // Where there is no office there is no agency: the database is yet to be filled, the bucket may be already.
  if (!state || state.is_empty) return sweep
  let after = state.last_key ?? ''
  for (let page = 0; page < pages; page++) {
    await yieldToEventLoop()
    const listed = await env.PHOTOS.list({ startAfter: after, limit: size })
    const upTo = (listed.truncated && listed.objects.at(-1)?.key) || END
    const doomed = await examinePage(db, { after, upTo, objects: listed.objects }, now)
    if (doomed.length > 0) await env.PHOTOS.delete(doomed)
    sweep.seen += listed.objects.length
    sweep.deleted += doomed.length
    if (upTo === END) break
    after = upTo
  }
  log('info', { job: 'sweep', ...sweep })
  return sweep
}

/** Notes which files of a page have no reference and forgets those that have; gives the keys that may go. */
async function examinePage(db: Database, { after, upTo, objects }: Page, now: Date): Promise<string[]> {
  // What was put into the bucket by other hands has other names, and is theirs.
  const ours = objects.filter(({ key }) => isFileKey(key))
  const yesterday = new Date(now.getTime() - GRACE_MS)
  const old = ours.filter(({ uploaded }) => uploaded <= yesterday)
  const keysOf = (some: R2Object[]) => valuesOf(some.map(({ key }) => key))
  const ofPage = sql`key > ${after} and key <= ${upTo}`
  const { doomed } = await batch(db, {
    referred: sqlStatement(sql`delete from unreferenced_files where ${ofPage}
      and (key not in (${keysOf(ours)}) or ${isReferenced(sql`key`)})`),
    unreferred: sqlStatement(sql`insert into unreferenced_files (key, first_seen)
      select value, ${formatDateTime(now)} from (${keysOf(ours)}) where not ${isReferenced(sql`value`)}
      on conflict do nothing`),
    doomed: sqlStatement<{ key: string }>(sql`select key from unreferenced_files where ${ofPage}
      and first_seen <= ${formatDateTime(yesterday)} and key in (${keysOf(old)})`),
    state: sqlStatement(sql`insert into file_sweeps (id, last_key) values (1, ${upTo === END ? '' : upTo})
      on conflict (id) do update set last_key = excluded.last_key`),
  })
  return doomed.map(({ key }) => key)
}
