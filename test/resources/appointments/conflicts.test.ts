import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Data,
  expectData,
  expectDone,
  expectError,
  get,
  importRecords,
  keyOf,
} from '../../support/api.ts'
import { failBefore } from '../../support/database.ts'
import { rows } from '../offers/seed.ts'
import { book, change, emptyDiary, read, seedDiary } from './seed.ts'

let key = ''

beforeAll(async () => {
  await seedDiary()
  key = await keyOf(1)
})
beforeEach(emptyDiary)

/** From ten to eleven, of user 1, nowhere. */
const MEETING = { type: 'meeting', listing_id: null }
const at = (from: string, to: string) => ({ starts: `2024-01-01 ${from}:00`, ends: `2024-01-01 ${to}:00` })
const problems = { Accept: 'application/problem+json' }
const preview = (query: string, options = {}) => get(`/api/appointments/conflicts?${query}`, options)
const found = async (query: string) =>
  (await preview(query)).body.data.map(({ appointment_id }: Data) => appointment_id)

describe('a conflict', () => {
  it('is one with what is done, and with what an import brings back', async () => {
    await book(MEETING)
    for (const status of ['done', 'cancelled', 'proposed']) {
      await importRecords([['appointments', { id: 1, status }]])
      expect([status, await found('starts=2024-01-01 10:30:00&users=1')]).toEqual([
        status,
        status === 'cancelled' ? [] : [1],
      ])
    }
  })

  it('has an error for each user and property, in the order of their starts', async () => {
    await book({ users: [2], ...at('10:30', '11:30') })
    await book({ ...MEETING, users: [1, 3], ...at('10:15', '10:45') })
    const reply = await book({ users: [1, 2, 3] }, { headers: problems })
    expect(reply.body).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      detail: 'Conflicts with appointment 2',
      status: 409,
      error_message: 'Conflicts with appointment 2',
      errors: [
        { field: 'users', message: 'Conflicts with appointment 2' },
        { field: 'users', message: 'Conflicts with appointment 2' },
        { field: 'users', message: 'Conflicts with appointment 1' },
        { field: 'listing_id', message: 'Conflicts with appointment 1' },
      ],
    })
    expect(await rows('appointments')).toHaveLength(2)
  })

  it('is stored with allow_conflicts, and named, also by a replay', async () => {
    await book(MEETING)
    await book({ users: [2] })
    const body = { users: [1, 2], allow_conflicts: true }
    for (const replayed of [null, 'true']) {
      const { body: answer, headers } = await book(body, { headers: { 'Idempotency-Key': 'k' } })
      expect([answer, headers.get('X-Conflicts'), headers.get('Idempotent-Replayed')]).toEqual([
        { status: 200, created_id: 3 },
        '1, 2',
        replayed,
      ])
    }
    expect((await book({ ...at('12:00', '13:00'), ...body })).headers.get('X-Conflicts')).toBeNull()
  })

  it('names the first 20 of many', async () => {
    const minute = (n: number) => `${10 + Math.floor(n / 60)}:${String(n % 60).padStart(2, '0')}`
    for (let n = 0; n < 22; n++) await book({ ...MEETING, ...at(minute(n), minute(n + 1)) })
    const { headers } = await book({ ...MEETING, ...at('10:00', '12:00'), allow_conflicts: true })
    const twenty = Array.from({ length: 20 }, (_, index) => index + 1)
    expect(headers.get('X-Conflicts')).toBe(twenty.join(', '))
    expect(await found('starts=2024-01-01 10:00:00&ends=2024-01-01 12:00:00&users=1')).toHaveLength(23)
  })
})

describe('a conflict of a change', () => {
  beforeEach(async () => {
    await book({ ...at('10:00', '11:00') })
    await book({ ...at('11:00', '12:00'), users: [2] })
    await book({ ...MEETING, users: [3], ...at('10:00', '11:00') })
  })

  it.each<[string, Data]>([
    ['of a free user', { users: [1, 2] }],
    ['of what stays', { title: 'T', users: [1] }],
    ['without the property', { type: 'meeting', ends: '2024-01-01 12:00:00' }],
  ])('is none %s', (_, body) => expectDone(change(1, body), { updated_id: 1 }))

  it('is a new listing or type, and the field says which', async () => {
    await book({ ...MEETING, listing_id: 1, users: [2], ...at('10:00', '11:00') })
    const before = await rows('appointments')
    const { body } = await change(4, { type: 'viewing' }, { headers: problems })
    expect(body.errors).toEqual([{ field: 'listing_id', message: 'Conflicts with appointment 1' }])
    expect(await rows('appointments')).toEqual(before)
    await change(4, { type: 'viewing', listing_id: 2 })
    await expectError(change(4, { listing_id: 1 }), 409, 'Conflicts with appointment 1')
  })

  it('is none where an allowed one stays as it is', async () => {
    await book({ ...MEETING, users: [1, 2], ...at('10:30', '11:30'), allow_conflicts: true })
    expect((await change(4, { users: [2, 1], title: 'T', contacts: [1] })).status).toBe(200)
    await expectError(change(4, { users: [2, 1, 3] }), 409, 'Conflicts with appointment 3')
    await expectError(change(4, { ends: '2024-01-01 11:31:00' }), 409, 'Conflicts with appointment 1')
    expect(
      await found('starts=2024-01-01 10:30:00&ends=2024-01-01 11:30:00&users=1&users=3&except=4'),
    ).toEqual([3])
  })
})

describe('of two writes at once', () => {
  it('what is booked between the read and the write of another is found', async () => {
    const DB = failBefore(/^insert into appointments /, () => book(MEETING))
    await expectError(book(MEETING, { bindings: { DB } }), 409, 'Conflicts with appointment 1')
    await book({ ...MEETING, users: [2] })
    const moved = failBefore(/^update appointments /, () => book({ ...MEETING, users: [3] }))
    const reply = await change(2, { users: [2, 3], allow_conflicts: true }, { bindings: { DB: moved } })
    expect([reply.status, reply.headers.get('X-Conflicts')]).toEqual([200, '3'])
  })
})

describe('GET /api/appointments/conflicts', () => {
  it('shows what a new one would conflict with, by the defaults of a new one', async () => {
    await book({ users: [1, 2] })
    const data = { appointment_id: 1, ...(await read(1)) }
    const { appointment_id, type, starts, ends, users, listing_id }: Data = data
    const shown = [{ appointment_id, type, starts, ends, users, listing_id }]
    await expectData(preview('starts=2024-01-01 09:31:00', { key }), shown)
    await expectData(preview('starts=2024-01-01 09:30:00', { key }), [])
    await expectData(preview('starts=2024-01-01 09:15:00&type=valuation&users=me', { key }), shown)
    await expectData(preview('starts=2023-12-31 22:00:00&type=absence', { key }), shown)
    await expectData(preview('starts=2024-01-01 10:00:00&listing_id=1'), shown)
    await expectData(preview('starts=2024-01-01 10:00:00&users=1&except=1'), [])
    await expectData(preview('starts=2024-01-01 10:00:00'), [])
  })
})
