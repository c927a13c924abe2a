/** Merging contacts, and giving one back. */

import { seeded } from '@estia/photo-codec/fixtures/random'
import { getTableName } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { TABLES } from '../../../../src/db/referring.ts'
import { OTHER, PERSON } from '../../../admin/erasure/persona.ts'
import { plansOf } from '../../../db/plans.ts'
import { expectError, expectInvalid, get, keyWith, post, put, remove } from '../../../support/api.ts'
import { counting, execute, failBefore, failingBatch, selectAll } from '../../../support/database.ts'
import { FOURTH, merge, merged, restored, seedPersons, stateBut, THIRD, unmerge } from './merging.ts'

beforeEach(seedPersons)

const MOVED = {
  ...{ contacts: 1, listings: 1, requests: 2, enquiries: 1, offers: 1, contracts: 2 },
  ...{ incomes: 1, expenses: 1, appointments: 1, activities: 1, tasks: 1 },
}

describe('POST /api/contacts/{id}/merge', () => {
  it.each([
    [PERSON, THIRD, MOVED],
    [PERSON, OTHER, MOVED],
    [OTHER, PERSON, { listings: 1, requests: 1, offers: 1, appointments: 1, activities: 1 }],
  ])('moves everything that names contact %i to %i, and gives it back', async (one, into, moved) => {
    const before = await stateBut(into)
    expect(await merge(into, [one])).toMatchObject(merged(into, moved))
    const names = new RegExp(
      String.raw`"(?:contacts|\w*contact_id|2|4)":(?:${one}\b|\[(?:\d+,)*${one}\b)|"visitor","id":${one}\b`,
    )
    expect((await stateBut(one)).filter((line) => names.test(line))).toEqual([])
    expect(before.filter((line) => names.test(line)).length).toBeGreaterThanOrEqual(4)
    expect(await unmerge(into, one)).toMatchObject(restored(one))
    expect(await stateBut(into)).toEqual(before)
    for (const table of ['contact_merge_references', 'contact_merges'])
      expect(await selectAll(`select * from ${table}`)).toEqual([])
  })

  it('raises versions, and enters every record in the trail and in the change feed', async () => {
    const versions = () =>
      selectAll<{ version: number }>(`select version from contracts union all select version from listings
      union all select version from tasks where id = 1 union all select version from enquiries where id = 1`)
    const before = await versions()
    const { body } = await get('/api/changes')
    await merge(THIRD, [PERSON])
    expect(await versions()).toEqual(before.map(({ version }) => ({ version: version + 1 })))
    const changes = (await get(`/api/changes?after=${body.next}`)).body.data
    const count = Object.values(MOVED).reduce((sum, one) => sum + one, 2)
    expect(changes).toHaveLength(count)
    const entries =
      await selectAll(`select resource, record_id, version, changed, others from trail where route = '/api/contacts/{id}/merge'
      and resource in ('enquiries', 'contracts', 'listings', 'contacts') order by id`)
    expect(entries.map((entry) => ({ ...entry, changed: JSON.parse(String(entry.changed)) }))).toEqual(
      [
        ['contacts', THIRD, 2, { consents: [[], [expect.anything()]], users: [[], [1]] }, expect.any(String)],
        ['contacts', PERSON, 2, { is_deleted: [false, true], merged_into: [null, THIRD] }, '[]'],
        ['contacts', OTHER, 2, {}, '["custom_fields"]'],
        ['listings', 1, 2, {}, '["contacts","the service.tenant_contact_id"]'],
        ['enquiries', 1, 2, { contact_id: [PERSON, THIRD] }, '[]'],
        ['contracts', 1, 2, {}, '["contacts"]'],
        ['contracts', 2, 2, {}, '["notary_contact_id"]'],
      ].map(([resource, record_id, version, changed, others]) => ({
        ...{ resource, record_id: String(record_id), version, changed, others },
      })),
    )
  })
})

describe('what a merge refuses', () => {
  it('is who is not there, the contact itself, and winners that take no part', async () => {
    await expectInvalid(merge(THIRD, []), 'Missing contacts')
    await expectInvalid(merge(THIRD, [99]), 'Unknown contacts 99')
    await expectInvalid(merge(THIRD, [THIRD]), `Invalid contacts: ${THIRD} is the contact itself`)
    const many = Array.from({ length: 11 }, (_, index) => index + 1)
    await expectInvalid(merge(THIRD, many), 'Invalid contacts: must have at most 10 entries')
    await expectInvalid(
      merge(THIRD, [PERSON], { fields: { last_name: OTHER } }),
      `Invalid fields.last_name: must be one of ${THIRD}, ${PERSON}`,
    )
    await expectError(merge(99, [PERSON]), 404, 'Contact not found')
    await merge(THIRD, [PERSON])
    await expectInvalid(merge(OTHER, [PERSON]), `Unknown contacts ${PERSON}`)
    await expectError(merge(PERSON, [OTHER]), 404, 'Contact not found')
  })

  it('is keys that may not write what moves', async () => {
    const before = await stateBut()
    const [scopes, lacks] = [Object.keys(MOVED), 'This API key lacks the scope activities:write, tasks:write']
    const key = await keyWith(...scopes.slice(0, -2).map((one) => `${one}:write`))
    await expectError(merge(THIRD, [PERSON], {}, { key }), 403, lacks)
    expect(await stateBut()).toEqual(before)
    expect((await merge(THIRD, [FOURTH], {}, { key: await keyWith('contacts:write') })).status).toBe(200)
    await merge(THIRD, [PERSON])
    await expectError(unmerge(THIRD, PERSON, { key }), 403, lacks)
  })

  it('is contacts on hold, also one that is put on hold meanwhile', async () => {
    await post(`/admin/contacts/${PERSON}/hold`, { reason: 'Court' })
    await expectError(merge(THIRD, [PERSON]), 409, 'On hold: Court')
    await expectError(merge(PERSON, [THIRD]), 409, 'On hold: Court')
    await remove(`/admin/contacts/${PERSON}/hold`)
    const hold = () => post(`/admin/contacts/${THIRD}/hold`, { reason: 'Meanwhile' })
    const DB = failBefore(/insert into contact_merge_references/, hold)
    await expectError(merge(THIRD, [PERSON], {}, { bindings: { DB } }), 409, 'On hold: Meanwhile')
    await remove(`/admin/contacts/${THIRD}/hold`)
    await merge(THIRD, [PERSON])
    await hold()
    await expectError(unmerge(THIRD, PERSON), 409, 'On hold: Meanwhile')
    await remove(`/admin/contacts/${THIRD}/hold`)
    await post(`/admin/contacts/${PERSON}/hold`, { reason: 'Merged before' })
    await expectError(merge(FOURTH, [THIRD]), 409, 'On hold: Merged before')
  })

  it('is more than 5,000 references, of which one call moves as many', async () => {
    await execute(`with recursive n(i) as (select 100 union all select i + 1 from n where i < 5100)
      insert into expenses (id, category_id, amount_cents, date, status, created_by, date_created)
      select i, 1, 1, '2026-01-01', 'pending', 1, '2026-01-01 00:00:00' from n`)
    await execute(`insert into expense_contacts select id, ${FOURTH}, 0 from expenses where id >= 100`)
    const before = await stateBut()
    await expectError(merge(THIRD, [FOURTH]), 409, 'Too many references: 5001')
    expect(await stateBut()).toEqual(before)
    await execute('delete from expense_contacts where expense_id = 5100')
    const { DB, batches } = counting()
    expect(await merge(THIRD, [FOURTH], {}, { bindings: { DB } })).toMatchObject(
      merged(THIRD, { expenses: 5000 }),
    )
    expect(batches()).toBe(2)
    expect(await unmerge(THIRD, FOURTH)).toMatchObject(restored(FOURTH))
  })
})

describe('a call that merges', () => {
  it('stores nothing as a dry run, and answers the same', async () => {
    const stored = async () => [
      await stateBut(),
      await selectAll('select * from contact_merges'),
      await selectAll("select * from trail where resource <> 'export'"),
    ]
    const before = await stored()
    const dry = (options = {}) =>
      post(`/api/contacts/${THIRD}/merge?dry_run=true`, { contacts: [PERSON] }, options)
    expect(await dry()).toMatchObject(merged(THIRD, MOVED))
    const headers = { 'Idempotency-Key': 'dry' }
    expect(await dry({ headers })).toMatchObject(merged(THIRD, MOVED))
    expect((await dry({ headers })).headers.get('Idempotent-Replayed')).toBe('true')
    expect(await stored()).toEqual(before)
    const wrong = post(`/api/contacts/${THIRD}/merge?dry_run=1`, { contacts: [PERSON] })
    await expectInvalid(wrong, 'Invalid dry_run')
  })

  it('takes If-Match', async () => {
    const { headers } = await get(`/api/contacts/${THIRD}`)
    const match = { headers: { 'If-Match': headers.get('ETag') ?? '' } }
    await put(`/api/contacts/${THIRD}`, { notes: 'New' })
    await expectError(merge(THIRD, [PERSON], {}, match), 412, 'The record has changed')
    const reply = await merge(THIRD, [PERSON])
    expect(reply.headers.get('ETag')).toBe((await get(`/api/contacts/${THIRD}`)).headers.get('ETag'))
    await expectError(unmerge(THIRD, PERSON, match), 412, 'The record has changed')
  })

  it.each([1, 2, 3, 4].flatMap((at) => [true, false].map((isStored) => ({ at, isStored }))))(
    'does all or nothing if the database fails: $at, stored $isStored',
    { tags: 'slow' },
    async (fault) => {
      const whole = await stateBut(THIRD)
      const versions = async () =>
        (await selectAll('select version from contacts where id in (50, 52)')).map(({ version }) => version)
      const tryTwice = async (key: string, send: (options: object) => ReturnType<typeof post>) => {
        const headers = { 'Idempotency-Key': key }
        await send({ headers, bindings: { DB: failingBatch(fault, () => undefined) } })
        return send({ headers })
      }
      const done = await tryTwice('merge', (options) => merge(THIRD, [PERSON], {}, options))
      expect(done).toMatchObject(merged(THIRD, MOVED))
      expect(await versions()).toEqual([2, 2])
      const undone = await tryTwice('unmerge', (options) => unmerge(THIRD, PERSON, options))
      expect(undone).toMatchObject(restored(PERSON))
      expect(await versions()).toEqual([3, 3])
      expect(await stateBut(THIRD)).toEqual(whole)
    },
  )

  it('merges a contact once of two at the same moment, and never in a circle', async () => {
    const replies = await Promise.all([merge(THIRD, [PERSON]), merge(FOURTH, [PERSON])])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const circle = await Promise.all([merge(THIRD, [FOURTH]), merge(FOURTH, [THIRD])])
    expect(circle.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await selectAll('select id from contacts where merged_into is not null')).toHaveLength(2)
  })

  it('moves what is written between its reads and its transaction, and reads nothing else again', async () => {
    const write = async () => {
      await post('/api/tasks', { title: 'Call', user_id: 1, contacts: [PERSON] })
      await put(`/api/contacts/${FOURTH}`, { custom_fields: { 2: PERSON } })
    }
    const DB = failBefore(/insert into contact_merge_references/, write)
    expect(await merge(THIRD, [PERSON], {}, { bindings: { DB } })).toMatchObject(
      merged(THIRD, { ...MOVED, contacts: 2, tasks: 2 }),
    )
    const plans = await plansOf((one) => merge(OTHER, [FOURTH], {}, { bindings: { DB: one } }))
    const first = plans.findIndex(({ text }) => /^delete from contact_merge_references/.test(text))
    const written = plans.slice(first)
    const tables = [...TABLES.map((table) => getTableName(table)), 'contact_merge_references']
    const scans = written.flatMap(({ steps }) => steps.flatMap((step) => /^SCAN (\w+)/.exec(step)?.[1] ?? []))
    expect(scans.filter((name) => tables.includes(name))).toEqual([])
    expect(written.length).toBeGreaterThan(20)
  })
})

/** The list of an offer, and that of a custom field. */
const lists = async () => {
  const [offer, request] = await Promise.all([get('/api/offers/1'), get('/api/requests/2')])
  return [offer.body.data.contacts, request.body.data.extra_fields[4]]
}

const setLists = async (contacts: number[]) => {
  await put('/office/offers/1', { contacts })
  await put('/api/requests/2', { extra_fields: { 4: contacts } })
}

describe('POST /api/contacts/{id}/unmerge', () => {
  it('leaves what has changed since, and names it', async () => {
    await merge(THIRD, [PERSON])
    await put('/api/tasks/2', { contacts: [THIRD] })
    await put('/office/offers/1', { contacts: [OTHER], notes: 'Other buyer' })
    await put('/api/listings/1', { 'the service': { tenant_contact_id: OTHER } })
    await put(`/api/contacts/${OTHER}`, { custom_fields: { 2: FOURTH } })
    // Another change of a record is none of what names the contact.
    await put('/office/contracts/2', { notes: 'Signed' })
    expect(await unmerge(THIRD, PERSON)).toMatchObject(
      restored(PERSON, [
        { resource: 'contacts', id: OTHER },
        { resource: 'listings', id: 1 },
        { resource: 'offers', id: 1 },
      ]),
    )
    expect(await contactsOf('/api/tasks/2')).toEqual([THIRD])
    expect(await contactsOf('/api/offers/1')).toEqual([OTHER])
    expect((await get('/api/contracts/2')).body.data.notary_contact_id).toBe(PERSON)
    expect((await get('/api/listings/1')).body.data.contacts).toEqual([OTHER, PERSON])
  })

  it('refuses who was not merged into it, a second time, and what is too long ago', async () => {
    await expectInvalid(unmerge(THIRD, null), 'Missing contact_id')
    await expectInvalid(unmerge(THIRD, PERSON), `Invalid contact_id: ${PERSON} is not merged into ${THIRD}`)
    await merge(THIRD, [PERSON])
    await expectInvalid(unmerge(OTHER, PERSON), `Invalid contact_id: ${PERSON} is not merged into ${OTHER}`)
    await unmerge(THIRD, PERSON)
    await expectInvalid(unmerge(THIRD, PERSON), `Invalid contact_id: ${PERSON} is not merged into ${THIRD}`)
    await merge(THIRD, [PERSON])
    await execute("update contact_merges set date = datetime('now', '-30 days', '-1 second')")
    const late = `Invalid contact_id: ${PERSON} was merged more than 30 days ago, or by an import`
    await expectInvalid(unmerge(THIRD, PERSON), late)
    // The next merge forgets it.
    await merge(THIRD, [FOURTH])
    expect(await selectAll('select contact_id from contact_merges')).toEqual([{ contact_id: FOURTH }])
    expect(await selectAll('select * from contact_merge_references')).toEqual([])
    await expectInvalid(unmerge(THIRD, PERSON), late)
  })

  it('gives a contact back although the remaining one was deleted since', async () => {
    const before = await stateBut(THIRD)
    await merge(THIRD, [PERSON])
    await remove(`/api/contacts/${THIRD}`)
    await expectError(unmerge(THIRD, OTHER), 404, 'Contact not found')
    expect(await unmerge(THIRD, PERSON)).toMatchObject(restored(PERSON))
    expect(await stateBut(THIRD)).toEqual(before)
    await expectError(get(`/api/contacts/${THIRD}`), 404, 'Contact not found')
    await expectError(unmerge(THIRD, PERSON), 404, 'Contact not found')
  })

  it('gives lists back as they were, whatever was merged and undone in whatever order', async () => {
    const ids = [PERSON, OTHER, THIRD, FOURTH]
    const { int } = seeded(7)
    const random = (below: number) => int(0, below - 1)
    const shuffled = () => ids.toSorted(() => random(3) - 1).slice(0, 1 + random(4))
    for (let round = 0; round < 5; round++) {
      const list = shuffled()
      await setLists(list)
      /** Who is merged into whom. */
      const into = new Map<number, number>()
      const shown = (id: number): number => (into.has(id) ? shown(into.get(id) ?? 0) : id)
      for (let step = 0; step < 6 || into.size > 0; step++) {
        const living = ids.filter((id) => !into.has(id))
        const [one = 0, ...others] = living.toSorted(() => random(3) - 1).slice(0, 2 + random(2))
        const undone = [...into].filter(([, target]) => !into.has(target))
        if (step < 6 && living.length > 1 && (undone.length === 0 || random(2))) {
          expect((await merge(one, others)).status).toBe(200)
          for (const other of others) into.set(other, one)
        } else {
          const [id, target] = undone[random(undone.length)] ?? [0, 0]
          expect(await unmerge(target, id)).toMatchObject(restored(id))
          into.delete(id)
        }
        const expected = [...new Set(list.map(shown))]
        const found = await lists()
        const sorted = (all: number[]) => all.toSorted((a, b) => a - b)
        expect(found.map(sorted)).toEqual([sorted(expected), sorted(expected)])
      }
      expect(await lists()).toEqual([list, list])
      expect(await selectAll('select * from contact_merge_references')).toEqual([])
    }
  })
})

const contactsOf = async (path: string) => (await get(path)).body.data.contacts
