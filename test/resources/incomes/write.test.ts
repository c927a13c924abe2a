import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectDone,
  expectError,
  expectInvalid,
  expectProblems,
  get,
  importRecords,
  post,
  put,
} from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { rows } from '../offers/seed.ts'
import { commission, emptyFinances, idsByCommission, seedFinances, storeIncome } from './seed.ts'

type Data = Record<string, unknown>

beforeAll(seedFinances)
beforeEach(emptyFinances)

const BODY = { category: 'contract', contract_id: 1, date: '2026-05-01' }
const SIDES = { ...BODY, owner_side_amount: 1000, client_side_amount: '200.50' }
const SHARE = { side: 'owner_side', partner_id: 3, partner_commission_amount: '600.00' }
const OTHER = { ...SHARE, side: 'client_side', partner_commission_amount: '100.00' }
/** Shares of the owner's side, of these amounts. */
const shares = (...amounts: unknown[]) => ({
  commissions: amounts.map((amount) => ({ ...SHARE, partner_commission_amount: amount })),
})

const create = (body: Data) => post('/office/incomes', body)
const change = (body: Data) => put('/office/incomes/1', body)
const read = async () => (await get('/api/incomes/1')).body.data

/** An income with two commissions, of a side each. */
async function createShared(): Promise<void> {
  expect((await create({ ...SIDES, commissions: [SHARE, OTHER] })).body).toEqual({
    status: 200,
    created_id: 1,
  })
}

describe('POST /office/incomes', () => {
  it('stores an income with commissions and their expenses', async () => {
    const { body } = await create({
      ...SIDES,
      title: 'Sale',
      notes: 'N',
      commissions: [
        SHARE,
        { ...OTHER, partner_id: 2, side_total_commission: 150, partner_commission_amount: 99.99 },
      ],
    })
    expect(body).toEqual({ status: 200, created_id: 1 })
    expect(await read()).toMatchObject({
      ...{ owner_side_amount: '1000.00', client_side_amount: '200.50', total_amount: '1200.50' },
      ...{ ...BODY, title: 'Sale', notes: 'N', status: 'pending', date_updated: null },
      commissions: [
        { ...SHARE, id: 1, side_total_commission: '1000.00' },
        {
          ...OTHER,
          id: 2,
          partner_id: 2,
          side_total_commission: '150.00',
          partner_commission_amount: '99.99',
        },
      ],
      // Those of the contract.
      contacts: [2, 1],
    })
    expect(await rows('expenses')).toMatchObject([
      { id: 1, category_id: 4, partner_id: 3, amount_cents: 60_000, date: '2026-05-01', status: 'pending' },
      { id: 2, category_id: 4, partner_id: 2, amount_cents: 9999, auto_generated: 1, linked_income_id: 1 },
    ])
  })

  it('makes confirmed expenses of a confirmed income', async () => {
    await create({ ...SIDES, status: 'confirmed', commissions: [SHARE] })
    expect(await rows('expenses')).toMatchObject([{ status: 'confirmed' }])
  })

  it('takes the contacts that are sent, and of the contract those who are there', async () => {
    await create({ ...SIDES, contacts: [1] })
    await create({ ...SIDES, contacts: [] })
    await execute('update contacts set is_deleted = 1 where id = 1')
    await create(SIDES)
    await execute('update contacts set is_deleted = 0 where id = 1')
    const { body } = await get('/api/incomes?sort=id')
    expect(body.data.map(({ contacts }: { contacts: number[] }) => contacts)).toEqual([[1], [], [2]])
  })

  it.each<[problem: string, body: Data]>([
    ['Missing contract_id', { contract_id: null, total_amount: 1 }],
    ['Missing other_category_id', { category: 'other', total_amount: 1 }],
    ['Invalid contract_id: only when category is contract', { category: 'valuation', total_amount: 1 }],
    ['Invalid other_category_id: only when category is other', { other_category_id: 1, total_amount: 1 }],
    ['Unknown contract_id 9', { ...BODY, contract_id: 9, total_amount: 1 }],
    ['Missing category', { category: undefined, contract_id: undefined, total_amount: 1 }],
    ['Missing date', { date: undefined, total_amount: 1 }],
    ['Missing total_amount', {}],
    ['Missing total_amount', { owner_side_amount: null, total_amount: null }],
    ['Invalid total_amount: the sides make 1200.50', { ...SIDES, total_amount: 1200.51 }],
    ['Invalid total_amount: the sides make 0.00', { owner_side_amount: 0, total_amount: 1 }],
    [
      'Invalid total_amount: must be at most 9999999999999.99',
      { owner_side_amount: '9999999999999.99', client_side_amount: '0.01' },
    ],
    ['Invalid owner_side_amount: must be at least 0', { owner_side_amount: -1 }],
    ['Invalid owner_side_amount: must be an amount with at most 2 decimals', { owner_side_amount: '1.005' }],
    ['Unknown commissions.partner_id 9', { ...SIDES, commissions: [{ ...SHARE, partner_id: 9 }] }],
    [
      'Invalid commissions: owner_side gives 700.00 of 600.00',
      { owner_side_amount: 600, ...shares(400, 300) },
    ],
    ['Invalid commissions: owner_side gives 0.31 of 0.30', { total_amount: 0.3, ...shares(0.1, 0.1, 0.11) }],
    [
      'Invalid commissions: client_side gives 100.00 of 4.00',
      { total_amount: 900, commissions: [{ ...OTHER, side_total_commission: 4 }] },
    ],
    ['Missing commissions.0.partner_id', { ...SIDES, commissions: [{ ...SHARE, partner_id: undefined }] }],
    ['Unknown contacts 9', { total_amount: 9, contacts: [9] }],
    ['Unknown created_by 9', { total_amount: 9, created_by: 9 }],
  ])('refuses %s', async (problem, body) => {
    await expectInvalid(create({ ...BODY, ...body }), problem)
    expect(await rows('incomes')).toEqual([])
  })

  it('counts in cents', async () => {
    const sides = { owner_side_amount: 0.3, client_side_amount: '0.1', total_amount: 0.4 }
    await create({ ...BODY, ...sides, ...shares(0.1, 0.2) })
    expect(await read()).toMatchObject({ total_amount: '0.40' })
  })

  it('names all problems, and what it does not take', async () => {
    await expectProblems(
      'POST',
      '/office/incomes',
      { ...BODY, contract_id: null, commissions: [{ ...SHARE, partner_id: 9 }] },
      ['Unknown commissions.partner_id 9'],
    )
    const ignored = { id: 5, date_updated: null, commissions: [{ ...SHARE, id: 7 }] }
    const { headers } = await create({ ...SIDES, ...ignored })
    expect(headers.get('X-Ignored-Fields')).toBe('id, date_updated, commissions.0.id')
    expect((await read()).commissions).toMatchObject([{ id: 1 }])
  })

  it('refuses commissions without a category for their expenses', async () => {
    await execute("delete from settings where key = 'partner_commission_category_id'")
    const categories = await rows('expense_categories')
    await execute('delete from expense_categories')
    await expectInvalid(
      create({ ...SIDES, commissions: [SHARE] }),
      'Invalid commissions: there is no expense category for the expenses that they generate',
    )
    await importRecords([
      ...categories.map((one): [string, Data] => ['expense_categories', one]),
      ['settings', { key: 'partner_commission_category_id', value: 4 }],
    ])
  })
})

describe('PUT /office/incomes/{id}', () => {
  it('follows the sides with the total, and with what a side comes to', async () => {
    await createShared()
    await change({ owner_side_amount: 800 })
    expect(await read()).toMatchObject({
      total_amount: '1000.50',
      commissions: [{ side_total_commission: '800.00' }, { side_total_commission: '200.50' }],
    })
    await expectInvalid(
      change({ owner_side_amount: 599.99 }),
      'Invalid commissions: owner_side gives 600.00 of 599.99',
    )
    await expectInvalid(change({ total_amount: 5 }), 'Invalid total_amount: the sides make 1000.50')
    await expectInvalid(
      change({ owner_side_amount: 900, total_amount: '1000.50' }),
      'Invalid total_amount: the sides make 1100.50',
    )
    await change({ owner_side_amount: null, client_side_amount: null, total_amount: 700 })
    expect(await read()).toMatchObject({
      owner_side_amount: null,
      total_amount: '700.00',
      commissions: [{ side_total_commission: '700.00' }, { side_total_commission: '700.00' }],
    })
    await expectInvalid(change({ total_amount: null }), 'Missing total_amount')
  })

  it('keeps commissions with an id, adds those without, and ends the others with their pending expenses', async () => {
    await createShared()
    await change({ commissions: [{ id: 2 }, { ...SHARE, partner_commission_amount: 5 }] })
    expect((await read()).commissions).toEqual([
      { ...OTHER, id: 2, side_total_commission: '200.50' },
      { ...SHARE, id: 3, side_total_commission: '1000.00', partner_commission_amount: '5.00' },
    ])
    expect(await idsByCommission()).toEqual({ 2: [2], 3: [3] })
    await change({ commissions: [{ id: 3, partner_id: 2, partner_commission_amount: '7.00' }] })
    expect(await rows('expenses')).toMatchObject([{ id: 3, partner_id: 2, amount_cents: 700, version: 2 }])
    await change({ commissions: null })
    // Neither a commission nor an expense gets an id again.
    await change({ commissions: [SHARE] })
    expect(await idsByCommission()).toEqual({ 4: [4] })
  })

  const TOO_MUCH = 'Invalid commissions: owner_side gives 1000.01 of 1000.00'

  it.each<[problem: string, commissions: unknown[]]>([
    ['Unknown commissions.id 77', [{ id: 77 }]],
    ['Unknown commissions.id 10', [{ id: 10, ...SHARE }]],
    ['Invalid commissions: id 1 stands twice', [{ id: 1 }, { id: 1 }]],
    ['Missing commissions.1.side', [{ id: 1 }, { partner_id: 3, partner_commission_amount: 1 }]],
    [TOO_MUCH, [{ id: 1 }, ...shares(400.01).commissions]],
    [TOO_MUCH, [{ id: 1 }, { id: 2 }, ...shares(400.01).commissions]],
  ])('refuses %s', async (problem, commissions) => {
    await createShared()
    await storeIncome([commission(10)], { id: 2 })
    await expectInvalid(change({ commissions }), problem)
    expect(await idsByCommission()).toMatchObject({ 1: [1], 2: [2], 10: [3] })
  })

  it('leaves commissions whose expense is confirmed as they are', async () => {
    await createShared()
    await post('/office/expenses/1/confirm', {})
    const sentence = 'Expense 1 of commission 1 is confirmed'
    for (const commissions of [
      [],
      [{ id: 2 }],
      [{ id: 1, partner_commission_amount: 1 }, { id: 2 }],
      [{ id: 1, side_total_commission: 999 }, { id: 2 }],
    ])
      await expectError(change({ commissions }), 409, sentence)
    const moved = await change({ date: '2026-06-01', owner_side_amount: 900, commissions: [{ id: 1 }] })
    expect(moved.status).toBe(200)
    // It is paid, so neither the commission nor its expense moves.
    expect((await read()).commissions).toEqual([{ ...SHARE, id: 1, side_total_commission: '1000.00' }])
    expect(await rows('expenses')).toMatchObject([{ id: 1, date: '2026-05-01', status: 'confirmed' }])
    await post('/office/expenses/1/reopen', { reason: 'Wrong day' })
    expect((await change({ commissions: [] })).status).toBe(200)
    expect(await rows('expenses')).toEqual([])
  })

  it('takes back what a read gives, of whatever state, without a change', async () => {
    await createShared()
    await storeIncome([commission(10, { side_total_commission: 1 })], { id: 2, total_amount: '5.00' })
    await storeIncome([commission(20)], { id: 3, status: 'confirmed' })
    await execute('update contacts set is_deleted = 1 where id = 2')
    for (const id of [1, 2, 3]) {
      const before = await get(`/api/incomes/${id}`)
      const reply = await put(`/office/incomes/${id}`, before.body.data)
      await expectDone(reply, { updated_id: id })
      expect(reply.headers.get('X-Ignored-Fields')).toBe('id, date_created, date_updated')
      const after = await get(`/api/incomes/${id}`)
      expect([after.body, after.headers.get('ETag')]).toEqual([before.body, before.headers.get('ETag')])
    }
    await execute('update contacts set is_deleted = 0 where id = 2')
  })

  it('judges the category’s id as POST does', async () => {
    await create({ ...SIDES })
    await expectInvalid(
      change({ category: 'valuation' }),
      'Invalid contract_id: only when category is contract',
    )
    await expectInvalid(change({ contract_id: null }), 'Missing contract_id')
    expect((await change({ category: 'other', contract_id: null, other_category_id: 2 })).status).toBe(200)
    expect(await read()).toMatchObject({ category: 'other', contract_id: null, other_category_id: 2 })
  })

  it('confirms by its status, with the expenses; who created it changes only before', async () => {
    await createShared()
    await expectInvalid(change({ created_by: null }), 'Missing created_by')
    await expectInvalid(change({ created_by: 9 }), 'Unknown created_by 9')
    await change({ created_by: 3 })
    expect(await read()).toMatchObject({ created_by: 3 })
    const [entry] = (await get('/api/incomes/1/history')).body.data
    expect(entry).toMatchObject({ changed: { created_by: [1, 3] }, others: [] })
    await change({ status: 'confirmed', date: '2026-06-02' })
    expect(await rows('expenses')).toMatchObject(
      [1, 2].map(() => ({ status: 'confirmed', date: '2026-06-02' })),
    )
    await expectError(change({ created_by: 2 }), 409, 'Income is confirmed: reopen it')
  })
})
