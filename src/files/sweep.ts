/**
 * Deletes the files in the bucket that no row refers to. Nothing else deletes files, so failed uploads, replaced
 * pictures and files of deleted rows all end here.
 *
 * A file is deleted if it is at least a day old, was unreferenced at least a day ago, and is unreferenced now. The last
 * check is a transaction immediately before the deletion. Keys are random and rows are written by the call that stores
 * the file, so only an import could refer to an old file. An import between check and deletion loses its file.
 *
 * A smaller copy of a picture (`sizes.ts`) goes with its picture, however young the copy is. Its key sorts after that of the
 * picture, so one run deletes both.
 *
 * On its way it counts what stays. At the end of the bucket the count is kept for `/admin/stats`.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, database, mayCall, runStatement } from '../db/client.ts'
import { valuesOf } from '../db/conditions.ts'
import { NOT_RESTORING } from '../db/restoring.ts'
import { type Statement, sqlStatement } from '../db/statements.ts'
import { PICTURE_FOLDER } from '../fields/picture-folder.ts'
import { formatDateTime } from '../fields/values.ts'
import { yieldToEventLoop } from '../http/concurrency/waiting.ts'
import { isFileKey } from './keys.ts'
import { fileNameOf, isReferenced } from './references.ts'
import { isSizeKey } from './size-keys.ts'

/** Files per page: the maximum that R2 lists, and deletes, per call. */
const PAGE = 1000

/** Pages per run, each with a call to D1; the next run continues. */
const MAX_PAGES = 200

/** How long an unreferenced file is kept, in milliseconds. */
const GRACE_MS = 24 * 60 * 60 * 1000

/** Sorts after every key. */
const END = '~'

/** Number of files that a run has seen and deleted. */
export interface SweepReport {
  seen: number
  deleted: number
}

/** Files and their bytes. */
interface Count {
  objects: number
  bytes: number
}

/** How far the last run came, and what it had counted; null before the first. */
interface State {
  is_partial: number
  last_key: string | null
  objects: number | null
  bytes: number | null
}

interface Page {
  /** The last key of the page before, empty at the beginning. */
  after: string
  /** The last key of this page. */
  upTo: string
  objects: R2Object[]
  /** What is kept from the beginning of the bucket to the end of this page, with what is still to be deleted of it; or null. */
  count: Count | null
}

/** Continues through the bucket from where the last run stopped, to the end or for `pages` pages. */
export async function sweepFiles(
  env: Env,
  now = new Date(),
  { pages = MAX_PAGES, size = PAGE } = {},
): Promise<SweepReport> {
  const db = database(env)
  const selecting = sqlStatement<State>(sql`select
    not (exists (select 1 from stores) and ${sql.raw(NOT_RESTORING)}) as is_partial, last_key, objects, bytes
    from (select 1) left join file_sweeps on file_sweeps.id = 1`)
  const [state] = await runStatement(db, selecting)
  const sweep = { seen: 0, deleted: 0 }
  // Without an office, or while a backup is being restored, the database is not filled yet, but the bucket may be.
  if (!state || state.is_partial) return sweep
  let after = state.last_key ?? ''
  const count = countOf(state)
  for (let page = 0; page < pages && mayCall(db, 1); page++) {
    await yieldToEventLoop()
    const listed = await env.PHOTOS.list({ startAfter: after, limit: size })
    const upTo = (listed.truncated && listed.objects.at(-1)?.key) || END
    addFiles(count, listed.objects, 1)
    const deletable = await examinePage(db, { after, upTo, objects: listed.objects, count }, now)
    if (deletable.length > 0) await env.PHOTOS.delete(deletable)
    const deleted = new Set(deletable)
    addFiles(
      count,
      listed.objects.filter(({ key }) => deleted.has(key)),
      -1,
    )
    sweep.seen += listed.objects.length
    sweep.deleted += deletable.length
    after = upTo
    if (upTo === END) break
  }
  if (count) await runStatement(db, storeCount(count, after === END ? now : null))
  return sweep
}

/** What was counted before this run; null if it goes on where an older version, which does not count, has stopped. */
function countOf({ last_key, objects, bytes }: State): Count | null {
  if (!last_key) return { objects: 0, bytes: 0 }
  return objects === null || bytes === null ? null : { objects, bytes }
}

function addFiles(count: Count | null, files: readonly R2Object[], sign: 1 | -1): void {
  if (!count) return
  count.objects += sign * files.length
  for (const { size } of files) count.bytes += sign * size
}

/** The statement that keeps a count without what was deleted; as that of the whole bucket, if it has come to its end now. */
function storeCount({ objects, bytes }: Count, end: Date | null): Statement {
  const whole = sql`counted_objects = ${objects}, counted_bytes = ${bytes}, date_counted = ${end && formatDateTime(end)}`
  return sqlStatement(
    sql`update file_sweeps set objects = ${objects}, bytes = ${bytes}${end ? sql`, ${whole}` : sql``} where id = 1`,
  )
}

/** Records unreferenced files of a page and removes records of referenced ones. Returns the keys to delete. */
async function examinePage(
  db: Database,
  { after, upTo, objects, count }: Page,
  now: Date,
): Promise<string[]> {
  // Keys in another format are files that somebody else stored, so leave them alone.
  const ours = objects.filter(({ key }) => isFileKey(key))
  const yesterday = new Date(now.getTime() - GRACE_MS)
  const old = ours.filter(({ key, uploaded }) => isSizeKey(key) || uploaded <= yesterday)
  const keysOf = (some: R2Object[]) => valuesOf(some.map(({ key }) => key))
  const ofPage = sql`key > ${after} and key <= ${upTo}`
  const pictureOf = sql`${`${PICTURE_FOLDER}/`} || ltrim(${fileNameOf(sql`value`)}, '/')`
  const { deletable } = await batch(db, {
    referred: sqlStatement(sql`delete from unreferenced_files where ${ofPage}
      and (key not in (${keysOf(ours)}) or ${isReferenced(sql`key`)})`),
    unreferred: sqlStatement(sql`insert into unreferenced_files (key, first_seen)
      select value, coalesce((select first_seen from unreferenced_files where key = ${pictureOf}), ${formatDateTime(now)})
      from (${keysOf(ours)}) where not ${isReferenced(sql`value`)}
      on conflict do nothing`),
    deletable: sqlStatement<{ key: string }>(sql`select key from unreferenced_files where ${ofPage}
      and first_seen <= ${formatDateTime(yesterday)} and key in (${keysOf(old)})`),
    state: sqlStatement(sql`insert into file_sweeps (id, last_key, objects, bytes)
      values (1, ${upTo === END ? '' : upTo}, ${count?.objects ?? null}, ${count?.bytes ?? null}) on conflict (id) do update
      set last_key = excluded.last_key, objects = excluded.objects, bytes = excluded.bytes`),
  })
  return deletable.map(({ key }) => key)
}
