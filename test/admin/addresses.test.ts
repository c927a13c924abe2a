/** What feeds and calendars share: lists of what has a URL that cannot be guessed. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectData, expectError, get, post, put, remove } from '../support/api.ts'
import { execute, failBefore } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'

beforeAll(seedAgency)

const MADE = 'token, date_created, date_updated) select'
/** By the name of the list: a body that makes one, a change, what another call changes meanwhile, and rows to fill it with. */
const LISTS = [
  {
    ...{ list: 'feeds', name: 'Feed', body: { name: 'Portal', format: 'kyero' }, change: { name: 'Other' } },
    ...{ meanwhile: `languages = '["en"]'`, changed: { languages: ['en'] }, most: 100, isShownAgain: true },
    rows: `insert into feeds (name, format, filters, ${MADE} 'x', 'kyero', '{}', value, '', '' from numbers`,
  },
  {
    ...{ list: 'calendars', name: 'Calendar', body: { user_id: 1 }, change: { user_id: 2 } },
    ...{ meanwhile: 'tasks = 1', changed: { tasks: true }, most: 1000, isShownAgain: false },
    rows: `insert into calendars (user_id, detail, tasks, ${MADE} 1, 'brief', 0, value, '', '' from numbers`,
  },
]

describe.each(LISTS)('/admin/$list', ({ list, name, body, change, isShownAgain, ...one }) => {
  const path = `/admin/${list}`
  const make = async () => (await post(path, body)).body.data
  const statusOf = async (url: string) => (await get(new URL(url).pathname)).status
  /** As it is read later. */
  const shown = ({ url, ...rest }: { url: string }) => (isShownAgain ? { url, ...rest } : rest)

  beforeEach(async () => {
    await execute(`delete from ${list}`)
  })

  it('makes one that nobody keeps a copy of, lists them, oldest first, and reads one', async () => {
    const first = await make()
    const { body: made, headers } = await post(path, body)
    expect(headers.get('Cache-Control')).toBe('private, no-store')
    expect(await statusOf(first.url)).toBe(200)
    await expectData(get(path), [shown(first), shown(made.data)])
    await expectData(get(`${path}/${first.id}`), shown(first))
  })

  it('keeps no more than it may', async () => {
    await execute(`with recursive numbers (value) as (select 1 union all select value + 1 from numbers
      where value < ${one.most - 1}) ${one.rows}`)
    expect((await post(path, body)).status).toBe(200)
    await expectError(post(path, body), 409, `Too many ${list}: at most ${one.most} are kept`)
  })

  it('joins a change of another call', async () => {
    const { id } = await make()
    const DB = failBefore(new RegExp(`update ${list}`), () =>
      execute(`update ${list} set ${one.meanwhile}, version = version + 1 where id = ?`, id),
    )
    const { status } = await put(`${path}/${id}`, change, { bindings: { DB } })
    expect(status).toBe(200)
    expect((await get(`${path}/${id}`)).body.data).toMatchObject({ ...change, ...one.changed })
  })

  it('gives one another URL, and the old one ends at once', async () => {
    const made = await make()
    const { data } = (await post(`${path}/${made.id}/rotate`, {})).body
    expect(data).toEqual({ ...made, url: expect.any(String), date_updated: expect.any(String) })
    expect([await statusOf(made.url), await statusOf(data.url)]).toEqual([404, 200])
  })

  it('deletes one, whose URL ends at once', async () => {
    const { id, url } = await make()
    expect((await remove(`${path}/${id}`)).body).toEqual({ status: 200, deleted_id: id })
    expect(await statusOf(url)).toBe(404)
  })

  it.each([
    ['GET', '99999', () => get(`${path}/99999`)],
    ['PUT', '99999', () => put(`${path}/99999`, change)],
    ['DELETE', '99999', () => remove(`${path}/99999`)],
    ['POST', '99999/rotate', () => post(`${path}/99999/rotate`, {})],
  ])('%s %s answers 404', (_, __, send) => expectError(send(), 404, `${name} not found`))
})
