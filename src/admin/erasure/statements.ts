/** The statements that find what is left of an erased person, and those that clear it. */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { ON_HOLD } from '../../db/merged-contacts.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { STAYS_MATCHED } from '../../db/tables/listings.ts'
import { enterChangesWhere } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { LOST_REPLY } from '../../http/concurrency/idempotency.ts'
import { CONTACTS, PLACES, type Place, placeOf } from './places.ts'
import { IS_CLEARED, IS_WAITING, NEXT_POSITION } from './states.ts'

/** Records of a place that are cleared in one transaction. */
const PORTION = 200

/** A select of the contacts that an erasure is about. */
export function contactsOf(erasure: number): SQL {
  return sql.raw(
    `select id from erased_records where contact_id = ${Number(erasure)} and resource = 'contacts'`,
  )
}

/** SQL that holds for records of a place that link to an erased person, or are on the list of the erasure. */
export function concerns({ resource, table, linked }: Place, erasure: number): SQL {
  const listed = sql`select id from erased_records where contact_id = ${erasure} and resource = ${resource}`
  return sql`${table.id} in (${linked ? sql`${linked(contactsOf(erasure))} union ` : sql``}${listed})`
}

/**
 * A select of the records of a place that link to somebody on hold: they stay as they are when others are erased. A contact on
 * hold is refused before.
 */
function recordsOnHold(place: Place): SQL {
  const { linked } = place
  if (!linked || place === CONTACTS) return sql.raw('select null where false')
  return linked(ON_HOLD)
}

/** The statement for records of a place that are kept for somebody on hold, with the fields that hold something. */
export function selectOnHold(place: Place, erasure: number, limit: number) {
  const { table } = place
  const persons = contactsOf(erasure)
  return sqlStatement<{
    id: number
    fields: string
  }>(sql`select id, ${heldFields(place, persons)} as fields from ${table}
    where ${table.id} in (${recordsOnHold(place)}) and ${concerns(place, erasure)} and ${holdsAny(place, persons)} limit ${limit}`)
}

/** SQL that holds for records that have something to clear. */
function holdsAny({ fields, mark }: Place, persons: SQL): SQL {
  const conditions = [...fields.map(({ holds }) => holds(persons)), ...(mark ? [sql`${mark} = 0`] : [])]
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** SQL for the names of the fields that a record has something in, as JSON. */
export function heldFields({ fields }: Place, persons: SQL): SQL {
  const names = fields.map(({ name, holds }) => sql`(iif(${holds(persons)}, ${sql.raw(`'${name}'`)}, null))`)
  return sql`(select json_group_array(column1) from (values ${sql.join(names, sql`, `)}) where column1 is not null)`
}

/** How what is left is found. */
export interface Search {
  /** Maximum records of a place. */
  size?: number
  /** Whether linked records that were cleared before, and hold something again, are left as well. */
  again?: boolean
}

/**
 * The statements that find what is left, by resource: records that link to the person or wait on the list. Those that were
 * cleared may have new texts since, which stay.
 */
export function selectLeft(
  erasure: number,
  { size = PORTION, again = false }: Search = {},
): Record<string, Statement<{ id: number }>> {
  const persons = contactsOf(erasure)
  const select = (place: Place) => {
    const { resource, table, linked } = place
    const listed = sql`from erased_records one where one.contact_id = ${erasure} and one.resource = ${resource}`
    const waiting = sql`select one.id ${listed} and ${IS_WAITING}`
    const isCleared = sql`exists (select 1 ${listed} and one.id = ${table.id} and ${IS_CLEARED})`
    const isAgain = again ? sql`or ${holdsAny(place, persons)}` : sql``
    return sqlStatement<{ id: number }>(sql`select id from ${table}
      where ${table.id} in (${linked ? sql`${linked(persons)} union ` : sql``}${waiting})
        and (not ${isCleared} ${isAgain}) and ${table.id} not in (${recordsOnHold(place)}) limit ${size}`)
  }
  return Object.fromEntries(PLACES.map((place) => [place.resource, select(place)]))
}

/** The statements that clear records of a place and list them; the record of a listing before its texts. `ids` is a select. */
export function clearRecords(place: Place, ids: SQL, erasure: number): Statement[] {
  const { resource, table, fields, mark, sets = {}, changed, derived } = place
  const persons = contactsOf(erasure)
  const list = sql`select id as value from ${table} where id in (${ids}) and id not in (${recordsOnHold(place)})`
  const isOne = sql`${table.id} in (${list})`
  const isHeld = sql`${isOne} and ${holdsAny(place, persons)}`
  const columns = getTableColumns(table)
  const now = formatDateTime(new Date())
  const values: Record<string, SQL> = {
    ...Object.fromEntries(fields.flatMap(({ column, to }) => (to ? [[column.name, to(persons)]] : []))),
    ...('version' in columns ? { version: sql`version + 1` } : {}),
    ...('matched_version' in columns ? { matched_version: STAYS_MATCHED } : {}),
    ...(mark ? { [mark.name]: sql`1` } : {}),
    ...sets,
    date_updated: sql`${now}`,
  }
  const assignments = Object.entries(values).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`)
  const held = heldFields(place, persons)
  return [
    // The date is never before that of the record, which may be ahead of the clock: only what is newer is another record.
    sqlStatement(sql`insert or replace into erased_records (resource, id, contact_id, date, position, fields)
      select ${resource}, ${table.id}, ${erasure}, max(datetime('now'), ${table}.date_created, ifnull((select date
        from erased_records one where one.resource = ${resource} and one.id = ${table.id} and one.contact_id = ${erasure}), '')), ${NEXT_POSITION}, (select json_group_array(value) from (
        select value from erased_records one, json_each(one.fields)
          where one.resource = ${resource} and one.id = ${table.id} and one.contact_id = ${erasure}
        union select value from json_each(${held})))
      from ${table} where ${isOne}`),
    enterChangesWhere(table, isHeld, { ...(changed ? { changed } : {}), others: held }),
    sqlStatement(sql`update ${table} set ${sql.join(assignments, sql`, `)} where ${isHeld}`),
    ...fields.flatMap(({ clear }) => (clear ? sqlStatement(clear(list, persons)) : [])),
    ...(derived?.(list) ?? []).map((statement) => sqlStatement(statement)),
  ]
}

/** The keys of replies about a record that repeat what identifies a person, and what they become. */
const REPEATED = {
  requests: { extra_fields: '{}' },
  'external-listings': Object.fromEntries(
    placeOf('external-listings')?.fields.map(({ name }) => [name, 'null']) ?? [],
  ),
}

/**
 * The statements that clear kept replies. They read all of them, as no index has their records. Replies of versions that did not
 * note the record may be about anybody: they are dropped. Their keys stay used, so that a
 * repetition creates nothing.
 */
export function clearKeptReplies(erasure: number): Statement[] {
  const cleared = Object.entries(REPEATED).map(([resource, blank]) => {
    const values = Object.entries(blank).map(([key, value]) => `'$.data.${key}', json('${value}')`)
    return sqlStatement(sql`update idempotency_keys set answer = json_replace(answer, ${sql.raw(values.join(', '))})
      where resource = ${resource} and record_id in (
        select id from erased_records where contact_id = ${erasure} and resource = ${resource})`)
  })
  const unknown = sqlStatement(sql`update idempotency_keys set answer = ${LOST_REPLY}
    where resource is null and answer is not null`)
  return [...cleared, unknown]
}

/** The statements that clear what is derived from cleared records: work that had read them may have stored it since. */
export function clearDerived(erasure: number): Statement[] {
  return PLACES.flatMap(({ resource, derived }) => {
    const ids = sql`select id as value from erased_records
      where contact_id = ${erasure} and resource = ${resource} and ${IS_CLEARED}`
    return (derived?.(ids) ?? []).map((statement) => sqlStatement(statement))
  })
}
