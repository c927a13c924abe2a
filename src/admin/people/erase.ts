/** Erases a person: the contacts at once and the rest behind them; and says what was cleared, and what stays. */
import { sql } from 'drizzle-orm'
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
import { clearPerson, clearRecords, contactsOf, selectLeft, selectOnHold } from './clear.ts'
import { ALSO, CONTACTS, PLACES } from './places.ts'
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
  const left = await begin(db, erasure, reason, [{ resource: 'contacts', id }, ...also])
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

/** Enters the contacts in the list of the erased and clears them, in one transaction. Returns what is left. */
async function begin(db: Database, erasure: number, reason: string, records: ListedRecord[]) {
  const ids = records.flatMap(({ resource, id }) => (resource === 'contacts' ? id : []))
  try {
    const { left } = await batch(db, {
      listed: listRecords(erasure, records),
      contacts: clearRecords(CONTACTS, ids, erasure),
      begun: openErasures([erasure], reason),
      left: selectLeft(erasure, AGAIN),
    })
    return left
  } catch (error) {
    if (!isVersionGuard(error)) throw error
    const { holds } = await batch(db, selectPerson(erasure, ids))
    throw onHold(holds[0]?.reason ?? '')
  }
}

/** A record of an erasure. */
interface ListedRecord {
  resource: string
  id: number
}

/** The statement that puts records on the list of an erasure, or has them cleared again: each is a new row. */
function listRecords(erasure: number, records: ListedRecord[]): Statement {
  const rows = JSON.stringify(records.map(({ resource, id }) => [resource, id]))
  return sqlStatement(sql`insert or replace into erased_records (resource, id, contact_id, date, fields)
    select distinct value ->> 0, value ->> 1, ${erasure}, ${formatDateTime(new Date())}, (select fields from erased_records
      where resource = value ->> 0 and id = value ->> 1 and contact_id = ${erasure} and resource = 'contacts')
    from json_each(${rows})`)
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

/**
 * The statements for contacts that an import stores as erased. Cron clears what links to them, but not to those that are
 * new: the lines that name them come after them, and have what was written since.
 */
export function listImportedErasures(contacts: { id: number; isNew: boolean }[]): Statement[] {
  if (contacts.length === 0) return []
  const ids = contacts.map(({ id }) => id)
  const added = contacts.flatMap(({ id, isNew }) => (isNew ? id : []))
  const now = formatDateTime(new Date())
  const insert = sqlStatement(sql`insert into erased_records (resource, id, contact_id, date)
    select 'contacts', value, value, ${now} from json_each(${JSON.stringify(ids)}) where true on conflict do nothing`)
  return [
    // Later lines of the contacts are refused, in a dry run too.
    new WriteStatement(insert, {
      table: erased_records,
      puts: () => ids.map((id) => ({ resource: 'contacts', id, contact_id: id, fields: null, date: now })),
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
