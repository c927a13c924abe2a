/** The course of incomes and expenses: each status and each call, closed books, and many calls at once. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bearer, send } from '../../http/send.ts'
import { expectError, get, importRecords, keyWith, post, put, remove } from '../../support/api.ts'
import { counting, execute, selectAll } from '../../support/database.ts'
import { expectSameAfterReimport, importLine } from '../../support/transfer.ts'
import { rows } from '../offers/seed.ts'
import {
  commission,
  EXPENSE,
  emptyFinances,
  expense,
  idsByCommission,
  income,
  seedFinances,
  storeExpense,
  storeIncome,
} from './seed.ts'

type Status = 'pending' | 'confirmed'

beforeAll(seedFinances)
beforeEach(emptyFinances)

const REASON = /^\d{4}-\d\d-\d\d reopened: A slip$/

/** An income of a status, and three expenses: those of two commissions, one confirmed, and another that names the income. */
async function store(status: Status): Promise<void> {
  await storeIncome([commission(10), commission(11)], { notes: null })
  await storeExpense({ id: 3, linked_income_id: 1, status })
  await post('/office/expenses/2/confirm', {})
  if (status === 'pending') return
  await post('/office/incomes/1/confirm', {})
  // It follows no longer, as its income is as it was.
  await post('/office/expenses/1/reopen', { reason: 'A slip' })
}

const states = async () =>
  Object.fromEntries(
    (
      await selectAll<{ name: string; state: string }>(
        `select 'income' as name, iif(is_deleted, 'gone', status) as state from incomes
      union all select id, iif(is_deleted, 'gone', status) from expenses`,
      )
    ).map(({ name, state }) => [name, state]),
  )

const CALLS = {
  change: () => put('/office/incomes/1', { date: '2024-05-05' }),
  rename: () => put('/office/incomes/1', { title: 'T', notes: 'N', contacts: [1] }),
  confirm: () => post('/office/incomes/1/confirm', { date: '2024-05-05' }),
  reopen: () => post('/office/incomes/1/reopen', { reason: 'A slip' }),
  remove: () => remove('/office/incomes/1'),
  'change expense 1': () => put('/office/expenses/1', { amount: 1 }),
  'rename expense 1': () => put('/office/expenses/1', { title: 'T' }),
  'confirm expense 1': () => post('/office/expenses/1/confirm', { date: '2024-05-05' }),
  'reopen expense 2': () => post('/office/expenses/2/reopen', { reason: 'A slip' }),
  'remove expense 1': () => remove('/office/expenses/1'),
  'change expense 3': () => put('/office/expenses/3', { amount: 1 }),
  'remove expense 3': () => remove('/office/expenses/3'),
}

const CONFIRMED = { income: 'confirmed', 1: 'pending', 2: 'confirmed', 3: 'confirmed' }
const PENDING = { income: 'pending', 1: 'pending', 2: 'confirmed', 3: 'pending' }
const [FOLLOWS, REOPEN, REOPEN_EXPENSE] = [
  'Expense follows commission 10',
  'Income is confirmed: reopen it',
  'Expense is confirmed: reopen it',
]

/** What a call makes of the states, or why it is refused. */
const OUTCOMES: Record<Status, Record<keyof typeof CALLS, object | string>> = {
  pending: {
    change: {},
    rename: {},
    confirm: { income: 'confirmed', 1: 'confirmed' },
    reopen: {},
    remove: { income: 'gone', 1: 'gone', 3: 'gone' },
    'change expense 1': FOLLOWS,
    'rename expense 1': {},
    'confirm expense 1': { 1: 'confirmed' },
    'reopen expense 2': { 2: 'pending' },
    'remove expense 1': FOLLOWS,
    'change expense 3': {},
    'remove expense 3': { 3: 'gone' },
  },
  confirmed: {
    change: REOPEN,
    rename: {},
    confirm: {},
    reopen: { income: 'pending' },
    remove: REOPEN,
    'change expense 1': FOLLOWS,
    'rename expense 1': {},
    'confirm expense 1': { 1: 'confirmed' },
    'reopen expense 2': { 2: 'pending' },
    'remove expense 1': FOLLOWS,
    'change expense 3': REOPEN_EXPENSE,
    'remove expense 3': REOPEN_EXPENSE,
  },
}

describe.each(['pending', 'confirmed'] as const)('a %s income', (status) => {
  it.each(Object.keys(CALLS) as (keyof typeof CALLS)[])('%s', async (name) => {
    await store(status)
    const before = status === 'pending' ? PENDING : CONFIRMED
    expect(await states()).toEqual(before)
    const outcome = OUTCOMES[status][name]
    const reply = await CALLS[name]()
    if (typeof outcome === 'string') await expectError(reply, 409, outcome)
    else expect(reply.status).toBe(200)
    expect(await states()).toEqual({ ...before, ...(typeof outcome === 'string' ? {} : outcome) })
  })
})

describe('confirm and reopen', () => {
  it('confirm takes the day that is sent, and follows with the expenses', async () => {
    await storeIncome([commission(10)])
    const reply = await post('/office/incomes/1/confirm', { date: '2024-06-01' })
    expect(reply.body).toEqual({ status: 200, updated_id: 1 })
    expect([await rows('incomes'), await rows('expenses')]).toMatchObject([
      [{ status: 'confirmed', date: '2024-06-01' }],
      [{ status: 'confirmed', date: '2024-06-01' }],
    ])
    const { headers } = await get('/api/incomes/1')
    const again = await post('/office/incomes/1/confirm', { date: '2025-01-01' })
    expect([again.body, again.headers.get('ETag')]).toEqual([reply.body, headers.get('ETag')])
    expect(await rows('incomes')).toMatchObject([{ date: '2024-06-01', version: 2 }])
  })

  it('reopen writes its reason into the notes, as a line of its own', async () => {
    await storeIncome([], { status: 'confirmed', notes: 'First\n' })
    await post('/office/incomes/1/reopen', { reason: ' A\r\nslip ' })
    const [income] = await rows('incomes')
    const [first, line = ''] = String(income?.notes).split('\n')
    expect([first, line]).toEqual(['First', expect.stringMatching(REASON)])
    await post('/office/incomes/1/reopen', { reason: 'Again' })
    expect(await rows('incomes')).toEqual([income])
  })

  it.each<[string, object, string]>([
    ['confirm', { date: '2024-02-30' }, 'Invalid date: must be a date, YYYY-MM-DD'],
    ['reopen', {}, 'Missing reason'],
    ['reopen', { reason: ' ' }, 'Missing reason'],
    ['reopen', { reason: 'A slip' }, 'Invalid reason: notes are at most 65535 characters'],
  ])('%s %o: %s', async (name, body, problem) => {
    for (const [resource, is] of [
      ['incomes', 'Income'],
      ['expenses', 'Expense'],
    ]) {
      await emptyFinances()
      await storeIncome([], { status: 'confirmed', notes: 'n'.repeat(65_530) })
      await storeExpense({ status: 'confirmed', notes: 'n'.repeat(65_530) })
      await expectError(post(`/office/${resource}/1/${name}`, body), 400, problem)
      await expectError(post(`/office/${resource}/9/${name}`, body), 404, `${is} not found`)
    }
  })

  it.each(['incomes', 'expenses'])('of 20 at once of %s one changes it', async (resource) => {
    await storeIncome([commission(10), commission(11)])
    const [last] = await selectAll<{ id: number }>('select max(id) as id from trail')
    const path = `/office/${resource}/1/confirm`
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, day) => post(path, { date: `2024-07-${10 + day}` })),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(await rows(`${resource} where id = 1`)).toMatchObject([{ status: 'confirmed', version: 2 }])
    const entered = selectAll(
      'select id from trail where resource = ? and record_id = 1 and id > ?',
      resource,
      last?.id,
    )
    expect(await entered).toHaveLength(1)
  })
})

it('a write takes two round trips, however many incomes there are', async () => {
  await importRecords(
    Array.from({ length: 200 }, (_, id) => ['incomes', income([commission(1000 + id)], { id: id + 1 })]),
  )
  const headers = bearer(await keyWith('*:write'))
  const body = { category: 'contract', contract_id: 1, date: '2024-01-01', total_amount: 9 }
  const share = { side: 'owner_side', partner_id: 1, partner_commission_amount: 1 }
  const calls: [method: string, path: string, body: object][] = [
    ['POST', '/office/incomes', { ...body, commissions: [share, share] }],
    ['PUT', '/office/incomes/100', { commissions: [{ id: 1099 }, share] }],
    ['POST', '/office/incomes/100/confirm', {}],
    ['POST', '/office/incomes/100/reopen', { reason: 'A slip' }],
    ['POST', '/office/expenses/50/confirm', {}],
    ['DELETE', '/office/incomes/101', {}],
  ]
  for (const [method, path, sent] of calls) {
    const { DB, rowsRead, batches } = counting()
    const init = { headers, ...(method === 'DELETE' ? {} : { body: JSON.stringify(sent) }) }
    expect((await send(method, path, init, { DB })).status).toBe(200)
    expect([path, batches(), Math.max(rowsRead(), 180)]).toEqual([path, 2, 180])
  }
})

describe('deletion', () => {
  it('hides an income and its pending expenses, which an import can bring back', async () => {
    await store('pending')
    expect((await remove('/office/incomes/1')).body).toEqual({ status: 200, deleted_id: 1 })
    await expectError(get('/api/incomes/1'), 404, 'Income not found')
    await expectError(get('/api/expenses/1'), 404, 'Expense not found')
    expect((await get('/api/expenses')).body.data).toMatchObject([{ id: 2, status: 'confirmed' }])
    expect((await get('/api/incomes')).body.total_results).toBe(0)
    await expectError(remove('/office/incomes/1'), 404, 'Income not found')
    await expectError(put('/office/incomes/1', { title: 'T' }), 404, 'Income not found')
    const { body } = await get('/api/changes?resources=incomes,expenses')
    expect(body.data.slice(-3)).toMatchObject([
      { resource: 'incomes', id: 1, change: 'deleted' },
      { resource: 'expenses', id: 1, change: 'deleted' },
      { resource: 'expenses', id: 3, change: 'deleted' },
    ])
    const lines = await expectSameAfterReimport(['incomes', 'expenses'], emptyFinances)
    expect(lines.filter((line) => line.includes('"is_deleted":true'))).toHaveLength(3)
    expect(await importLine('incomes', { id: 1, is_deleted: false })).toBeNull()
    expect(await states()).toEqual({ ...PENDING, 3: 'gone' })
  })

  it('gives no id a second time', async () => {
    await storeIncome([commission(10), commission(11)])
    await put('/office/incomes/1', { commissions: [] })
    await remove('/office/incomes/1')
    const body = { category: 'contract', contract_id: 1, date: '2024-01-01', total_amount: 9 }
    const share = { side: 'owner_side', partner_id: 1, partner_commission_amount: 1 }
    await post('/office/incomes', { ...body, commissions: [share] })
    const { category_id, amount, date } = EXPENSE
    await put('/office/incomes/2', { commissions: [] })
    await post('/office/expenses', { category_id, amount, date })
    expect([await rows('incomes', 'id'), await rows('expenses')]).toMatchObject([
      [{ id: 1 }, { id: 2 }],
      [{ id: 4 }],
    ])
    await put('/office/incomes/2', { commissions: [share] })
    expect(await idsByCommission()).toEqual({ 0: [4], 13: [5] })
  })
})

describe('closed books', () => {
  const close = (value: string | null) => importRecords([['settings', { key: 'books_closed_until', value }]])
  const sentence = 'Books are closed until 2024-04-30'
  const income = { category: 'contract', contract_id: 1, total_amount: 9 }
  const [before, after] = ['2024-04-30', '2024-05-01']

  beforeEach(() => execute("delete from settings where key = 'books_closed_until'"))

  /** Calls of each kind about a pending and a confirmed record of a day, and whether each touches a day before. */
  const calls = (resource: string) => [
    () => post(`/office/${resource}`, { ...income, category_id: 3, amount: 1, date: before }),
    () => put(`/office/${resource}/1`, { notes: 'New' }),
    () => put(`/office/${resource}/1`, { date: after }),
    () => post(`/office/${resource}/1/confirm`, {}),
    () => post(`/office/${resource}/1/confirm`, { date: after }),
    () => post(`/office/${resource}/2/reopen`, { reason: 'A slip' }),
    () => remove(`/office/${resource}/1`),
  ]

  it.each(['incomes', 'expenses'])(
    'no %s of a day up to it is made, changed or deleted',
    async (resource) => {
      for (const [id, status] of [
        [1, 'pending'],
        [2, 'confirmed'],
      ] as const)
        await (resource === 'incomes'
          ? storeIncome([], { id, status, date: before })
          : storeExpense({ id, status, date: before }))
      await close('2024-04-30')
      const stored = await rows(resource)
      for (const one of calls(resource)) await expectError(one(), 409, sentence)
      // Nothing would change.
      expect((await post(`/office/${resource}/2/confirm`, {})).status).toBe(200)
      expect((await put(`/office/${resource}/1`, { date: before })).status).toBe(200)
      expect(await rows(resource)).toEqual(stored)
      await close(null)
      for (const one of calls(resource)) expect((await one()).body.error_message).not.toBe(sentence)
    },
  )

  it('nor does one of a later day move to it', async () => {
    await close('2024-04-30')
    await storeIncome([], { date: after })
    await storeExpense({ date: after })
    for (const resource of ['incomes', 'expenses']) {
      await expectError(put(`/office/${resource}/1`, { date: before }), 409, sentence)
      await expectError(post(`/office/${resource}/1/confirm`, { date: before }), 409, sentence)
      expect((await post(`/office/${resource}/1/confirm`, {})).status).toBe(200)
    }
  })

  it('an income does not take expenses of closed books along', async () => {
    await storeIncome([commission(10)], { date: after })
    await post('/office/expenses/1/confirm', { date: before })
    await post('/office/expenses/1/reopen', { reason: 'A slip' })
    await close('2024-04-30')
    const stored = await rows('expenses')
    await expectError(post('/office/incomes/1/confirm', {}), 409, sentence)
    await expectError(put('/office/incomes/1', { commissions: [] }), 409, sentence)
    await expectError(remove('/office/incomes/1'), 409, sentence)
    expect((await put('/office/incomes/1', { notes: 'N' })).status).toBe(200)
    expect(await rows('expenses')).toEqual(stored)
  })

  it('import is not judged', async () => {
    await close('2024-04-30')
    await storeIncome([commission(10)], { date: before })
    expect(await expense(1)).toMatchObject({ date: before })
  })
})
