import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importLine, importLines } from '../../support/transfer.ts'
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

beforeAll(seedFinances)
beforeEach(emptyFinances)

/** The line of the expense of a commission. */
const line = (id: number, linked_income_commission_id = 10, auto_generated = false) => ({
  ...{ ...EXPENSE, id, linked_income_commission_id, auto_generated },
})

describe('expense_id of a commission', () => {
  it('is the id of its expense, the others get higher ones', async () => {
    await storeIncome([commission(9), commission(10, { expense_id: 70 }), commission(11, { expense_id: 7 })])
    expect(await idsByCommission()).toEqual({ 9: [71], 10: [70], 11: [7] })
  })

  it('renumbers the expense that there is, and takes its contacts along', async () => {
    await storeIncome([commission(10), commission(11)])
    await storeExpense({ ...(await expense(1)), contacts: [2, 1] })
    await storeIncome([commission(10, { expense_id: 50 }), commission(11)])
    expect(await idsByCommission()).toEqual({ 10: [50], 11: [2] })
    expect(await expense(50)).toMatchObject({ contacts: [2, 1] })
  })

  it('may be another generated expense’s, which gives way, be it confirmed', async () => {
    await storeIncome([commission(10)], { status: 'confirmed' })
    await storeIncome([commission(11, { expense_id: 1 })], { id: 2 })
    expect(await idsByCommission()).toEqual({ 10: [2], 11: [1] })
    await storeIncome([commission(11, { expense_id: 2 })], { id: 2 })
    expect(await idsByCommission()).toEqual({ 10: [3], 11: [2] })
  })

  it('may be swapped', async () => {
    await storeIncome([commission(10), commission(11), commission(12)])
    await storeIncome([2, 3, 1].map((expense_id, index) => commission(10 + index, { expense_id })))
    expect(await idsByCommission()).toEqual({ 10: [2], 11: [3], 12: [1] })
  })

  it('gives way to an expense that was not generated', async () => {
    await storeExpense({ id: 5 })
    await storeIncome([commission(10, { expense_id: 5 })])
    expect(await idsByCommission()).toEqual({ 0: [5], 10: [6] })
    await storeIncome([commission(10, { expense_id: 5 })])
    expect(await idsByCommission()).toEqual({ 0: [5], 10: [6] })
  })

  it('does not move an expense that was made by hand', async () => {
    await storeIncome([commission(10), commission(11)])
    await storeExpense({ id: 8, linked_income_commission_id: 10 })
    await storeIncome([commission(10, { expense_id: 2 }), commission(11)])
    expect(await idsByCommission()).toEqual({ 10: [8], 11: [2] })
  })

  it('stands once in an income; of two incomes the later gets it', async () => {
    const twice = [commission(10, { expense_id: 5 }), commission(11, { expense_id: 5 })]
    expect(await importLine('incomes', income(twice))).toBe('Invalid commissions: expense_id 5 stands twice')
    const lines = twice.map((one, index) => income([one], { id: index + 1 }))
    expect(await importLines('incomes', lines)).toEqual([])
    expect(await idsByCommission()).toEqual({ 10: [6], 11: [5] })
    expect(await importLines('incomes', lines)).toEqual([])
    expect(await idsByCommission()).toEqual({ 10: [6], 11: [5] })
  })
})

describe('an expense line', () => {
  it('wins its id: a generated expense in its way is renumbered, with its contacts, be it confirmed', async () => {
    await storeIncome([commission(10), commission(11)], { status: 'confirmed' })
    await storeExpense({ ...(await expense(1)), contacts: [2] })
    const lines = [{ id: 1 }, { id: 9, contacts: [] }].map((changes) => ({ ...EXPENSE, ...changes }))
    expect(await importLines('expenses', lines)).toEqual([])
    expect(await idsByCommission()).toEqual({ 0: [1, 9], 10: [10], 11: [2] })
    expect(await expense(1)).toMatchObject({ title: 'Rent', contacts: [3, 1] })
    expect(await expense(10)).toMatchObject({ linked_income_commission_id: 10, contacts: [2] })
    const before = await rows('expenses')
    await storeIncome([commission(10), commission(11)], { status: 'confirmed' })
    await storeExpense({ id: 1 })
    expect(await rows('expenses')).toEqual(before)
  })

  it('is no change of the generated expense that has its id, unless it is only a part', async () => {
    await storeIncome([commission(10)])
    const { linked_income_id, linked_income_commission_id, auto_generated, ...own } = EXPENSE
    for (let times = 0; times < 2; times++) {
      expect(await importLine('expenses', own)).toBeNull()
      expect(await idsByCommission()).toEqual({ 0: [1], 10: [2] })
      expect(await expense(1)).toMatchObject({ auto_generated: false, amount: EXPENSE.amount })
    }
    expect(await importLine('expenses', { id: 2, notes: 'Cash' })).toBeNull()
    expect(await expense(2)).toMatchObject({ auto_generated: true, amount: '100.01', notes: 'Cash' })
  })

  it('replaces the generated expense of its commission', async () => {
    await storeIncome([commission(10), commission(11)])
    await storeExpense({ ...(await expense(2)), contacts: [1] })
    await storeExpense({ id: 1, linked_income_commission_id: 11 })
    // No other gets the id of the one that is gone.
    expect(await idsByCommission()).toEqual({ 10: [3], 11: [1] })
    expect(await expense(1)).toMatchObject({ linked_income_id: 1, auto_generated: false, contacts: [3, 1] })
    await storeIncome([commission(10), commission(11, { partner_commission_amount: 1 })], {
      status: 'confirmed',
    })
    expect(await expense(1)).toMatchObject({ amount: '250.05', status: 'pending' })
  })

  it('does not replace what was made by hand', async () => {
    await storeIncome([commission(10)])
    const message = 'Invalid linked_income_commission_id: commission 10 has the expense 5 already'
    expect(await importLines('expenses', [line(5), line(6)])).toEqual([message])
    expect(await importLine('expenses', line(6))).toBe(message)
    expect(await idsByCommission()).toEqual({ 10: [5] })
    expect(await importLines('expenses', [{ ...EXPENSE, id: 5 }, line(6)])).toEqual([])
    expect(await idsByCommission()).toEqual({ 0: [5], 10: [6] })
  })

  it('replaces another of the same commission that counts as generated', async () => {
    await storeIncome([commission(10)])
    const lines = [5, 6].map((id) => line(id, 10, true))
    expect(await importLines('expenses', [...lines, { ...EXPENSE, id: 7 }])).toEqual([])
    expect(await idsByCommission()).toEqual({ 0: [7], 10: [6] })
  })

  it('an expense line that gives up its commission leaves a new expense to it', async () => {
    await storeIncome([commission(10), commission(11)])
    await storeExpense({ id: 5, linked_income_commission_id: 10 })
    await storeExpense({ id: 5 })
    expect(await idsByCommission()).toEqual({ 0: [5], 10: [6], 11: [2] })
    await storeExpense({ id: 5, linked_income_commission_id: 10 })
    await storeExpense({ id: 5, linked_income_commission_id: 11 })
    expect(await idsByCommission()).toEqual({ 10: [7], 11: [5] })
  })

  it('swaps commissions with another', async () => {
    await storeIncome([commission(10), commission(11)])
    expect(await importLines('expenses', [line(1, 11, true), line(2, 10, true)])).toEqual([])
    expect(await idsByCommission()).toEqual({ 10: [2], 11: [1] })
  })
})
