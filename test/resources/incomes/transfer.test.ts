import { beforeAll, beforeEach, expect, it } from 'vitest'
import { importRecords } from '../../support/api.ts'
import { importLine } from '../../support/transfer.ts'
import { commission, emptyFinances, INCOME, seedFinances } from './seed.ts'

beforeAll(seedFinances)
beforeEach(emptyFinances)

it('an import refuses the commission of another income', async () => {
  await importRecords([['incomes', { ...INCOME, commissions: [commission(10)] }]])
  const refused = 'Invalid commissions: id 10 belongs to another record, 1'
  expect(await importLine('incomes', { ...INCOME, id: 2, commissions: [commission(10)] })).toBe(refused)
})
