/** The list of the erased in the bucket of the backups: when it is written, and that no entry is lost. */

import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { beginBackup, continueBackup, dayOf } from '../../../src/admin/backups/run.ts'
import { continueErasures } from '../../../src/admin/erasure/clear.ts'
import { storeErased } from '../../../src/admin/erasure/stored-list.ts'
import { database } from '../../../src/db/client.ts'
import { CRON } from '../../../src/http/caller/provenance.ts'
import { EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { call, get, importRecords, post } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { bindingWith, emptyAndSeed, emptyService } from '../../support/storage.ts'

const NIGHT = new Date('2026-11-26T03:17:00Z')
const LATER = new Date('2099-11-27T03:17:00Z')

/** When something was erased. */
const MOMENT = { date: expect.stringMatching(/^20/), position: expect.any(Number) }

const bucket = env.BACKUPS_OF_TESTS
const bound = (changes: Partial<Env> = {}): Env => ({ ...env, PROVENANCE: CRON, BACKUPS: bucket, ...changes })

const seed = async () => {
  await seedAgency()
  await importRecords(
    Array.from({ length: 20 }, (_, index) => ['contacts', { id: index + 1, first_name: `Άννα ${index}` }]),
  )
}
beforeEach(() => emptyAndSeed(seed))

interface Answer {
  data: {
    erased: { id: number; date: string; position: number; also?: { id: number; position: number }[] }[]
  }
}

const stored = async () => (await bucket.get('erased.json'))?.json<{ id: number }[]>()
const ids = async () => (await stored())?.map(({ id }) => id)
const OWN = { bindings: { BACKUPS: bucket } }
const erase = (id: number, bindings: Partial<Env> = OWN.bindings) =>
  post(`/admin/contacts/${id}/erase`, { reason: 'Asked' }, { bindings })

it('keeps what the database does not have', async () => {
  const list = [{ id: 5, date: '2026-01-01 00:00:00' }]
  await bucket.put('erased.json', JSON.stringify(list))
  await beginBackup(bound(), NIGHT)
  expect(await (await bucket.get('erased.json'))?.json()).toEqual(list)
  // What is erased later is added, and what is erased with a contact in a second call.
  const also = { resource: 'external-listings', id: 7 }
  await importRecords([['external_listings', { id: also.id, created_by: 1, store_id: 1 }]])
  for (const more of [[], [also, { resource: 'contacts', id: 3 }]])
    expect(
      (await call('POST', '/admin/contacts/2/erase', { body: { reason: 'Asked', also: more } })).status,
    ).toBe(200)
  await bucket.put('erased.json', JSON.stringify([...list, { id: 2, date: '2026-01-02 00:00:00', also: [] }]))
  await beginBackup(bound(), LATER)
  expect(await (await bucket.get('erased.json'))?.json()).toEqual([
    { id: 2, ...MOMENT, also: [{ ...also, ...MOMENT }] },
    { id: 3, ...MOMENT },
    ...list,
  ])
})

it('is written behind the answer of an erasure, and by the next minute of cron where that fails', async () => {
  expect((await erase(1)).status).toBe(200)
  await vi.waitFor(async () => expect(await ids()).toEqual([1]))
  const put = vi.fn(() => Promise.reject(new Error('away')))
  expect((await erase(2, { BACKUPS: bindingWith(bucket, { put }) })).status).toBe(200)
  await vi.waitFor(() => expect(put).toHaveBeenCalled())
  await runScheduled({ cron: EVERY_MINUTE }, bound({ BACKUPS: bindingWith(bucket, { put }) }))
  expect(await ids()).toEqual([1])
  await runScheduled({ cron: EVERY_MINUTE }, bound())
  expect(await ids()).toEqual([1, 2])
  // Nothing is read of the bucket while there is nothing to add.
  const get = vi.fn(() => Promise.reject(new Error('not needed')))
  await runScheduled({ cron: EVERY_MINUTE }, bound({ BACKUPS: bindingWith(bucket, { get, put: get }) }))
  expect(get).not.toHaveBeenCalled()
  await importRecords([['contacts', { id: 99, is_erased: true }]])
  await runScheduled({ cron: EVERY_MINUTE }, bound())
  expect(await ids()).toEqual([1, 2, 99])
})

it('loses no entry of those who write at the same time', async () => {
  const list = Array.from({ length: 4 }, (_, index) => ({ id: 100 + index, date: '2026-01-01 00:00:00' }))
  // Each write finds that another one was between its read and its put.
  const others = [...list]
  const get = async (key: string) => {
    const object = await bucket.get(key)
    const other = others.shift()
    if (other) await bucket.put(key, JSON.stringify([...((await stored()) ?? []), other]))
    return object
  }
  await erase(3, {})
  await storeErased(bound({ BACKUPS: bindingWith(bucket, { get: get }) }))
  expect(await ids()).toEqual([3, 100, 101, 102, 103])
  others.push(...list, ...list)
  await expect(storeErased(bound({ BACKUPS: bindingWith(bucket, { get: get }) }))).rejects.toThrow(
    'erased.json is written by others again and again',
  )
})

it.each([
  ['{}', []],
  ['not json', []],
  ['[null]', []],
  ['[{"id":1}]', []],
  ['[{"id":7,"date":"2026-01-01 00:00:00"},{"id":8,"date":"2026-01-01 00:00:00","also":null}]', [7]],
])('is set aside where it is %s, and written from the database', async (broken, readable) => {
  await erase(3, {})
  await bucket.put('erased.json', broken)
  const erased = [3, ...readable].map((id) => expect.objectContaining({ id }))
  expect((await get('/admin/backups/erased', OWN)).body).toEqual({
    status: 200,
    data: {
      ...{ erased, date_stored: null },
      ...{ erased_until: expect.stringMatching(/^20/), erased_position: expect.any(Number) },
    },
  })
  expect(await beginBackup(bound(), NIGHT)).toMatchObject({ begun: '2026-11-26' })
  expect(await stored()).toEqual(erased)
  const [aside] = (await bucket.list({ prefix: 'erased-broken-' })).objects
  expect(aside?.key).toMatch(/^erased-broken-\d{4}-\d\d-\d\dT[\d-]+\.\d+Z\.json$/)
  expect(await (await bucket.get(aside?.key ?? ''))?.text()).toBe(broken)
})

it('is known until the moment before which all erasures were closed when a backup was begun', async () => {
  await erase(1)
  const [{ date }] = (await get('/admin/backups/erased', OWN)).body.data.erased
  const untilOf = async (begun: Date) => {
    const name = dayOf(begun)
    expect(await continueBackup(bound(), begun)).toMatchObject({ backup: name, finished: true })
    return (await bucket.get(`${name}/manifest.json`))?.json<{ date_started: string; erased_until: string }>()
  }
  const now = Date.now()
  const moment = (days: number) => new Date(now + days * 24 * 60 * 60_000)
  // It closes while the backup is made, which may have what was cleared behind its last lines.
  await beginBackup(bound(), moment(1))
  await continueErasures(env, database(bound()), moment(1.5))
  expect(await untilOf(moment(1))).toMatchObject({ erased_until: date })
  await beginBackup(bound(), moment(2))
  const next = await untilOf(moment(2))
  expect(next?.erased_until).toBe(next?.date_started)
  // What an import has brought as erased is closed, whenever that was.
  await importRecords([['contacts', { id: 99, is_erased: true, date_updated: '2020-01-01 00:00:00' }]])
  await beginBackup(bound(), moment(3))
  const last = await untilOf(moment(3))
  expect(last?.erased_until).toBe(last?.date_started)
})

it('tells apart what was erased in the second in which a backup was begun', async () => {
  await erase(1)
  await erase(2)
  await execute("update erasures set progress = 'closed', progress_date = '2026-01-01 00:00:00'")
  await beginBackup(bound(), NIGHT)
  await erase(3)
  // Also erased once more: what was written since is not in the backup's erasure.
  await erase(2)
  await execute("update erased_records set date = '2026-11-26 03:17:00'")
  await execute("update erasures set date = '2026-11-26 03:17:00'")
  expect(await continueBackup(bound(), NIGHT)).toMatchObject({ finished: true })
  const manifest = await (await bucket.get('2026-11-26/manifest.json'))?.json<{ erased_position: number }>()
  const until = manifest?.erased_position ?? 0
  const { erased }: Answer['data'] = (await get('/admin/backups/erased', OWN)).body.data
  expect(erased.map(({ id, position }) => [id, position <= until])).toEqual([
    [1, true],
    [2, false],
    [3, false],
  ])
})

it('takes nothing for erased that was cleared since a backup was begun, though its contact was erased once more', async () => {
  await importRecords([['enquiries', { ...SMALLEST.enquiries, id: 9, date_created: '2020-01-01 00:00:00' }]])
  await beginBackup(bound(), NIGHT)
  const also = [{ resource: 'enquiries', id: 9 }]
  expect((await post('/admin/contacts/3/erase', { reason: 'Asked', also }, OWN)).status).toBe(200)
  await erase(3)
  expect(await continueBackup(bound(), NIGHT)).toMatchObject({ finished: true })
  const manifest = await (await bucket.get('2026-11-26/manifest.json'))?.json<{ erased_position: number }>()
  const list = await (await bucket.get('erased.json'))?.json<Answer['data']['erased']>()
  expect(list?.map(({ id, also }) => [id, also?.map((one) => one.id)])).toEqual([[3, [9]]])
  const positions = list?.flatMap(({ position, also = [] }) => [position, ...also.map((one) => one.position)])
  expect(Math.min(...(positions ?? []))).toBeGreaterThan(manifest?.erased_position ?? 0)
})

it('is not written while the database has no office: it may be what a restore needs', async () => {
  await emptyService()
  await bucket.put('erased.json', 'broken')
  await beginBackup(bound(), NIGHT)
  await runScheduled({ cron: EVERY_MINUTE }, bound())
  expect(await (await bucket.get('erased.json'))?.text()).toBe('broken')
})
