/** The statements that move references between contacts, and note where they were. */
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { type SqlFragment, type Statement, sqlStatement } from '../../../db/statements.ts'
import { STAYS_MATCHED } from '../../../db/tables/listings.ts'
import { enterSelected } from '../../../db/trail.ts'
import { formatDateTime } from '../../../fields/values.ts'
import { PLACES, type Place } from './places.ts'

/** How many references of a resource name contacts, and how many of its records do. */
export interface Counted {
  resource: string
  references: number
  records: number
  /** The records found without an index, as JSON. */
  found: string
}

/** Who is merged, and into whom. */
interface Contacts {
  contacts: SQL
  into: SQL
}

/** The places by resource, in the order of the resources. */
const BY_RESOURCE = [...Map.groupBy(PLACES, ({ resource }) => resource)]

/** SQL over what is noted: at the place. */
const isAt = ({ name }: Place) => sql`place = ${sql.raw(`'${name}'`)}`
/** SQL over what is noted: of one of `contacts`. */
const isOf = (contacts: SQL, into: SQL) => sql`into_id = ${into} and contact_id in (${contacts})`

/** What names `contacts`, but for their own records, which stay as they are. */
const selectAt = ({ resource, isUnindexed, select }: Place, contacts: SQL, records?: SQL) =>
  sql`select *, ${sql.raw(String(isUnindexed === true))} as is_found from (${select(contacts, records)})${resource === 'contacts' ? sql` where record_id not in (${contacts})` : sql``}`

/** The statements that count what names `contacts`, one for each resource. */
export function countReferences(contacts: SQL): Statement<Counted>[] {
  return BY_RESOURCE.map(([resource, places]) => {
    const selects = places.map((place) => selectAt(place, contacts))
    return sqlStatement(sql`select ${resource} as resource, count(*) as "references", count(distinct record_id) as records,
        json_group_array(distinct record_id) filter (where is_found) as found
      from (${sql.join(selects, sql` union all `)}) having count(*) > 0`)
  })
}

/** The guard that holds if what is noted of `contacts` is what was counted. */
export function isAsCounted(contacts: SQL, into: SQL, counted: readonly Counted[]): SqlFragment {
  const { sql: text, params } = sqlStatement(sql`(
    select json_group_object(resource, json_array("references", records)) from (
      select substr(place, 1, instr(place, '.') - 1) as resource, count(*) as "references", count(distinct record_id) as records
      from contact_merge_references where ${isOf(contacts, into)} group by 1 order by 1)) = ${JSON.stringify(
        Object.fromEntries(
          counted
            .map(({ resource, references, records }) => [resource, [references, records]] as const)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      )}`)
  return { text, params }
}

/**
 * The statements that note where records name `contacts`, and in the same lists `into`, unless that is noted already. Where no index
 * has them, only what was found is looked at again, and what has changed since the feed was at `cursor`.
 */
export function noteReferences(
  { contacts, into }: Contacts,
  counted: readonly Counted[],
  cursor: number,
): Statement[] {
  return PLACES.flatMap((place) => {
    const found = counted.find(({ resource }) => resource === place.resource)?.found ?? '[]'
    const looked = sql`select value from json_each(${found}) union
      select id from changes where resource = ${place.resource} and cursor > ${cursor}`
    const isHere = sql`into_id = ${into} and ${isAt(place)}`
    const insert = (from: SQL, where = sql`true`) =>
      sqlStatement(sql`insert into contact_merge_references (into_id, place, record_id, part, contact_id, position)
        select ${into}, ${sql.raw(`'${place.name}'`)}, record_id, part, contact_id, position from (${from}) found where ${where}`)
    const isNoted = (of: SQL) => sql`exists (select 1 from contact_merge_references noted where ${isHere}
      and noted.record_id = found.record_id and noted.part = found.part and noted.contact_id ${of})`
    const records = sql`select record_id from contact_merge_references where ${isHere} and contact_id in (${contacts})`
    return [
      insert(selectAt(place, contacts, place.isUnindexed && looked)),
      ...(place.isList
        ? [
            insert(
              place.select(into, records),
              sql`${isNoted(sql`in (${contacts})`)} and not ${isNoted(sql`not in (${contacts})`)}`,
            ),
          ]
        : []),
    ]
  })
}

/** What is noted of `contact` and stands otherwise by now. */
const isChanged = ({ select }: Place, into: SQL) => sql`not exists (
  select 1 from (${select(into, sql`noted.record_id`)}) found
  where found.record_id = noted.record_id and found.part = noted.part)`

/** The statements that read what is noted of a contact, one for each place. */
export function selectNoted(contact: SQL, into: SQL): Statement<NotedReference>[] {
  return PLACES.map((place) =>
    sqlStatement(sql`select ${place.resource} as resource, record_id as id, ${isChanged(place, into)} as is_changed
      from contact_merge_references noted where ${isOf(contact, into)} and ${isAt(place)}`),
  )
}

/** A reference that a merge has moved. */
export interface NotedReference {
  resource: string
  /** Of the record. */
  id: number
  /** Whether the record names another since, or none. */
  is_changed: number
}

/** The statements that forget what stands otherwise by now. */
export function forgetChanged(contact: SQL, into: SQL): Statement[] {
  return PLACES.map((place) =>
    sqlStatement(sql`delete from contact_merge_references as noted
      where ${isOf(contact, into)} and ${isAt(place)} and ${isChanged(place, into)}`),
  )
}

/**
 * The statements that move what is noted of `contacts`, for records of `resources`: to the contact that they were merged into,
 * or back.
 */
export function moveReferences(
  direction: 'merge' | 'restore',
  { contacts, into }: Contacts,
  resources: ReadonlySet<string>,
) {
  const now = formatDateTime(new Date())
  return BY_RESOURCE.filter(([resource]) => resources.has(resource)).map(([, places]) => {
    const [{ table }] = places as [Place]
    const name = sql.identifier(getTableName(table))
    const moves = places.map((place) => place[direction](contacts, into))
    const from = sql`from contact_merge_references where ${isOf(contacts, into)}
      and place in (${sql.raw(places.map(({ name }) => `'${name}'`).join(', '))})`
    const valued = places.filter(({ isValued }) => isValued).map(({ name }) => `'${name}'`)
    const isValued = sql`place in (${sql.raw(valued.join(', '))})`
    const field = sql.raw(
      `(case place ${places.map(({ name, field }) => `when '${name}' then '${field}'`).join(' ')} end)`,
    )
    const pair =
      direction === 'merge' ? sql`json_array(contact_id, ${into})` : sql`json_array(${into}, contact_id)`
    const sets = [
      ...moves.flatMap(({ set }) => (set ? sql`${sql.identifier(set[0])} = ${set[1]}` : [])),
      sql`version = version + 1, date_updated = ${now}`,
      ...('matched_version' in getTableColumns(table) ? [sql`matched_version = ${STAYS_MATCHED}`] : []),
    ]
    return {
      trail: enterSelected(
        table,
        sql`(select record_id, json_group_object(${field}, ${pair}) filter (where ${isValued}) as changed,
          json_group_array(distinct ${field}) filter (where not ${isValued}) as others ${from} group by record_id) moved
          join ${name} on id = record_id`,
        { changed: sql`moved.changed`, others: sql`moved.others` },
      ),
      rows: moves.flatMap(({ rows = [] }) => rows.map((row) => sqlStatement(row))),
      records: sqlStatement(
        sql`update ${name} set ${sql.join(sets, sql`, `)} where id in (select record_id ${from})`,
      ),
    }
  })
}

/** The statements that let the custom fields of the contact itself name it, where those of the others came to it. */
export function mergeOwn({ contacts, into }: Contacts): Statement[] {
  return PLACES.filter(({ resource }) => resource === 'contacts').flatMap((place) => {
    const { set } = place.merge(contacts, into)
    return set
      ? sqlStatement(sql`update contacts set ${sql.identifier(set[0])} = ${set[1]} where id = ${into}`)
      : []
  })
}

/** The statements that forget merges, and what they have moved. `which` is a condition on the merges. */
export function forgetMerges(which: SQL): Statement[] {
  const merges = (columns: string) => sql`select ${sql.raw(columns)} from contact_merges where ${which}`
  return [
    sqlStatement(sql`delete from contact_merge_references
      where (into_id, contact_id) in (${merges('into_id, contact_id')})`),
    // A list that names the remaining contact alone says so itself.
    sqlStatement(sql`delete from contact_merge_references as own
      where into_id in (${merges('into_id')}) and contact_id = into_id and not exists (
        select 1 from contact_merge_references other where other.into_id = own.into_id and other.place = own.place
          and other.record_id = own.record_id and other.part = own.part and other.contact_id <> own.into_id)`),
    sqlStatement(sql`delete from contact_merges where ${which}`),
  ]
}
