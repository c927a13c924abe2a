/** Imports of incomes, with the expenses that their commissions make, and of expenses. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importRecords } from '../../support/api.ts'
import { DATE } from '../../support/factories/dates.ts'
import { expectSameAfterReimport, importLine, importLines } from '../../support/transfer.ts'
import { rows } from '../offers/seed.ts'
import {
  commission,
  EXPENSE,
  emptyFinances,
  expense,
  INCOME,
  idsByCommission,
  income,
  seedFinances,
  storeExpense,
  storeIncome,
} from './seed.ts'

beforeAll(seedFinances)
beforeEach(emptyFinances)

const GENERATED = {
  category_id: 4,
  partner_id: 3,
  linked_income_id: 1,
  auto_generated: 1,
  amount_cents: 10_001,
  date: INCOME.date,
  title: null,
  notes: null,
  status: 'pending',
  created_by: INCOME.created_by,
  date_created: INCOME.date_created,
  date_updated: null,
  version: 1,
  is_deleted: 0,
}

describe('an income with commissions', () => {
  it('makes one expense for each', async () => {
    await storeIncome([commission(10), commission(11, { partner_id: 2, partner_commission_amount: 0.3 })])
    expect(await rows('expenses')).toEqual([
      { ...GENERATED, id: 1, linked_income_commission_id: 10 },
      { ...GENERATED, id: 2, linked_income_commission_id: 11, partner_id: 2, amount_cents: 30 },
    ])
    const stored = { income_id: 1, side: 'owner_side', side_total_cents: 100_010 }
    expect(await rows('income_commissions')).toEqual([
      { ...stored, id: 10, partner_id: 3, partner_cents: 10_001 },
      { ...stored, id: 11, partner_id: 2, partner_cents: 30 },
    ])
  })

  it('changes nothing when it is stored again', async () => {
    await storeIncome([commission(10), commission(11)])
    const before = await rows('expenses')
    await storeIncome([commission(11), commission(10)])
    expect(await rows('expenses')).toEqual(before)
  })

  it('takes its expenses along while they are pending, and never once they are confirmed', async () => {
    await storeIncome([commission(10)])
    const [share, date] = [{ partner_commission_amount: '7', partner_id: 1 }, '2024-06-01']
    await storeIncome([commission(10, share)], { date, created_by: 1 })
    const follows = { ...GENERATED, id: 1, linked_income_commission_id: 10, date_updated: DATE }
    expect(await rows('expenses')).toEqual([
      { ...follows, partner_id: 1, amount_cents: 700, date, version: 2 },
    ])
    await storeIncome([commission(10, { partner_commission_amount: '8' })], { status: 'confirmed' })
    expect(await rows('expenses')).toMatchObject([{ status: 'confirmed', amount_cents: 800, partner_id: 3 }])
    const confirmed = await rows('expenses')
    await storeIncome([commission(10, { partner_commission_amount: '9', partner_id: 2 })], {
      date: '2024-07-01',
    })
    expect(await rows('expenses')).toEqual(confirmed)
  })

  it('leaves title, notes and contacts of an edited expense alone', async () => {
    await storeIncome([commission(10)])
    await storeExpense({ ...(await expense(1)), title: 'Share', notes: 'Cash', contacts: [2], amount: 5 })
    await storeIncome([commission(10)], { date: '2024-07-02' })
    expect(await expense(1)).toMatchObject({ title: 'Share', notes: 'Cash', contacts: [2], amount: '100.01' })
  })

  it('leaves an edited expense alone while its own line changes nothing', async () => {
    await storeIncome([commission(10)])
    await storeExpense({ ...(await expense(1)), amount: 5, date_updated: '2024-08-01 10:00:00' })
    const edited = await rows('expenses')
    for (let times = 0; times < 2; times++) {
      await storeIncome([commission(10)])
      expect(await rows('expenses')).toEqual(edited)
    }
  })

  it('books in the category that is set, else in the lowest', async () => {
    await env.DB.exec(`delete from settings where key = 'partner_commission_category_id'`)
    await storeIncome([commission(10)])
    expect(await rows('expenses')).toMatchObject([{ category_id: 3 }])
    await importRecords([['settings', { key: 'partner_commission_category_id', value: 4 }]])
    await storeIncome([commission(10)], { date: '2024-07-02' })
    expect(await rows('expenses')).toMatchObject([{ category_id: 4 }])
  })

  it('is refused while there is no category at all', async () => {
    const categories = await rows('expense_categories')
    await env.DB.batch([
      env.DB.prepare(`delete from settings where key = 'partner_commission_category_id'`),
      env.DB.prepare('delete from expense_categories'),
    ])
    expect(await importLines('incomes', [income([commission(10)]), income([], { id: 2 })])).toEqual([
      'Invalid commissions: there is no expense category for the expenses that they generate',
    ])
    expect(await rows('incomes')).toMatchObject([{ id: 2 }])
    await importRecords(categories.map((category) => ['expense_categories', category]))
    await importRecords([['settings', { key: 'partner_commission_category_id', value: 4 }]])
  })
})

describe('a commission that disappears', () => {
  it('takes its pending expense with it', async () => {
    await storeIncome([commission(10), commission(11)])
    await storeExpense({ ...(await expense(1)), contacts: [1, 2] })
    await storeIncome([commission(11)])
    expect(await idsByCommission()).toEqual({ 11: [2] })
    expect(await rows('expense_contacts')).toEqual([])
    await storeIncome([])
    expect([await rows('expenses'), await rows('income_commissions')]).toEqual([[], []])
  })

  it('leaves a confirmed one, without the commission', async () => {
    await storeIncome([commission(10)], { status: 'confirmed' })
    await storeIncome([])
    expect(await rows('income_commissions')).toEqual([])
    expect(await expense(1)).toMatchObject({
      linked_income_id: 1,
      linked_income_commission_id: null,
      auto_generated: true,
      status: 'confirmed',
      date_updated: DATE,
    })
  })

  it('leaves one that was made by hand', async () => {
    await storeIncome([commission(10)])
    await storeExpense({ id: 5, linked_income_commission_id: 10 })
    await storeIncome([commission(11)])
    expect(await idsByCommission()).toEqual({ 0: [5], 11: [6] })
  })

  it('stays with its income while that has it', async () => {
    await storeIncome([commission(10)])
    const refused = 'Invalid commissions: id 10 belongs to another record, 1'
    expect(await importLine('incomes', income([commission(10)], { id: 2 }))).toBe(refused)
  })

  it('may move to another income', async () => {
    await storeIncome([commission(10), commission(11)])
    expect(
      await importLines('incomes', [
        income([commission(11)]),
        income([commission(10)], { id: 2, date: '2025-01-01' }),
      ]),
    ).toEqual([])
    const moved = (await rows('expenses')).find((row) => row.linked_income_commission_id === 10)
    expect(moved).toMatchObject({ linked_income_id: 2, date: '2025-01-01' })
  })
})

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

  it('links to an income with or without its commission', async () => {
    await storeIncome([commission(10)])
    await storeIncome([], { id: 2 })
    const own = { category_id: 3, amount: 5, date: '2024-01-01', status: 'pending', created_by: 1 }
    const lines = [{ linked_income_id: 2 }, { linked_income_commission_id: 10 }]
    expect(
      await importLines(
        'expenses',
        lines.map((link, index) => ({ ...own, ...link, id: 5 + index })),
      ),
    ).toEqual([])
    expect(await expense(5)).toMatchObject({ linked_income_id: 2, linked_income_commission_id: null })
    expect(await expense(6)).toMatchObject({ linked_income_id: 1, linked_income_commission_id: 10 })
  })
})

describe('export of incomes and expenses', () => {
  it('keeps confirmed, edited, hand-made, orphaned and renumbered expenses', async () => {
    const split = (id: number) => [commission(id), commission(id + 1), commission(id + 2)]
    await importRecords([
      ['incomes', { ...INCOME, commissions: split(10) }],
      ['incomes', { ...INCOME, id: 2, status: 'confirmed', commissions: split(20) }],
      // The expense of 10 is edited and confirmed while its income is pending, that of 20 the other way round.
      [
        'expenses',
        { ...EXPENSE, id: 1, linked_income_commission_id: 10, auto_generated: true, status: 'confirmed' },
      ],
      ['expenses', { ...EXPENSE, id: 4, linked_income_commission_id: 20, auto_generated: true }],
      ['expenses', { ...EXPENSE, id: 40, linked_income_commission_id: 11 }],
      ['expenses', { ...EXPENSE, id: 3 }],
      ['incomes', { ...INCOME, id: 2, status: 'confirmed', commissions: split(20).slice(0, 2) }],
    ])
    const lines = await expectSameAfterReimport(['incomes', 'expenses'], emptyFinances)
    const expenses = lines.map((one) => JSON.parse(one)).filter(({ entity }) => entity === 'expenses')
    expect(
      expenses.map(({ data: { id, linked_income_commission_id, auto_generated, status } }) => [
        id,
        linked_income_commission_id,
        auto_generated,
        status,
      ]),
    ).toEqual([
      [1, 10, true, 'confirmed'],
      [3, null, false, 'pending'],
      [4, 20, true, 'confirmed'],
      [5, 21, true, 'confirmed'],
      [6, null, true, 'confirmed'],
      [40, 11, false, 'pending'],
      [41, 12, true, 'pending'],
    ])
  })
})
