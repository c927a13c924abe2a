/**
 * Reading the feed of changes: cursors, filters, scopes, tombstones.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { LOOKUPS, pathsOf } from '../../../src/catalogue/lookups.ts'
import { RESOURCES } from '../../../src/db/changes.ts'
import { purgeChanges } from '../../../src/resources/changes/purge.ts'
import { DAILY, runScheduled } from '../../../src/scheduled.ts'
import { expectInvalid, get, importRecords, keyWith, put, query, remove } from '../../support/api.ts'
import { execute, selectFirst } from '../../support/database.ts'
import { createListing, listingLine } from '../../support/factories/listing.ts'
import { emptyAndSeed, emptyService } from '../../support/storage.ts'
import { minimalRequest, seedRequests } from '../requests/seed.ts'
import { follow, newest, readFeed } from './feed.ts'

const DAY = 24 * 60 * 60 * 1000
const NAMES = RESOURCES.join(', ')
const TOO_OLD = { status: 410, error_message: 'Cursor too old: read everything anew' }
const contact = (id: number) => ['contacts', { id, first_name: 'A', last_name: 'B', created_by: 1 }] as const
const loadContacts = (...ids: number[]) =>
  importRecords(ids.map((id): [string, Record<string, unknown>] => [...contact(id)]))
const shown = (entries: { resource: string; id: number; change: string }[]) =>
  entries.map(({ resource, id, change }) => `${resource} ${id} ${change}`)

/** Ages every entry there is. */
const age = (days: number) => env.DB.exec(`update changes set date = datetime(date, '-${days} days')`)
const refused = async (after: string) => {
  const { status, body } = await get(`/api/changes?after=${after}`)
  return { status, body }
}

beforeEach(() => emptyAndSeed(seedRecords))

/** Without the entries of lookups, so that there are few. */
async function seedRecords(): Promise<void> {
  await seedRequests()
  for (const path of LOOKUPS.flatMap(pathsOf)) await execute('delete from changes where resource = ?', path)
  await execute(
    'update changes set cursor = (select count(*) from changes one where one.cursor <= changes.cursor)',
  )
}

describe('a page', () => {
  it('has as many entries as wanted, and says whether there are more', async () => {
    await loadContacts(4, 5)
    const first = await readFeed({ limit: 2 })
    expect(first).toEqual({
      status: 200,
      data: [1, 2].map((id) => ({
        cursor: expect.any(String),
        resource: 'contacts',
        id,
        change: 'changed',
        date: expect.any(String),
      })),
      next: first.data[1]?.cursor,
      more: true,
    })
    const second = await readFeed({ after: first.next, limit: 3 })
    expect(shown(second.data)).toEqual(['contacts 3 deleted', 'contacts 4 changed', 'contacts 5 changed'])
    expect(second.more).toBe(false)
    expect(await readFeed({ after: second.next })).toEqual({
      status: 200,
      data: [],
      next: second.next,
      more: false,
    })
    // The cursor of any entry will do.
    expect((await readFeed({ after: second.data[0]?.cursor ?? '' })).data.map(({ id }) => id)).toEqual([4, 5])
  })

  it('takes its filters in the query, in a body, and by QUERY', async () => {
    await createListing()
    const byQuery = await get('/api/changes?resources=listings,requests&limit=1')
    expect(byQuery.body.data).toEqual([expect.objectContaining({ resource: 'listings', id: 1 })])
    for (const resources of ['listings,requests', 'requests, listings', ['listings', 'requests']]) {
      expect((await query('/api/changes', { resources, limit: 1 })).body).toEqual(byQuery.body)
    }
    expect((await get('/api/changes?resources=listings&resources=requests&limit=1')).body).toEqual(
      byQuery.body,
    )
    expect((await get('/api/changes?resources=&after=&limit=')).body.data).toHaveLength(4)
  })

  it('lets a reader of little pass what is not asked for', async () => {
    const start = await readFeed({ resources: 'requests' })
    expect(start.data).toEqual([])
    await loadContacts(4, 5, 6)
    const moved = await readFeed({ after: start.next, resources: 'requests' })
    expect(moved).toEqual({ status: 200, data: [], next: await newest(), more: false })
    expect(moved.next > start.next).toBe(true)
  })
})

const cursorText = 'Invalid after: must be a cursor of this deployment'

describe('what cannot be', () => {
  it.each([
    ['after=x', cursorText],
    ['after=0', cursorText],
    ['after=000000000000-00000000000001', cursorText],
    ['resources=castles', `Invalid resources: must be one of ${NAMES}`],
    ['resources=contacts,castles', `Invalid resources: must be one of ${NAMES}`],
    ['resources=knowledge-base', `Invalid resources: must be one of ${NAMES}`],
  ])('%s is 400', async (filters, message) => {
    await expectInvalid(get(`/api/changes?${filters}`), message)
  })

  it('is a cursor of another deployment, or one from the future', async () => {
    const next = await newest()
    const future = next.slice(0, -1) + (next.endsWith('f') ? 'e' : 'f')
    await expectInvalid(get(`/api/changes?after=${future}`), cursorText)
    await expectInvalid(get(`/api/changes?after=${next.toUpperCase()}x`), cursorText)
    await emptyService()
    await seedRequests()
    await expectInvalid(get(`/api/changes?after=${next}`), cursorText)
    await expectInvalid(query('/api/changes', { after: 5 }), 'Invalid after: must be text')
  })
})

describe('a copy of the database that is behind the cursor', () => {
  const BOOKMARK = '00000001-00000002-00004e2f-0a83ea2fceebc654de0640c422be4653'

  it.each(['any', BOOKMARK])('has nothing new, and leads nobody back: %s', async (bookmark) => {
    const next = await newest()
    await loadContacts(50)
    const ahead = await newest()
    await env.DB.exec(`delete from changes where resource = 'contacts' and id = 50`)
    const headers = { 'X-D1-Bookmark': bookmark }
    const { status, body } = await get(`/api/changes?after=${ahead}`, { headers })
    expect([status, body]).toEqual([200, { status: 200, data: [], next: ahead, more: false }])
    expect((await readFeed({ after: next }, { headers })).data).toEqual([])
    const stranger = `${'0'.repeat(12)}${ahead.slice(12)}`
    await expectInvalid(get(`/api/changes?after=${stranger}`, { headers }), cursorText)
  })
})

describe('a key', () => {
  it('sees what it may read, and nothing else', async () => {
    await createListing()
    await importRecords([
      ['knowledge_base_categories', { id: 1, name: 'C', icon: 'i', color: '#fff', is_active: true }],
      listingLine(9, { location: { area_level1: 1, area_level2: 11 } }),
      ['requests', { ...minimalRequest, id: 9 }],
    ])
    const seen = async (...scopes: string[]) =>
      shown((await readFeed({}, { key: await keyWith(...scopes) })).data)
    expect(await seen('listings:read')).toEqual(['listings 1 changed', 'listings 9 changed'])
    expect(await seen('requests:read')).toEqual(['requests 9 changed', 'matches 9 changed'])
    expect(await seen('knowledge-base:read', 'users:read')).toEqual(['knowledge-base/categories 1 changed'])
    expect(await seen('*:read')).toHaveLength(8)
  })
})

describe('tombstones', () => {
  it('live 90 days; an older cursor is told to read everything anew', async () => {
    const before = await newest()
    await loadContacts(4, 5)
    const middle = await newest()
    await remove('/api/contacts/4')
    const deleted = await newest()
    await loadContacts(6)
    await age(89)
    await runScheduled({ cron: DAILY }, env)
    expect(shown((await readFeed({ after: before })).data)).toEqual([
      'contacts 5 changed',
      'contacts 4 deleted',
      'contacts 6 changed',
    ])
    await age(2)
    await runScheduled({ cron: DAILY }, env)
    expect(await refused(before)).toEqual({ status: 410, body: TOO_OLD })
    expect(await refused(middle)).toEqual({ status: 410, body: TOO_OLD })
    // Nobody who stood behind the last one that is gone has missed anything.
    expect(shown((await readFeed({ after: deleted })).data)).toEqual(['contacts 6 changed'])
    expect(shown((await follow(undefined, { limit: 1 })).found)).toEqual([
      'contacts 1 changed',
      'contacts 2 changed',
      'contacts 5 changed',
      'contacts 6 changed',
    ])
  })

  it('removed tombstones do not stop readers that began after them', async () => {
    await loadContacts(4, 5)
    await remove('/api/contacts/4')
    await loadContacts(6)
    await age(91)
    const began = await readFeed({ limit: 1 })
    const early = await newest()
    await loadContacts(7)
    await remove('/api/contacts/5')
    await purgeChanges(env)
    const { found, next } = await follow(began.next, { limit: 1 })
    expect(shown(found)).toEqual([
      'contacts 2 changed',
      'contacts 6 changed',
      'contacts 7 changed',
      'contacts 5 deleted',
    ])
    expect(next).toBe(await newest())
    const cursors = [began.next, ...found.map(({ cursor }) => cursor), next]
    expect(cursors).toEqual(cursors.toSorted((a, b) => (a < b ? -1 : 1)))
    // But once one is gone that came after they began, they have to begin anew.
    await loadContacts(8)
    await age(91)
    await purgeChanges(env)
    for (const cursor of [began.next, early]) expect((await refused(cursor)).body).toEqual(TOO_OLD)
  })

  it('keep the newest number taken, even when everything is old', async () => {
    await loadContacts(4)
    await remove('/api/contacts/4')
    await age(1000)
    const last = await newest()
    await purgeChanges(env)
    expect(await newest()).toBe(last)
    await put('/api/contacts/1', { notes: 'n' })
    expect((await newest()) > last).toBe(true)
    expect(shown((await readFeed({ after: last })).data)).toEqual(['contacts 1 changed'])
  })

  it('go in portions, each entry looked at once', async () => {
    await loadContacts(4, 5, 6, 7, 8)
    for (const id of [4, 6, 8]) await remove(`/api/contacts/${id}`)
    await loadContacts(9)
    await age(91)
    const state = () => selectFirst('select examined, purged from change_feed')
    const count = () =>
      env.DB.prepare("select count(*) as n from changes where change = 'deleted'").first<number>('n')
    await purgeChanges(env, new Date(), { portions: 1, size: 4 })
    expect([await count(), await state()]).toEqual([3, { examined: 5, purged: 3 }])
    await purgeChanges(env, new Date(), { portions: 10, size: 2 })
    expect([await count(), await state()]).toEqual([0, { examined: 11, purged: 11 }])
    await purgeChanges(env, new Date(Date.now() + 2 * DAY))
    expect(await state()).toEqual({ examined: 11, purged: 11 })
  })
})
