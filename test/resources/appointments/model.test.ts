/**
 * The diary under random calls of five callers at once, while D1 fails before and after commits: no two appointments of a user
 * or property overlap unless that was asked for, and what is shown before a booking is what the booking says.
 */
import fc from 'fast-check'
import { beforeAll, expect, it, vi } from 'vitest'
import { bearer, send, silenceLog } from '../../http/send.ts'
import { callUntilAnswered } from '../../support/answered.ts'
import { type Data, get, keyWith } from '../../support/api.ts'
import { failingBatch, selectAll } from '../../support/database.ts'
import { runs } from '../../support/runs.ts'
import { emptyDiary, seedDiary } from './seed.ts'

let key = ''

beforeAll(async () => {
  await seedDiary()
  key = await keyWith('*:read', '*:write')
})

/** A time in one morning, most of them short. */
const time = fc
  .record({ from: fc.nat({ max: 12 }), length: fc.constantFrom(1, 1, 2, 3, 9, 300, 2900) })
  .map(({ from, length }) => ({ starts: quarter(from), ends: quarter(from + length) }))

const quarter = (n: number) =>
  new Date(Date.UTC(2024, 0, 1, 8, 15 * n)).toISOString().slice(0, 19).replace('T', ' ')

const users = fc.subarray([1, 2, 3], { minLength: 1 })
const property = fc.constantFrom<Data>({ listing_id: 1 }, { listing_id: 2 }, { external_listing_id: 1 })
const type = fc.constantFrom('viewing', 'viewing', 'valuation', 'meeting')
const newOne = fc
  .record({ time, users, property, type })
  .map(({ time, property, ...rest }): Data => ({ ...rest, ...time, ...property, store_id: 1 }))

const call = fc.record({
  one: fc.oneof(
    { weight: 3, arbitrary: fc.record({ method: fc.constant('POST'), at: fc.constant(0), body: newOne }) },
    {
      weight: 3,
      arbitrary: fc.record({
        method: fc.constant('PUT'),
        at: fc.nat({ max: 11 }),
        body: fc.oneof<fc.Arbitrary<Data>[]>(
          time,
          fc.record({ users }),
          property,
          fc.record({ type }),
          newOne,
        ),
      }),
    },
    fc.record({
      method: fc.constant('STATUS'),
      at: fc.nat({ max: 11 }),
      body: fc.record({ to: fc.constantFrom('cancelled', 'proposed') }),
    }),
    fc.record({ method: fc.constant('DELETE'), at: fc.nat({ max: 11 }), body: fc.constant({}) }),
  ),
  allow_conflicts: fc.constantFrom(...Array<boolean>(7).fill(false), true),
  fault: fc.option(fc.record({ at: fc.integer({ min: 1, max: 3 }), isStored: fc.boolean() }), { freq: 2 }),
})

const UNKNOWN = 999_999
let faults = 0

interface Stored {
  id: number
  type: string
  starts: string
  ends: string
  users: string
  listing_id: number | null
  external_listing_id: number | null
}

const AT_PROPERTY = ['viewing', 'valuation']

function overlap(a: Stored, b: Stored): boolean {
  if (a.starts >= b.ends || b.starts >= a.ends) return false
  const [mine, theirs]: [number[], number[]] = [JSON.parse(a.users), JSON.parse(b.users)]
  if (mine.some((user) => theirs.includes(user))) return true
  if (!AT_PROPERTY.includes(a.type) || !AT_PROPERTY.includes(b.type)) return false
  const isSame = (key: 'listing_id' | 'external_listing_id') => a[key] !== null && a[key] === b[key]
  return isSame('listing_id') || isSame('external_listing_id')
}

const readAll = () =>
  selectAll<Stored>(`select id, type, starts, ends, listing_id, external_listing_id,
    (select json_group_array(user_id) from appointment_users where appointment_id = appointments.id) as users
    from appointments where is_deleted = 0 and status <> 'cancelled' order by starts, id`)

it('keeps what is booked apart', { timeout: 240_000 }, async () => {
  silenceLog()
  let [booked, changed, refused] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 15, maxLength: 30 }), newOne, async (calls, probe) => {
      await emptyDiary()
      /** Ids that a call allowed to overlap. */
      const allowed = new Set<number>()
      const created: number[] = []
      const run = async ({ one: { method: kind, at, body }, allow_conflicts, fault }: (typeof calls)[0]) => {
        const id = kind === 'POST' ? 0 : (created[at % created.length] ?? UNKNOWN)
        const [method, end] = kind === 'STATUS' ? ['POST', '/status'] : [kind, '']
        const path = `/api/appointments${id ? `/${id}${end}` : ''}`
        const sent = method === 'DELETE' ? undefined : { ...body, allow_conflicts }
        if (allow_conflicts && id) allowed.add(id)
        const failing = { DB: failingBatch(fault, () => faults++) }
        const { status, answer } = await callUntilAnswered(key, [method, path, sent], failing)
        expect([200, 400, 404, 409]).toContain(status)
        if (answer.created_id) created.push(Number(answer.created_id))
        if (allow_conflicts && answer.created_id) allowed.add(Number(answer.created_id))
        if (kind === 'POST') status === 200 ? booked++ : refused++
        if (kind === 'PUT' && status === 200 && !allow_conflicts) changed++
      }
      for (let at = 0; at < calls.length; at += 5) await Promise.all(calls.slice(at, at + 5).map(run))

      const stored = await readAll()
      for (const a of stored)
        for (const b of stored)
          if (a.id < b.id && overlap(a, b)) expect([a.id, b.id].some((id) => allowed.has(id))).toBe(true)

      const expected = stored.filter((one) =>
        overlap(one, {
          ...probe,
          id: 0,
          listing_id: null,
          external_listing_id: null,
          ...probe,
          users: JSON.stringify(probe.users),
        } as Stored),
      )
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(probe))
        for (const entry of [value].flat()) if (name !== 'store_id') query.append(name, String(entry))
      const { body } = await get(`/api/appointments/conflicts?${query}`, { key })
      const shown = body.data.map(({ appointment_id }: Data) => appointment_id)
      expect(shown).toEqual(expected.map(({ id }) => id))
      const headers = { ...bearer(key), Accept: 'application/problem+json' }
      const reply = await send('POST', '/api/appointments', { headers, body: JSON.stringify(probe) })
      const answer: { errors?: { message: string }[] } = await reply.json()
      const named = (answer.errors ?? []).map(({ message }) => Number(/\d+$/.exec(message)?.[0]))
      expect([...new Set(named)]).toEqual(shown)
      expect(reply.status).toBe(shown.length > 0 ? 409 : 200)
    }),
    { seed: 38, numRuns: runs(20) },
  )
  expect(Math.min(booked, changed, refused, faults)).toBeGreaterThan(runs(30))
  vi.restoreAllMocks()
})
