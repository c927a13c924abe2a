/**
 * Backups of the records, made by cron: the first run after 03:17 begins one, and the runs of the next minutes continue it, a few
 * parts at a time. A run may be cut off anywhere; the next one goes on from the row of the backup. That row counts the parts in
 * the bucket, and says where the next one begins. The bucket may be one part ahead of it (`part.ts`). A lease keeps two runs
 * from doing the same work; where it fails, two runs do no harm.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, database, mayCall, runStatement } from '../../db/client.ts'
import { NEWEST_MIGRATION } from '../../db/migrations.ts'
import { NOT_RESTORING } from '../../db/restoring.ts'
import { type Statement, sqlStatement, textStatement } from '../../db/statements.ts'
import { enterWork } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { log } from '../../http/log.ts'
import { API_VERSION } from '../../http/version.ts'
import { selectErasedUntil, storeErased } from '../erasure/stored-list.ts'
import { keyOf, removeBackup, removeOldBackups } from './bucket.ts'
import { LostPart, partOf, type StoredPart, storePart } from './part.ts'
import type { Manifest } from './schema.ts'

/** When the backup of a day is due, in milliseconds after midnight: 03:17. */
const DUE_MS = (3 * 60 + 17) * 60_000
/** After this time, one that was given up is begun anew. */
const AGAIN_MS = 60 * 60_000
/** How long a run has its backup for itself, in milliseconds: longer than it makes one part. */
const LEASE_MS = 5 * 60_000
/** After this time a run begins no part, and ends the part that it makes; a Worker computes for at most 30 seconds. */
const RUN_MS = 12_000
/** Calls to D1 that a part, and the end of a backup, need at least. */
const CALLS_PER_PART = 20
const CALLS_AT_END = 7
/** The cursor of a backup whose first part is not made yet, and of one whose parts are all made. */
const [START, END] = ['start', 'end']

/** A backup that is being made. */
interface Running {
  name: string
  run: string
  date_started: string
  cursor: string
  parts: number
  lease: number
}

/**
 * Begins the backup that is due, unless it is begun or there is one. Removes the backups that are no longer kept, and
 * unfinished ones.
 */
export async function beginBackup(
  env: Env,
  now = new Date(),
): Promise<{ begun: string; removed: number } | undefined> {
  const { BACKUPS: bucket } = env
  if (!bucket) return
  const db = database(env)
  const name = dayOf(now)
  const [state] = await runStatement(db, selectState(name, now))
  // Without an office there is nothing to keep yet, and the bucket may hold what is to be restored.
  if (!state?.is_filled || state.is_begun) return
  const isWhole = (await bucket.head(keyOf.manifest(name))) !== null
  if (!isWhole) await storeErased(env)
  await insertBackup(db, name, now, isWhole)
  return isWhole ? undefined : { begun: name, removed: await removeOthers(db, bucket) }
}

/** The day whose backup is due last at a moment. */
export function dayOf(now: Date): string {
  return formatDateTime(new Date(now.getTime() - DUE_MS)).slice(0, 10)
}

function selectState(name: string, now: Date): Statement<{ is_filled: number; is_begun: number }> {
  const recently = formatDateTime(new Date(now.getTime() - AGAIN_MS))
  return sqlStatement(sql`select exists (select 1 from stores) and ${sql.raw(NOT_RESTORING)} as is_filled,
    exists (select 1 from backups where name = ${name} and (run <> '' or date_started > ${recently})) as is_begun`)
}

/** Removes what is no longer kept, but for what is being made. */
async function removeOthers(db: Database, bucket: R2Bucket): Promise<number> {
  const running = textStatement<{ name: string }>('select name from backups where cursor is not null')
  const names = (await runStatement(db, running)).map(({ name }) => name)
  return removeOldBackups(bucket, names)
}

/**
 * Gives up what an earlier day has not finished, unless a run still works on it. A backup that another deployment has put into
 * the bucket is noted as begun and finished, so that it is looked for once.
 */
async function insertBackup(db: Database, name: string, now: Date, isWhole: boolean): Promise<void> {
  await batch(db, {
    unfinished: sqlStatement(
      sql`update backups set cursor = null where cursor is not null and name <> ${name} and lease < ${now.getTime()}`,
    ),
    backup: sqlStatement(sql`insert into backups (name, run, date_started, cursor, parts, lease)
      values (${name}, ${crypto.randomUUID()}, ${formatDateTime(now)}, ${isWhole ? null : START}, 0, 0)
      on conflict (name) do update set run = excluded.run, date_started = excluded.date_started, date_finished = null,
        cursor = excluded.cursor, parts = 0, lease = 0 where run = ''`),
  })
}

/** Makes the next parts of the backup that is begun, and ends it behind the last one. */
export async function continueBackup(
  env: Env,
  now = new Date(),
  { bytes, milliseconds = RUN_MS }: { bytes?: number; milliseconds?: number } = {},
): Promise<{ backup: string; parts: number; finished: boolean } | undefined> {
  const { BACKUPS: bucket } = env
  if (!bucket) return
  const db = database(env)
  const claimed = await claim(db, now.getTime())
  if (!claimed) return
  const start = Date.now()
  const isLate = () => Date.now() - start >= milliseconds
  let [backup, parts]: [Running | null, number] = [claimed, 0]
  try {
    // What an earlier attempt of the day has left.
    if (backup?.cursor === START) await removeBackup(bucket, claimed.name)
    while (backup && backup.cursor !== END && mayCall(db, CALLS_PER_PART) && (parts === 0 || !isLate())) {
      const { name, run, cursor } = backup
      const place = { name, run, number: backup.parts + 1, from: cursor === START ? null : cursor }
      const { next } = await storePart(db, bucket, place, { ...(bytes ? { bytes } : {}), isLate })
      backup = await advance(db, backup, next ?? END, 1)
      parts++
    }
    const finished = backup?.cursor === END && mayCall(db, CALLS_AT_END)
    if (backup && finished) await finish(env, db, bucket, backup)
    else if (backup) await release(db, backup)
    return { backup: claimed.name, parts, finished }
  } catch (error) {
    if (backup) await (error instanceof LostPart ? giveUp(db, backup) : release(db, backup))
    throw error
  }
}

/** Takes the backup that is begun for one run; undefined if there is none, or another run has it. */
async function claim(db: Database, now: number): Promise<Running | undefined> {
  const claiming = textStatement<Running>(
    `update backups set lease = ?2
    where name = (select max(name) from backups where cursor is not null) and lease <= ?1 and ${NOT_RESTORING}
    returning name, run, date_started, cursor, parts, lease`,
    [now, now + LEASE_MS],
  )
  return (await runStatement(db, claiming))[0]
}

/** Notes another part, or none, and holds the backup for longer. Null if another run has taken it. */
async function advance(
  db: Database,
  { name, run, parts, lease }: Running,
  cursor: string,
  added: number,
): Promise<Running | null> {
  const advancing = textStatement<Running>(
    `update backups set cursor = ?, parts = parts + ?, lease = ?
    where name = ? and run = ? and parts = ? and lease = ? and cursor is not null
    returning name, run, date_started, cursor, parts, lease`,
    [cursor, added, Date.now() + LEASE_MS, name, run, parts, lease],
  )
  return (await runStatement(db, advancing))[0] ?? null
}

/** Lets the next run begin at once. */
async function release(db: Database, { name, run, lease }: Running): Promise<void> {
  const releasing = sqlStatement(
    sql`update backups set lease = 0 where name = ${name} and run = ${run} and lease = ${lease}`,
  )
  // Otherwise the lease ends by itself.
  await runStatement(db, releasing).catch(() => undefined)
}

/** Ends a backup that can never be whole. Another of the same day is begun later. */
async function giveUp(db: Database, { name, run }: Running): Promise<void> {
  log('error', { work: 'backups', backup: name, error: 'given up' })
  const givingUp = sqlStatement(
    sql`update backups set run = '', cursor = null, lease = 0 where name = ${name} and run = ${run}`,
  )
  await runStatement(db, givingUp)
}

/** Writes the manifest, which makes the backup whole. */
async function finish(env: Env, db: Database, bucket: R2Bucket, running: Running): Promise<void> {
  const parts = await storedParts(bucket, running)
  await storeErased(env)
  const backup = await advance(db, running, END, 0)
  if (!backup) return
  const { name, run, date_started } = backup
  const [erased] = await runStatement(db, selectErasedUntil(date_started))
  const date_finished = formatDateTime(new Date())
  const counts: Manifest['counts'] = {}
  for (const part of parts)
    for (const [entity, lines] of Object.entries(part.counts)) counts[entity] = (counts[entity] ?? 0) + lines
  const manifest: Manifest = {
    name,
    version: API_VERSION,
    schema: NEWEST_MIGRATION,
    date_started,
    date_finished,
    erased_until: erased?.until ?? '',
    erased_position: erased?.position ?? 0,
    counts,
    parts: parts.map(({ key, bytes, sha256, lines }) => {
      return { name: key.slice(keyOf.folder(name).length), bytes, sha256, lines }
    }),
  }
  await bucket.put(keyOf.manifest(name), JSON.stringify(manifest, null, 2), {
    onlyIf: { etagDoesNotMatch: '*' },
    httpMetadata: { contentType: 'application/json' },
  })
  await batch(db, {
    whole: sqlStatement(sql`update backups set cursor = null, lease = 0, date_finished = ${date_finished}
      where name = ${name} and run = ${run} and cursor is not null`),
    trail: enterWork('backups', name),
  })
  await removeOthers(db, bucket)
}

/** The parts of a backup as the bucket has them. Throws if one is missing. */
async function storedParts(bucket: R2Bucket, { name, run, parts }: Running): Promise<StoredPart[]> {
  const found = new Map<string, StoredPart>()
  for (let cursor: string | undefined; ; ) {
    const prefix = keyOf.folder(name)
    const listed = await bucket.list({ prefix, include: ['customMetadata'], ...(cursor ? { cursor } : {}) })
    for (const object of listed.objects) {
      const part = partOf(object, run)
      if (part) found.set(part.key, part)
    }
    if (!listed.truncated) break
    cursor = listed.cursor
  }
  return Array.from({ length: parts }, (_, index) => {
    const key = keyOf.part(name, index + 1)
    const part = found.get(key)
    if (!part) throw new LostPart(`${key} is missing`)
    return part
  })
}
