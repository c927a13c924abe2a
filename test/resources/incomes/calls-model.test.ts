/** Random calls of two callers at once, on a database that fails before and after its commits: money adds up all the time. */
import { env } from 'cloudflare:workers'
import { type Random, seeded } from '@estia/photo-codec/fixtures/random'
import { beforeAll, expect, it } from 'vitest'
import { Faults, withFaults } from '../../../tools/faults/bindings.ts'
import { callUntilAnswered } from '../../support/answered.ts'
import { importRecords, keyWith } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { runs } from '../../support/runs.ts'
import { rows } from '../offers/seed.ts'
import { commission, INCOME, seedFinances } from './seed.ts'

/** Pairs of calls. */
const STEPS = runs(150)
/** After so many, books are closed until then. */
const CLOSED = { after: runs(100), until: '2026-04-15' }
const FAULT_RATE = 0.12

let key = ''

beforeAll(async () => {
  await seedFinances()
  await importRecords([['incomes', { ...INCOME, commissions: [commission(10), commission(11)] }]])
  key = await keyWith('*:read', '*:write')
})

type Call = [method: string, path: string, body?: object]

function share(random: Random, ids: readonly number[]): object {
  const id = random.chance(0.5) ? { id: random.pick(ids) } : {}
  if ('id' in id && random.chance(0.4)) return id
  return {
    ...id,
    side: random.pick(['owner_side', 'client_side']),
    partner_id: random.int(1, 3),
    partner_commission_amount: random.int(0, 60_000) / 100,
  }
}

const dateOf = (random: Random) => `2026-0${random.int(2, 6)}-${random.int(10, 28)}`

/** A call of any kind, about records that are there, or that are not. */
function draw(random: Random, incomes: number[], expenses: number[], commissions: number[]): Call {
  const one = `/office/incomes/${random.pick(incomes)}`
  const other = `/office/expenses/${random.pick(expenses)}`
  const date = dateOf(random)
  const shares = () => Array.from({ length: random.int(0, 3) }, () => share(random, commissions))
  const made = {
    category: 'valuation',
    date,
    owner_side_amount: random.int(0, 500),
    client_side_amount: 300.05,
  }
  const post = (path: string, body: object = {}): Call => ['POST', path, body]
  const put = (path: string, body: object): Call => ['PUT', path, body]
  const kinds: (() => Call)[] = [
    () =>
      post('/office/incomes', {
        ...made,
        commissions: shares(),
        status: random.pick(['pending', 'confirmed']),
      }),
    () => put(one, { commissions: shares() }),
    () => put(one, { owner_side_amount: random.int(0, 900), date }),
    () => put(one, { notes: `${random.int(0, 3)}`, contacts: [1] }),
    () => post(`${one}/confirm`, random.chance(0.5) ? { date } : {}),
    () => post(`${one}/reopen`, { reason: 'A slip' }),
    () => ['DELETE', one],
    () =>
      post('/office/expenses', {
        category_id: 3,
        amount: random.int(0, 99),
        date,
        linked_income_id: random.pick(incomes),
      }),
    () => put(other, { amount: random.int(0, 99), date }),
    () => put(other, { title: `${random.int(0, 3)}` }),
    () => post(`${other}/confirm`, random.chance(0.5) ? { date } : {}),
    () => post(`${other}/reopen`, { reason: 'A slip' }),
    () => ['DELETE', other],
  ]
  return random.pick(kinds)()
}

/** What holds at any time. */
async function expectConsistent(step: number): Promise<void> {
  const wrong = await selectAll(`
    select 'expense' as kind, one.id from income_commissions one join incomes on incomes.id = one.income_id
      left join expenses on expenses.linked_income_commission_id = one.id
      where expenses.id is null or expenses.linked_income_id <> one.income_id
        or (expenses.amount_cents, expenses.partner_id) is not (one.partner_cents, one.partner_id)
        or (not incomes.is_deleted and expenses.is_deleted)
    union all select 'side', income_id from income_commissions group by income_id, side
      having sum(partner_cents) > min(side_total_cents)
    union all select 'total', id from incomes where owner_side_cents is not null
      and total_cents <> ifnull(owner_side_cents, 0) + ifnull(client_side_cents, 0)
    union all select 'status', id from incomes where is_deleted and status = 'confirmed'`)
  expect({ step, wrong }).toEqual({ step, wrong: [] })
}

/** Each version of a record has one entry in the trail, and each id was given once. */
async function expectEntered(): Promise<void> {
  for (const table of ['incomes', 'expenses']) {
    const wrong = await selectAll(
      `select record_id, count(*) as entries, count(distinct trail.version) as versions,
        sum(changed is null) as made, ${table}.version
      from trail join ${table} on ${table}.id = cast(record_id as integer) where resource = ?
      group by record_id having entries <> versions or made <> 1 or entries <> ${table}.version`,
      table,
    )
    expect(wrong).toEqual([])
    const made = await selectAll(
      'select record_id from trail where resource = ? and changed is null group by 1 having count(*) > 1',
      table,
    )
    expect(made).toEqual([])
  }
}

const closedRows = () =>
  Promise.all(['incomes', 'expenses'].map((table) => rows(`${table} where date <= '${CLOSED.until}'`, 'id')))

it('keeps commissions within their sides, and expenses equal to commissions', {
  timeout: 240_000,
}, async () => {
  const random = seeded(117)
  const faults = new Faults({ rate: FAULT_RATE, seed: 118 })
  const created = new Set<unknown>()
  let closed: Awaited<ReturnType<typeof closedRows>> | undefined
  for (let step = 0; step < STEPS; step++) {
    const idsOf = async (table: string) => [
      ...(await rows(table, 'id')).map(({ id }) => Number(id)).slice(-6),
      999,
    ]
    const [incomes, expenses, commissions] = await Promise.all(
      ['incomes', 'expenses', 'income_commissions'].map(idsOf),
    )
    const calls = [0, 1].map(() => draw(random, incomes ?? [], expenses ?? [], commissions ?? []))
    const broken = Array.from({ length: 3 }, () => withFaults({ DB: env.DB }, faults))
    const replies = calls.map((call) => callUntilAnswered(key, call, ...broken))
    for (const [caller, { answer }] of (await Promise.all(replies)).entries()) {
      if (calls[caller]?.[1] !== '/office/incomes' || !answer.created_id) continue
      expect(created).not.toContain(answer.created_id)
      created.add(answer.created_id)
    }
    await expectConsistent(step)
    if (step === CLOSED.after) {
      await importRecords([['settings', { key: 'books_closed_until', value: CLOSED.until }]])
      closed = await closedRows()
    }
  }
  await expectEntered()
  expect(await closedRows()).toEqual(closed)
  expect(closed?.every((list) => list.length > 0)).toBe(true)
  // Every creation that was answered is there once, and no other.
  expect(await rows('incomes where id > 1', 'id')).toHaveLength(created.size)
  expect(faults.calls).toBeGreaterThan(STEPS * 4)
})
