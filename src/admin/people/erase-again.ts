/**
 * Erases again what a list of the erased names, in a database that may know nothing of it: one that was restored, or went back.
 * Each record is judged in the transaction of the call: what was created after the erasure of its id is somebody else's, and stays.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { NOT_RESTORING } from '../../db/restoring.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { describeFailure, log } from '../../http/log.ts'
import type { ErasedContact } from '../backups/schema.ts'
import { clearPerson } from './clear.ts'
import { beginErasure, CREATED, IMPORTED, type ListedRecord, ofListed } from './erase.ts'

const REASON = 'Erased before a backup was restored'

/** A record of the list, and what the database has of its id. */
interface Found extends ListedRecord {
  date: string
  /** When it was created; null if there is none. */
  created: string | null
  /** Whether it is blank: then it is the erased one, which an earlier restore may have stored. */
  is_blank: 0 | 1 | null
  /** Whether this erasure is known, and was complete: what was written since stays. */
  is_known: 0 | 1
  erasure: number | null
}

/** What became of an entry of the list. */
interface ErasedAgain {
  /** Whether there was something of it. */
  erased: boolean
  complete: boolean
  /** Records that are somebody else's. */
  newer: { resource: string; id: number }[]
}

/** Erases a contact of the list, and what was erased with it. No new record gets their ids. Throws 409 if one is on hold. */
export async function eraseAgain(
  env: Pick<Env, 'PHOTOS'>,
  db: Database,
  { id, date, also = [] }: ErasedContact,
): Promise<ErasedAgain> {
  const listed = [
    { resource: 'contacts', id, date },
    ...also.map((one) => ({ ...one, date: one.date ?? date })),
  ]
  const rows = JSON.stringify(listed.map((one) => [one.resource, one.id, one.date]))
  const { found } = await batch(db, { floors: raiseFloors(rows), found: selectFound(rows) })
  const isNewer = (one: Found) => one.created !== null && !one.is_blank && one.created > one.date
  const [contact, ...others] = found
  const newer = found.filter(isNewer).map(({ resource, id }) => ({ resource, id }))
  const left = others.filter((one) => one.created !== null && !isNewer(one) && !one.is_known)
  const isOther = contact !== undefined && isNewer(contact)
  const isDone = isOther || contact?.is_known === 1
  if (left.length === 0 && isDone) return { erased: false, complete: true, newer }
  // Where the contact is somebody else's, a blank one stands for the erased.
  const own = isOther ? await reserveId(db) : id
  const search = { again: !isDone }
  const before = isOther || contact?.created == null ? [insertBlank(own, date)] : []
  const erasure = (isOther ? null : contact?.erasure) ?? own
  const records = contact?.is_known ? left : [{ resource: 'contacts', id: own, date }, ...left]
  const erased = !isDone && contact?.created != null
  const begun = await beginErasure(db, erasure, REASON, records, { before, ...search })
  try {
    return { erased, complete: await clearPerson(env, db, erasure, { found: begun, ...search }), newer }
  } catch (error) {
    // The person is on the list: cron goes on.
    log('error', { work: 'erasure', contact: own, ...describeFailure(error) })
    return { erased, complete: false, newer }
  }
}

/** The statement that finds the records of the list, in its order. */
function selectFound(rows: string): Statement<Found> {
  const [resource, id] = [sql`value ->> 0`, sql`value ->> 1`]
  const listed = sql`from erased_records one where one.resource = ${resource} and one.id = ${id}`
  const known = sql`from erased_records one join erasures on erasures.contact_id = one.contact_id
    where one.resource = ${resource} and one.id = ${id} and progress <> 'open' and ifnull(one.date, progress_date) >= value ->> 2`
  // What a restore imports as erased says nothing of what links to it.
  return sqlStatement(sql`select value ->> 0 as resource, value ->> 1 as id, value ->> 2 as date,
      ${ofListed(resource, id, () => CREATED)} as created,
      ${ofListed(resource, id, ({ mark }) => mark ?? sql`0`)} as is_blank,
      exists (select 1 ${known} and (${sql.raw(NOT_RESTORING)} or reason <> ${IMPORTED})) as is_known,
      (select min(contact_id) ${listed}) as erasure
    from json_each(${rows}) order by key`)
}

/** The statement that keeps ids from being given to new records. */
function raiseFloors(rows: string): Statement {
  return sqlStatement(sql`insert into id_floors (name, id)
    select replace(value ->> 0, '-', '_') as name, max(value ->> 1) from json_each(${rows}) where true group by 1
    on conflict (name) do update set id = max(id, excluded.id)`)
}

/** Takes an id that no other contact gets, above all that there are. */
async function reserveId(db: Database): Promise<number> {
  const reserving = sqlStatement<{ id: number }>(sql`update id_floors
    set id = max(id, (select max(id) from contacts)) + 1 where name = 'contacts' returning id`)
  const [reserved] = await runStatement(db, reserving)
  if (!reserved) throw new Error('No id could be reserved')
  return reserved.id
}

/** The statement that stores a blank contact, as an import does. It fails if others have taken its id. */
function insertBlank(id: number, date: string): Statement {
  return sqlStatement(sql`insert into contacts (id, created_by, date_created, date_updated, is_deleted, is_erased)
    select ${id}, coalesce((select value from settings where key = 'default_user_id'), (select min(id) from users)),
      ${date}, ${formatDateTime(new Date())}, 1, 1`)
}
