import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, expectInvalid, get, importRecords, keyOf, post, remove } from '../../support/api.ts'
import { lastEntry } from '../../support/trail.ts'
import { importLine, importReply } from '../../support/transfer.ts'
import { rows } from '../offers/seed.ts'
import { APPOINTMENT } from './sample.ts'
import { book, change, emptyDiary, read, seedDiary } from './seed.ts'

type Data = Record<string, unknown>

let key = ''

beforeAll(async () => {
  await seedDiary()
  key = await keyOf(1)
})
beforeEach(emptyDiary)

/** The least that an import stores. */
const WHOLE = { id: 1, ...APPOINTMENT, status: 'proposed', created_by: 1 }
const ORDER = 'Invalid ends: must be later than starts'
const absence = (starts: string) => ({ type: 'absence', starts })
const NOWHERE = { type: 'meeting', listing_id: null, store_id: undefined }
const TOO_LONG = 'Invalid ends: must be at most 31 days after starts'

describe('POST /api/appointments', () => {
  it.each<[string, Data, Data]>([
    ['an hour of a valuation', { type: 'valuation' }, { ends: '2024-01-01 11:00:00' }],
    ['a day of an absence', { type: 'absence' }, { ends: '2024-01-01 22:00:00' }],
    ['the day that ends at midnight', absence('2024-01-01 22:00:00'), { ends: '2024-01-02 22:00:00' }],
    ['a day of 25 hours', absence('2024-10-26 21:00:00'), { ends: '2024-10-27 22:00:00' }],
    [
      'null as absent',
      { type: 'other', ends: null, status: null, users: null, store_id: null },
      { ends: '2024-01-01 10:30:00', users: [1], store_id: 1 },
    ],
    ['the office of the listing', { store_id: undefined, listing_id: 4 }, { store_id: 2 }],
    ['the office of the first user', { ...NOWHERE, users: [2, 1] }, { store_id: 2 }],
    ['the user behind the key', { users: undefined }, { users: [1], created_by: 1 }],
  ])('has defaults: %s', async (_, body, expected) => {
    const { status } = await post('/api/appointments', { ...APPOINTMENT, ends: undefined, ...body }, { key })
    expect(status).toBe(200)
    expect(await read(1)).toMatchObject(expected)
  })

  it('ends an absence at the midnight of the time zone that is set, also right after it is', async () => {
    for (const [time_zone, ends] of [
      ['America/New_York', '2024-01-02 05:00:00'],
      ['Europe/Athens', '2024-01-01 22:00:00'],
    ]) {
      await emptyDiary()
      await importRecords([['settings', { key: 'time_zone', value: time_zone }]])
      await book({ type: 'absence', ends: undefined })
      expect(await read(1)).toMatchObject({ ends })
    }
  })

  it.each<[string, Data]>([
    ['Missing type', { type: null }],
    [ORDER, { ends: APPOINTMENT.starts }],
    [ORDER, { ends: '2023-12-31 23:59:59' }],
    [ORDER, { starts: '9999-12-31 23:59:59', ends: undefined }],
    [TOO_LONG, { ends: '2024-02-01 10:00:01' }],
    ['Invalid status: must be one of proposed, confirmed', { status: 'done' }],
    ['Missing store_id', { ...NOWHERE, users: [3] }],
    ['Missing users', { users: [] }],
    ['Missing users', { ...NOWHERE, users: undefined }],
    ['Invalid users: 7 has left', { users: [1, 7] }],
    ['Missing listing_id', { listing_id: null }],
    ['Missing listing_id', { type: 'valuation', listing_id: undefined }],
    ['Unknown enquiry_id 999', { enquiry_id: 999, type: undefined, listing_id: undefined }],
  ])('refuses %s', (problem, body) => expectInvalid(book(body), problem))

  it('takes 31 days, and the last moment of the calendar', async () => {
    expect((await book({ ends: '2024-02-01 10:00:00' })).status).toBe(200)
    await book({ starts: '9999-12-31 23:45:00', ends: undefined })
    expect(await read(2)).toMatchObject({ ends: '9999-12-31 23:59:59' })
  })
})

describe('POST /api/appointments from an enquiry', () => {
  const starts = '2024-01-01 10:00:00'

  it('is a viewing, with the listing, request and contact of the enquiry', async () => {
    await post('/api/appointments', { enquiry_id: 1, starts, users: [1] })
    const of = { enquiry_id: 1, listing_id: 4, store_id: 2, request_id: 1, contacts: [2] }
    expect(await read(1)).toMatchObject({ type: 'viewing', ...of, ends: '2024-01-01 10:30:00' })
  })

  it('has what the body says instead', async () => {
    const body = { type: 'meeting', listing_id: 1, request_id: 2, contacts: [1] }
    await post('/api/appointments', { enquiry_id: 1, starts, users: [1], ...body })
    expect(await read(1)).toMatchObject(body)
  })

  it('refuses one that is not converted, whatever else is right', async () => {
    await expectError(book({ enquiry_id: 25 }), 409, 'Convert enquiry 25 first')
    await expectInvalid(book({ enquiry_id: 25, users: [] }), 'Missing users')
    expect(await rows('appointments')).toEqual([])
  })

  it('leaves out a contact that was deleted since', async () => {
    const { data } = (await get('/api/enquiries/25')).body
    await importRecords([
      ['contacts', { id: 8, first_name: 'Gone', created_by: 1 }],
      ['enquiries', { ...data, id: 8, contact_id: 8 }],
    ])
    await remove('/api/contacts/8')
    expect((await book({ enquiry_id: 8 })).status).toBe(200)
    expect(await read(1)).toMatchObject({ contacts: [], enquiry_id: 8 })
  })
})

describe('PUT /api/appointments/{id}', () => {
  it.each<[string, Data, string]>([
    ['what it starts before is stored', { starts: APPOINTMENT.ends }, ORDER],
    ['what it ends after is stored', { ends: '2024-01-01 09:00:00' }, ORDER],
    ['both are sent', { starts: '2024-01-02 10:00:00', ends: '2024-01-02 10:00:00' }, ORDER],
    ['too long', { starts: '2023-12-01 10:00:00' }, TOO_LONG],
    ['no users', { users: [] }, 'Missing users'],
    ['a user who has left', { users: [1, 7] }, 'Invalid users: 7 has left'],
    ['no property', { listing_id: null }, 'Missing listing_id'],
  ])('refuses %s', async (_, body, problem) => {
    await book()
    const before = await rows('appointments', 'id')
    await expectInvalid(change(1, body), problem)
    expect(await rows('appointments', 'id')).toEqual(before)
  })

  it('keeps a user who has left, and one of an import without users', async () => {
    await importRecords([['appointments', { ...WHOLE, users: [7] }]])
    expect((await change(1, { users: [7, 1], title: 'T' })).status).toBe(200)
    await importRecords([['appointments', { ...WHOLE, users: [] }]])
    expect((await change(1, await read(1))).status).toBe(200)
  })

  const CONFIRMATIONS = ['agent', 'visitor', 'owner'].map((party) => ({
    ...{ party, via: 'phone', date: '2023-12-30 10:00:00', user_id: 1 },
  }))
  const CONFIRMED = {
    ...{ ...WHOLE, status: 'confirmed', status_date: '2023-12-30 10:00:00' },
    ...{ users: [1], confirmations: CONFIRMATIONS },
  }

  it.each<[string, Data]>([
    ['another start', { starts: '2024-01-01 10:15:00' }],
    ['another end', { ends: '2024-01-01 10:15:00' }],
    ['another place', { location: 'L' }],
    ['another listing', { listing_id: 2 }],
    ['an external listing', { external_listing_id: 1 }],
  ])('a confirmed one is proposed again with %s, and only the agent still confirms', async (_, body) => {
    await importRecords([['appointments', CONFIRMED]])
    await change(1, body)
    const data = await read(1)
    expect(data).toMatchObject({ ...body, status: 'proposed', sequence: 1 })
    expect(data.confirmations).toEqual([CONFIRMATIONS[0]])
    expect(data.status_date).not.toBe(CONFIRMED.status_date)
    const entry = await lastEntry('appointments', 1)
    expect(entry?.changed?.status).toEqual(['confirmed', 'proposed'])
    expect(entry?.others).toContain('confirmations')
  })

  it('a move keeps status and confirmations with keep_confirmed', async () => {
    await importRecords([['appointments', CONFIRMED]])
    await change(1, { starts: '2024-01-01 10:15:00', keep_confirmed: true })
    const { confirmations, status, status_date } = CONFIRMED
    expect(await read(1)).toMatchObject({
      status,
      status_date,
      sequence: 1,
      confirmations: confirmations.toSorted((a, b) => (a.party < b.party ? -1 : 1)),
    })
  })

  it('what is no move changes neither sequence nor status', async () => {
    await importRecords([['appointments', CONFIRMED]])
    await change(1, { title: 'T', users: [2], contacts: [1], notes: 'N', starts: APPOINTMENT.starts })
    expect(await read(1)).toMatchObject({ status: 'confirmed', sequence: 0, title: 'T' })
  })

  it('remembers who is taken off until they are back', async () => {
    await book({ users: [1, 2, 3] })
    await change(1, { users: [3] })
    const former = async () =>
      (await rows('appointment_former_users', 'user_id')).map(({ user_id }) => user_id)
    expect(await former()).toEqual([1, 2])
    await change(1, { users: [2] })
    expect(await former()).toEqual([1, 3])
  })

  it.each(['done', 'no_show', 'cancelled'])(
    'of one that is %s only title and notes change',
    async (status) => {
      await importRecords([['appointments', { ...CONFIRMED, status }]])
      expect((await change(1, { ...(await read(1)), title: 'T', notes: 'N' })).status).toBe(200)
      for (const body of [
        { ends: '2024-01-01 10:15:00' },
        { users: [2] },
        { location: 'L' },
        { contacts: [1] },
        // Bad only beside what is stored.
        { starts: '2124-01-01 10:00:00' },
        { type: 'viewing', listing_id: null },
      ])
        await expectError(change(1, body), 409, `Appointment is ${status}`)
      await expectInvalid(change(1, { users: [999] }), 'Unknown users 999')
      expect(await read(1)).toMatchObject({ status, title: 'T', notes: 'N', sequence: 0, users: [1] })
    },
  )
})

describe('an import', () => {
  it.each([
    [ORDER, APPOINTMENT.starts],
    [TOO_LONG, '2024-02-01 10:00:01'],
  ])('refuses: %s', async (message, ends) => {
    const send = (data: Data) => importReply('appointments', [{ ...WHOLE, status: 'done', ...data }])
    const problems = [{ field: 'ends', message }]
    const error = { line: 1, entity: 'appointments', id: 1, message, problems }
    expect((await send({ ends })).errors).toEqual([error])
    expect(await rows('appointments', 'id')).toEqual([])
    expect((await send({})).errors).toEqual([])
    expect((await importReply('appointments', [{ id: 1, ends }])).errors).toEqual([error])
  })

  it('refuses two confirmations of one party', async () => {
    const confirmation = { party: 'owner', via: 'phone', date: '2024-01-01 10:00:00', user_id: null }
    const line = { ...WHOLE, status: 'done', confirmations: [confirmation, confirmation] }
    expect(await importLine('appointments', line)).toBe('Invalid confirmations: owner stands twice')
  })
})
