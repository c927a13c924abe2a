/**
 * Erases again what a list of the erased names, in a database that may know nothing of it: one that was restored, or went back.
 * Each record is judged in the transaction of the call: what was created after the erasure of its id is somebody else's, and stays.
 */
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { resourceNamed } from '../../catalogue/resources.ts'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { defaultCreator } from '../../db/default-creator.ts'
import { NOT_RESTORING } from '../../db/restoring.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { describeFailure, log } from '../../http/log.ts'
import { beginErasure, createdOf, ofListed } from './begin.ts'
import { clearPerson } from './clear.ts'
import type { erasedAgain, ListedContact, ListedRecord } from './list.ts'
import { IS_IMPORTED } from './states.ts'

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

/**
 * What the id of a listed record stands for: a record of somebody else, which was created since; one whose erasure is known;
 * none; or one that is to be erased again.
 */
type Standing = 'newer' | 'known' | 'absent' | 'left'

function standingOf({ date, created, is_blank, is_known }: Found): Standing {
  if (created !== null && !is_blank && created > date) return 'newer'
  if (is_known) return 'known'
  return created === null ? 'absent' : 'left'
}

/** Erases a contact of the list, and what was erased with it. No new record gets their ids. Throws 409 if one is on hold. */
export async function eraseAgain(
  env: Pick<Env, 'PHOTOS'>,
  db: Database,
  { id, date, position, also, is_cleared, cleared }: ListedContact,
): Promise<z.output<typeof erasedAgain>> {
  const dated = (list: ListedContact['also']): ListedRecord[] =>
    (list ?? []).map((one) => ({ ...one, date: one.date ?? date }))
  const listed: ListedRecord[] = [{ resource: 'contacts', id, date, position }, ...dated(also)]
  const { found } = await batch(db, { floors: raiseFloors(listed), found: selectFound(listed) })
  const [contact, ...others] = found.map((one) => ({ ...one, standing: standingOf(one) }))
  if (!contact) throw new Error('The contact of an entry was not looked up')
  const left = others.filter(({ standing }) => standing === 'left')
  const newer = [contact, ...others].flatMap(({ standing, resource, id }) =>
    standing === 'newer' ? { resource, id } : [],
  )
  const isOther = contact.standing === 'newer'
  const isKnown = contact.standing === 'known' || (!isOther && is_cleared === true && contact.is_blank === 1)
  const listing = (erasure: number) => listCleared(erasure, dated(cleared))
  if (left.length === 0 && (isOther || isKnown)) {
    if (cleared?.length && !isOther) await runStatement(db, listing(contact.erasure ?? id))
    return { erased: false, complete: true, newer }
  }
  // Where the contact is somebody else's, a blank one stands for the erased.
  const own = isOther ? await reserveId(db) : id
  const erasure = (isOther ? null : contact.erasure) ?? own
  const isMissing = isOther || contact.created === null
  const before = [...(isMissing ? [insertBlank(db, own, date)] : []), listing(erasure)]
  const records: ListedRecord[] = [
    ...(isKnown ? [] : [{ resource: 'contacts' as const, id: own, date, position }]),
    ...left,
  ]
  const again = !isOther && !isKnown
  const erased = again && !isMissing
  const begun = await beginErasure(db, erasure, REASON, records, { before, again })
  try {
    return { erased, complete: await clearPerson(env, db, erasure, { found: begun, again }), newer }
  } catch (error) {
    // The person is on the list: cron goes on.
    log('error', { work: 'erasure', contact: own, ...describeFailure(error) })
    return { erased, complete: false, newer }
  }
}

/** Records as JSON, for statements. */
const jsonOf = (records: ListedRecord[]) =>
  JSON.stringify(
    records.map(({ resource, id, date, position }) => [
      ...[resource, id, date, resourceNamed(resource).table, position ?? null],
    ]),
  )

const [RESOURCE, ID, DATE] = [sql`value ->> 0`, sql`value ->> 1`, sql`value ->> 2`]
const POSITION = sql`value ->> 4`

function selectFound(records: ListedRecord[]): Statement<Found> {
  const listed = sql`from erased_records one where one.resource = ${RESOURCE} and one.id = ${ID}`
  const known = sql`from erased_records one join erasures on erasures.contact_id = one.contact_id
    where one.resource = ${RESOURCE} and one.id = ${ID} and progress <> 'open'
      and ifnull(one.position >= ${POSITION}, ifnull(one.date, progress_date) >= ${DATE})`
  // What a restore imports as erased says nothing of what links to it.
  return sqlStatement(sql`select ${RESOURCE} as resource, ${ID} as id, ${DATE} as date, ${POSITION} as position,
      ${createdOf(RESOURCE, ID)} as created,
      ${ofListed(RESOURCE, ID, ({ mark }) => mark ?? sql`0`)} as is_blank,
      exists (select 1 ${known} and (${sql.raw(NOT_RESTORING)} or not ${IS_IMPORTED})) as is_known,
      (select min(contact_id) ${listed}) as erasure
    from json_each(${jsonOf(records)}) order by key`)
}

/**
 * The statement that lists records which are erased already, so that a restore from an older backup erases them, too. It
 * leaves those out that are newer than their erasure.
 */
function listCleared(erasure: number, records: ListedRecord[]): Statement {
  return sqlStatement(sql`insert into erased_records (resource, id, contact_id, date, position, fields)
    select ${RESOURCE}, ${ID}, ${erasure}, ${DATE}, ${POSITION}, '[]' from json_each(${jsonOf(records)})
    where ifnull(${createdOf(RESOURCE, ID)}, '') <= ${DATE} on conflict do nothing`)
}

/** The statement that keeps ids from being given to new records. */
function raiseFloors(records: ListedRecord[]): Statement {
  return sqlStatement(sql`insert into id_floors (name, id)
    select value ->> 3 as name, max(${ID}) from json_each(${jsonOf(records)}) where true group by 1
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
function insertBlank(db: Database, id: number, date: string): Statement {
  return sqlStatement(sql`insert into contacts (id, created_by, date_created, date_updated, is_deleted, is_erased)
    select ${id}, ${defaultCreator(db)},
      ${date}, ${formatDateTime(new Date())}, 1, 1`)
}
