import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, importRecords, query } from '../../support/api.ts'
import { found, foundByQuery } from '../../support/reads.ts'
import { INCOME, seedFinances } from './seed.ts'

const VALUATION = {
  ...{ ...INCOME, category: 'valuation', contract_id: null },
  ...{ owner_side_amount: null, client_side_amount: null },
}

beforeAll(async () => {
  await seedFinances()
  await importRecords([
    ['incomes', INCOME],
    ['incomes', { ...VALUATION, id: 2, total_amount: '0.30' }],
    ['incomes', { ...VALUATION, id: 3, total_amount: '9999999999999.99' }],
  ])
})

describe('GET /api/incomes', () => {
  it.each<[Record<string, unknown>, number[]]>([
    [{ total_amount: { min: 3000.3, max: 3000.3 } }, [1]],
    [{ total_amount: { min: '3000.30', max: '3000.3' } }, [1]],
    [{ total_amount: { min: '3000.31' } }, [3]],
    [{ total_amount: { max: 3000.29 } }, [2]],
    [{ total_amount: { min: 0.1 + 0.2, max: 0.1 + 0.2 } }, [2]],
    [{ total_amount: { min: '9999999999999.99', max: null } }, [3]],
    [{ total_amount: { min: -5, max: 1 } }, [2]],
    [{ total_amount: { min: null, max: null } }, [3, 2, 1]],
  ])('%j → %j', async (filters, ids) => {
    expect(await found('/api/incomes', filters)).toEqual(ids)
  })

  it('takes filters from the query string', async () => {
    expect(await foundByQuery('/api/incomes', 'total_amount[min]=0.3&total_amount[max]=3000.30')).toEqual([
      2, 1,
    ])
    expect(await foundByQuery('/api/incomes', 'total_amount[min]=9999999999999.99')).toEqual([3])
    expect(await foundByQuery('/api/incomes', 'total_amount[max]=0.29')).toEqual([])
  })

  it.each<[Record<string, unknown>, string]>([
    [{ total_amount: {} }, 'Invalid total_amount: must have min, max or both'],
    [{ total_amount: { min: 1.234 } }, 'Invalid total_amount.min: must be an amount with at most 2 decimals'],
    [{ total_amount: { max: '1,5' } }, 'Invalid total_amount.max: must be an amount with at most 2 decimals'],
    [{ total_amount: { min: true } }, 'Invalid total_amount.min: must be a number'],
    [{ total_amount: { max: 1e15 } }, 'Invalid total_amount.max: must be at most 9999999999999.99'],
    [{ total_amount: { min: '10', max: 9.99 } }, 'Invalid total_amount: min must not be above max'],
  ])('%j → 400', (filters, message) => expectInvalid(query('/api/incomes', filters), message))
})
