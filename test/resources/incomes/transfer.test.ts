import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { expectSameAfterReimport, importLine, importLines } from '../../support/transfer.ts'
import { commission, EXPENSE, emptyFinances, INCOME, seedFinances } from './seed.ts'

beforeAll(seedFinances)
beforeEach(emptyFinances)

const MINIMAL = {
  category: 'valuation',
  total_amount: 5,
  date: '2024-01-01',
  status: 'pending',
  created_by: 1,
}

const read = async (id: number) => (await get(`/api/incomes/${id}`)).body.data

describe('import of incomes', () => {
  it('takes amounts as numbers and as text', async () => {
    const line = {
      ...MINIMAL,
      id: 2,
      total_amount: 0.1 + 0.2,
      owner_side_amount: '7',
      client_side_amount: 1e3,
    }
    expect(await importLine('incomes', line)).toBeNull()
    expect(await read(2)).toMatchObject({
      total_amount: '0.30',
      owner_side_amount: '7.00',
      client_side_amount: '1000.00',
    })
  })

  it('refuses the commission of another income', async () => {
    const line = (id: number) => ({ ...MINIMAL, id, commissions: [commission(10)] })
    expect(await importLines('incomes', [line(1), line(2)])).toEqual([
      'Invalid commissions: id 10 belongs to another record, 1',
    ])
    expect(await importLine('incomes', line(2))).toBe(
      'Invalid commissions: id 10 belongs to another record, 1',
    )
  })
})

describe('export of incomes and expenses', () => {
  const comesBackTheSame = () => expectSameAfterReimport(['incomes', 'expenses'], emptyFinances)

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
    const lines = (await comesBackTheSame()).map((line) => JSON.parse(line))
    const expenses = lines.filter(({ entity }) => entity === 'expenses').map(({ data }) => data)
    expect(
      expenses.map(({ id, linked_income_commission_id, auto_generated, status }) => [
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

  it('comes back over many requests and transactions', async () => {
    const incomes = Array.from({ length: 250 }, (_, index) => ({
      ...INCOME,
      id: index + 1,
      commissions: [commission(index * 2 + 1), commission(index * 2 + 2)],
    }))
    expect(await importLines('incomes', incomes)).toEqual([])
    expect(await importLines('expenses', [{ ...EXPENSE, id: 1 }])).toEqual([])
    const lines = await comesBackTheSame()
    expect(lines).toHaveLength(250 + 501)
  })
})
