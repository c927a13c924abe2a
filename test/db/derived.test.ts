/** What other code has written meanwhile, such as an older version after a rollback, is derived anew. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { database } from '../../src/db/client.ts'
import { followChanges } from '../../src/db/derived.ts'
import { keepPlaceSearch } from '../../src/resources/lookups/place-search.ts'
import { placeSearch } from '../../src/resources/lookups/place-text.ts'
import { CONTACT_SEARCH } from '../../src/resources/search-texts.ts'
import { EVERY_MINUTE, runScheduled } from '../../src/scheduled.ts'
import { get, importRecords, post, put, query } from '../support/api.ts'
import {
  counted,
  databaseAround,
  databaseOf,
  execute,
  failBefore,
  selectAll,
  selectFirst,
} from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { minimalListing } from '../support/factories/listing.ts'

const runCron = () => runScheduled({ cron: EVERY_MINUTE }, env)

/** A write by code that knows nothing of derived columns: of the columns, it changes those that it knows, and the version. */
const writeByOther = {
  title: (id: number, title: string) =>
    env.DB.batch([
      env.DB.prepare('update listings set version = version + 1 where id = ?').bind(id),
      env.DB.prepare('update listing_translations set title = ? where listing_id = ?').bind(title, id),
    ]),
  contact: (id: number, name: string) =>
    execute('update contacts set first_name = ?, version = version + 1 where id = ?', name, id),
  article: (id: number, title: string) =>
    execute(
      "update knowledge_base_articles set title = ?, date_updated = '2030-01-01 00:00:00' where id = ?",
      title,
      id,
    ),
  place: (id: number, name: string) => execute('update locations set name_el = ? where id = ?', name, id),
}

let listing = 0
let contact = 0

beforeAll(async () => {
  await seedAgency()
  await importRecords([
    ['knowledge_base_categories', { id: 1, name: 'C', color: '#000000', is_active: true }],
    ['knowledge_base_articles', { id: 1, category_id: 1, title: 'First', created_by: 1 }],
  ])
})

beforeEach(async () => {
  listing = (await post('/api/listings', { ...minimalListing, title: 'Before' })).body.created_id
  contact = (await post('/api/contacts', { first_name: 'Before', created_by: 1 })).body.created_id
  await runCron()
  await runCron()
})

const totalOf = async (path: string, filters: Record<string, unknown>) =>
  (await query(path, filters)).body.total_results
/** Names of places whose stored text is not that of the names now. */
async function outdatedPlaces(): Promise<string[]> {
  const rows = await selectAll<{ name_el: string; name_en: string; search: string }>(
    'select * from locations',
  )
  return rows.filter((row) => row.search !== placeSearch(row)).map(({ name_el }) => name_el)
}

const placesFound = async (search: string) =>
  (await get(`/api/locations?search=${encodeURIComponent(search)}`)).body.data.length

describe('what an older version has written after a rollback', () => {
  it('is found by titles of listings at once, as it is in the change feed', async () => {
    await query('/api/listings', { text: 'before' })
    await writeByOther.title(listing, 'Afterwards')
    expect(await totalOf('/api/listings', { text: 'afterwards' })).toBe(1)
  })

  it('is found by names of contacts, without another version', async () => {
    await writeByOther.contact(contact, 'Ιωάννα')
    const tag = (await get(`/api/contacts/${contact}`)).headers.get('ETag')
    expect(await totalOf('/api/contacts', { search: 'ιωαννα' })).toBe(0)
    await runCron()
    expect(await totalOf('/api/contacts', { search: 'ιωαννα' })).toBe(1)
    expect((await get(`/api/contacts/${contact}`)).headers.get('ETag')).toBe(tag)
  })

  it('is found by titles of articles', async () => {
    await writeByOther.article(1, 'Άλλος')
    expect(await totalOf('/api/knowledge-base/articles', { search: 'αλλοσ' })).toBe(0)
    await runCron()
    expect(await totalOf('/api/knowledge-base/articles', { search: 'αλλοσ' })).toBe(1)
  })

  it('is found by names of places, while searches go on', async () => {
    await writeByOther.place(11, 'Νέα Χώρα')
    expect(await placesFound('νεα χωρα')).toBe(0)
    await put(`/api/listings/${listing}`, { location: { area_level1: 1, area_level2: 11 } })
    // Listings are searched by the names themselves.
    expect(await totalOf('/api/listings', { text: 'nea chora' })).toBe(1)
    await runCron()
    expect(await placesFound('νεα χωρα')).toBe(1)
    expect(await outdatedPlaces()).toEqual([])
  })

  it('by an import of places that are new to this version', async () => {
    await execute(
      "insert into locations (id, level, name_el, name_en, full_name_el, full_name_en, search) values (990, 1, 'Νέος', 'New', 'Νέος', 'New', '')",
    )
    await importRecords([['users', { id: 1, name: 'User Uno' }]])
    await runCron()
    expect(await placesFound('νεοσ')).toBe(1)
    expect(await outdatedPlaces()).toEqual([])
  })
})

describe('other code', () => {
  it('a new form of the code derives older records again and records its form', async () => {
    await execute("update contacts set search = 'other'")
    await runCron()
    expect(await totalOf('/api/contacts', { search: 'before' })).toBe(0)
    await execute(
      "update derivations set form = 'other' where name not in ('public_listings', 'record_counts')",
    )
    await runCron()
    expect(await selectAll("select id from contacts where search = 'other'")).toEqual([])
    expect(await selectAll("select name from derivations where form = 'other'")).toEqual([])
  })
})

describe('several versions at work at once', () => {
  const OTHER = { ...CONTACT_SEARCH, form: 'old' }
  const owner = () =>
    selectFirst('select form, replaced from derivations where name = ?', CONTACT_SEARCH.name)
  const { form } = CONTACT_SEARCH

  it('derive once, and not what the other did: the newer does, until it is gone', async () => {
    await execute('delete from derivations where name = ?', CONTACT_SEARCH.name)
    const { DB, counts } = counted()
    const db = database({ DB })
    const portion = { size: 1, portions: 1 }
    await followChanges(db, OTHER)
    expect(await owner()).toEqual({ form: 'old', replaced: null })
    // In portions far smaller than all contacts.
    await followChanges(db, CONTACT_SEARCH, portion)
    expect(await owner()).toEqual({ form, replaced: 'old' })
    for (let minute = 0; minute < 10; minute++) {
      await followChanges(db, OTHER)
      await followChanges(db, CONTACT_SEARCH, portion)
    }
    await followChanges(db, CONTACT_SEARCH)
    const end = await selectFirst<{ cursor: number }>(
      'select max(cursor) as cursor from changes where resource = ?',
      'contacts',
    )
    expect(
      await selectFirst('select form, cursor from derivations where name = ?', CONTACT_SEARCH.name),
    ).toEqual({ form, ...end })
    Object.assign(counts, { rowsRead: 0, rowsWritten: 0 })
    for (let minute = 0; minute < 5; minute++)
      for (const one of [OTHER, CONTACT_SEARCH]) await followChanges(db, one)
    expect(counts.rowsWritten).toBe(0)
    await execute('update derivations set used = used - 7 * 60 * 60 where name = ?', CONTACT_SEARCH.name)
    // It notes that it is still there.
    await followChanges(db, CONTACT_SEARCH)
    await followChanges(db, OTHER)
    expect(await owner()).toEqual({ form, replaced: 'old' })
    await execute('update derivations set used = used - 7 * 60 * 60 where name = ?', CONTACT_SEARCH.name)
    await followChanges(db, OTHER)
    expect(await owner()).toEqual({ form: 'old', replaced: form })
    await execute('delete from derivations where name = ?', CONTACT_SEARCH.name)
  })

  it('derive once, also where three are, as after a rollback in the middle of a deployment', async () => {
    await execute('delete from derivations where name = ?', CONTACT_SEARCH.name)
    const versions = ['oldest', 'old', 'new'].map((of) => ({ ...CONTACT_SEARCH, form: of }))
    for (const version of versions) await followChanges(database(env), version)
    const { DB, counts } = counted()
    const db = database({ DB })
    for (let minute = 0; minute < 5; minute++)
      for (const version of versions) await followChanges(db, version)
    expect([await owner(), counts.rowsWritten]).toEqual([{ form: 'new', replaced: 'old oldest' }, 0])
    // Only the last few are kept.
    for (let count = 0; count < 50; count++)
      await followChanges(db, { ...CONTACT_SEARCH, form: `form-${count}` })
    const { replaced } = (await owner()) as { replaced: string }
    expect(replaced).toMatch(/^form-48 form-47 /)
    expect(replaced.length).toBeLessThan(200)
    await execute('delete from derivations where name = ?', CONTACT_SEARCH.name)
  })

  it('look at all places once', async () => {
    await keepPlaceSearch(database(env))
    await execute("update derivations set form = 'new', replaced = form where name = 'place_search'")
    expect(await keepPlaceSearch(database(env))).toBeUndefined()
    await execute("update derivations set used = used - 7 * 60 * 60 where name = 'place_search'")
    expect(await keepPlaceSearch(database(env))).toEqual({ places: 0 })
  })
})

/** The database, and the statements of each call to it. */
function watched() {
  const trips: string[][] = []
  const DB = databaseAround((send, texts) => {
    trips.push(texts)
    return send()
  })
  return { db: database({ DB }), trips }
}

describe('texts of places', () => {
  const texts = () => selectAll('select id, search from locations order by id')

  it('cost one call and no row while no place changes', async () => {
    const { db, trips } = watched()
    expect(await keepPlaceSearch(db)).toBeUndefined()
    expect(trips).toHaveLength(1)
    expect(trips.flat().join()).not.toMatch(/from locations/)
  })

  it('a new form of the code stores again the texts of places that differ', async () => {
    const before = await texts()
    await execute("update locations set search = 'other' where id in (1, 12)")
    // No place was written, so nobody looks.
    expect(await keepPlaceSearch(database(env))).toBeUndefined()
    await execute("update derivations set form = 'other' where name = 'place_search'")
    expect(await keepPlaceSearch(database(env))).toEqual({ places: 2 })
    expect(await texts()).toEqual(before)
    expect(await keepPlaceSearch(database(env))).toBeUndefined()
  })

  it('are those of names that somebody writes meanwhile', async () => {
    await writeByOther.place(12, 'Παλιά')
    const meanwhile = () => importRecords([['locations', { id: 12, name_el: 'Καινούρια' }]])
    const DB = failBefore(/update locations/, meanwhile)
    expect(await keepPlaceSearch(database({ DB }))).toEqual({ places: 1 })
    expect(await placesFound('καινουρια')).toBe(1)
    expect(await outdatedPlaces()).toEqual([])
    // What was written came after what was looked at.
    expect(await keepPlaceSearch(database(env))).toEqual({ places: 0 })
  })

  it('are made by several runs at once', async () => {
    await writeByOther.place(11, 'Πολλοί')
    await Promise.all([1, 2, 3].map(() => keepPlaceSearch(database(env))))
    expect(await outdatedPlaces()).toEqual([])
    expect(await keepPlaceSearch(database(env))).toBeUndefined()
  })
})

describe('followed changes', () => {
  it('are read once, in portions, and written only where they differ', async () => {
    const { db, trips } = watched()
    await execute('delete from derivations')
    await followChanges(db, CONTACT_SEARCH, { size: 2, portions: 1 })
    const [first] = await selectAll<{ cursor: number }>('select cursor from derivations')
    await followChanges(db, CONTACT_SEARCH, { size: 2 })
    const [last] = await selectAll<{ cursor: number }>('select cursor from derivations')
    expect(last?.cursor).toBeGreaterThan(first?.cursor ?? 0)
    trips.length = 0
    await followChanges(db, CONTACT_SEARCH)
    const sent = trips.flat()
    expect(sent).toHaveLength(3)
    const plan = await selectAll<{ detail: string }>(`explain query plan ${sent[1]}`, 'contacts', '', '', 1)
    expect(plan.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN)/.test(detail))).toEqual([
      expect.stringContaining('SEARCH changes USING'),
      expect.stringContaining('SEARCH derivations USING INDEX'),
    ])
  })

  it('leave alone what is written between reading and storing', async () => {
    await writeByOther.contact(contact, 'Other')
    let isDone = false
    const DB = databaseOf({
      batch: async (statements: D1PreparedStatement[]) => {
        if (isDone || !(await selectFirst('select 1 from derivations'))) return env.DB.batch(statements)
        isDone = true
        const results = await env.DB.batch(statements)
        await put(`/api/contacts/${contact}`, { first_name: 'Newest' })
        return results
      },
    })
    await followChanges(database({ DB }), CONTACT_SEARCH)
    expect(await totalOf('/api/contacts', { search: 'newest' })).toBe(1)
    expect(await totalOf('/api/contacts', { search: 'other' })).toBe(0)
    await runCron()
    expect(await totalOf('/api/contacts', { search: 'newest' })).toBe(1)
  })
})

it('of all places of a country is derived, though its texts are longer together than D1 takes', async () => {
  const ids = Array.from({ length: 4000 }, (_, index) => 1000 + index)
  await execute(
    `insert into locations (id, level, name_el, name_en, full_name_el, full_name_en, search)
    select value, 1, value || ?, value || ?, '', '', '' from json_each(?)`,
    'Ό'.repeat(250),
    'N'.repeat(250),
    JSON.stringify(ids),
  )
  await execute("delete from derivations where name = 'place_search'")
  expect(await keepPlaceSearch(database(env))).toEqual({ places: ids.length })
  expect(await outdatedPlaces()).toEqual([])
  await execute('delete from locations where id >= 1000')
})
