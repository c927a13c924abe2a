/** Begins erasures: enters their records in the list of the erased, in the transaction that clears the contacts. */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, type Database } from '../../db/client.ts'
import { valuesOf } from '../../db/conditions.ts'
import { isVersionGuard } from '../../db/merge.ts'
import { samePersons } from '../../db/merged-contacts.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { ListedRecord } from './list.ts'
import { CONTACTS, PLACES, type Place, UNLINKED } from './places.ts'
import { clearRecords, type Search, selectLeft } from './statements.ts'
import { IS_IMPORTED, IS_WAITING, NEXT_POSITION } from './states.ts'

/** What was written to linked records since an earlier erasure is left, too. */
export const AGAIN = { again: true }

/** The statements that read whether a contact exists, its erasure, and what keeps it and others from being erased. */
export function selectPerson(id: number, others: number[] = []) {
  return {
    persons: sqlStatement<{ erasure: number | null }>(sql`select (select min(contact_id) from erased_records
      where resource = 'contacts' and id = contacts.id) as erasure from contacts where id = ${id}`),
    holds: sqlStatement<{ reason: string }>(
      sql`select reason from contact_holds where contact_id in (${samePersons(valuesOf([id, ...others]))})`,
    ),
  }
}

/** Refuses to erase a person: 409. */
export function onHold(reason: string): ApiError {
  return new ApiError(409, `On hold: ${reason}`)
}

/**
 * Enters the contacts in the list of the erased and clears them, in one transaction. Returns what is left. Throws 409 if one was
 * put on hold meanwhile.
 * @param before runs in the transaction first
 * @param same whether contacts that were merged with them are erased, too: as it is in the transaction
 */
export async function beginErasure(
  db: Database,
  erasure: number,
  reason: string,
  records: ListedRecord[],
  { before = [], same = false, ...search }: Search & { before?: Statement[]; same?: boolean } = AGAIN,
) {
  const ids = records.flatMap(({ resource, id }) => (resource === 'contacts' ? id : []))
  const contacts = same ? samePersons(valuesOf(ids)) : valuesOf(ids)
  try {
    const { left } = await batch(db, {
      before,
      listed: listRecords(erasure, records, contacts),
      contacts: ids.length > 0 ? clearRecords(CONTACTS, contacts, erasure) : null,
      begun: openErasures([erasure], reason),
      left: selectLeft(erasure, search),
    })
    return left
  } catch (error) {
    if (!isVersionGuard(error)) throw error
    const { holds } = await batch(db, selectPerson(erasure, ids))
    throw onHold(holds[0]?.reason ?? '')
  }
}

/**
 * The statement that puts records on the list of an erasure, or has them cleared again: each is a new row. So are its contacts,
 * and what waits on it: their dates say since when the erasure is open.
 */
function listRecords(erasure: number, records: ListedRecord[], contacts: SQL): Statement {
  const rows = JSON.stringify(
    records.map(({ resource, id, date = '', position = 0 }) => [resource, id, date, position]),
  )
  return sqlStatement(sql`insert or replace into erased_records (resource, id, contact_id, date, position, fields)
    select resource, id, ${erasure}, max(datetime('now'), max(date), ifnull(${createdOf(sql`one.resource`, sql`one.id`)}, '')),
      max(${NEXT_POSITION}, max(position)),
      (select fields from erased_records old where old.resource = one.resource and old.id = one.id
        and contact_id = ${erasure} and resource = 'contacts')
    from (select value ->> 0 as resource, value ->> 1 as id, value ->> 2 as date, value ->> 3 as position from json_each(${rows})
      union all select 'contacts', same.*, '', 0 from (${contacts}) same
      union all select resource, id, ifnull(date, ''), 0 from erased_records
        where contact_id = ${erasure} and (resource = 'contacts' or ${IS_WAITING})) one
    group by resource, id`)
}

/** SQL for when a record was created that may be on the list; null if there is none. */
export function createdOf(resource: SQL, id: SQL): SQL {
  return ofListed(resource, id, () => sql.raw('date_created'))
}

/** SQL for a value of a record that may be on the list; null if there is none. */
export function ofListed(resource: SQL, id: SQL, value: (place: Place) => SQL | SQLiteColumn): SQL {
  const cases = PLACES.flatMap((place) =>
    UNLINKED.some((name) => name === place.resource)
      ? sql`when ${sql.raw(`'${place.resource}'`)} then (select ${value(place)} from ${place.table} where ${place.table.id} = ${id})`
      : [],
  )
  return sql`(case ${resource} ${sql.join(cases, sql` `)} end)`
}

/** The statement that begins erasures, or opens them again. */
export function openErasures(ids: number[], reason: string): Statement {
  const now = formatDateTime(new Date())
  return sqlStatement(sql`insert into erasures (contact_id, date, reason, progress, progress_date)
    select value, ${now}, ${reason}, 'open', ${now} from json_each(${JSON.stringify(ids)}) where true
    on conflict do update set progress = excluded.progress, progress_date = excluded.progress_date,
      reason = iif(${IS_IMPORTED}, excluded.reason, reason)`)
}

/**
 * The statements that open erasures again when a hold ends, with their contacts on the list as of now: what was kept for it is
 * cleared. For contacts that an import has added as erased, nothing was.
 */
export function reopenErasures(contact: number): Statement[] {
  const where = sql`progress_date >= (select date from contact_holds where contact_id = ${contact}) and not ${IS_IMPORTED}`
  return [
    sqlStatement(sql`insert or replace into erased_records (resource, id, contact_id, date, position, fields)
      select resource, id, contact_id, max(datetime('now'), ifnull(date, '')), ${NEXT_POSITION}, fields from erased_records
      where resource = 'contacts' and contact_id in (select contact_id from erasures where ${where})`),
    sqlStatement(
      sql`update erasures set progress = 'open', progress_date = ${formatDateTime(new Date())} where ${where}`,
    ),
  ]
}
