/**
 * The list of the erased: contacts that were erased since a backup, which a restore has to erase again. It lies in the bucket
 * of the backups as `erased.json`, and is written after each erasure. What a call could not write, cron does within a minute.
 * An entry never leaves the file: a new deployment has none of them, and must not empty it.
 */

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { batch, type Database, database, mayCall, runStatement } from '../../db/client.ts'
import { jsonOf } from '../../db/relations.ts'
import { type Statement, select, sqlStatement, textStatement } from '../../db/statements.ts'
import { erased_records } from '../../db/tables/people.ts'
import { formatDateTime } from '../../fields/values.ts'
import { describeFailure, log } from '../../http/log.ts'
import { type ErasedContact, erasedContact, type ListedRecord, mergeErased } from './list.ts'
import { UNLINKED } from './places.ts'
import { erasedOn, IS_IMPORTED } from './states.ts'

/** Its key, and the name of the mark below. */
const KEY = 'erased.json'
/** How often the file is written anew if another call has written it meanwhile. */
const ATTEMPTS = 5

/** What the mark in `derivations` is compared with: the newest row of the erased. A row whose date changes is a new one. */
const NEWEST = 'select ifnull(max(rowid), 0) from erased_records'

/** Calls to D1 that storing may take. */
const CALLS = 1 + ATTEMPTS + 1

/** What lies in the bucket. */
interface Stored {
  etag: string
  date: Date
  bytes: ArrayBuffer
  erased: ErasedContact[]
  /** Whether all of it could be read. */
  isWhole: boolean
}

/** The statement for the erased contacts of the database, each with what may be erased again with it. */
export function selectErased(): Statement<ErasedContact> {
  const { id } = erased_records
  const names = UNLINKED.map((name) => `'${name}'`).join(', ')
  const also = jsonOf<
    ListedRecord[]
  >(`select json_group_array(json_object('resource', resource, 'id', id, 'date', ${erasedOn('other')}, 'position', position))
    from erased_records other where other.contact_id = erased_records.id and resource in (${names}) and resource <> 'contacts'`)
  // Of several rows, one without a position may be the latest.
  const position = sql<number | null>`iif(count(position) = count(*), max(position), null)`
  return select(
    { id, date: sql<string>`max(${sql.raw(erasedOn('erased_records'))})`, position, also },
    sql`from ${erased_records} where resource = 'contacts' group by ${id} order by ${id}`,
  )
}

/**
 * The statement for the last erasure, by date at most `begun`, up to which all were closed when an export was begun. It has
 * their records as erased. An erasure that closed later may have cleared records behind its last lines, before its contact was
 * erased once more. It reads all erasures, once a backup.
 */
export function selectErasedUntil(begun: string): Statement<{ until: string; position: number }> {
  return sqlStatement(sql`select min(${begun}, ifnull(min(ifnull(one.date, erasures.date)), ${begun})) as until,
      ifnull(min(one.position), max(min(unixepoch(${begun}), unixepoch()) * 1000,
        (select ifnull(max(position), 0) + 1 from erased_records))) - 1 as position
    from erasures join erased_records one on one.contact_id = erasures.contact_id
      and (one.resource = 'contacts' or one.date >= ${begun})
    where (progress <> 'closed' or progress_date >= ${begun}) and not ${IS_IMPORTED}`)
}

/** The erased contacts that the bucket and the database name, by id, and when the file was last written. */
export async function readErased(
  env: Env,
): Promise<{ erased: ErasedContact[]; stored: Date | null; until: string; position: number }> {
  const stored = env.BACKUPS ? await readStored(env.BACKUPS) : null
  const now = formatDateTime(new Date())
  const { listed, open } = await batch(database(env), {
    listed: selectErased(),
    open: selectErasedUntil(now),
  })
  const erased = mergeErased([stored?.erased ?? [], listed])
  const { until = now, position = 0 } = open[0] ?? {}
  return { erased, stored: stored?.isWhole ? stored.date : null, until, position }
}

async function readStored(bucket: R2Bucket): Promise<Stored | null> {
  const object = await bucket.get(KEY)
  if (!object) return null
  const bytes = await object.arrayBuffer()
  const list = z.array(z.unknown()).safeParse(parseJson(bytes))
  const entries = (list.data ?? []).map((entry) => erasedContact.safeParse(entry))
  const isWhole = list.success && entries.every(({ success }) => success)
  if (!isWhole) log('error', { work: 'list of the erased', error: `${KEY} cannot be read` })
  const erased = entries.flatMap(({ data }) => data ?? [])
  return { etag: object.etag, date: object.uploaded, bytes, erased, isWhole }
}

function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

/** Adds the erased contacts of the database to the file. Others may do so at the same time. */
export async function storeErased(env: Env): Promise<void> {
  const { BACKUPS: bucket } = env
  if (!bucket) return
  // The trail of a call has nothing of the list.
  const { provenance: _, ...db } = database(env)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stored = await readStored(bucket)
    if (stored && !stored.isWhole) await setAside(bucket, stored)
    const { newest, erased } = await batch(db, {
      newest: textStatement<{ mark: number }>(`select (${NEWEST}) as mark`),
      erased: selectErased(),
    })
    const put = await bucket.put(KEY, JSON.stringify(mergeErased([stored?.erased ?? [], erased])), {
      onlyIf: stored ? { etagMatches: stored.etag } : { etagDoesNotMatch: '*' },
      httpMetadata: { contentType: 'application/json' },
    })
    if (put) return setMark(db, newest[0]?.mark ?? 0)
  }
  throw new Error(`${KEY} is written by others again and again`)
}

/** Keeps a file that cannot be read under another name. */
async function setAside(bucket: R2Bucket, { date, bytes }: Stored): Promise<void> {
  await bucket.put(`erased-broken-${date.toISOString().replaceAll(':', '-')}.json`, bytes)
}

async function setMark(db: Database, mark: number): Promise<void> {
  const setting = sqlStatement(sql`insert into derivations (name, form, cursor) values (${KEY}, '', ${mark})
    on conflict (name) do update set cursor = excluded.cursor`)
  await runStatement(db, setting)
}

/** Adds them behind the answer of a call. What fails is left to cron. */
export async function storeErasedSoon(env: Env): Promise<void> {
  await storeErased(env).catch((error: unknown) => {
    log('error', { work: 'list of the erased', ...describeFailure(error) })
  })
}

/** Adds them if records were erased since the file was last written. */
export async function storeNewlyErased(env: Env): Promise<void> {
  const db = database(env)
  if (!env.BACKUPS || !mayCall(db, CALLS)) return
  const selecting = textStatement<{ is_behind: number }>(
    `select (${NEWEST}) <> ifnull((select cursor from derivations where name = ?), 0) as is_behind`,
    [KEY],
  )
  const [state] = await runStatement(db, selecting)
  if (state?.is_behind) await storeErased(env)
}
