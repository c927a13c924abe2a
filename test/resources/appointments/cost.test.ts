/** What a booking and the reads of a diary cost among many appointments: round trips, and rows that do not grow with the table. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { bearer, send } from '../../http/send.ts'
import { importRecords, keyOf } from '../../support/api.ts'
import { counting, databaseOf, execute } from '../../support/database.ts'
import { bindingsOf, Mailbox } from '../../support/mailbox.ts'
import { APPOINTMENT } from './sample.ts'
import { seedDiary } from './seed.ts'

const APPOINTMENTS = 50_000
const USERS = 100
let key = ''

/** Each user has ten a day of 45 minutes, from eight o'clock; one in 600 lasts 31 days. A tenth are of listing 1. */
beforeAll(async () => {
  await seedDiary()
  key = await keyOf(1)
  const users = Array.from({ length: USERS }, (_, n) => ({ id: 100 + n, name: `U${n}`, store_id: 1 }))
  await importRecords(users.map((user): [string, (typeof users)[0]] => ['users', user]))
  for (let from = 0; from < APPOINTMENTS; from += 20_000) {
    const numbers = `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${from + 19_999})`
    await execute(`${numbers}, k(i, k) as (select i, i / ${USERS} from n),
      times(i, k, starts) as (select i, k, datetime('2024-01-01 08:00:00', (k / 10) || ' days', (k % 10) || ' hours') from k)
      insert into appointments (id, type, status, starts, ends, store_id, listing_id, created_by, date_created, date_updated)
      select i + 1000, iif(i % 10, 'meeting', 'viewing'), iif(i % 7, 'confirmed', 'cancelled'), starts,
        datetime(starts, iif(k % 600 = 599, '31 days', '45 minutes')), i % 2 + 1, iif(i % 10, null, 1), 1,
        '2024-01-01 00:00:00', '2024-01-01 00:00:00' from times`)
    await execute(`${numbers} insert into appointment_users (appointment_id, user_id, position)
      select i + 1000, 100 + i % ${USERS}, 0 from n`)
  }
}, 240_000)

async function cost(method: string, path: string, body?: object) {
  const { DB, rowsRead, batches } = counting()
  const init = { headers: bearer(key), ...(body && { body: JSON.stringify(body) }) }
  const { status, headers } = await send(method, path, init, { DB })
  return { status, trips: batches(), rows: rowsRead(), conflicts: headers.get('X-Conflicts') }
}

const at = (day: string, from: string, to: string) => ({
  starts: `${day} ${from}:00`,
  ends: `${day} ${to}:00`,
})

it(`a booking among ${APPOINTMENTS} appointments takes two trips and 60 rows`, async () => {
  const day = '2024-02-10'
  const month = { starts: '2024-01-10 12:00:00', ends: '2024-02-10 12:00:00' }
  const read: number[] = []
  for (const [method, path, body, conflicts] of [
    ['POST', '', at(day, '20:00', '20:45'), 0],
    ['POST', '', { ...at(day, '20:30', '21:00'), allow_conflicts: true }, 1],
    ['POST', '', { ...month, type: 'absence', allow_conflicts: true }, 20],
    ['POST', '', { ...at(day, '22:00', '22:30'), users: [150, 151] }, 0],
    ['PUT', '/10000', at(day, '21:00', '21:45'), 0],
  ] as const) {
    const sent = method === 'PUT' ? body : { ...APPOINTMENT, listing_id: 2, users: [150], ...body }
    const found = await cost(method, `/api/appointments${path}`, sent)
    expect([found.status, found.trips, found.conflicts?.split(', ').length ?? 0]).toEqual([200, 2, conflicts])
    read.push(found.rows)
  }
  const { status, rows } = await cost('POST', '/api/appointments', {
    ...APPOINTMENT,
    ...at(day, '20:15', '20:30'),
    users: [150],
  })
  expect(status).toBe(409)
  expect([...read, rows].filter((one) => one > 60)).toEqual([])
})

it('a booking that notifies another user takes two trips and 60 rows before its reply', async () => {
  await importRecords([['users', { id: 150, name: 'U50', store_id: 1, email: 'u50@example.com' }]])
  const read: number[] = []
  const DB = databaseOf({
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements)
      read.push(results.reduce((sum, { meta }) => sum + meta.rows_read, 0))
      return results
    },
  })
  const mailbox = new Mailbox()
  const body = { ...APPOINTMENT, ...at('2099-07-01', '10:00', '10:45'), users: [150], contacts: [1] }
  const init = { headers: bearer(key), body: JSON.stringify(body) }
  const { status } = await send('POST', '/api/appointments', init, { DB, ...bindingsOf(mailbox) })
  expect([status, mailbox.mails.map(({ to }) => to)]).toEqual([200, ['u50@example.com']])
  const [reads = 0, writes = 0] = read
  expect(reads + writes).toBeLessThanOrEqual(60)
})

it.each([
  ['a day of a user', 'day=2024-02-10&user_id=150', 250],
  ['a week of a user', 'starts[min]=2024-02-01&starts[max]=2024-02-07&user_id=150&sort=starts', 1000],
  ['a day of an office', 'day=2024-02-10&store_id=1', 6000],
  ['conflicts', 'starts=2024-02-10 12:00:00&users=150&listing_id=1', 100],
])(`reads %s among ${APPOINTMENTS} in one trip, by an index`, async (name, query, most) => {
  const path = name === 'conflicts' ? '/api/appointments/conflicts' : '/api/appointments'
  const { status, trips, rows } = await cost('GET', `${path}?${query}`)
  expect([status, trips]).toEqual([200, 1])
  expect(rows).toBeLessThan(most)
})
