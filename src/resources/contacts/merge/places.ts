/**
 * Where records refer to contacts. Link tables, columns, objects and custom fields are found by the schema and the catalogue, so
 * that none is forgotten; a test compares both. All that a merge of contacts does is done at each place.
 */
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { columnFields, RECORD_FIELDS } from '../../../catalogue/record-fields.ts'
import { RECORD_RESOURCES } from '../../../catalogue/resources.ts'
import { REFERRING, TABLES } from '../../../db/referring.ts'
import { NAMES_CONTACT } from '../../../db/tables/appointments.ts'

/** One contact or several, as SQL: `12, 88`. */
export const idsIn = (...ids: readonly number[]): SQL => sql.raw(ids.map(Number).join(', '))

/** How the reference to one contact becomes one to another. */
interface Move {
  /** What stands in the rows of other tables. */
  rows?: SQL[]
  /** The column of the record that changes, and its new value. */
  set?: readonly [column: string, value: SQL]
}

/** A place where records of a table refer to contacts. */
export interface Place {
  /** The resource and the field: `offers.contacts`. */
  name: string
  resource: string
  /** What the trail calls it. */
  field: string
  /** Whether the trail shows its values. */
  isValued: boolean
  table: SQLiteTable
  /** Whether a record may name several contacts there. */
  isList: boolean
  /** Set if no index has them, so that all records are read. */
  isUnindexed?: true
  /** A select of `record_id, part, contact_id, position`: where records name one of `contacts`. */
  select: (contacts: SQL, records?: SQL) => SQL
  /** What names one of `contacts` names `into` afterwards, once. */
  merge: (contacts: SQL, into: SQL) => Move
  /** What was noted of `contact` names it again, and `into` as well where that has another reason. */
  restore: (contact: SQL, into: SQL) => Move
}

type Parts = Pick<Place, 'isList' | 'isUnindexed' | 'select' | 'merge' | 'restore'>

/** SQL after `select`: what was noted of a place. */
const noted = (place: string, into: SQL, contact: SQL) => sql`from contact_merge_references noted
  where into_id = ${into} and place = ${sql.raw(`'${place}'`)} and contact_id ${contact}`

/** SQL for rows that name one of `contacts`: by its index, or by that of the records where those are known. */
const names = (column: SQL, contacts: SQL, record: SQL, records?: SQL) =>
  records ? sql`${record} in (${records}) and +${column} in (${contacts})` : sql`${column} in (${contacts})`

/** A list of ids in a table of its own. */
function linked(place: string, table: string, owner: string): Parts {
  const [links, record] = [sql.identifier(table), sql.identifier(owner)]
  const insert = (into: SQL, contact: SQL, from: SQL) => sql`
    insert or ignore into ${links} (${record}, contact_id, position)
    select record_id, ${contact}, iif(exists (select 1 from ${links} taken where taken.${record} = record_id and taken.position = free.position),
      (select max(position) + 1 from ${links} taken where taken.${record} = record_id), free.position)
    from (select record_id, min(position) as position ${noted(place, into, from)} group by record_id) free`
  return {
    isList: true,
    select: (
      contacts,
      records,
    ) => sql`select ${record} as record_id, 0 as part, contact_id, position from ${links}
      where ${names(sql`contact_id`, contacts, sql`${record}`, records)}`,
    merge: (contacts, into) => ({
      rows: [
        sql`delete from ${links} where +contact_id in (${contacts}, ${into})
          and ${record} in (select record_id ${noted(place, into, sql`in (${contacts})`)}) and exists (
            select 1 from ${links} earlier where earlier.${record} = ${links}.${record}
              and earlier.contact_id in (${contacts}, ${into}) and earlier.position < ${links}.position)`,
        sql`update ${links} set contact_id = ${into} where contact_id in (${contacts})`,
      ],
    }),
    restore: (contact, into) => {
      const isHere = sql`record_id in (select record_id ${noted(place, into, sql`= ${contact}`)})`
      return {
        rows: [
          sql`delete from ${links} where +contact_id = ${into}
            and ${record} in (select record_id ${noted(place, into, sql`= ${contact}`)})`,
          insert(into, into, sql`<> ${contact} and ${isHere}`),
          insert(into, contact, sql`= ${contact}`),
        ],
      }
    },
  }
}

/** A value of the record. `key`: within the object of a column. */
function single(place: string, table: string, column: string, key?: string): Parts {
  const name = key ? `(case when json_valid(${column}) then ${column} ->> '${key}' end)` : column
  const value = sql.raw(name)
  const set = (isOne: SQL, to: SQL): Move => {
    const changed = key ? sql`json_set(${sql.raw(column)}, ${sql.raw(`'$.${key}'`)}, ${to})` : to
    return { set: [column, sql`iif(${isOne}, ${changed}, ${sql.raw(column)})`] }
  }
  return {
    isList: false,
    select: (
      contacts,
      records,
    ) => sql`select id as record_id, 0 as part, ${value} as contact_id, 0 as position
      from ${sql.identifier(table)} where ${names(value, contacts, sql`id`, records)}`,
    merge: (contacts, into) => set(sql`${value} in (${contacts})`, into),
    restore: (contact, into) =>
      set(sql`id in (select record_id ${noted(place, into, sql`= ${contact}`)})`, contact),
  }
}

/** The values of custom fields. No index reaches into them: all records are read, and none where no field is of that type. */
function custom(place: string, table: string, resource: string): Parts {
  const record = sql.identifier(table)
  const definitions = sql`select id from custom_fields
    where resource = ${sql.raw(`'${resource}'`)} and type in ('contact', 'contact_multi')`
  const values = sql`json_each(${record}.custom_fields, field.fullkey)`
  /** Where the entry `named` of a list was before merges took others out of it: of each merge, all but the first. */
  const position = (id: SQL, part: SQL, list: SQL) => sql`(named.key + (select count(*) from (
    select position - row_number() over (order by position) as before from (
      select position, row_number() over (partition by into_id order by position) as nth from contact_merge_references
      where place = ${sql.raw(`'${place}'`)} and record_id = ${id} and part = ${part} and part > 0
        and (contact_id = into_id or contact_id not in (select value from ${list}))) where nth > 1) where before < named.key))`
  /** The values, with others where `isOne` of `field`. */
  const set = (isOne: SQL, one: SQL, list: SQL): Move => ({
    set: [
      'custom_fields',
      sql`(select json_group_object(field.key, json(case when ${isOne} then iif(field.type = 'array', ${list}, ${one})
        else ${record}.custom_fields -> field.fullkey end)) from json_each(${record}.custom_fields) field)`,
    ],
  })
  return {
    isList: true,
    isUnindexed: true,
    select: (
      contacts,
      records,
    ) => sql`select record.id as record_id, field.id as part, named.value as contact_id,
        iif(typeof(named.key) = 'integer', ${position(sql`record.id`, sql`field.id`, sql`json_each(record.custom_fields, '$."' || field.id || '"')`)}, 0) as position
      from (${definitions}) field cross join ${record} record
        cross join json_each(record.custom_fields, '$."' || field.id || '"') named
      where ${names(sql`named.value`, contacts, sql`record.id`, records)}`,
    merge: (contacts, into) => {
      const isNamed = sql`field.key in (${definitions})
        and exists (select 1 from ${values} where value in (${contacts}))`
      return set(
        isNamed,
        into,
        sql`(select json_group_array(contact) from (select iif(value in (${contacts}), ${into}, value) as contact
          from ${values} group by 1 order by min(key)))`,
      )
    },
    restore: (contact, into) => {
      const here = (of: SQL) =>
        sql`${noted(place, into, of)} and record_id = ${record}.id and part = cast(field.key as integer)`
      return set(
        sql`exists (select 1 ${here(sql`= ${contact}`)})`,
        contact,
        sql`(select json_group_array(value) from (
          select value, ${position(sql`${record}.id`, sql`cast(field.key as integer)`, values)} as at
            from ${values} named where value <> ${into}
          union all select contact_id, position ${here(sql`= ${contact}`)}
          union all select ${into}, min(position) ${here(sql`<> ${contact}`)} having count(*) > 0 order by at))`,
      )
    },
  }
}

/** Who was notified of an appointment. Of two mails to one person that wait, only one is sent. */
function notified(place: string): Parts {
  return {
    isList: false,
    select: (
      contacts,
      records,
    ) => sql`select appointment_id as record_id, notice_id as part, recipient_id as contact_id, 0 as position
      from appointment_notices where ${NAMES_CONTACT} and ${names(sql`recipient_id`, contacts, sql`appointment_id`, records)}`,
    merge: (contacts, into) => ({
      rows: [
        sql`update or ignore appointment_notices set recipient_id = ${into}
          where ${NAMES_CONTACT} and recipient_id in (${contacts})`,
      ],
    }),
    restore: (contact, into) => ({
      rows: [
        sql`update or ignore appointment_notices set recipient_id = ${contact}
          where notice_id in (select part ${noted(place, into, sql`= ${contact}`)})`,
      ],
    }),
  }
}

/** All places, by the order of the resources. */
export const PLACES: readonly Place[] = RECORD_RESOURCES.flatMap(({ resource, table: name }) => {
  const fields = RECORD_FIELDS.get(name)
  const table = TABLES.find((one) => getTableName(one) === name)
  if (!fields || !table) return []
  const place = (field: string, make: (place: string) => Parts, isValued = false): Place => ({
    ...{ name: `${resource}.${field}`, resource, field, isValued, table },
    ...make(`${resource}.${field}`),
  })
  // A column of the record itself is a field. Lists of a contact are its own.
  const links = REFERRING.filter(
    (one) => one.target === 'contacts' && one.kind === name && name !== 'contacts' && one.table !== name,
  )
  return [
    ...links.map((one) =>
      place(one.table.replace(/^.*_/, ''), (place) => linked(place, one.table, one.owner)),
    ),
    ...columnFields(fields).flatMap(({ column, name: field, field: { to, history } }) =>
      to === 'contacts' ? place(field, (place) => single(place, name, column), history) : [],
    ),
    ...Object.entries(fields.objects ?? {}).flatMap(([column, { prefix, fields }]) =>
      Object.entries(fields ?? {}).flatMap(([key, { to, history }]) =>
        to === 'contacts' ? place(prefix + key, (place) => single(place, name, column, key), history) : [],
      ),
    ),
    ...('custom_fields' in getTableColumns(table)
      ? [place(fields.names?.custom_fields ?? 'custom_fields', (place) => custom(place, name, resource))]
      : []),
    ...(name === 'appointments' ? [place('notified', notified)] : []),
  ]
})
