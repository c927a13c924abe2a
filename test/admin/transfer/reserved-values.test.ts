/** What an import changes only for some of the callers who may import. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, call, type Data, importRecords, keyWith, post } from '../../support/api.ts'
import { failBefore, selectAll } from '../../support/database.ts'
import { emptyAndSeed } from '../../support/storage.ts'

const seed = async () => {
  await importRecords([
    ['stores', { id: 1, name: 'A', email: 'a@estia.example.com' }],
    ['stores', { id: 2, name: 'B' }],
    ['users', { id: 1, name: 'U', email: 'u@estia.example.com', store_id: 1 }],
    ['settings', { key: 'enquiry_email', value: 'office@estia.example.com' }],
    ['settings', { key: 'trail_days', value: 400 }],
  ])
}
beforeEach(() => emptyAndSeed(seed))

/** Imports a line, as a dry run first. Returns the problems, which must be the same. */
async function importLine(key: string, entity: string, data: Data, mode = 'merge') {
  const body = JSON.stringify({ entity, data })
  const send = (query: string) => call('POST', `/admin/import?mode=${mode}${query}`, { body, key })
  const dry = (await send('&dry_run=true')).body.data
  const { body: reply } = await send('')
  expect(dry).toEqual(reply.data)
  return reply.data.errors.flatMap(({ problems }: { problems: unknown[] }) => problems)
}

const state = async () => [
  await selectAll('select id, name, email from stores order by id'),
  await selectAll('select id, name, email from users order by id'),
  await selectAll('select key, value from settings order by key'),
]

const NEEDS = 'Needs the scope admin:settings'
const ONLY_TOKEN = 'Only ADMIN_TOKEN may change trail_days'

/** What changes who is told of enquiries, who somebody is, or how long the trail is kept. */
const CHANGES: [what: string, entity: string, data: Data, field: string, message: string, mode?: string][] = [
  ['another e-mail of a store', 'stores', { id: 1, email: 'm@evil.example.com' }, 'email', NEEDS],
  ['no e-mail of a store', 'stores', { id: 1, email: null }, 'email', NEEDS],
  ['a whole store without its e-mail', 'stores', { id: 1, name: 'A' }, 'email', NEEDS, 'replace'],
  ['the first e-mail of a store', 'stores', { id: 2, email: 'm@evil.example.com' }, 'email', NEEDS],
  ['a new store with an e-mail', 'stores', { id: 3, name: 'C', email: 'm@evil.example.com' }, 'email', NEEDS],
  ['another e-mail of a user', 'users', { id: 1, email: 'm@evil.example.com' }, 'email', NEEDS],
  ['another case of an e-mail', 'users', { id: 1, email: 'U@estia.example.com' }, 'email', NEEDS],
  ['a new user with an e-mail', 'users', { id: 2, name: 'V', email: 'u@estia.example.com' }, 'email', NEEDS],
  [
    'another address of enquiries',
    'settings',
    { key: 'enquiry_email', value: 'm@evil.example.com' },
    'value',
    NEEDS,
  ],
  ['no address of enquiries', 'settings', { key: 'enquiry_email', value: null }, 'value', NEEDS],
  ['no mails of appointments', 'settings', { key: 'appointment_mails', value: false }, 'value', NEEDS],
  ['a shorter trail', 'settings', { key: 'trail_days', value: 1 }, 'value', ONLY_TOKEN],
]

describe.each(CHANGES)('%s', (_, entity, data, field, message, mode) => {
  it('is refused to a key that may only import', async () => {
    const before = await state()
    const key = await keyWith('admin:import')
    expect(await importLine(key, entity, data, mode)).toEqual([{ field, message }])
    expect(await state()).toEqual(before)
  })

  it.each([
    ['a key with admin:settings', ['admin:import', 'admin:settings']],
    ['a key with admin:*', ['admin:*']],
    ['ADMIN_TOKEN', null],
  ])('is stored for %s, but for what is left to ADMIN_TOKEN', async (_, scopes) => {
    const before = await state()
    const problems = await importLine(scopes ? await keyWith(...scopes) : ADMIN_TOKEN, entity, data, mode)
    const isRefused = scopes !== null && message === ONLY_TOKEN
    expect(problems).toEqual(isRefused ? [{ field, message }] : [])
    if (!isRefused) expect(await state()).not.toEqual(before)
  })
})

it('What is stored already passes, and so does what lies beside it', async () => {
  const key = await keyWith('admin:import')
  const lines: [string, Data, string?][] = [
    ['stores', { id: 1, name: 'Renamed', email: 'a@estia.example.com' }],
    ['stores', { id: 1, name: 'Again', email: 'a@estia.example.com' }, 'replace'],
    ['stores', { id: 2, name: 'Renamed', email: '' }],
    ['stores', { id: 3, name: 'New' }],
    ['users', { id: 1, name: 'Renamed' }],
    ['users', { id: 2, name: 'New', email: null }],
    ['settings', { key: 'enquiry_email', value: 'office@estia.example.com' }],
    ['settings', { key: 'trail_days', value: 400 }],
    ['settings', { key: 'mail_language', value: 'en' }],
  ]
  for (const [entity, data, mode] of lines) expect(await importLine(key, entity, data, mode)).toEqual([])
})

it.each([
  ['stores', { id: 1, name: 'Renamed' }],
  ['stores', { id: 2, name: 'Renamed', url: 'https://estia.example.com' }],
  ['users', { id: 1, name: 'Renamed' }],
])(
  'An import of %s that has read the old e-mail leaves the one that is stored meanwhile',
  async (entity, data) => {
    const key = await keyWith('admin:import')
    const changed = { id: data.id, email: 'new@estia.example.com' }
    const DB = failBefore(new RegExp(`insert into "${entity}"`), () => importRecords([[entity, changed]]))
    const { body } = await post('/admin/import', { entity, data }, { key, bindings: { DB } })
    expect(body).toMatchObject({ data: { accepted: 1, errors: [] } })
    expect(await selectAll(`select name, email from ${entity} where id = ?`, data.id)).toEqual([
      { name: 'Renamed', email: 'new@estia.example.com' },
    ])
  },
)
