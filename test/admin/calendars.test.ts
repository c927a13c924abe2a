import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectData,
  expectError,
  expectInvalid,
  get,
  importRecords,
  post,
  put,
  remove,
} from '../support/api.ts'
import { execute, failBefore, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { DATE } from '../support/factories/dates.ts'

const URL_OF_ONE = /^http:\/\/estia\.test\/calendars\/([0-9a-f]{32})\.ics$/

const brief = {
  id: expect.any(Number),
  user_id: 1,
  detail: 'brief',
  tasks: false,
  ...{ date_created: DATE, date_updated: DATE },
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
    const { url, ...data } = await make()
    expect([url, data]).toEqual([expect.stringMatching(URL_OF_ONE), brief])
    expect(await selectAll('select * from calendars')).toEqual([
      { ...data, tasks: 0, token: hashOf(url), version: 1 },
    ])
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

  it('refuses a user who is deleted meanwhile', async () => {
    await importRecords([['users', { id: 9, name: 'User Nine' }]])
    const DB = failBefore(/insert into calendars/, () => execute('delete from users where id = 9'))
    await expectInvalid(post('/admin/calendars', { user_id: 9 }, { bindings: { DB } }), 'Unknown user_id 9')
  })
})

describe('PUT /admin/calendars/{id}', () => {
  it('changes only the keys sent', async () => {
    const { url, ...made } = await make({ detail: 'full' })
    const { body } = await put(`/admin/calendars/${made.id}`, { user_id: 2, tasks: true })
    expect(body).toEqual({ status: 200, updated_id: made.id })
    const changed = { ...made, user_id: 2, tasks: true, date_updated: DATE }
    await expectData(get(`/admin/calendars/${made.id}`), changed)
    expect(await statusOf(url)).toBe(200)
    await put(`/admin/calendars/${made.id}`, { detail: null })
    await expectData(get(`/admin/calendars/${made.id}`), { ...changed, detail: 'brief' })
  })
})

it('POST /admin/calendars/{id}/rotate stores the hash of another URL', async () => {
  const made = await make()
  const { data } = (await post(`/admin/calendars/${made.id}/rotate`, {})).body
  expect(data).toEqual({ ...brief, id: made.id, url: expect.stringMatching(URL_OF_ONE) })
  expect(await selectAll('select token, version from calendars')).toEqual([
    { token: hashOf(data.url), version: 2 },
  ])
})

it('A user with a calendar cannot be deleted', async () => {
  await importRecords([['users', { id: 9, name: 'User Nine' }]])
  const { id } = await make({ user_id: 9 })
  await expectError(remove('/admin/definitions/users/9'), 409, '9 is used by 1 calendar')
  await remove(`/admin/calendars/${id}`)
  expect((await remove('/admin/definitions/users/9')).status).toBe(200)
})
