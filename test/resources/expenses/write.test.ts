import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, get, importRecords, post, put, remove } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import {
  commission,
  emptyFinances,
  expense,
  seedFinances,
  storeExpense,
  storeIncome,
} from '../incomes/seed.ts'
import { rows } from '../offers/seed.ts'

type Data = Record<string, unknown>

beforeAll(seedFinances)
beforeEach(emptyFinances)

const BODY = { category_id: 3, amount: '12.30', date: '2026-05-01' }

const create = (body: Data) => post('/office/expenses', { ...BODY, ...body })
const change = (id: number, body: Data) => put(`/office/expenses/${id}`, body)

describe('POST /office/expenses', () => {
  it('stores an expense that no commission makes', async () => {
    await storeIncome([])
    const { body } = await create({
      partner_id: 2,
      linked_income_id: 1,
      title: 'T',
      contacts: [2],
      created_by: 2,
    })
    expect(body).toEqual({ status: 200, created_id: 1 })
    expect(await expense(1)).toMatchObject({
      ...{ ...BODY, partner_id: 2, title: 'T', created_by: 2, contacts: [2], date_updated: null },
      ...{ linked_income_id: 1, linked_income_commission_id: null, auto_generated: false },
    })
  })

  it('creates for the default user, else for the first', async () => {
    await create({})
    await importRecords([['settings', { key: 'default_user_id', value: 3 }]])
    await create({ status: 'confirmed' })
    await execute("delete from settings where key = 'default_user_id'")
    expect(await rows('expenses', 'id')).toMatchObject([
      { created_by: 1, status: 'pending' },
      { created_by: 3, status: 'confirmed' },
    ])
  })

  it('ignores what the service decides', async () => {
    const { headers } = await create({ auto_generated: true, linked_income_commission_id: 1 })
    expect(headers.get('X-Ignored-Fields')).toBe('auto_generated, linked_income_commission_id')
  })
})

describe('an expense of its own', () => {
  it('changes while it is pending, and then its texts', async () => {
    await create({})
    await change(1, { amount: 5, date: '2026-05-02', partner_id: 3, category_id: 5, created_by: 3 })
    expect(await expense(1)).toMatchObject({
      amount: '5.00',
      date: '2026-05-02',
      partner_id: 3,
      category_name: 'Office',
      created_by: 3,
    })
    await post('/office/expenses/1/confirm', { date: '2026-05-03' })
    for (const body of [{ amount: 6 }, { date: '2026-05-02' }, { created_by: 2 }, { status: 'pending' }])
      await expectError(change(1, body), 409, 'Expense is confirmed: reopen it')
    await change(1, { title: 'T', notes: 'N', contacts: [1], amount: '5.00' })
    expect(await expense(1)).toMatchObject({ title: 'T', notes: 'N', contacts: [1], date: '2026-05-03' })
    await expectError(remove('/office/expenses/1'), 409, 'Expense is confirmed: reopen it')
  })
})

describe('an expense that a commission made', () => {
  it('takes its texts and its course alone', async () => {
    await storeIncome([commission(9)])
    for (const status of ['pending', 'confirmed']) {
      if (status === 'confirmed') await post('/office/expenses/1/confirm', {})
      const refused = [
        { amount: 5 },
        { date: '2026-01-01' },
        { partner_id: 1 },
        { category_id: 5 },
        { linked_income_id: null },
      ]
      for (const body of refused) await expectError(change(1, body), 409, 'Expense follows commission 9')
      await expectError(remove('/office/expenses/1'), 409, 'Expense follows commission 9')
      await expectError(
        change(1, { status: status === 'pending' ? 'confirmed' : 'pending' }),
        409,
        'Expense follows commission 9',
      )
      expect((await change(1, { title: status, notes: 'N', contacts: [2], amount: '100.01' })).status).toBe(
        200,
      )
      expect(await expense(1)).toMatchObject({ title: status, notes: 'N', contacts: [2], status })
    }
    await post('/office/expenses/1/reopen', { reason: 'Not paid' })
    expect(await expense(1)).toMatchObject({
      status: 'pending',
      notes: expect.stringMatching(/^N\n\d{4}-\d\d-\d\d reopened: Not paid$/),
    })
    // It follows again.
    await put('/office/incomes/1', { date: '2026-08-01' })
    expect(await expense(1)).toMatchObject({ date: '2026-08-01' })
  })

  it('that was confirmed outlives a deleted income, and can then be deleted', async () => {
    await storeIncome([commission(9)])
    await post('/office/expenses/1/confirm', {})
    await remove('/office/incomes/1')
    await post('/office/expenses/1/reopen', { reason: 'Never paid' })
    expect((await remove('/office/expenses/1')).status).toBe(200)
    await expectError(get('/api/expenses/1'), 404, 'Expense not found')
  })

  it('that was made by hand stays with its commission', async () => {
    await storeIncome([commission(9)])
    await storeExpense({ id: 5, linked_income_commission_id: 9 })
    expect((await change(5, { amount: 7 })).status).toBe(200)
    await expectError(change(5, { linked_income_id: null }), 409, 'Expense follows commission 9')
    await expectError(remove('/office/expenses/5'), 409, 'Expense follows commission 9')
  })
})
