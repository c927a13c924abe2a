/** Feedback: of which appointments it is taken, what the owner was told, and what is heard of a listing. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bearer, send } from '../../http/send.ts'
import { expectData, expectError, get, importRecords, keyOf, keyWith, put } from '../../support/api.ts'
import { counting, execute } from '../../support/database.ts'
import { DATE } from '../../support/factories/dates.ts'
import { lastEntry } from '../../support/trail.ts'
import { seedDeals } from '../offers/seed.ts'
import { emptyDiary, FUTURE, read, storeAppointment, storedFirst } from './seed.ts'

type Data = Record<string, unknown>

beforeAll(async () => {
  await seedDeals()
  await importRecords([
    ['external_listings', { id: 1, store_id: 1, created_by: 1, external_url: 'https://example.com/1' }],
  ])
})
beforeEach(emptyDiary)

const THEN = '2024-01-02 10:00:00'
const NONE = {
  interest: 'undecided',
  price: null,
  text: null,
  date: DATE,
  user_id: null,
  shared_date: null,
  shared_by: null,
}

const give = (body: Data, options = {}) => put('/api/appointments/1/feedback', body, options)
const feedbackOf = async () => (await read(1)).feedback

describe('PUT /api/appointments/{id}/feedback', () => {
  it('is stored with when and by whom, and makes the viewing done', async () => {
    await storeAppointment({ status: 'confirmed' })
    expect(await feedbackOf()).toBeNull()
    const before = await storedFirst()
    const given = { interest: 'interested', price: 'fair', text: 'Φωτεινό' }
    const reply = await give({ ...given, shared: true }, { key: await keyOf(2) })
    expect(reply.body).toEqual({ status: 200, updated_id: 1 })
    const { feedback } = await read(1)
    expect(feedback).toEqual({ ...given, date: DATE, user_id: 2, shared_date: DATE, shared_by: 2 })
    expect(await storedFirst()).toEqual({
      ...before,
      status: 'done',
      status_date: DATE,
      date_updated: DATE,
      version: 2,
      ...Object.fromEntries(Object.entries(feedback).map(([name, value]) => [`feedback_${name}`, value])),
    })
    const { text, ...shown } = feedback
    const changed = Object.entries(shown).map(([name, value]) => [`feedback.${name}`, [null, value]])
    expect(await lastEntry('appointments', 1)).toMatchObject({
      changed: { status: ['confirmed', 'done'], ...Object.fromEntries(changed) },
      others: ['feedback.text'],
    })
  })

  it('keeps what is not sent, clears what is null, and stays of the day on which it was given', async () => {
    const shared = { shared_date: THEN, shared_by: 1 }
    const given = { ...NONE, price: 'high', text: 'T', date: THEN, user_id: 1, ...shared }
    await storeAppointment({ status: 'done', feedback: given })
    await give({ interest: 'not_interested' }, { key: await keyOf(2) })
    expect(await feedbackOf()).toEqual({ ...given, interest: 'not_interested' })
    await give({ interest: 'not_interested', price: null, text: null })
    expect(await feedbackOf()).toEqual({ ...given, interest: 'not_interested', price: null, text: null })
  })

  it('tells the owner once, and takes that back', async () => {
    await storeAppointment({ status: 'done', feedback: { ...NONE, date: THEN } })
    const key = await keyOf(2)
    const shared = async () => {
      const { shared_date, shared_by, date } = await feedbackOf()
      return [shared_date, shared_by, date]
    }
    await give({ interest: 'undecided', shared: true }, { key })
    expect(await shared()).toEqual([DATE, 2, THEN])
    await execute("update appointments set feedback_shared_date = '2024-01-03 10:00:00'")
    await give({ interest: 'undecided', shared: true })
    await give({ interest: 'interested' })
    expect(await shared()).toEqual(['2024-01-03 10:00:00', 2, THEN])
    await give({ interest: 'interested', shared: false })
    expect(await shared()).toEqual([null, null, THEN])
    await give({ interest: 'interested', shared: true })
    await give({ interest: 'interested', shared: null })
    expect(await shared()).toEqual([null, null, THEN])
  })

  it.each<[string, string, Data]>([
    ['has not begun', 'Appointment has not begun', { status: 'confirmed', ...FUTURE }],
    ['was cancelled', 'Appointment is cancelled', { status: 'cancelled' }],
    ['was cancelled before it began', 'Appointment is cancelled', { status: 'cancelled', ...FUTURE }],
    ['is a valuation', 'Appointment is no viewing', { type: 'valuation' }],
    ['is a meeting still to come', 'Appointment is no viewing', { type: 'meeting', ...FUTURE }],
  ])('refuses it of one that %s', async (_, sentence, data) => {
    await storeAppointment(data)
    const before = await storedFirst()
    await expectError(give({ interest: 'interested' }), 409, sentence)
    expect(await storedFirst()).toEqual(before)
  })

  it.each([
    ['proposed', 'done'],
    ['confirmed', 'done'],
    ['done', 'done'],
    ['no_show', 'no_show'],
  ])('a %s viewing becomes %s', async (status, after) => {
    await storeAppointment({ status })
    await give({ interest: 'not_required' })
    const { status: now, status_date, feedback } = await read(1)
    expect([now, status_date > '2024-01-01 09:00:00', feedback]).toEqual([
      after,
      after !== status,
      { ...NONE, interest: 'not_required' },
    ])
  })

  it('takes back what a read gives: nothing changes, nor is it refused', async () => {
    const feedback = { ...NONE, text: 'T', date: THEN, shared_date: THEN, shared_by: 1 }
    await storeAppointment({ type: 'meeting', status: 'cancelled', feedback, ...FUTURE })
    const before = await storedFirst()
    const reply = await give(await feedbackOf())
    expect([reply.status, reply.headers.get('X-Ignored-Fields')]).toEqual([
      200,
      'date, user_id, shared_date, shared_by',
    ])
    expect(await storedFirst()).toEqual(before)
  })
})

describe('GET /api/listings/{id}/feedback', () => {
  const feedback = (date: string, more: Data = {}) => ({ feedback: { ...NONE, date, ...more } })

  it('has what the owner may hear, newest first', async () => {
    const others = [{ is_deleted: true }, { listing_id: 2 }, { listing_id: null, external_listing_id: 1 }]
    const stored = [
      feedback('2024-01-02 10:00:00', { text: 'First', user_id: 1 }),
      feedback('2024-01-04 10:00:00', { price: 'high', shared_date: THEN, shared_by: 1 }),
      feedback('2024-01-03 10:00:00'),
      feedback('2024-01-04 10:00:00', { interest: 'interested' }),
      {},
      ...others.map((more) => ({ ...feedback('2024-01-05 10:00:00'), ...more })),
    ]
    for (const [index, one] of stored.entries()) await storeAppointment({ id: index + 1, ...one })
    const one = { interest: 'undecided', price: null, text: null, shared_date: null }
    await expectData(get('/api/listings/1/feedback'), [
      { ...one, appointment_id: 4, date: '2024-01-04 10:00:00', interest: 'interested' },
      { ...one, appointment_id: 2, date: '2024-01-04 10:00:00', price: 'high', shared_date: THEN },
      { ...one, appointment_id: 3, date: '2024-01-03 10:00:00' },
      { ...one, appointment_id: 1, date: '2024-01-02 10:00:00', text: 'First' },
    ])
    await expectData(get('/api/listings/3/feedback'), [])
    await expectError(get('/api/listings/99/feedback'), 404, 'Listing not found')
  })

  it('shows the latest 200 in one round trip, and reads no others', async () => {
    await storeAppointment(feedback('2024-01-01 12:00:00'))
    await execute(`with recursive n(i) as (select 2 union all select i + 1 from n where i < 700)
      insert into appointments (id, type, status, status_date, starts, ends, store_id, listing_id, created_by, date_created,
        date_updated, feedback_interest, feedback_date)
      select i, type, status, status_date, starts, ends, store_id, listing_id, created_by, date_created, date_updated,
        iif(i % 2, 'interested', null), iif(i % 2, datetime('2024-02-01', '+' || i || ' minutes'), null)
      from n, appointments where id = 1`)
    const { DB, rowsRead, batches } = counting()
    const headers = bearer(await keyWith('*:read'))
    const reply = await send('GET', '/api/listings/1/feedback', { headers }, { DB })
    const { data } = (await reply.json()) as { data: { appointment_id: number }[] }
    expect([data.length, data[0]?.appointment_id, data.at(-1)?.appointment_id]).toEqual([200, 699, 301])
    expect([batches(), Math.max(rowsRead(), 410)]).toEqual([1, 410])
  })
})
