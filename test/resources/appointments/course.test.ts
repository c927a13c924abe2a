/** The course of appointments: each status and what it may become, reasons, and confirmations. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../../src/http/caller/stored-keys.ts'
import { bearer, send } from '../../http/send.ts'
import { expectError, get, keyWith, post, put, remove } from '../../support/api.ts'
import { counting, selectAll } from '../../support/database.ts'
import { rows, seedDeals } from '../offers/seed.ts'
import { emptyDiary, FUTURE, storeAppointment } from './seed.ts'

type Data = Record<string, unknown>

beforeAll(seedDeals)
beforeEach(emptyDiary)

const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

const setStatus = (body: Data, options = {}) => post('/api/appointments/1/status', body, options)
const read = async () => (await get('/api/appointments/1')).body.data
const stored = async () => (await rows('appointments', 'id'))[0]
const lastEntry = async () =>
  (
    await selectAll(
      "select version, changed, others from trail where resource = 'appointments' order by id desc limit 1",
    )
  )[0]

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
    const before = await stored()
    const reply = await setStatus({ to })
    const possible = POSSIBLE[from][to]
    const refusal = !possible
      ? `Appointment is ${from}: ${to} is not possible`
      : possible === 'begun' && when === 'has not begun'
        ? 'Appointment has not begun'
        : null
    if (from === to) {
      expect([reply.body, await stored()]).toEqual([{ status: 200, updated_id: 1 }, before])
    } else if (refusal) {
      await expectError(reply, 409, refusal)
      expect(await stored()).toEqual(before)
    } else {
      expect(reply.body).toEqual({ status: 200, updated_id: 1 })
      const after = { ...before, status: to, version: 2, status_date: DATE, date_updated: DATE }
      expect(await stored()).toEqual(after)
      expect(await lastEntry()).toEqual({
        version: 2,
        changed: JSON.stringify({ status: [from, to] }),
        others: '[]',
      })
      expect((await get('/api/appointments/1')).headers.get('ETag')).not.toBeNull()
    }
  })

  it('moves status_date with the status only', async () => {
    await storeAppointment({ status: 'proposed', status_date: '2024-01-01 10:00:00' })
    await setStatus({ to: 'proposed', reason: 'No change' })
    expect(await read()).toMatchObject({ status_date: '2024-01-01 10:00:00', notes: null })
    await setStatus({ to: 'confirmed' })
    expect((await read()).status_date > '2024-01-01 10:00:00').toBe(true)
  })

  it('writes the reason into the notes, as a line of its own', async () => {
    await storeAppointment({ status: 'proposed', notes: 'First\n' })
    await setStatus({ to: 'cancelled', reason: ' Has\r\nthe flu ' })
    await setStatus({ to: 'proposed', reason: ' ' })
    await setStatus({ to: 'confirmed', reason: null })
    const { notes } = await read()
    expect(notes.split('\n')).toEqual([
      'First',
      expect.stringMatching(/^\d{4}-\d\d-\d\d cancelled: Has the flu$/),
    ])
  })

  it.each<[string, Data, string]>([
    ['no status', {}, 'Missing to'],
    ['another status', { to: 'open' }, 'Invalid to'],
    [
      'no room in the notes',
      { to: 'cancelled', reason: 'A slip' },
      'Invalid reason: notes are at most 65535 characters',
    ],
  ])('refuses %s', async (_, body, problem) => {
    await storeAppointment({ status: 'confirmed', notes: 'n'.repeat(65_530) })
    const before = await stored()
    const reply = await setStatus(body)
    expect([reply.status, reply.body.error_message.startsWith(problem)]).toEqual([400, true])
    expect(await stored()).toEqual(before)
    await expectError(post('/api/appointments/9/status', body), 404, 'Appointment not found')
  })

  it('of 20 at once one changes it', async () => {
    await storeAppointment({ status: 'proposed' })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => setStatus({ to: 'cancelled', reason: `Call ${index}` })),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const { version, notes } = (await stored()) ?? {}
    expect([version, String(notes).split('\n').length]).toEqual([2, 1])
  })

  it('takes two round trips, as do confirmations and feedback', async () => {
    await storeAppointment({ status: 'confirmed' })
    const headers = bearer(await keyWith('*:write'))
    for (const [method, path, body] of [
      ['POST', 'status', { to: 'no_show' }],
      ['POST', 'confirmations', { party: 'owner', via: 'phone' }],
      ['DELETE', 'confirmations/owner', null],
      ['PUT', 'feedback', { interest: 'undecided' }],
    ] as const) {
      const { DB, batches } = counting()
      const init = { headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      expect((await send(method, `/api/appointments/1/${path}`, init, { DB })).status).toBe(200)
      expect([path, batches()]).toEqual([path, 2])
    }
  })
})

describe('confirmations', () => {
  const confirm = (body: Data, options = {}) => post('/api/appointments/1/confirmations', body, options)

  it('read by party, one for each, with who entered it', async () => {
    const { secret: key } = await createKey(env.API_KEYS, {
      name: 'Two',
      scopes: ['*:write'],
      expires: null,
      user_id: 2,
    })
    await storeAppointment({ status: 'proposed' })
    await confirm({ party: 'visitor', via: 'phone' })
    const reply = await confirm({ party: 'owner', via: 'email' }, { key })
    expect(reply.body).toEqual({ status: 200, updated_id: 1 })
    await confirm({ party: 'visitor', via: 'in_person' }, { key })
    expect(await read()).toMatchObject({
      status: 'proposed',
      confirmations: [
        { party: 'owner', via: 'email', date: DATE, user_id: 2 },
        { party: 'visitor', via: 'in_person', date: DATE, user_id: 2 },
      ],
    })
    expect(await lastEntry()).toEqual({ version: 4, changed: '{}', others: '["confirmations"]' })
    expect((await remove('/api/appointments/1/confirmations/owner')).body).toEqual({
      status: 200,
      updated_id: 1,
    })
    expect(await rows('appointment_confirmations')).toEqual([
      { appointment_id: 1, party: 'visitor', via: 'in_person', date: DATE, user_id: 2 },
    ])
    expect((await stored())?.version).toBe(5)
  })

  it('of a program name no user', async () => {
    await storeAppointment({ status: 'done' })
    await confirm({ party: 'agent', via: 'message' })
    expect((await read()).confirmations).toEqual([
      { party: 'agent', via: 'message', date: DATE, user_id: null },
    ])
  })

  it.each<[string, Data]>([
    ['Missing party', { via: 'phone' }],
    ['Missing via', { party: 'owner' }],
    ['Invalid party', { party: 'neighbour', via: 'phone' }],
    ['Invalid via', { party: 'owner', via: 'pigeon' }],
  ])('refuse %s', async (problem, body) => {
    await storeAppointment({ status: 'proposed' })
    const reply = await confirm(body)
    expect([reply.status, reply.body.error_message.startsWith(problem)]).toEqual([400, true])
    expect(await rows('appointment_confirmations')).toEqual([])
  })

  it.each(['owner', 'neighbour'])('%s: one that is not there cannot be taken back', async (party) => {
    await storeAppointment({ status: 'proposed' })
    await confirm({ party: 'visitor', via: 'phone' })
    const before = await stored()
    await expectError(remove(`/api/appointments/1/confirmations/${party}`), 404, 'Confirmation not found')
    await expectError(remove(`/api/appointments/9/confirmations/${party}`), 404, 'Appointment not found')
    expect(await stored()).toEqual(before)
  })

  it('of all parties at once are all stored', async () => {
    await storeAppointment({ status: 'proposed' })
    const parties = ['agent', 'owner', 'visitor']
    const replies = await Promise.all(parties.map((party) => confirm({ party, via: 'phone' })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await read()).confirmations.map(({ party }: Data) => party)).toEqual(parties)
  })
})

it('a deleted appointment has no course', async () => {
  await storeAppointment({ is_deleted: true })
  for (const reply of [
    setStatus({ to: 'done' }),
    post('/api/appointments/1/confirmations', { party: 'owner', via: 'phone' }),
    put('/api/appointments/1/feedback', { interest: 'undecided' }),
  ])
    await expectError(reply, 404, 'Appointment not found')
})

describe('out of a status in which others may take its time', () => {
  const OTHER = { id: 2, status: 'proposed', starts: '2024-01-01 10:30:00', ends: '2024-01-01 11:30:00' }

  it.each([
    ['cancelled', 'proposed'],
    ['no_show', 'done'],
  ])('%s → %s is refused if others have taken it, or names them', async (from, to) => {
    await storeAppointment({ status: from })
    await storeAppointment(OTHER)
    const before = await stored()
    const refused = await setStatus({ to }, { headers: { Accept: 'application/problem+json' } })
    expect([refused.status, refused.body.errors]).toEqual([409, expect.any(Array)])
    expect(new Set(refused.body.errors)).toEqual(
      new Set(['users', 'listing_id'].map((field) => ({ field, message: 'Conflicts with appointment 2' }))),
    )
    expect(await stored()).toEqual(before)
    const headers = { 'Idempotency-Key': `${from}-anyway` }
    const allowed = await setStatus({ to, allow_conflicts: true }, { headers })
    expect([allowed.status, allowed.headers.get('X-Conflicts')]).toEqual([200, '2'])
    const again = await setStatus({ to, allow_conflicts: true }, { headers })
    expect(again.headers.get('X-Conflicts')).toBe('2')
    // It is there now.
    expect((await setStatus({ to })).headers.get('X-Conflicts')).toBeNull()
  })

  it.each([
    ['cancelled', 'proposed', { status: 'cancelled' }],
    ['no_show', 'done', { starts: '2024-01-01 11:00:00' }],
    ['cancelled', 'proposed', { users: [2], listing_id: 2 }],
    ['proposed', 'confirmed', {}],
  ])('%s → %s: nothing conflicts with %o', async (from, to, other) => {
    await storeAppointment({ status: from })
    await storeAppointment({ ...OTHER, ...other })
    const reply = await setStatus({ to })
    expect([reply.status, reply.headers.get('X-Conflicts')]).toEqual([200, null])
  })

  it('of 20 at once for one user one is proposed again', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => index + 1)
    for (const id of ids)
      await storeAppointment({ id, status: 'cancelled', listing_id: null, type: 'meeting' })
    const replies = await Promise.all(
      ids.map((id) => post(`/api/appointments/${id}/status`, { to: 'proposed' })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
    expect(await selectAll("select id from appointments where status = 'proposed'")).toHaveLength(1)
  })
})
