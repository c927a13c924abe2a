import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, expectInvalid, get, importRecords, post, put, remove } from '../../support/api.ts'
import { importReply } from '../../support/transfer.ts'
import { empty, rows, seedDeals } from '../offers/seed.ts'
import { APPOINTMENT } from './sample.ts'

type Data = Record<string, unknown>

beforeAll(seedDeals)
beforeEach(() => empty('appointment_contacts', 'appointment_users', 'appointments', 'id_floors'))

const create = (body: Data) => post('/api/appointments', { ...APPOINTMENT, ...body })
const change = (body: Data) => put('/api/appointments/1', body)
const read = async () => (await get('/api/appointments/1')).body.data

const ORDER = 'Invalid ends: must be later than starts'

describe('POST /api/appointments', () => {
  it('stores an appointment, which is proposed unless the body says otherwise', async () => {
    const { body } = await create({ title: 'T', listing_id: 1, contacts: [2, 1], users: [2], notes: 'N' })
    expect(body).toEqual({ status: 200, created_id: 1 })
    expect(await read()).toEqual({
      ...APPOINTMENT,
      id: 1,
      status: 'proposed',
      title: 'T',
      listing_id: 1,
      notes: 'N',
      created_by: 1,
      date_created: expect.any(String),
      date_updated: expect.any(String),
      contacts: [2, 1],
      users: [2],
    })
    await create({ status: 'confirmed', created_by: 2 })
    expect(await rows('appointments', 'id')).toMatchObject([
      { id: 1 },
      { status: 'confirmed', created_by: 2 },
    ])
  })

  it.each<[string, Data]>([
    ['Missing type', { type: null }],
    ['Missing starts', { starts: undefined }],
    ['Missing ends', { ends: undefined }],
    ['Missing store_id', { store_id: undefined }],
    ['Unknown listing_id 999', { listing_id: 999 }],
    ['Unknown contacts 999', { contacts: [999] }],
    ['Unknown users 999', { users: [999] }],
    ['Unknown created_by 999', { created_by: 999 }],
    [ORDER, { ends: APPOINTMENT.starts }],
    [ORDER, { ends: '2023-12-31 23:59:59' }],
  ])('refuses %s', (problem, body) => expectInvalid(create(body), problem))

  it('refuses a deleted contact', async () => {
    await importRecords([['contacts', { id: 7, first_name: 'A', is_deleted: true }]])
    await expectInvalid(create({ contacts: [7] }), 'Unknown contacts 7')
  })
})

describe('an import', () => {
  it('refuses an end that is not later than the start', async () => {
    const smallest = { id: 1, ...APPOINTMENT, status: 'done', created_by: 1 }
    const send = (data: Data) => importReply('appointments', [{ ...smallest, ...data }])
    const problems = [{ field: 'ends', message: ORDER }]
    const error = { line: 1, entity: 'appointments', id: 1, message: ORDER, problems }
    expect((await send({ ends: APPOINTMENT.starts })).errors).toEqual([error])
    expect(await rows('appointments', 'id')).toEqual([])
    expect((await send({})).errors).toEqual([])
    expect((await importReply('appointments', [{ id: 1, starts: APPOINTMENT.ends }])).errors).toEqual([error])
  })
})

describe('PUT /api/appointments/{id}', () => {
  it.each<[string, Data]>([
    ['what it starts before is stored', { starts: APPOINTMENT.ends }],
    ['what it ends after is stored', { ends: '2024-01-01 09:00:00' }],
    ['both are sent', { starts: '2024-01-02 10:00:00', ends: '2024-01-02 10:00:00' }],
  ])('refuses an end that is not later than the start: %s', async (_, body) => {
    await create({})
    const before = await rows('appointments', 'id')
    await expectInvalid(change(body), ORDER)
    expect(await rows('appointments', 'id')).toEqual(before)
  })

  it('moves both, and takes back what it has given', async () => {
    await create({ contacts: [1], users: [1] })
    const moved = { starts: '2024-02-01 10:00:00', ends: '2024-02-01 10:30:00' }
    expect((await change({ ...moved, status: 'cancelled' })).body).toEqual({ status: 200, updated_id: 1 })
    const data = await read()
    expect(data).toMatchObject({ ...moved, status: 'cancelled' })
    const { headers } = await change(data)
    expect(headers.get('X-Ignored-Fields')).toBe('id, created_by, date_created, date_updated')
    expect(await rows('appointments', 'id')).toMatchObject([{ version: 2 }])
  })
})

describe('DELETE /api/appointments/{id}', () => {
  it('hides the appointment', async () => {
    await create({})
    expect((await remove('/api/appointments/1')).body).toEqual({ status: 200, deleted_id: 1 })
    await expectError(get('/api/appointments/1'), 404, 'Appointment not found')
    expect((await get('/api/appointments')).body).toMatchObject({ total_results: 0, data: [] })
    expect((await get('/api/changes?resources=appointments')).body.data.at(-1)).toMatchObject({
      resource: 'appointments',
      id: 1,
      change: 'deleted',
    })
  })
})
