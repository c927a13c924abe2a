import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { importLines } from '../../support/transfer.ts'
import { commission, emptyFinances, INCOME, seedFinances } from '../incomes/seed.ts'

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
})
