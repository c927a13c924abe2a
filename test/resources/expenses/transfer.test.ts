import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { importLine, importLines } from '../../support/transfer.ts'
import { commission, EXPENSE, emptyFinances, INCOME, seedFinances } from '../incomes/seed.ts'
import { rows } from '../offers/seed.ts'

beforeAll(seedFinances)
beforeEach(async () => {
  await emptyFinances()
  await importRecords([
    ['incomes', { ...INCOME, commissions: [commission(10)] }],
    ['incomes', { ...INCOME, id: 2 }],
  ])
})

const MINIMAL = { category_id: 3, amount: 5, date: '2024-01-01', status: 'pending', created_by: 1 }

const read = async (id: number) => (await get(`/api/expenses/${id}`)).body.data

describe('import of expenses', () => {
  it('stores the whole expense in integer cents', async () => {
    expect(await importLine('expenses', { ...EXPENSE, id: 5, category_name: 'ignored' })).toBeNull()
    expect(await read(5)).toEqual({ ...EXPENSE, id: 5, category_name: 'Rent' })
    expect((await rows('expenses')).at(-1)).toMatchObject({ amount_cents: 25_005, auto_generated: 0 })
    expect(await rows('expense_contacts', 'position')).toEqual([
      { expense_id: 5, contact_id: 3, position: 0 },
      { expense_id: 5, contact_id: 1, position: 1 },
    ])
  })

  it('fills what may be left open, and keeps dates that are stored', async () => {
    expect(await importLine('expenses', { ...MINIMAL, id: 5 })).toBeNull()
    const first = await read(5)
    expect(first).toEqual({
      ...MINIMAL,
      id: 5,
      category_name: 'Rent',
      partner_id: null,
      linked_income_id: null,
      linked_income_commission_id: null,
      auto_generated: false,
      amount: '5.00',
      title: null,
      notes: null,
      date_created: first.date_created,
      date_updated: null,
      contacts: [],
    })
    expect(Math.abs(Date.parse(`${first.date_created}Z`) - Date.now())).toBeLessThan(60_000)
    const dates = { date_created: '2001-01-01 00:00:00', date_updated: '2002-01-01 00:00:00' }
    await importLine('expenses', { ...MINIMAL, id: 5, ...dates })
    await importLine('expenses', { ...MINIMAL, id: 5 })
    expect(await read(5)).toEqual({ ...first, ...dates })
  })

  it('links to an income with or without its commission', async () => {
    expect(
      await importLines('expenses', [
        { ...MINIMAL, id: 5, linked_income_id: 2 },
        { ...MINIMAL, id: 6, linked_income_commission_id: 10 },
      ]),
    ).toEqual([])
    expect(await read(5)).toMatchObject({ linked_income_id: 2, linked_income_commission_id: null })
    expect(await read(6)).toMatchObject({ linked_income_id: 1, linked_income_commission_id: 10 })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ id: undefined }, 'Missing id'],
    [{ id: '5' }, 'Invalid id: must be an integer'],
    [{ category_id: undefined }, 'Missing category_id'],
    [{ category_id: 99 }, 'Unknown category_id 99'],
    [{ partner_id: 99 }, 'Unknown partner_id 99'],
    [{ linked_income_id: 99 }, 'Unknown linked_income_id 99'],
    [{ linked_income_commission_id: 99 }, 'Unknown linked_income_commission_id 99'],
    [
      { linked_income_id: 2, linked_income_commission_id: 10 },
      'Invalid linked_income_commission_id: commission 10 is not part of income 2',
    ],
    [{ auto_generated: 1 }, 'Invalid auto_generated: must be true or false'],
    [{ amount: null }, 'Missing amount'],
    [{ amount: '-5' }, 'Invalid amount: must be at least 0'],
    [{ amount: 1.005 }, 'Invalid amount: must be an amount with at most 2 decimals'],
    [{ amount: [] }, 'Missing amount'],
    [{ amount: true }, 'Invalid amount: must be a number'],
    [{ date: '01/02/2024' }, 'Invalid date: must be a date, YYYY-MM-DD'],
    [{ title: 5 }, 'Invalid title: must be text'],
    [{ notes: 'x\0' }, 'Invalid notes: must not contain NUL or broken Unicode'],
    [{ status: null }, 'Missing status'],
    [{ created_by: 99 }, 'Unknown created_by 99'],
    [{ date_updated: '2024-01-01' }, 'Invalid date_updated: must be a date-time, YYYY-MM-DD HH:MM:SS'],
    [{ contacts: [99] }, 'Unknown contacts 99'],
    [{ status: 'x', amount: 'x', category_id: 99 }, 'Unknown category_id 99'],
  ])('refuses %j', async (changes, message) => {
    const before = await rows('expenses')
    expect(await importLine('expenses', { ...MINIMAL, id: 900, ...changes })).toBe(message)
    expect(await rows('expenses')).toEqual(before)
  })
})
