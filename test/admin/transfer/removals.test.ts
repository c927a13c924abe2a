/** Lines of an export that remove: what was purged or deleted while it ran. */
import { beforeEach, expect, it } from 'vitest'
import { seedRequests } from '../../resources/requests/seed.ts'
import { ADMIN_TOKEN, call, importRecords, keyWith, type Line, post, put, remove } from '../../support/api.ts'
import { counting, execute, selectAll } from '../../support/database.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyAndSeed, emptyService } from '../../support/storage.ts'
import { clean, exported, exportInParts, importFile, importText } from '../../support/transfer.ts'

const [CREATED, REMOVED, LATER] = ['2026-01-01 00:00:00', '2026-02-01 00:00:00', '2026-03-01 00:00:00']

const seed = async () => {
  await seedRequests()
  await importRecords(
    [CREATED, LATER, CREATED, CREATED].map((date_created, index) => [
      'enquiries',
      { ...SMALLEST.enquiries, id: index + 1, date_created, contact_id: index === 2 ? 1 : null },
    ]),
  )
}
beforeEach(() => emptyAndSeed(seed))

const removal = (data: object, entity = 'enquiries') => JSON.stringify({ entity, data, mode: 'remove' })
const stored = async () =>
  (await selectAll<{ id: number }>('select id from enquiries order by id')).map(({ id }) => id)
const refusal = (
  line: number,
  id: number | null,
  message: string,
  field: string | null,
  entity = 'enquiries',
) => ({
  ...{ line, entity, id, message },
  problems: [{ field, message }],
})

it('removes what was there by then, and leaves an enquiry that was created later', async () => {
  const lines = [1, 2, 9].map((id) => removal({ id, date_updated: REMOVED }))
  expect(await importText(lines.join('\n'))).toEqual(clean(3))
  expect(await stored()).toEqual([2, 3, 4])
  // Exports of older versions say no date.
  expect(await importText(removal({ id: 2 }))).toEqual(clean(1))
  expect(await stored()).toEqual([3, 4])
})

it('rejects the removal of an enquiry that is on hold with its contact', async () => {
  await post('/admin/contacts/1/hold', { reason: 'a lawsuit' })
  const lines = [3, 4].map((id) => removal({ id, date_updated: REMOVED }))
  expect(await importText(lines.join('\n'))).toMatchObject({
    ...{ accepted: 1, rejected: 1 },
    errors: [refusal(1, 3, 'On hold: a lawsuit', null)],
  })
  expect(await stored()).toEqual([1, 2, 3])
})

it('rejects removals of other entities, without an id, and at what is no date', async () => {
  const message = 'Invalid date_updated: must be a date-time, YYYY-MM-DD HH:MM:SS'
  const lines = [
    removal({ id: 1 }, 'contacts'),
    removal({}),
    ...[5, '2026-02-30 00:00:00', {}].map((date_updated) => removal({ id: 1, date_updated })),
  ]
  const { errors } = await importText(lines.join('\n'))
  expect(errors).toEqual([
    refusal(1, 1, 'Invalid mode: remove needs an id, and is not for contacts', 'mode', 'contacts'),
    refusal(2, null, 'Invalid mode: remove needs an id, and is not for enquiries', 'mode'),
    ...[3, 4, 5].map((line) => refusal(line, 1, message, 'date_updated')),
  ])
  expect(await stored()).toEqual([1, 2, 3, 4])
})

it('removes only for ADMIN_TOKEN, whatever scopes a key has', async () => {
  const body = removal({ id: 1, date_updated: REMOVED })
  for (const scopes of [['admin:import'], ['admin:*'], ['admin:import', 'admin:people', 'enquiries:write']]) {
    const reply = await call('POST', '/admin/import', { body, key: await keyWith(...scopes) })
    expect(reply.body.data).toMatchObject({
      ...{ accepted: 0, rejected: 1 },
      errors: [refusal(1, 1, 'Invalid mode: only ADMIN_TOKEN may remove records', 'mode')],
    })
  }
  expect(await stored()).toEqual([1, 2, 3, 4])
  expect((await call('POST', '/admin/import', { body, key: ADMIN_TOKEN })).body.data).toEqual(clean(1))
  expect(await stored()).toEqual([2, 3, 4])
})

const file = { original_name: 'a.pdf', mime_type: 'application/pdf', size: 1, url: 'https://a.example/a' }
const names = { name_el: 'A', name_en: 'A', full_name_el: 'A', full_name_en: 'A' }
const agency: Line[] = [
  ['contact_tags', { id: 804, name: 'Gone' }],
  ['contact_tags', { id: 805, name: 'Kept' }],
  ['stores', { id: 808, name: 'Gone' }],
  ['users', { id: 807, name: 'Gone', store_id: 808 }],
  ['locations', { id: 801, level: 1, parent_id: null, ...names }],
  ['locations', { id: 802, level: 2, parent_id: 801, ...names }],
  ['knowledge_base_categories', { ...SMALLEST.knowledge_base_categories, id: 801 }],
  [
    'knowledge_base_articles',
    { ...SMALLEST.knowledge_base_articles, id: 801, category_id: 801, files: [{ id: 801, ...file }] },
  ],
  ['contacts', { id: 801, first_name: 'C', created_by: 1, tags: [804] }],
]

it('removes entries of lookups, categories and articles, but for those in use', async () => {
  await importRecords(agency)
  const gone: [string, number][] = [
    ['users', 807],
    ['stores', 808],
    ['locations', 802],
    ['locations', 801],
    ['contact_tags', 804],
    ['contact_tags', 805],
    ['knowledge_base_categories', 801],
    ['knowledge_base_articles', 801],
  ]
  const lines = gone.map(([entity, id]) => removal({ id }, entity))
  const { errors } = await importText(lines.join('\n'))
  expect(errors).toEqual([
    refusal(5, 804, 'Is in use', null, 'contact_tags'),
    refusal(7, 801, 'Is in use', null, 'knowledge_base_categories'),
  ])
  expect(await importText(removal({ id: 801 }, 'knowledge_base_categories'))).toEqual(clean(1))
  expect(await selectAll('select id from knowledge_base_files where id = 801')).toEqual([])
  // No id is given again.
  const created = async (list: string) =>
    (await post(`/admin/definitions/${list}`, { name: 'New' })).body.created_id
  expect([await created('stores'), await created('users'), await created('contact_tags')]).toEqual([
    809, 808, 806,
  ])
})

it('reads what may refer to an entry once, and SQLite itself once more', async () => {
  const contacts = 400
  await importRecords([
    ...agency,
    ...Array.from(
      { length: contacts },
      (_, index): Line => ['contacts', { id: 1001 + index, first_name: 'C', created_by: 1, tags: [805] }],
    ),
    ['contacts', { id: 801, tags: [] }],
  ])
  const { DB, rowsRead } = counting()
  const body = [804, 805].map((id) => removal({ id }, 'contact_tags')).join('\n')
  const reply = await call('POST', '/admin/import', { body, bindings: { DB } })
  expect(reply.body.data).toMatchObject({ accepted: 1, rejected: 1 })
  expect(rowsRead()).toBeLessThan(2 * contacts + 100)
  expect(await selectAll('select id from contact_tags where id > 803')).toEqual([{ id: 805 }])
  const entered = `select record_id, changed from trail where resource = 'contact-tags' and changed like '%deleted%'`
  expect(await selectAll(entered)).toEqual([{ record_id: '804', changed: '{"is_deleted":[false,true]}' }])
})

it('leaves an article that was created after the date of its removal', async () => {
  await importRecords(agency)
  const articles = () => selectAll('select id from knowledge_base_articles where id = 801')
  await execute('update knowledge_base_articles set date_created = ? where id = 801', LATER)
  const line = (date_updated: string) => removal({ id: 801, date_updated }, 'knowledge_base_articles')
  expect(await importText(line(REMOVED))).toEqual(clean(1))
  expect(await articles()).toEqual([{ id: 801 }])
  expect(await importText(line(LATER))).toEqual(clean(1))
  expect(await articles()).toEqual([])
})

/** The smallest parts of an export, during which `write` runs once there are lines of `entity`. */
function exportBeside(write: () => Promise<unknown>, entity = 'contacts'): Promise<string[]> {
  let isChanged = false
  return exportInParts(async (text) => {
    if (isChanged || !text.includes(`{"entity":"${entity}"`)) return
    isChanged = true
    await write()
  })
}

/** Imports whole what an export has, portion by portion, and expects what is stored now. */
async function expectSame(text: string): Promise<void> {
  const now = await exported()
  await emptyService()
  const lines = text.split('\n').filter(Boolean)
  expect(lines.length).toBeGreaterThan(now.length)
  await importFile(lines)
  expect(await exported()).toEqual(now)
}

it('an export during which entries, categories and articles are deleted leaves them out', async () => {
  await importRecords(agency)
  const parts = await exportBeside(async () => {
    const key = await keyWith('*:write')
    await put('/api/contacts/801', { tags: [805] }, { key })
    for (const path of ['articles/801', 'categories/801'])
      await remove(`/office/knowledge-base/${path}`, { key })
    for (const path of ['contact_tags/804', 'users/807', 'stores/808', 'locations/802', 'locations/801'])
      expect([path, (await remove(`/admin/definitions/${path}`)).status]).toEqual([path, 200])
  })
  await expectSame(parts.join(''))
})

it('an export names removals in portions, before those of the agency', async () => {
  await importRecords(agency)
  for (const first of [101, 651, 1201, 1751]) {
    const enquiry = { ...SMALLEST.enquiries, users: [807] }
    await importRecords(
      Array.from({ length: 550 }, (_, index) => ['enquiries', { ...enquiry, id: first + index }]),
    )
  }
  const parts = await exportBeside(async () => {
    await execute('delete from enquiry_users')
    await execute('delete from enquiries where id > 100')
    expect((await remove('/admin/definitions/users/807')).status).toBe(200)
    expect((await remove('/admin/definitions/stores/808')).status).toBe(200)
  }, 'enquiries')
  const removals = parts.map((part) => part.split('"mode":"remove"}').length - 1).filter(Boolean)
  expect(removals).toEqual([2000, 202])
  await expectSame(parts.join(''))
})

it('an export removes a category behind its last article, also if more changed than it reads at once', async () => {
  const articles = (category_id: number) =>
    Array.from(
      { length: 501 },
      (_, index): Line => [
        'knowledge_base_articles',
        { ...SMALLEST.knowledge_base_articles, id: index + 1, category_id },
      ],
    )
  const categories = [801, 802].map(
    (id): Line => ['knowledge_base_categories', { ...SMALLEST.knowledge_base_categories, id }],
  )
  await importRecords([...categories, ...articles(801)])
  const parts = await exportBeside(async () => {
    await importRecords(articles(802))
    const key = await keyWith('*:write')
    expect((await remove('/office/knowledge-base/categories/801', { key })).status).toBe(200)
  })
  const lines = parts.join('').split('\n')
  const last = lines.findLastIndex((line) => line.startsWith('{"entity":"knowledge_base_articles"'))
  expect(lines.findIndex((line) => line.endsWith('"mode":"remove"}'))).toBeGreaterThan(last)
  await expectSame(parts.join(''))
})
