import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formatDateTime } from '../../../src/fields/values.ts'
import {
  expectError,
  expectInvalid,
  get,
  importRecords,
  keyOf,
  post,
  put,
  remove,
} from '../../support/api.ts'
import { empty, rows, seedDeals } from '../offers/seed.ts'

type Data = Record<string, unknown>

const keys: Record<string, string> = {}
const keyNamed = (name: string) => ({ key: keys[name] ?? '' })

beforeAll(async () => {
  await seedDeals()
  for (const [name, user_id] of [
    ['Telephone', null],
    ['Mail', null],
    ['Anna', 2],
  ] as const) {
    keys[name] = await keyOf(user_id, name)
  }
})
beforeEach(() => empty('activity_contacts', 'activity_users', 'activities', 'id_floors', 'idempotency_keys'))

const NOTE = { type: 'note', text: 'T', contacts: [1] }
const create = (body: Data, name = 'Anna') => post('/api/activities', { ...NOTE, ...body }, keyNamed(name))
const change = (body: Data) => put('/api/activities/1', body, keyNamed('Anna'))
const read = async (id = 1) => (await get(`/api/activities/${id}`)).body.data
const ids = async (filters: string) =>
  (await get(`/api/activities?${filters}`)).body.data.map(({ id }: { id: number }) => id)
const inMs = (ms: number) => formatDateTime(new Date(Date.now() + ms))

const NOTHING = 'Missing contacts'
const TEXT = 'Missing text'
const FUTURE = 'Invalid date: must not be later than a minute from now'

describe('POST /api/activities', () => {
  it('stores a note that happened now, with the user of the key', async () => {
    const before = inMs(-1000)
    expect((await create({})).body).toEqual({ status: 200, created_id: 1 })
    const data = await read()
    expect(data).toMatchObject({ id: 1, ...NOTE, users: [2], author: null, created_by: 2 })
    expect(data.date >= before && data.date <= data.date_created).toBe(true)
  })

  it('names the key as the author where there is no user', async () => {
    await create({}, 'Telephone')
    await create({ users: [3] }, 'Telephone')
    await create({ users: [] })
    expect(await rows('activities', 'id')).toMatchObject([
      { author: 'Telephone', created_by: 1 },
      { author: null, created_by: 1 },
      { author: null, created_by: 2 },
    ])
    expect(await read(2)).toMatchObject({ users: [3] })
    await change({ author: 'Me', users: [1] })
    expect(await read()).toMatchObject({ author: 'Telephone', users: [1] })
  })

  it.each<[string, Data]>([
    [TEXT, { text: null }],
    [TEXT, { text: '', subject: ' ' }],
    [NOTHING, { contacts: [] }],
    [NOTHING, { contacts: null, store_id: 1 }],
    [FUTURE, { date: '9999-12-31 00:00:00' }],
  ])('refuses %s', (problem, body) => expectInvalid(create(body), problem))

  it('takes clocks that are a little ahead, a subject alone, and a link other than contacts', async () => {
    expect((await create({ date: inMs(40_000) })).status).toBe(200)
    expect((await create({ text: undefined, subject: 'S' })).status).toBe(200)
    expect((await create({ contacts: undefined, listing_id: 1 })).status).toBe(200)
  })
})

describe('external_id', () => {
  const CALL = { external_id: 'call-7', contacts: [1] }

  it('that the key has sent answers with its activity, and stores nothing', async () => {
    const first = await create(CALL, 'Telephone')
    const state = await rows('activities')
    const again = await create({ ...CALL, text: 'other', contacts: [99] }, 'Telephone')
    expect([again.status, again.body]).toEqual([200, { status: 200, created_id: 1 }])
    expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'))
    expect(await rows('activities')).toEqual(state)
    expect((await create(CALL, 'Mail')).body.created_id).toBe(2)
    expect((await create({}, 'Telephone')).body.created_id).toBe(3)
  })

  it('of a deleted activity brings nothing back', async () => {
    await create(CALL, 'Telephone')
    await remove('/api/activities/1')
    expect((await create(CALL, 'Telephone')).body).toEqual({ status: 200, created_id: 1 })
    await expectError(get('/api/activities/1'), 404, 'Activity not found')
  })

  it('stays with its key when an import writes the activity', async () => {
    await create(CALL, 'Telephone')
    const line = await read()
    await importRecords([['activities', { ...line, text: 'Imported' }]])
    expect(await rows('activities')).toMatchObject([
      { sent_by: expect.stringMatching(/./), search: 'imported' },
    ])
    expect((await create(CALL, 'Telephone')).body.created_id).toBe(1)
  })
})

describe('PUT /api/activities/{id}', () => {
  it.each<[string, Data]>([
    [TEXT, { text: null }],
    [NOTHING, { contacts: [] }],
    [FUTURE, { date: '9999-12-31 00:00:00' }],
  ])('refuses %s', async (problem, body) => {
    await create({})
    const before = await rows('activities')
    await expectInvalid(change(body), problem)
    expect(await rows('activities')).toEqual(before)
  })

  it('takes back what a read gives, also of an activity that import has stored without words', async () => {
    const date = '9999-01-01 00:00:00'
    await importRecords([['activities', { id: 1, type: 'note', date, created_by: 1 }]])
    const data = await read()
    const { status, headers } = await change(data)
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([
      200,
      'id, author, created_by, date_created, date_updated',
    ])
    expect(await rows('activities')).toMatchObject([{ version: 1 }])
    expect((await change({ is_pinned: true })).status).toBe(200)
    await expectInvalid(change({ subject: ' ' }), TEXT)
  })
})

describe('GET /api/activities', () => {
  it('searches subject and text, folded', async () => {
    await create({ subject: 'Κλειδιά', text: 'στον  θυρωρό' })
    await create({ text: 'ΤΑ ΚΛΕΙΔΙΆ' })
    expect(await ids('search=κλειδια')).toEqual([2, 1])
    expect(await ids('search=ΣΤΟΝ+ΘΥΡΩΡΟ')).toEqual([1])
    await change({ subject: null })
    expect(await ids('search=κλειδια')).toEqual([2])
  })

  it('finds those of me', async () => {
    await create({})
    await create({ users: [1] })
    const { body } = await get('/api/activities?user_id=me', keyNamed('Anna'))
    expect(body.data).toMatchObject([{ id: 1 }])
    await expectInvalid(
      get('/api/activities?user_id=me', keyNamed('Mail')),
      'Invalid user_id: me is the user behind the key or the person who calls, and there is none',
    )
  })
})
