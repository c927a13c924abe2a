/** `POST /admin/backups/erased`: what a list of the erased names is erased again, and nothing that is somebody else's. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { continueErasures } from '../../../src/admin/erasure/clear.ts'
import { database } from '../../../src/db/client.ts'
import { CRON } from '../../../src/http/caller/provenance.ts'
import { seedRequests } from '../../resources/requests/seed.ts'
import { expectError, get, importRecords, post, put, remove } from '../../support/api.ts'
import { databaseAround, execute, selectAll } from '../../support/database.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyAndSeed, emptyService } from '../../support/storage.ts'
import { exported } from '../../support/transfer.ts'

const [BEFORE, ERASED, LATER] = ['2025-01-01 00:00:00', '2025-06-01 00:00:00', '2026-01-01 00:00:00']
const MOMENT = { date: expect.stringMatching(/^20\d\d-\d\d-\d\d /), position: expect.any(Number) }

const seed = async () => {
  await seedRequests()
  await importRecords(
    [5, 6, 7].map((id) => [
      'contacts',
      { id, created_by: 1, first_name: `Name ${id}`, date_created: BEFORE },
    ]),
  )
}
beforeEach(() => emptyAndSeed(seed))

const again = (entry: object) => post('/admin/backups/erased', entry)
const names = async () => {
  const rows = await selectAll<{ id: number; name: string }>(
    'select id, first_name as name from contacts where id >= 5',
  )
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}
const notesOf = async (id: number) =>
  (await selectAll<{ notes: string | null }>(`select notes from requests where id = ${id}`))[0]?.notes
const requestOf = (id: number, contact: number, rest = {}): Parameters<typeof importRecords>[0][number] => [
  'requests',
  { ...SMALLEST.requests, id, contacts: [contact], notes: `Notes ${id}`, date_created: BEFORE, ...rest },
]
const done = (erased: boolean, newer: object[] = []) => ({
  status: 200,
  data: { erased, complete: true, newer },
})

it('erases a contact with what links to it, and knows by then that it did', async () => {
  await importRecords([requestOf(20, 5), requestOf(21, 6)])
  const entry = { id: 5, date: ERASED, also: [{ resource: 'requests', id: 21, date: ERASED }] }
  expect((await again(entry)).body).toEqual(done(true))
  expect(await names()).toEqual({ 5: '', 6: 'Name 6', 7: 'Name 7' })
  expect(
    await selectAll(
      "select record_id, status from trail where route = '/admin/backups/erased' and others is null",
    ),
  ).toEqual([{ record_id: '5', status: 200 }])
  expect([await notesOf(20), await notesOf(21)]).toEqual([null, null])
  // What is written afterwards is of somebody else: a second run leaves it.
  for (const id of [20, 21]) await put(`/api/requests/${id}`, { notes: 'Since' })
  const before = await exported()
  expect((await again(entry)).body).toEqual(done(false))
  expect(await exported()).toEqual(before)
  // A later erasure of the same contact is another one.
  expect((await again({ ...entry, date: '2999-01-01 00:00:00' })).body).toEqual(done(true))
  expect([await notesOf(20), await notesOf(21)]).toEqual([null, 'Since'])
  expect((await again({ ...entry, date: '2999-01-01 00:00:00' })).body).toEqual(done(false))
})

it('leaves contacts and records that were created after the erasure of their ids', async () => {
  await importRecords([
    ['contacts', { id: 8, created_by: 1, first_name: 'Newer', date_created: LATER }],
    requestOf(20, 8),
    requestOf(21, 6, { date_created: LATER }),
    requestOf(22, 6),
  ])
  const also = [20, 21, 22, 99].map((id) => ({ resource: 'requests', id }))
  const newer = [
    { resource: 'contacts', id: 8 },
    { resource: 'requests', id: 21 },
  ]
  expect((await again({ id: 8, date: ERASED, also })).body).toEqual(done(false, newer))
  // A blank contact of its own stands for the erased one.
  expect(await names()).toEqual({ 5: 'Name 5', 6: 'Name 6', 7: 'Name 7', 8: 'Newer', 9: '' })
  expect([await notesOf(20), await notesOf(21), await notesOf(22)]).toEqual([null, 'Notes 21', null])
  expect((await again({ id: 8, date: ERASED, also })).body).toEqual(done(false, newer))
  expect(Object.keys(await names())).toHaveLength(5)
  expect((await get('/admin/backups/erased')).body.data.erased).toEqual([
    {
      ...{ id: 9, ...MOMENT },
      also: [20, 22].map((id) => ({ resource: 'requests', id, ...MOMENT })),
    },
  ])
})

it('stores a contact blank that is not there, and gives no id of the list to another', async () => {
  const also = ['requests', 'enquiries', 'external-listings'].map((resource) => ({ resource, id: 700 }))
  expect((await again({ id: 600, date: ERASED, also })).body).toEqual(done(false))
  expect((await get('/admin/contacts/600/person')).body.data).toMatchObject({
    contact: { fields: { id: 600, first_name: '', is_erased: true, date_created: ERASED } },
    erasure: { reason: 'Erased before a backup was restored', complete: true },
  })
  expect((await post('/api/contacts', { first_name: 'A', last_name: 'B', created_by: 1 })).body).toEqual({
    status: 200,
    created_id: 601,
  })
  const { id: _, ...request } = { ...SMALLEST.requests, id: 0, contacts: [5], users: [1], created_by: 1 }
  expect((await post('/api/requests', request)).body.data.id).toBe(701)
  expect((await post('/api/enquiries', SMALLEST.enquiries)).body.created_id).toBe(701)
})

it('erases nothing of contacts on hold, and says why', async () => {
  await post('/admin/contacts/5/hold', { reason: 'a lawsuit' })
  await expectError(await again({ id: 5, date: ERASED }), 409, 'On hold: a lawsuit')
  expect(await names()).toMatchObject({ 5: 'Name 5' })
})

it('clears what links to a contact that a restore has imported as erased, and nothing where it has ended', async () => {
  await emptyService()
  expect((await put('/admin/restore', { backup: '2025-06-02', digest: 'a'.repeat(64) })).status).toBe(200)
  await seedRequests()
  const blank = { id: 5, is_erased: true, date_created: BEFORE, date_updated: ERASED }
  await importRecords([['contacts', blank], requestOf(20, 5)])
  // The list has the contact as erased then, not when it was imported.
  const { erased } = (await get('/admin/backups/erased')).body.data
  expect(erased).toEqual([{ id: 5, date: ERASED }])
  expect((await again(erased[0])).body).toEqual(done(true))
  expect(await notesOf(20)).toBe(null)
  await remove('/admin/restore')
  await importRecords([['contacts', { ...blank, id: 6 }], requestOf(21, 6)])
  expect((await again({ id: 6, date: ERASED })).body).toEqual(done(false))
  expect(await notesOf(21)).toBe('Notes 21')
})

it('dates an erasure no earlier than its records, where the clock went back', async () => {
  const ahead = '2999-01-01 00:00:00'
  await importRecords([
    ['contacts', { id: 8, created_by: 1, first_name: 'Ahead', date_created: ahead }],
    ['enquiries', { ...SMALLEST.enquiries, id: 9, date_created: ahead }],
  ])
  // Before cron or the call itself clears the enquiry.
  await execute(`create trigger halt before update on enquiries begin select raise(abort, 'halt'); end`)
  const also = [{ resource: 'enquiries', id: 9 }]
  expect((await post('/admin/contacts/8/erase', { reason: 'Asked', also })).body.data.complete).toBe(false)
  await execute('drop trigger halt')
  expect((await get('/admin/backups/erased')).body.data.erased).toEqual([
    { id: 8, ...MOMENT, date: ahead, also: [{ resource: 'enquiries', id: 9, ...MOMENT, date: ahead }] },
  ])
})

it('dates an erasure anew when a hold has ended that kept something of it', async () => {
  await importRecords([requestOf(20, 5, { contacts: [5, 6] })])
  await post('/admin/contacts/6/hold', { reason: 'a lawsuit' })
  await post('/admin/contacts/5/erase', { reason: 'Asked' })
  await execute(`update erased_records set date = '${ERASED}'`)
  expect(await notesOf(20)).toBe('Notes 20')
  await remove('/admin/contacts/6/hold')
  // A backup that is begun by now has the notes: a restore clears them by this position.
  const { erased, erased_position } = (await get('/admin/backups/erased')).body.data
  expect(erased).toEqual([{ id: 5, ...MOMENT }])
  expect(erased[0].date > ERASED && erased[0].position > erased_position).toBe(true)
  await continueErasures(env, database({ ...env, PROVENANCE: CRON }))
  expect(await notesOf(20)).toBe(null)
})

it('erases again what was erased twice within a second, in a database that knows of the first time', async () => {
  await importRecords([requestOf(20, 5)])
  await post('/admin/contacts/5/erase', { reason: 'Asked' })
  const [first] = (await get('/admin/backups/erased')).body.data.erased
  await put('/api/requests/20', { notes: 'Since' })
  expect((await again(first)).body).toEqual(done(false))
  const second = { ...first, position: first.position + 1 }
  expect((await again(second)).body).toEqual(done(true))
  expect(await notesOf(20)).toBe(null)
  await put('/api/requests/20', { notes: 'Since' })
  expect((await again(second)).body).toEqual(done(false))
  expect(await notesOf(20)).toBe('Since')
})

it('goes on with an erasure that was cut off, also with texts that are newer than an earlier one', async () => {
  await importRecords([requestOf(20, 5)])
  expect((await again({ id: 5, date: ERASED })).body).toEqual(done(true))
  await put('/api/requests/20', { notes: 'Since' })
  let calls = 0
  const DB = databaseAround(async (send) => {
    // The first enters the call in the trail.
    if (++calls === 4) throw new Error('D1_ERROR: broken')
    return send()
  })
  const entry = { id: 5, date: '2999-01-01 00:00:00' }
  expect((await post('/admin/backups/erased', entry, { bindings: { DB } })).body).toEqual({
    status: 200,
    data: { erased: true, complete: false, newer: [] },
  })
  expect(await notesOf(20)).toBe('Since')
  expect((await again(entry)).body).toEqual(done(true))
  expect(await notesOf(20)).toBe(null)
  expect((await again(entry)).body).toEqual(done(false))
})

it('knows erasures of versions that did not date their records', async () => {
  await importRecords([requestOf(20, 5)])
  await post('/admin/contacts/5/erase', { reason: 'Asked' })
  const date = '2026-02-01 00:00:00'
  await execute(`update erasures set progress = 'closed', progress_date = '${date}'`)
  await execute('update erased_records set date = null, position = null')
  await put('/api/requests/20', { notes: 'Since' })
  const { erased } = (await get('/admin/backups/erased')).body.data
  expect(erased).toEqual([{ id: 5, date, also: [{ resource: 'requests', id: 20, date }] }])
  expect((await again(erased[0])).body).toEqual(done(false))
  expect(await notesOf(20)).toBe('Since')
})

it('lists what a backup has as erased, for a restore from an older one, and clears none of it', async () => {
  await importRecords([
    ['contacts', { id: 8, is_erased: true, date_created: BEFORE, date_updated: ERASED }],
    requestOf(20, 8),
    requestOf(21, 6),
    requestOf(22, 6, { date_created: LATER }),
    requestOf(23, 6),
  ])
  const requests = (...ids: number[]) => ids.map((id) => ({ resource: 'requests', id }))
  const entry = { id: 8, date: ERASED, is_cleared: true, cleared: requests(20, 21, 22, 99) }
  const list = async () => (await get('/admin/backups/erased')).body.data.erased
  const dated = (...ids: number[]) => requests(...ids).map((one) => ({ ...one, date: ERASED }))
  expect((await again(entry)).body).toEqual(done(false))
  expect(await list()).toEqual([{ id: 8, date: ERASED, also: dated(20, 21, 99) }])
  expect((await again({ ...entry, also: requests(23) })).body).toEqual(done(false))
  expect(await list()).toEqual([
    { id: 8, ...MOMENT, also: [...dated(20, 21, 99), { ...requests(23)[0], ...MOMENT }] },
  ])
  const notes = await Promise.all([20, 21, 22, 23].map(notesOf))
  expect(notes).toEqual(['Notes 20', 'Notes 21', 'Notes 22', null])
})
