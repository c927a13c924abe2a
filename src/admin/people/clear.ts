/**
 * Clears what identifies an erased person, in portions. What is left is found by the data itself: records that link to the
 * person, or are on the list of the erasure, and still hold something. So it can stop anywhere and go on later.
 */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { batch, type Database, mayCall, runStatement } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import { isOutage } from '../../db/errors.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { STAYS_MATCHED } from '../../db/tables/listings.ts'
import { enterChangesWhere } from '../../db/trail.ts'
import { workThrough } from '../../db/work-through.ts'
import { formatDateTime } from '../../fields/values.ts'
import { forgetKeptTexts } from '../../files/kept-texts.ts'
import { yieldToEventLoop } from '../../http/concurrency/queue.ts'
import { describeFailure, log } from '../../http/log.ts'
import { CONTACTS, PLACES, type Place, placeOf } from './places.ts'

/** Records of a place that are cleared in one transaction, and maximum transactions of a call. */
const PORTION = 200
const MAX_PORTIONS = 10
/** How long after its end an erasure is looked at once more, in minutes: longer than a write takes. */
const SECOND_LOOK_MINUTES = 10
/** Maximum erasures of a run of cron. */
const MAX_ERASURES = 20

/** What is left of a person: ids by resource. */
type Left = Record<string, { id: number }[]>

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
  return linked(sql.raw('select contact_id from contact_holds'))
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
 * cleared may have new texts since, which stay; but a record without versions may have its old ones again, from an import
 * that had read it before.
 */
export function selectLeft(
  erasure: number,
  { size = PORTION, again = false }: Search = {},
): Record<string, Statement<{ id: number }>> {
  const persons = contactsOf(erasure)
  const select = (place: Place) => {
    const { resource, table, linked } = place
    const listed = sql`from erased_records one where one.contact_id = ${erasure} and one.resource = ${resource}`
    const waiting = sql`select one.id ${listed} and one.fields is null`
    const isCleared = sql`exists (select 1 ${listed} and one.id = ${table.id} and one.fields is not null)`
    const isAgain =
      again || !('version' in getTableColumns(table)) ? sql`or ${holdsAny(place, persons)}` : sql``
    return sqlStatement<{ id: number }>(sql`select id from ${table}
      where ${table.id} in (${linked ? sql`${linked(persons)} union ` : sql``}${waiting})
        and (not ${isCleared} ${isAgain}) and ${table.id} not in (${recordsOnHold(place)}) limit ${size}`)
  }
  return Object.fromEntries(PLACES.map((place) => [place.resource, select(place)]))
}

/** The statements that clear records of a place and list them; the record of a listing before its texts. */
export function clearRecords(place: Place, ids: number[], erasure: number): Statement[] {
  if (ids.length === 0) return []
  const { resource, table, fields, mark, sets = {}, changed, derived } = place
  const persons = contactsOf(erasure)
  const list = sql`select value from (${valuesOf(ids)}) where value not in (${recordsOnHold(place)})`
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
    sqlStatement(sql`insert or replace into erased_records (resource, id, contact_id, date, fields)
      select ${resource}, ${table.id}, ${erasure}, max(datetime('now'), ${table}.date_created, ifnull((select date
        from erased_records one where one.resource = ${resource} and one.id = ${table.id} and one.contact_id = ${erasure}), '')), (select json_group_array(value) from (
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

interface ClearOptions extends Search {
  /** What is left, if it is known. */
  found?: Left
  /** Maximum transactions. */
  portions?: number
  now?: Date
}

/** Clears what is left of a person within the limits of one call or run, and returns whether nothing is. */
export async function clearPerson(
  env: Pick<Env, 'PHOTOS'>,
  db: Database,
  erasure: number,
  { found, portions = MAX_PORTIONS, now = new Date(), ...search }: ClearOptions = {},
): Promise<boolean> {
  let left = found ?? (await batch(db, { left: selectLeft(erasure, search) })).left
  const isLeft = () => Object.values(left).some((rows) => rows.length > 0)
  for (let count = 0; isLeft(); count++) {
    if (count === portions || !mayCall(db, 2)) return false
    await yieldToEventLoop()
    const found = Object.entries(left).flatMap(([resource, rows]) => rows.map(({ id }) => ({ resource, id })))
    const cleared = await clearFound(db, found, erasure, selectLeft(erasure, search))
    // Feeds show the texts of listings. If the bucket fails, the sweep removes them within two days.
    if (left.listings?.length)
      await forgetKeptTexts(env.PHOTOS).catch((error) =>
        log('error', { work: 'feeds', ...describeFailure(error) }),
      )
    left = cleared.left
  }
  await batch(db, {
    replies: clearKeptReplies(erasure),
    derived: clearDerived(erasure),
    progress: endErasure(erasure, now),
  })
  return true
}

/** Clears records and reads what is left then. If it fails, those that can be cleared are, before it throws. */
async function clearFound(
  db: Database,
  found: { resource: string; id: number }[],
  erasure: number,
  left: ReturnType<typeof selectLeft> = {},
): Promise<{ left: Left }> {
  const idsOf = (place: Place) => found.flatMap(({ resource, id }) => (resource === place.resource ? id : []))
  try {
    const writes = PLACES.flatMap((place) => clearRecords(place, idsOf(place), erasure))
    return await batch(db, { writes, left })
  } catch (error) {
    const middle = found.length >> 1
    if (middle > 0 && !isOutage(error))
      for (const half of [found.slice(0, middle), found.slice(middle)])
        if (mayCall(db, 1)) await clearFound(db, half, erasure).catch(() => undefined)
    throw error
  }
}

/** The keys of replies about a record that repeat what identifies a person, and what they become. */
const REPEATED = {
  requests: { extra_fields: '{}' },
  'external-listings': Object.fromEntries(
    placeOf('external-listings')?.fields.map(({ name }) => [name, 'null']) ?? [],
  ),
}

/**
 * The statements that clear kept replies. They read all of them, as no index has their records. Replies are kept for a day;
 * those of versions that did not note the record just expire.
 */
function clearKeptReplies(erasure: number): Statement[] {
  return Object.entries(REPEATED).map(([resource, blank]) => {
    const values = Object.entries(blank).map(([key, value]) => `'$.data.${key}', json('${value}')`)
    return sqlStatement(sql`update idempotency_keys set answer = json_replace(answer, ${sql.raw(values.join(', '))})
      where resource = ${resource} and record_id in (
        select id from erased_records where contact_id = ${erasure} and resource = ${resource})`)
  })
}

/** The statements that clear what is derived from cleared records: work that had read them may have stored it since. */
function clearDerived(erasure: number): Statement[] {
  return PLACES.flatMap(({ resource, derived }) => {
    const ids = sql`select id as value from erased_records
      where contact_id = ${erasure} and resource = ${resource} and fields is not null`
    return (derived?.(ids) ?? []).map((statement) => sqlStatement(statement))
  })
}

/** The statement that ends an erasure of which nothing is left: for good only some time after it was complete. */
function endErasure(erasure: number, moment: Date): Statement {
  const now = formatDateTime(moment)
  return sqlStatement(sql`update erasures set progress = iif(progress = 'open', 'complete', 'closed'), progress_date = ${now}
    where contact_id = ${erasure} and (progress = 'open' or ${isDueAgain(now)})`)
}

function isDueAgain(now: string): SQL {
  return sql`(progress = 'complete' and progress_date <= datetime(${now}, ${`-${SECOND_LOOK_MINUTES} minutes`}))`
}

/** Goes on with erasures that are not complete, and looks again at those that are, for what was written meanwhile. */
export async function continueErasures(
  env: Pick<Env, 'PHOTOS'>,
  db: Database,
  now = new Date(),
): Promise<{ erasures: number }> {
  let erasures = 0
  await workThrough(db, {
    job: 'erasures',
    resource: 'contacts',
    portions: 1,
    calls: 4,
    next: async (failed) => {
      const due = sqlStatement<{
        contact_id: number
      }>(sql`select contact_id from erasures where progress <> 'closed'
        and (progress = 'open' or ${isDueAgain(formatDateTime(now))}) and not ${isOneOf(sql`contact_id`, failed)}
        order by progress_date limit ${MAX_ERASURES}`)
      const ids = (await runStatement(db, due)).map(({ contact_id }) => contact_id)
      erasures = ids.length
      return ids
    },
    work: async (ids) => {
      for (const id of ids) if (mayCall(db, 4)) await clearPerson(env, db, id, { now })
      return []
    },
  })
  return { erasures }
}
