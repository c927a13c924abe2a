import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendTo } from '../http/send.ts'
import {
  ADMIN_TOKEN,
  expectData,
  expectError,
  expectInvalid,
  get,
  importRecords,
  ORIGIN,
  post,
  put,
  remove,
} from '../support/api.ts'
import { execute, failBefore, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'

const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const URL_OF_ONE = /^http:\/\/estia\.test\/calendars\/([0-9a-f]{32})\.ics$/

const brief = {
  id: expect.any(Number),
  user_id: 1,
  detail: 'brief',
  tasks: false,
  date_created: expect.stringMatching(MOMENT),
  date_updated: expect.stringMatching(MOMENT),
}

beforeAll(seedAgency)
beforeEach(async () => {
  await execute('delete from calendars')
})

const make = async (values: Record<string, unknown> = {}) =>
  (await post('/admin/calendars', { user_id: 1, ...values })).body.data
const statusOf = async (url: string) => (await get(new URL(url).pathname)).status
const hashOf = (url: string) =>
  createHash('sha256')
    .update(URL_OF_ONE.exec(url)?.[1] ?? '')
    .digest('hex')

describe('POST /admin/calendars', () => {
  it('shows the URL once and stores its hash', async () => {
    const { status, body, headers } = await post('/admin/calendars', { user_id: 1 })
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 200, data: { ...brief, url: expect.stringMatching(URL_OF_ONE) } },
    })
    expect(headers.get('Cache-Control')).toBe('private, no-store')
    const { url, ...data } = body.data
    expect(await selectAll('select * from calendars')).toEqual([
      { ...data, tasks: 0, token: hashOf(url), version: 1 },
    ])
    expect(await statusOf(url)).toBe(200)
    await expectData(get('/admin/calendars'), [data])
    await expectData(get(`/admin/calendars/${data.id}`), data)
  })

  it.each<[string, Record<string, unknown>]>([
    ['Missing user_id', {}],
    ['Missing user_id', { user_id: null }],
    ['Unknown user_id 99', { user_id: 99 }],
    ['Invalid detail: must be one of brief, full', { user_id: 1, detail: 'all' }],
    ['Invalid tasks: must be true or false', { user_id: 1, tasks: 'yes' }],
  ])('refuses %s', async (message, body) => {
    await expectInvalid(post('/admin/calendars', body), message)
    expect(await selectAll('select id from calendars')).toEqual([])
  })

  it('refuses one more than 1,000', async () => {
    await execute(`with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < 999)
      insert into calendars (user_id, detail, tasks, token, date_created, date_updated)
        select 1, 'brief', 0, n, '', '' from numbers`)
    expect((await post('/admin/calendars', { user_id: 1 })).status).toBe(200)
    await expectError(
      post('/admin/calendars', { user_id: 1 }),
      409,
      'Too many calendars: at most 1000 are kept',
    )
  })

  it('refuses a user who is deleted meanwhile', async () => {
    await importRecords([['users', { id: 9, name: 'User Nine' }]])
    const DB = failBefore(/insert into calendars/, () => execute('delete from users where id = 9'))
    const request = new Request(`${ORIGIN}/admin/calendars`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
      body: JSON.stringify({ user_id: 9 }),
    })
    await expectInvalid(sendTo({ DB }, request), 'Unknown user_id 9')
  })
})

describe('PUT /admin/calendars/{id}', () => {
  it('changes only the keys sent', async () => {
    const { url, ...made } = await make({ detail: 'full' })
    const { body } = await put(`/admin/calendars/${made.id}`, { user_id: 2, tasks: true })
    expect(body).toEqual({ status: 200, updated_id: made.id })
    const changed = { ...made, user_id: 2, tasks: true, date_updated: expect.stringMatching(MOMENT) }
    await expectData(get(`/admin/calendars/${made.id}`), changed)
    expect(await statusOf(url)).toBe(200)
    await put(`/admin/calendars/${made.id}`, { detail: null })
    await expectData(get(`/admin/calendars/${made.id}`), { ...changed, detail: 'brief' })
  })
})

it('POST /admin/calendars/{id}/rotate gives it another URL, and the old one ends at once', async () => {
  const made = await make()
  const { data } = (await post(`/admin/calendars/${made.id}/rotate`, {})).body
  expect(data).toEqual({ ...brief, id: made.id, url: expect.stringMatching(URL_OF_ONE) })
  expect(await selectAll('select token, version from calendars')).toEqual([
    { token: hashOf(data.url), version: 2 },
  ])
  expect([await statusOf(made.url), await statusOf(data.url)]).toEqual([404, 200])
  await expectError(post('/admin/calendars/99999/rotate', {}), 404, 'Calendar not found')
})

it('DELETE /admin/calendars/{id} ends it at once', async () => {
  const { id, url } = await make()
  expect((await remove(`/admin/calendars/${id}`)).body).toEqual({ status: 200, deleted_id: id })
  expect(await statusOf(url)).toBe(404)
  await expectError(remove(`/admin/calendars/${id}`), 404, 'Calendar not found')
})

it('A user with a calendar cannot be deleted', async () => {
  await importRecords([['users', { id: 9, name: 'User Nine' }]])
  const { id } = await make({ user_id: 9 })
  await expectError(remove('/admin/definitions/users/9'), 409, '9 is used by 1 calendar')
  await remove(`/admin/calendars/${id}`)
  expect((await remove('/admin/definitions/users/9')).status).toBe(200)
})
