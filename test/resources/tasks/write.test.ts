import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Data, expectInvalid, get, importRecords, keyOf, post, put } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { empty, rows, seedDeals } from '../offers/seed.ts'

let [anna, program] = ['', '']

beforeAll(async () => {
  await seedDeals()
  await importRecords([['users', { id: 7, name: 'Gone', is_active: false }]])
  anna = await keyOf(2)
  program = await keyOf(null)
})
beforeEach(() => empty('task_contacts', 'tasks', 'id_floors', 'idempotency_keys'))

const create = (body: Data, key = anna) => post('/api/tasks', { title: 'Call', ...body }, { key })
const change = (body: Data, id = 1) => put(`/api/tasks/${id}`, body, { key: anna })
const done = (body: Data, headers = {}) => post('/api/tasks/1/done', body, { key: anna, headers })
const read = async (id = 1) => (await get(`/api/tasks/${id}`)).body.data
const ids = async (filters: string) =>
  (await get(`/api/tasks?${filters}`)).body.data.map(({ id }: { id: number }) => id)

describe('POST /api/tasks', () => {
  it('stores an open task for the user of the key', async () => {
    expect((await create({})).body).toEqual({ status: 200, created_id: 1 })
    expect(await read()).toMatchObject({ title: 'Call', user_id: 2, status: 'open', created_by: 2 })
  })

  it.each<[string, Data]>([
    ['Missing title', { title: ' ' }],
    ['Invalid user_id: 7 has left', { user_id: 7 }],
  ])('refuses %s', (problem, body) => expectInvalid(create(body), problem))

  it('needs a user where the key has none', async () => {
    await expectInvalid(create({}, program), 'Missing user_id')
    expect((await create({ user_id: 1 }, program)).status).toBe(200)
    expect(await read()).toMatchObject({ user_id: 1, created_by: 1 })
  })

  it('ignores and names what only its course decides', async () => {
    const { headers } = await create({ status: 'done', result: 'R', done_date: '2024-01-01 10:00:00' })
    expect(headers.get('X-Ignored-Fields')).toBe('status, result, done_date')
    expect(await read()).toMatchObject({ status: 'open', result: null, done_date: null })
  })
})

describe('POST /api/tasks/{id}/done', () => {
  const LINKS = { contacts: [2, 1], listing_id: 1, request_id: 1, store_id: 2 }

  it('finishes the task, without a next one', async () => {
    await create({})
    const { body } = await done({ result: 'Agreed' })
    expect(body).toEqual({ status: 200, updated_id: 1, created_id: null })
    const data = await read()
    expect(data).toMatchObject({ status: 'done', result: 'Agreed', done_date: data.date_updated })
    const { body: history } = await get('/api/tasks/1/history')
    expect(history.data[0]).toMatchObject({
      changed: { status: ['open', 'done'], done_date: [null, data.done_date] },
      others: ['result'],
    })
  })

  it('creates the next task about the same, but for contacts that are deleted', async () => {
    await create({ ...LINKS, notes: 'N', due: '2024-01-01' })
    await execute('update contacts set is_deleted = 1 where id = 2')
    const { body } = await done({ next: { title: 'Again', due: '2024-02-01' } })
    await execute('update contacts set is_deleted = 0 where id = 2')
    expect(body).toEqual({ status: 200, updated_id: 1, created_id: 2 })
    expect(await read(2)).toMatchObject({
      ...{ title: 'Again', notes: null, ...LINKS, contacts: [1], due: '2024-02-01', user_id: 2 },
      ...{ status: 'open', created_by: 2, done_date: null, result: null },
    })
    expect((await get('/api/tasks/2/history')).body.data).toMatchObject([{ version: 1, changed: null }])
    const { body: changes } = await get('/api/changes?resources=tasks')
    expect(changes.data.map(({ id }: { id: number }) => id)).toEqual([1, 2])
  })

  it.each<[string, Data]>([
    ['Missing next.title', { next: {} }],
    ['Invalid next.user_id: 7 has left', { next: { title: 'T', user_id: 7 } }],
    ['Invalid result: must be at most 5000 characters', { result: 'x'.repeat(5001) }],
  ])('refuses %s', async (problem, body) => {
    await create({})
    await expectInvalid(done(body), problem)
    expect(await rows('tasks')).toMatchObject([{ status: 'open', version: 1 }])
  })

  it('changes nothing of a task that is done, and creates nothing', async () => {
    await create({})
    await done({ result: 'R' })
    const before = await rows('tasks')
    const { body } = await done({ result: 'Other', next: { title: 'T' } })
    expect(body).toEqual({ status: 200, updated_id: 1, created_id: null })
    expect(await rows('tasks')).toEqual(before)
  })

  it('of ten at once creates one next task', async () => {
    await create({})
    const replies = await Promise.all(Array.from({ length: 10 }, () => done({ next: { title: 'T' } })))
    expect(replies.map(({ body }) => body.created_id).filter(Boolean)).toEqual([2])
    expect(await rows('tasks')).toHaveLength(2)
  })
})

describe('PUT /api/tasks/{id}', () => {
  it('reopens a task, which loses when it was done and what came of it', async () => {
    await create({})
    await done({ result: 'R' })
    await change({ status: 'open', result: 'Ignored' })
    expect(await read()).toMatchObject({ status: 'open', done_date: null, result: null })
  })

  it('moves done_date with the status', async () => {
    await create({})
    await change({ status: 'done' })
    const data = await read()
    expect(data.done_date).toBe(data.date_updated)
    await change({ status: 'cancelled' })
    expect(await read()).toMatchObject({ status: 'cancelled', done_date: null })
  })

  it('refuses another user who has left, and takes back what a read gives of such a one', async () => {
    await importRecords([['tasks', { id: 1, title: 'T', user_id: 7, status: 'open', created_by: 1 }]])
    const { status, headers } = await change(await read())
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([
      200,
      'id, done_date, result, created_by, date_created, date_updated',
    ])
    await change({ user_id: 1 })
    await expectInvalid(change({ user_id: 7 }), 'Invalid user_id: 7 has left')
  })
})

describe('GET /api/tasks', () => {
  it('knows what is overdue by the time zone of the agency', async () => {
    vi.useFakeTimers({ now: new Date('2024-01-01T23:00:00Z'), toFake: ['Date'] })
    try {
      for (const due of ['2023-12-31', '2024-01-01', '2024-01-02', null]) await create({ due })
      await create({ due: '2023-12-01' })
      await change({ status: 'cancelled' }, 5)
      // In Athens it is the 2nd already.
      expect(await ids('overdue=true')).toEqual([2, 1])
      expect(await ids('overdue=false')).toEqual([5, 4, 3])
      await importRecords([['settings', { key: 'time_zone', value: 'America/New_York' }]])
      expect(await ids('overdue=true')).toEqual([1])
      expect(await ids('overdue=true&sort=due')).toEqual([1])
      await execute("delete from settings where key = 'time_zone'")
      expect(await ids('overdue=true')).toEqual([2, 1])
    } finally {
      vi.useRealTimers()
    }
  })
})
