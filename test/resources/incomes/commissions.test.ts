import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importRecords } from '../../support/api.ts'
import { DATE } from '../../support/factories/dates.ts'
import { importLines } from '../../support/transfer.ts'
import { rows } from '../offers/seed.ts'
import {
  commission,
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
