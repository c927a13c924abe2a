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
import type { ListedContact } from '../backups/schema.ts'
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
  { id, date, also, is_cleared, cleared }: ListedContact,
): Promise<ErasedAgain> {
  const rowsOf = (list: ListedContact['also']) =>
    (list ?? []).map((one) => [one.resource, one.id, one.date ?? date])
  const rows = JSON.stringify([['contacts', id, date], ...rowsOf(also)])
  const { found } = await batch(db, { floors: raiseFloors(rows), found: selectFound(rows) })
  const isNewer = (one: Found) => one.created !== null && !one.is_blank && one.created > one.date
  const [contact, ...others] = found
  const newer = found.filter(isNewer).map(({ resource, id }) => ({ resource, id }))
  const left = others.filter((one) => one.created !== null && !isNewer(one) && !one.is_known)
  const isOther = contact !== undefined && isNewer(contact)
  const isKnown = contact?.is_known === 1 || (is_cleared === true && contact?.is_blank === 1)
  const isDone = isOther || isKnown
  const listing = (erasure: number) => listCleared(erasure, JSON.stringify(rowsOf(cleared)))
  if (left.length === 0 && isDone) {
    if (cleared?.length && !isOther) await runStatement(db, listing(contact?.erasure ?? id))
    return { erased: false, complete: true, newer }
  }
  // Where the contact is somebody else's, a blank one stands for the erased.
  const own = isOther ? await reserveId(db) : id
  const search = { again: !isDone }
  const erasure = (isOther ? null : contact?.erasure) ?? own
  const isMissing = isOther || contact?.created == null
  const before = [...(isMissing ? [insertBlank(own, date)] : []), listing(erasure)]
  const records = isKnown ? left : [{ resource: 'contacts', id: own, date }, ...left]
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

/**
 * The statement that lists records which are erased already, so that a restore from an older backup erases them, too. It
 * leaves those out that are newer than their erasure.
 */
function listCleared(erasure: number, rows: string): Statement {
  const [resource, id] = [sql`value ->> 0`, sql`value ->> 1`]
  return sqlStatement(sql`insert into erased_records (resource, id, contact_id, date, fields)
    select ${resource}, ${id}, ${erasure}, value ->> 2, '[]' from json_each(${rows})
    where ifnull(${ofListed(resource, id, () => CREATED)}, '') <= value ->> 2 on conflict do nothing`)
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
