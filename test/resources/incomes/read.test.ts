import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, expectInvalid, get, importRecords, query } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { numbered } from '../../support/factories/named.ts'
import { expectOnePage, expectRecord, found, foundByQuery } from '../../support/reads.ts'
import { commission, INCOME, seedFinances } from './seed.ts'

const SPLIT = {
  ...INCOME,
  commissions: [commission(10), commission(11, { side: 'client_side', partner_id: 2 })],
}

const OTHER = {
  ...INCOME,
  id: 2,
  category: 'other',
  other_category_id: 2,
  contract_id: null,
  owner_side_amount: null,
  client_side_amount: null,
  total_amount: '0.30',
  date: '2024-05-01',
  title: null,
  notes: null,
  status: 'confirmed',
  date_created: '2024-05-02 23:59:59',
  date_updated: null,
  contacts: [3],
}

const LARGE = {
  ...INCOME,
  id: 3,
  category: 'valuation',
  contract_id: null,
  total_amount: '9999999999999.99',
  contacts: [],
}

beforeAll(async () => {
  await seedFinances()
  await importRecords([
    ['incomes', SPLIT],
    ['incomes', OTHER],
    ['incomes', LARGE],
  ])
})

describe('GET /api/incomes/{id}', () => {
  it.each([SPLIT, OTHER, LARGE])('answers income $id whole', (income) =>
    expectRecord(`/api/incomes/${income.id}`, income),
  )

  it('stores integer cents', async () => {
    const results = await selectAll(
      `select owner_side_cents, client_side_cents, total_cents, typeof(total_cents) as type from incomes order by id`,
    )
    expect(results).toEqual([
      { owner_side_cents: 100_010, client_side_cents: 200_020, total_cents: 300_030, type: 'integer' },
      { owner_side_cents: null, client_side_cents: null, total_cents: 30, type: 'integer' },
      {
        owner_side_cents: 100_010,
        client_side_cents: 200_020,
        total_cents: 999_999_999_999_999,
        type: 'integer',
      },
    ])
  })
})

describe('lookups of incomes', () => {
  it.each([
    [
      'statuses',
      [
        { id: 'pending', name: 'Pending' },
        { id: 'confirmed', name: 'Confirmed' },
      ],
    ],
    [
      'categories',
      [
        { id: 'contract', name: 'Contract' },
        { id: 'valuation', name: 'Valuation' },
        { id: 'referral', name: 'Referral' },
        { id: 'other', name: 'Other' },
      ],
    ],
    ['other-categories', numbered('Ενοίκια', 'Fees')],
    [
      'expense-categories',
      [
        { id: 3, name: 'Rent' },
        { id: 4, name: 'Συνεργάτες' },
        { id: 5, name: 'Office' },
      ],
    ],
  ])('answers %s', (name, data) => expectData(get(`/api/incomes/${name}`), data))
})

describe('GET /api/incomes', () => {
  it('answers incomes newest first without notes', async () => {
    await expectOnePage(
      '/api/incomes',
      [LARGE, OTHER, SPLIT].map(({ notes, ...listed }) => listed),
    )
  })

  it('gives the single-record form with fields=all', async () => {
    expect((await get('/api/incomes?fields=all')).body.data).toEqual([LARGE, OTHER, SPLIT])
  })

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
