/** The course of appointments: each status and what it may become, reasons, and confirmations. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Data, expectError, get, keyOf, post, remove } from '../../support/api.ts'
import { DATE } from '../../support/factories/dates.ts'
import { lastEntry } from '../../support/trail.ts'
import { rows, seedDeals } from '../offers/seed.ts'
import { emptyDiary, FUTURE, read, storeAppointment, storedFirst } from './seed.ts'

beforeAll(seedDeals)
beforeEach(emptyDiary)

const setStatus = (body: Data, options = {}) => post('/api/appointments/1/status', body, options)

const STATUSES = ['proposed', 'confirmed', 'done', 'no_show', 'cancelled'] as const
type Status = (typeof STATUSES)[number]

/** When each status may become another: always, or once the appointment has begun. Nothing else is possible. */
const POSSIBLE: Record<Status, Partial<Record<Status, 'always' | 'begun'>>> = {
  proposed: { confirmed: 'always', cancelled: 'always', done: 'begun', no_show: 'begun' },
  confirmed: { proposed: 'always', cancelled: 'always', done: 'begun', no_show: 'begun' },
  done: { no_show: 'begun' },
  no_show: { done: 'begun' },
  cancelled: { proposed: 'always' },
}

const CELLS = STATUSES.flatMap((from) =>
  STATUSES.flatMap((to) => ['has begun', 'has not begun'].map((when) => [from, to, when] as const)),
)

describe('POST /api/appointments/{id}/status', () => {
  it.each(CELLS)('%s → %s of one that %s', async (from, to, when) => {
    await storeAppointment({ status: from, notes: 'N', ...(when === 'has begun' ? {} : FUTURE) })
    const before = await storedFirst()
    const reply = await setStatus({ to })
    const possible = POSSIBLE[from][to]
    const refusal = !possible
      ? `Appointment is ${from}: ${to} is not possible`
      : possible === 'begun' && when === 'has not begun'
        ? 'Appointment has not begun'
        : null
    if (from === to) {
      expect([reply.body, await storedFirst()]).toEqual([{ status: 200, updated_id: 1 }, before])
    } else if (refusal) {
      await expectError(reply, 409, refusal)
      expect(await storedFirst()).toEqual(before)
    } else {
      expect(reply.body).toEqual({ status: 200, updated_id: 1 })
      const after = { ...before, status: to, version: 2, status_date: DATE, date_updated: DATE }
      expect(await storedFirst()).toEqual(after)
      const entry = { version: 2, changed: { status: [from, to] }, others: [] }
      expect(await lastEntry('appointments', 1)).toEqual(entry)
      expect((await get('/api/appointments/1')).headers.get('ETag')).not.toBeNull()
    }
  })

  it('writes the reason into the notes, as a line of its own', async () => {
    await storeAppointment({ status: 'proposed', notes: 'First\n' })
    await setStatus({ to: 'cancelled', reason: ' Has\r\nthe flu ' })
    await setStatus({ to: 'proposed', reason: ' ' })
    await setStatus({ to: 'confirmed', reason: null })
    expect((await read(1)).notes).toMatch(/^First\n\d{4}-\d\d-\d\d cancelled: Has the flu$/)
  })

  it.each<[string, Data, string]>([
    ['no status', {}, 'Missing to'],
    ['another status', { to: 'open' }, 'Invalid to'],
    [
      'no room in the notes',
      { to: 'cancelled', reason: 'A slip' },
      'Invalid reason: notes are at most 65535',
    ],
  ])('refuses %s', async (_, body, problem) => {
    await storeAppointment({ status: 'confirmed', notes: 'n'.repeat(65_530) })
    const before = await storedFirst()
    const reply = await setStatus(body)
    expect([reply.status, reply.body.error_message.startsWith(problem)]).toEqual([400, true])
    expect(await storedFirst()).toEqual(before)
    await expectError(post('/api/appointments/9/status', body), 404, 'Appointment not found')
  })
})

describe('confirmations', () => {
  const confirm = (body: Data, options = {}) => post('/api/appointments/1/confirmations', body, options)

  it('read by party, one for each, with who entered it', async () => {
    const key = await keyOf(2)
    await storeAppointment({ status: 'proposed' })
    await confirm({ party: 'visitor', via: 'phone' })
    const reply = await confirm({ party: 'owner', via: 'email' }, { key })
    expect(reply.body).toEqual({ status: 200, updated_id: 1 })
    await confirm({ party: 'visitor', via: 'in_person' }, { key })
    expect(await read(1)).toMatchObject({
      status: 'proposed',
      confirmations: [
        { party: 'owner', via: 'email', date: DATE, user_id: 2 },
        { party: 'visitor', via: 'in_person', date: DATE, user_id: 2 },
      ],
    })
    const entry = { version: 4, changed: {}, others: ['confirmations'] }
    expect(await lastEntry('appointments', 1)).toEqual(entry)
    expect((await remove('/api/appointments/1/confirmations/owner')).body).toEqual(reply.body)
    expect(await rows('appointment_confirmations')).toEqual([
      { appointment_id: 1, party: 'visitor', via: 'in_person', date: DATE, user_id: 2 },
    ])
    expect((await storedFirst())?.version).toBe(5)
  })

  it.each(['owner', 'neighbour'])('%s: one that is not there cannot be taken back', async (party) => {
    await storeAppointment({ status: 'proposed' })
    await confirm({ party: 'visitor', via: 'phone' })
    const before = await storedFirst()
    await expectError(remove(`/api/appointments/1/confirmations/${party}`), 404, 'Confirmation not found')
    await expectError(remove(`/api/appointments/9/confirmations/${party}`), 404, 'Appointment not found')
    expect(await storedFirst()).toEqual(before)
  })
})

describe('out of a status in which others may take its time', () => {
  const OTHER = { id: 2, status: 'proposed', starts: '2024-01-01 10:30:00', ends: '2024-01-01 11:30:00' }

  it.each([
    ['cancelled', 'proposed'],
    ['no_show', 'done'],
  ])('%s → %s is refused if others have taken it, or names them', async (from, to) => {
    await storeAppointment({ status: from })
    await storeAppointment(OTHER)
    const before = await storedFirst()
    const refused = await setStatus({ to }, { headers: { Accept: 'application/problem+json' } })
    expect([refused.status, refused.body.errors]).toEqual([409, expect.any(Array)])
    expect(new Set(refused.body.errors)).toEqual(
      new Set(['users', 'listing_id'].map((field) => ({ field, message: 'Conflicts with appointment 2' }))),
    )
    expect(await storedFirst()).toEqual(before)
    const headers = { 'Idempotency-Key': `${from}-anyway` }
    const allowed = await setStatus({ to, allow_conflicts: true }, { headers })
    expect([allowed.status, allowed.headers.get('X-Conflicts')]).toEqual([200, '2'])
    const again = await setStatus({ to, allow_conflicts: true }, { headers })
    expect(again.headers.get('X-Conflicts')).toBe('2')
    // It is there now.
    expect((await setStatus({ to })).headers.get('X-Conflicts')).toBeNull()
  })
})
