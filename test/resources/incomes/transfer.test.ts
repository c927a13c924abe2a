import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { expectSameAfterReimport, importLine, importLines } from '../../support/transfer.ts'
import { rows } from '../offers/seed.ts'
import { commission, EXPENSE, emptyFinances, INCOME, INCOME_DEFAULTS, seedFinances } from './seed.ts'

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
  it('stores the whole income', async () => {
    const line = { ...INCOME, commissions: [commission(11), commission(10)], contacts: [2, 1, 2] }
    expect(await importLine('incomes', line)).toBeNull()
    expect(await read(1)).toEqual({ ...INCOME, commissions: [commission(10), commission(11)] })
    expect(await rows('income_contacts', 'position')).toEqual([
      { income_id: 1, contact_id: 2, position: 0 },
      { income_id: 1, contact_id: 1, position: 1 },
    ])
  })

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

  it('fills what may be left open, and keeps dates that are stored', async () => {
    expect(await importLine('incomes', { ...MINIMAL, id: 3 })).toBeNull()
    const first = await read(3)
    expect(first).toEqual({
      ...MINIMAL,
      ...INCOME_DEFAULTS,
      id: 3,
      total_amount: '5.00',
      date_created: first.date_created,
    })
    expect(Math.abs(Date.parse(`${first.date_created}Z`) - Date.now())).toBeLessThan(60_000)
    const dates = { date_created: '2001-01-01 00:00:00', date_updated: '2002-01-01 00:00:00' }
    await importLine('incomes', { ...MINIMAL, id: 3, ...dates })
    await importLine('incomes', { ...MINIMAL, id: 3 })
    expect(await read(3)).toEqual({ ...first, ...dates })
    await importLine('incomes', { ...MINIMAL, id: 3, date_updated: null })
    expect(await read(3)).toMatchObject({ date_updated: null })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ id: undefined }, 'Missing id'],
    [{ category: undefined }, 'Missing category'],
    [{ category: 'rent' }, 'Invalid category: must be one of contract, valuation, referral, other'],
    [{ category: 'other' }, 'Missing other_category_id'],
    [{ category: 'other', other_category_id: 99 }, 'Unknown other_category_id 99'],
    [{ category: 'other', other_category_id: '1' }, 'Invalid other_category_id: must be an integer'],
    [{ other_category_id: 1 }, 'Invalid other_category_id: only when category is other'],
    [{ category: 'contract' }, 'Missing contract_id'],
    [{ category: 'contract', contract_id: 99 }, 'Unknown contract_id 99'],
    [{ category: 'referral', contract_id: 1 }, 'Invalid contract_id: only when category is contract'],
    [{ owner_side_amount: -1 }, 'Invalid owner_side_amount: must be at least 0'],
    [
      { client_side_amount: '1.234' },
      'Invalid client_side_amount: must be an amount with at most 2 decimals',
    ],
    [{ total_amount: undefined }, 'Missing total_amount'],
    [{ total_amount: '' }, 'Missing total_amount'],
    [{ total_amount: '-0.01' }, 'Invalid total_amount: must be at least 0'],
    [{ total_amount: 1e14 }, 'Invalid total_amount: must be at most 9999999999999.99'],
    [{ date: '2024-02-30' }, 'Invalid date: must be a date, YYYY-MM-DD'],
    [{ title: 'x'.repeat(256) }, 'Invalid title: must be at most 255 characters'],
    [{ notes: 1 }, 'Invalid notes: must be text'],
    [{ status: 'paid' }, 'Invalid status: must be one of pending, confirmed'],
    [{ created_by: 99 }, 'Unknown created_by 99'],
    [{ date_created: 'now' }, 'Invalid date_created: must be a date-time, YYYY-MM-DD HH:MM:SS'],
    [{ commissions: {} }, 'Invalid commissions: must be an array'],
    [{ commissions: [commission(10, { id: undefined })] }, 'Missing commissions.0.id'],
    [
      { commissions: [commission(10, { side: 'both' })] },
      'Invalid commissions.0.side: must be one of owner_side, client_side',
    ],
    [{ commissions: [commission(10, { partner_id: 99 })] }, 'Unknown commissions.partner_id 99'],
    [
      { commissions: [commission(10, { partner_commission_amount: -1 })] },
      'Invalid commissions.0.partner_commission_amount: must be at least 0',
    ],
    [
      { commissions: [commission(10, { side_total_commission: 0.001 })] },
      'Invalid commissions.0.side_total_commission: must be an amount with at most 2 decimals',
    ],
    [
      { commissions: [commission(10, { expense_id: 0 })] },
      'Invalid commissions.0.expense_id: must be at least 1',
    ],
    [{ commissions: [commission(10), commission(10)] }, 'Invalid commissions: id 10 stands twice'],
    [{ contacts: [99] }, 'Unknown contacts 99'],
  ])('refuses %j', async (changes, message) => {
    expect(await importLine('incomes', { ...MINIMAL, id: 900, ...changes })).toBe(message)
    expect([await rows('incomes'), await rows('income_commissions'), await rows('expenses')]).toEqual([
      [],
      [],
      [],
    ])
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

  it('gives what import takes, in one order of keys, and comes back the same', async () => {
    await importRecords([
      ['incomes', { ...INCOME, commissions: [commission(10)] }],
      ['expenses', { ...EXPENSE, id: 7 }],
    ])
    const generated = {
      ...EXPENSE,
      category_id: 4,
      partner_id: 3,
      linked_income_id: 1,
      linked_income_commission_id: 10,
      auto_generated: true,
      amount: '100.01',
      date: INCOME.date,
      title: null,
      notes: null,
      created_by: 2,
      date_created: INCOME.date_created,
      contacts: [],
    }
    expect((await comesBackTheSame()).map((line) => JSON.parse(line))).toEqual([
      { entity: 'incomes', data: { ...INCOME, commissions: [commission(10, { expense_id: 1 })] } },
      { entity: 'expenses', data: generated },
      { entity: 'expenses', data: { ...EXPENSE, id: 7 } },
    ])
  })

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
