import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importRecords } from '../../support/api.ts'
import { expectSameAfterReimport, importLine } from '../../support/transfer.ts'
import { commission, EXPENSE, emptyFinances, INCOME, seedFinances } from './seed.ts'

beforeAll(seedFinances)
beforeEach(emptyFinances)

it('an import refuses the commission of another income', async () => {
  await importRecords([['incomes', { ...INCOME, commissions: [commission(10)] }]])
  const refused = 'Invalid commissions: id 10 belongs to another record, 1'
  expect(await importLine('incomes', { ...INCOME, id: 2, commissions: [commission(10)] })).toBe(refused)
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
})
