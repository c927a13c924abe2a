/** Erases a person: the contacts at once and the rest behind them; and says what was cleared, and what stays. */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { z } from 'zod'
import { upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { WriteStatement } from '../../db/effects.ts'
import { isVersionGuard } from '../../db/merge.ts'
import { type Reference, selectMissing } from '../../db/references.ts'
import { jsonOf } from '../../db/relations.ts'
import { type Statement, select, sqlStatement } from '../../db/statements.ts'
import { erased_records, erasures } from '../../db/tables/people.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { describeFailure, log } from '../../http/log.ts'
import type { Draft } from '../../http/request/check.ts'
import { clearPerson, clearRecords, contactsOf, type Search, selectLeft, selectOnHold } from './clear.ts'
import { ALSO, CONTACTS, PLACES, type Place } from './places.ts'
import type { ErasureInput, erasureReport } from './schema.ts'

/** How long D1 keeps what it held, and a backup lasts, in days; and one day more. */
const GONE_AFTER_DAYS = 31
/** Maximum records in each list of a report. */
const MAX_REPORTED = 1000

/** What was written to linked records since an earlier erasure is left, too. */
const AGAIN = { again: true }

const ONLY_IDS = 'An id leads to nothing; amounts, dates and statuses are the books of the agency'
const ON_HOLD = 'Concerns somebody who is on hold, too'
const ONLY_VALUES = 'Says who changed what and when; has no texts'

/** The statements that read whether a contact exists, its erasure, and what keeps it and others from being erased. */
export function selectPerson(id: number, others: number[] = []) {
  return {
    persons: sqlStatement<{ erasure: number | null }>(sql`select (select min(contact_id) from erased_records
      where resource = 'contacts' and id = contacts.id) as erasure from contacts where id = ${id}`),
    holds: sqlStatement<{ reason: string }>(
      sql`select reason from contact_holds where ${isOneOf(sql`contact_id`, [id, ...others])}`,
    ),
  }
}

/**
 * Erases the person that a contact stands for. A second call goes on with what is left. Throws 404, 400 for records that do
 * not exist, and 409 if the person is on hold.
 */
export async function erasePerson(
  env: Pick<Env, 'PHOTOS'>,
  db: Database,
  id: number,
  draft: Draft<ErasureInput>,
): Promise<z.output<typeof erasureReport>> {
  const also = draft.values.also ?? []
  const references = also.map(
    ({ resource, id: named }, index): Reference => ({
      field: `also.${index}.id`,
      table: resource.replace('-', '_'),
      ids: [named],
    }),
  )
  const others = also.flatMap((one) => (one.resource === 'contacts' ? one.id : []))
  const { missing, ...person } = await batch(db, {
    ...selectPerson(id, others),
    missing: selectMissing(references),
  })
  const [contact] = person.persons
  if (!contact) throw notFound('Contact')
  draft.refuseAll(missing)
  const { reason } = draft.complete()
  if (person.holds[0]) throw onHold(person.holds[0].reason)
  const erasure = contact.erasure ?? id
  const left = await beginErasure(db, erasure, reason, [{ resource: 'contacts', id }, ...also])
  try {
    const complete = await clearPerson(env, db, erasure, { found: left, ...AGAIN })
    return { ...(await report(db, erasure)), gone_by: goneBy(), complete }
  } catch (error) {
    // The person is on the list: cron goes on, and another call says what was cleared.
    log('error', { work: 'erasure', contact: id, ...describeFailure(error) })
    return { erased: [], kept: [], gone_by: goneBy(), complete: false }
  }
}

function goneBy(): string {
  return formatDateTime(new Date(Date.now() + GONE_AFTER_DAYS * 24 * 60 * 60 * 1000)).slice(0, 10)
}

/**
 * Enters the contacts in the list of the erased and clears them, in one transaction. Returns what is left.
 * @param before runs in the transaction first
 */
export async function beginErasure(
  db: Database,
  erasure: number,
  reason: string,
  records: ListedRecord[],
  { before = [], ...search }: Search & { before?: Statement[] } = AGAIN,
) {
  const ids = records.flatMap(({ resource, id }) => (resource === 'contacts' ? id : []))
  try {
    const { left } = await batch(db, {
      before,
      listed: listRecords(erasure, records),
      contacts: clearRecords(CONTACTS, ids, erasure),
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

export const CREATED = sql.raw('date_created')

/** A record of an erasure. */
export interface ListedRecord {
  resource: string
  id: number
  /** When a list says that it was erased; absent for what is erased now. */
  date?: string
}

/**
 * The statement that puts records on the list of an erasure, or has them cleared again: each is a new row. So are its contacts,
 * and what waits on it: their dates say since when the erasure is open.
 */
function listRecords(erasure: number, records: ListedRecord[]): Statement {
  const rows = JSON.stringify(records.map(({ resource, id, date = '' }) => [resource, id, date]))
  return sqlStatement(sql`insert or replace into erased_records (resource, id, contact_id, date, fields)
    select resource, id, ${erasure}, max(datetime('now'), max(date), ifnull(${ofListed(sql`one.resource`, sql`one.id`, () => CREATED)}, '')),
      (select fields from erased_records old where old.resource = one.resource and old.id = one.id
        and contact_id = ${erasure} and resource = 'contacts')
    from (select value ->> 0 as resource, value ->> 1 as id, value ->> 2 as date from json_each(${rows})
      union all select resource, id, ifnull(date, '') from erased_records
        where contact_id = ${erasure} and (resource = 'contacts' or fields is null)) one
    group by resource, id`)
}

/** SQL for a value of a record that may be on the list; null if there is none. */
export function ofListed(resource: SQL, id: SQL, value: (place: Place) => SQL | SQLiteColumn): SQL {
  const cases = PLACES.flatMap((place) =>
    ALSO.some((name) => name === place.resource)
      ? sql`when ${sql.raw(`'${place.resource}'`)} then (select ${value(place)} from ${place.table} where ${place.table.id} = ${id})`
      : [],
  )
  return sql`(case ${resource} ${sql.join(cases, sql` `)} end)`
}

/** The statement that opens erasures anew which meet `where`, with their contacts on the list as of now. */
export function reopenErasures(where: SQL): Statement[] {
  return [
    sqlStatement(sql`insert or replace into erased_records (resource, id, contact_id, date, fields)
      select resource, id, contact_id, max(datetime('now'), ifnull(date, '')), fields from erased_records
      where resource = 'contacts' and contact_id in (select contact_id from erasures where ${where})`),
    sqlStatement(
      sql`update erasures set progress = 'open', progress_date = ${formatDateTime(new Date())} where ${where}`,
    ),
  ]
}

/** The statement that begins erasures, or opens them again. */
function openErasures(ids: number[], reason: string): Statement {
  const now = formatDateTime(new Date())
  return sqlStatement(sql`insert into erasures (contact_id, date, reason, progress, progress_date)
    select value, ${now}, ${reason}, 'open', ${now} from json_each(${JSON.stringify(ids)}) where true
    on conflict do update set progress = excluded.progress, progress_date = excluded.progress_date,
      reason = iif(reason = ${IMPORTED}, excluded.reason, reason)`)
}

/**
 * The stored reason of contacts that an import has added as erased, which no call can give. What links to them has been written
 * since, so it is never cleared for them.
 */
export const IMPORTED = ''
/** What is shown for it, and stored for contacts that an import erases. */
export const IMPORTED_REASON = 'Imported as erased'

/** A contact that an import stores as erased. */
interface ImportedErasure {
  id: number
  isNew: boolean
  date_created: string
  date_updated: string
}

/**
 * The statements for contacts that an import stores as erased. Cron clears what links to them, but not to those that are
 * new: the lines that name them come after them, and have what was written since. Those were erased when the line says that
 * they changed last: with a later date, a restore would clear what was written since.
 */
export function listImportedErasures(contacts: ImportedErasure[]): Statement[] {
  if (contacts.length === 0) return []
  const ids = contacts.map(({ id }) => id)
  const added = contacts.flatMap(({ id, isNew }) => (isNew ? id : []))
  const now = formatDateTime(new Date())
  const dates = contacts.map(({ isNew, date_created, date_updated }) => {
    const erased = isNew && date_updated < now ? date_updated : now
    return erased > date_created ? erased : date_created
  })
  const rows = JSON.stringify(ids.map((id, index) => [id, dates[index]]))
  const insert = sqlStatement(sql`insert into erased_records (resource, id, contact_id, date)
    select 'contacts', value ->> 0, value ->> 0, value ->> 1 from json_each(${rows}) where true on conflict do nothing`)
  return [
    // Later lines of the contacts are refused, in a dry run too.
    new WriteStatement(insert, {
      table: erased_records,
      puts: () =>
        ids.map((id, index) => ({
          ...{ resource: 'contacts', id, contact_id: id, fields: null },
          date: dates[index],
        })),
    }),
    openErasures(
      contacts.flatMap(({ id, isNew }) => (isNew ? [] : id)),
      IMPORTED_REASON,
    ),
    ...upsertRows(
      erasures,
      added.map((contact_id) => ({
        contact_id,
        date: now,
        reason: IMPORTED,
        progress: 'closed' as const,
        progress_date: now,
      })),
      'contact_id',
    ),
  ]
}

/** What an erasure has cleared so far, and what stays. */
async function report(
  db: Database,
  erasure: number,
): Promise<Pick<z.output<typeof erasureReport>, 'erased' | 'kept'>> {
  const { records, matches, named, held } = await batch(db, {
    records: select(
      { resource: erased_records.resource, id: erased_records.id, fields: erased_records.fields },
      sql`from ${erased_records} where contact_id = ${erasure} and fields is not null limit ${MAX_REPORTED}`,
    ),
    matches: sqlStatement<{
      id: number
    }>(sql`select distinct request_id as id from request_matches where request_id in (
      select id from erased_records where contact_id = ${erasure} and resource = 'requests') limit ${MAX_REPORTED}`),
    named: selectNaming(erasure),
    held: Object.fromEntries(
      PLACES.map((place) => [place.resource, selectOnHold(place, erasure, MAX_REPORTED)]),
    ),
  })
  const inOrder = PLACES.flatMap((place) =>
    records.flatMap(({ resource, id, fields }) => {
      const names = place.fields.map(({ name }) => name).filter((name) => fields?.includes(name))
      return resource === place.resource ? [{ resource, id, fields: names, kept: place.kept }] : []
    }),
  )
  return {
    erased: inOrder.flatMap(({ kept, ...one }) => (one.fields.length > 0 ? one : [])),
    kept: [
      ...inOrder.map(({ resource, id, kept }) => ({ resource, id, fields: kept, reason: ONLY_IDS })),
      ...Object.entries(held).flatMap(([resource, rows]) =>
        rows.map(({ id, fields }) => ({ resource, id, fields: JSON.parse(fields), reason: ON_HOLD })),
      ),
      ...matches.map(({ id }) => ({
        resource: 'matches',
        id,
        fields: ['listing_id', 'score'],
        reason: ONLY_IDS,
      })),
      ...named.map((one) => ({ ...one, fields: ['custom_fields'], reason: ONLY_IDS })),
      { resource: 'trail', id: erasure, fields: ['date', 'actor', 'changed', 'others'], reason: ONLY_VALUES },
    ],
  }
}

/** The statement for records whose custom fields name one of the contacts of an erasure. */
function selectNaming(erasure: number): Statement<{ resource: string; id: number }> {
  const selects = ['contacts', 'requests'].map((resource) => namingRecords(resource, contactsOf(erasure)))
  return sqlStatement(sql`${sql.join(selects, sql` union `)} limit ${MAX_REPORTED}`)
}

/**
 * A select of the records of a resource whose custom fields name one of `persons`. It reads all of them, and none where no
 * custom field is of that type: no index reaches into their values.
 */
export function namingRecords(resource: string, persons: ReturnType<typeof contactsOf>) {
  const table = sql.identifier(resource)
  return sql`select distinct ${resource} as resource, ${table}.id as id from custom_fields field
    cross join ${table} cross join json_each(${table}.custom_fields, '$."' || field.id || '"') named
    where field.resource = ${resource} and field.type in ('contact', 'contact_multi') and named.value in (${persons})`
}

/** The statement that lists the erased contacts, each with what may be erased again with it, for copies that outlast a restore. */
export function selectErased() {
  const { id } = erased_records
  const dateOf = (row: string) =>
    `ifnull(${row}.date, (select progress_date from erasures where contact_id = ${row}.contact_id))`
  const also = jsonOf<
    ListedRecord[]
  >(`select json_group_array(json_object('resource', resource, 'id', id, 'date', ${dateOf('other')}))
    from erased_records other where other.contact_id = erased_records.id and resource in (${ALSO_NAMES}) and resource <> 'contacts'`)
  return select(
    { id, date: sql<string>`max(${sql.raw(dateOf('erased_records'))})`, also },
    sql`from ${erased_records} where resource = 'contacts' group by ${id} order by ${id}`,
  )
}

const ALSO_NAMES = ALSO.map((name) => `'${name}'`).join(', ')

/** Refuses to erase a person: 409. */
function onHold(reason: string): ApiError {
  return new ApiError(409, `On hold: ${reason}`)
}
