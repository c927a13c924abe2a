/** Finds what is held about a person, and sends it as it is read: a notary may be in thousands of contracts. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { samePersons } from '../../db/merged-contacts.ts'
import { havingKeys } from '../../db/person-keys.ts'
import { type Statement, select, sqlStatement } from '../../db/statements.ts'
import { contact_holds, erasures } from '../../db/tables/people.ts'
import { trail } from '../../db/tables/trail.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'
import { notFound } from '../../http/errors.ts'
import { presentEntries, selectEntries } from '../../resources/history/entries.ts'
import { selectPerson } from '../erasure/begin.ts'
import { CONTACTS, PLACES, type Place, placeOf } from '../erasure/places.ts'
import { namingRecords } from '../erasure/report.ts'
import { concerns, contactsOf, heldFields } from '../erasure/statements.ts'
import { reasonShown } from '../erasure/states.ts'
import { ENTITIES } from '../transfer/entities.ts'
import type { Entity } from '../transfer/entity.ts'
import type { hold, person } from './schema.ts'

/** The person that a call is about: the select of the contacts, and SQL that holds for the records of a place that concern them. */
interface Subject {
  persons: SQL
  of: (place: Place) => SQL
}

/**
 * The JSON of what is held about the person of a contact, in pieces; all but the first are read when they are sent.
 * Throws 404.
 */
export async function findPerson(env: Env, db: Database, id: number): Promise<AsyncGenerator<string>> {
  // Not bound: D1 binds numbers as real ones, which are other texts.
  const same = samePersons(sql.raw(`select ${Number(id)}`))
  const { persons, holds, erased } = await batch(db, {
    persons: selectPerson(id).persons,
    holds: selectHold(sql`contact_id in (${same})`),
    erased: select(
      { date: erasures.date, reason: erasures.reason, progress: erasures.progress },
      sql`from ${erasures} where contact_id = (select min(contact_id) from erased_records
        where resource = 'contacts' and id = ${id})`,
    ),
  })
  const [known] = persons
  if (!known) throw notFound('Contact')
  const subject = subjectOf(same, known.erasure)
  const [contact] = await readPage(db, CONTACTS, subject.persons, sql`contacts.id = ${id}`, 0)
  const [ended] = erased
  const erasure = ended && {
    date: ended.date,
    reason: reasonShown(ended.reason),
    complete: ended.progress !== 'open',
  }
  const head = JSON.stringify({ contact, hold: holds[0] ?? null, erasure: erasure ?? null })
  const merged = sql`contacts.id in (${same}) and contacts.id <> ${id}`
  return pieces(env, db, subject, merged, `{"status":200,"data":${head.slice(0, -1)}`)
}

/** The statement that reads the holds that meet `where`. */
export function selectHold(where: SQL): Statement<z.output<typeof hold>> {
  const { contact_id, reason, date } = contact_holds
  return select({ contact_id, reason, date }, sql`from ${contact_holds} where ${where}`)
}

function subjectOf(persons: SQL, erasure: number | null): Subject {
  if (erasure !== null) return { persons: contactsOf(erasure), of: (place) => concerns(place, erasure) }
  return {
    persons,
    of: ({ table, linked }) => (linked ? sql`${table.id} in (${linked(persons)})` : sql`false`),
  }
}

async function* pieces(
  env: Env,
  db: Database,
  subject: Subject,
  merged: SQL,
  head: string,
): AsyncGenerator<string> {
  yield head
  yield* listOf('merged', recordsOf(db, CONTACTS, { ...subject, of: () => merged }))
  for (const place of PLACES.filter((one) => one !== CONTACTS)) {
    yield* listOf(getTableName(place.table), recordsOf(db, place, subject))
    if (place.resource === 'requests') yield* listOf('matches', matchesOf(db, subject.of(place)))
  }
  yield* listOf('trail', entriesOf(env, db, subject))
  yield* listOf('named', namingOf(db, subject))
  yield* listOf('possible', onePage(findPossible(db, subject)))
  yield '}}'
}

/** A key of the reply with a list of entries. */
async function* listOf(key: string, pages: AsyncIterable<Entry[]>): AsyncGenerator<string> {
  yield `,"${key}":[`
  let isFirst = true
  for await (const page of pages) {
    await yieldToEventLoop()
    if (page.length === 0) continue
    yield (isFirst ? '' : ',') + page.map((entry) => JSON.stringify(entry)).join(',')
    isFirst = false
  }
  yield ']'
}

async function* onePage(page: Promise<Entry[]>): AsyncGenerator<Entry[]> {
  yield await page
}

/** The pages that `read` makes of the entries with higher ids than `after`. */
async function* pagesOf(read: (after: number) => Promise<Entry[]>): AsyncGenerator<Entry[]> {
  for (let after = 0; ; ) {
    const page = await read(after)
    yield page
    after = page.at(-1)?.id ?? after
    if (page.length < PAGE) return
  }
}

const recordsOf = (db: Database, place: Place, { persons, of }: Subject) =>
  pagesOf((after) => readPage(db, place, persons, of(place), after))

async function* matchesOf(db: Database, isRequest: SQL): AsyncGenerator<Entry[]> {
  for (let [request, listing] = [0, 0]; ; ) {
    const rows = await runStatement(
      db,
      sqlStatement<{ request_id: number; listing_id: number; score: number }>(sql`
        select request_id, listing_id, score from request_matches
        where request_id in (select id from requests where ${isRequest}) and (request_id, listing_id) > (${request}, ${listing})
        order by request_id, listing_id limit ${PAGE}`),
    )
    yield rows.map(({ request_id, ...fields }) => ({ resource: 'matches', id: request_id, fields }))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    request = last.request_id
    listing = last.listing_id
  }
}

function entriesOf(env: Env, db: Database, { persons, of }: Subject): AsyncGenerator<Entry[]> {
  const places = PLACES.filter(({ resource }) => resource === 'requests' || resource === 'enquiries')
  const ids: [string, SQL][] = [
    ['contacts', persons],
    ...places.map((place): [string, SQL] => [
      place.resource,
      sql`select id from ${place.table} where ${of(place)}`,
    ]),
  ]
  const isAbout = ids.map(
    ([resource, select]) =>
      sql`(${trail.resource} = ${resource} and ${trail.record_id} in (select cast(column1 as text) from (values (null) union all ${select})))`,
  )
  return pagesOf(async (after) => {
    const isNext = sql`(${sql.join(isAbout, sql` or `)}) and ${trail.id} > ${after}`
    const rows = await runStatement(
      db,
      selectEntries(sql`where ${isNext} order by ${trail.id} limit ${PAGE}`),
    )
    const entries = await presentEntries(env, rows)
    return entries.map(({ id, ...fields }) => ({ resource: 'trail', id, fields }))
  })
}

/** Records of others whose custom fields name the person: what names it, and nothing else of them. */
async function* namingOf(db: Database, { persons, of }: Subject): AsyncGenerator<Entry[]> {
  for (const place of PLACES.filter(({ resource }) => resource === 'contacts' || resource === 'requests')) {
    const isOther = place === CONTACTS ? sql`contacts.id not in (${persons})` : sql`not ${of(place)}`
    yield* pagesOf(async (after) => {
      const rows = await runStatement(
        db,
        sqlStatement<{ id: number; custom_fields: string }>(sql`select id, (
            select json_group_object(field.id, json(custom_fields -> ('$."' || field.id || '"'))) from custom_fields field
            where field.resource = ${place.resource} and exists (select 1 from json_each(custom_fields, '$."' || field.id || '"')
              where value in (${persons})) and field.type in ('contact', 'contact_multi')) as custom_fields
          from ${place.table} where id in (select id from (${namingRecords(place.resource, persons)}))
            and ${isOther} and id > ${after} order by id limit ${PAGE}`),
      )
      return rows.map(({ id, custom_fields }) => ({
        resource: place.resource,
        id,
        fields: { custom_fields: JSON.parse(custom_fields) },
      }))
    })
  }
}

/** Maximum records of each resource. */
const MAX_POSSIBLE = 100

/** Where the keys of records are, by their table. */
const KEYED = {
  contacts: ['contacts', 'contact_details'],
  enquiries: ['enquiries'],
  external_listings: ['external_listings'],
}

/** Contacts, enquiries and external listings that may be about the same person, deleted ones included. */
async function findPossible(
  db: Database,
  { persons, of }: { persons: SQL; of: (place: Place) => SQL },
): Promise<Entry[]> {
  const keys = sql`(select json_group_array(value) from contacts cross join json_each(person_keys, '$.contacts')
    where contacts.id in (${persons}) and value not glob 'name:*')`
  const pages = await Promise.all(
    Object.entries(KEYED).map(([table, places]) => {
      const place = placeOf(table)
      if (!place) return []
      const isFound = sql`id in (select found.record_id ${havingKeys({ places, keys, deleted: true })})`
      return readPage(db, place, persons, sql`${isFound} and not (${of(place)})`, 0, MAX_POSSIBLE)
    }),
  )
  return pages.flat()
}

/** Records read at once. */
const PAGE = 200

type Entry = z.output<typeof person>['contact']

/** The records of a place that meet `where`, as an export has them, and what an erasure of `persons` clears of each. */
async function readPage(
  db: Database,
  place: Place,
  persons: SQL,
  where: SQL,
  after: number,
  limit = PAGE,
): Promise<Entry[]> {
  const { resource, table } = place
  const entity: Entity | undefined = ENTITIES.find(({ name }) => name === getTableName(table))
  if (!entity) throw new Error(`${resource} cannot be read`)
  const isWanted = sql`${where} and ${table.id} > ${after}`
  const { rows, held } = await batch(db, {
    rows: entity.read(isWanted, limit),
    held: sqlStatement<{ id: number; clears: string }>(
      sql`select id, ${heldFields(place, persons)} as clears from ${table} where ${isWanted} order by id limit ${limit}`,
    ),
  })
  const clears = new Map(held.map((row) => [row.id, JSON.parse(row.clears) as string[]]))
  return rows.map((row: { id: number }) => ({
    resource,
    id: row.id,
    fields: entity.present(row),
    clears: clears.get(row.id) ?? [],
  }))
}
