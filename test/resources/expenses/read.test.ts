import { beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  expectData,
  expectError,
  expectInvalid,
  get,
  importRecords,
  keyWith,
  query,
} from '../../support/api.ts'
import { expectIndexed, expectOnePage, found, foundByQuery } from '../../support/reads.ts'
import { commission, EXPENSE, INCOME, seedFinances } from '../incomes/seed.ts'

const shown = ({ category_id, ...rest }: typeof EXPENSE, category_name: string) => ({
  ...rest,
  category_id,
  category_name,
})

const OTHER = {
  ...EXPENSE,
  id: 3,
  category_id: 5,
  partner_id: 2,
  linked_income_id: 1,
  amount: '0.30',
  date: '2024-05-01',
  title: null,
  notes: null,
  status: 'confirmed',
  date_created: '2024-05-02 23:59:59',
  date_updated: '2024-05-03 00:00:00',
  contacts: [],
}

const GENERATED = {
  ...EXPENSE,
  id: 2,
  category_id: 4,
  partner_id: 3,
  linked_income_id: 1,
  linked_income_commission_id: 10,
  auto_generated: true,
  amount: '100.01',
  date: INCOME.date,
  title: null,
  notes: null,
  status: 'pending',
  created_by: 2,
  date_created: INCOME.date_created,
  contacts: [],
}

const ALL = [shown(OTHER, 'Office'), shown(GENERATED, 'Συνεργάτες'), shown(EXPENSE, 'Rent')]

beforeAll(async () => {
  await seedFinances()
  await importRecords([
    ['expenses', EXPENSE],
    ['incomes', { ...INCOME, commissions: [commission(10)] }],
    ['expenses', OTHER],
  ])
})

describe('GET /api/expenses/{id}', () => {
  it.each(ALL)('answers expense $id whole', async (expense) => {
    const { status, body } = await get(`/api/expenses/${expense.id}`)
    expect({ status, body }).toEqual({ status: 200, body: { status: 200, data: expense } })
    expect(Object.keys(body.data).slice(0, 4)).toEqual(['id', 'category_id', 'category_name', 'partner_id'])
    expect((await get(`/api/expenses/${expense.id}?fields=all`)).body).toEqual(body)
  })

  it.each(['0', '-1', '999', '1.5', 'abc', '99999999999999999999'])('%s → 404', (id) =>
    expectError(get(`/api/expenses/${id}`), 404, 'Expense not found'),
  )

  it('is read-only, and needs the scope expenses:read', async () => {
    expect((await call('DELETE', '/api/expenses/1')).status).toBe(405)
    expect((await get('/api/expenses/1', { key: await keyWith('incomes:read') })).status).toBe(403)
    expect((await get('/api/expenses/1', { key: await keyWith('expenses:read') })).status).toBe(200)
  })
})

describe('lookups of expenses', () => {
  it('answers the statuses', () =>
    expectData(get('/api/expenses/statuses'), [
      { id: 'pending', name: 'Pending' },
      { id: 'confirmed', name: 'Confirmed' },
    ]))

  it('answers the categories, which incomes answer too', async () => {
    const { body } = await get('/api/expenses/categories')
    expect(body.data).toHaveLength(3)
    expect(body).toEqual((await get('/api/incomes/expense-categories')).body)
  })
})

describe('GET /api/expenses', () => {
  it('answers expenses newest first without notes', async () => {
    await expectOnePage(
      '/api/expenses',
      ALL.map(({ notes, ...listed }) => listed),
    )
  })

  it('gives the single-record form with fields=all', async () => {
    expect((await get('/api/expenses?fields=all')).body.data).toEqual(ALL)
  })

  it.each<[Record<string, unknown>, number[]]>([
    [{ category_id: 3 }, [1]],
    [{ category_id: 4 }, [2]],
    [{ category_id: 99 }, []],
    [{ partner_id: 2 }, [3]],
    [{ partner_id: 3 }, [2]],
    [{ linked_income_id: 1 }, [3, 2]],
    [{ contact_id: 3 }, [1]],
    [{ contact_id: 2 }, []],
    [{ status: 'confirmed' }, [3]],
    [{ status: 'pending' }, [2, 1]],
    [{ auto_generated: true }, [2]],
    [{ auto_generated: false }, [3, 1]],
    [{ date: { min: '2024-04-02', max: '2024-04-05' } }, [1]],
    [{ date: { min: null, max: '2024-04-01' } }, [2]],
    [{ date_created: { min: '2024-05-02', max: '2024-05-02' } }, [3]],
    [{ amount: { min: 100.01, max: '100.01' } }, [2]],
    [{ amount: { min: '100.02' } }, [1]],
    [{ amount: { max: 0.1 + 0.2 } }, [3]],
    [{ linked_income_id: 1, auto_generated: false, status: 'confirmed', amount: { min: 0 } }, [3]],
    [{ category_id: 3, auto_generated: true }, []],
  ])('%j → %j', async (filters, ids) => {
    expect(await found('/api/expenses', filters)).toEqual(ids)
  })

  it('takes filters from the query string', async () => {
    expect(await foundByQuery('/api/expenses', 'auto_generated=true&amount[min]=100.01')).toEqual([2])
    expect(await foundByQuery('/api/expenses', 'status=pending&date[max]=2024-04-05')).toEqual([2, 1])
  })

  it.each<[Record<string, unknown>, string]>([
    [{ category_id: 'rent' }, 'Invalid category_id: must be an integer'],
    [{ partner_id: [1] }, 'Invalid partner_id: must be an integer'],
    [{ linked_income_id: 1.5 }, 'Invalid linked_income_id: must be an integer'],
    [{ contact_id: true }, 'Invalid contact_id: must be an integer'],
    [{ status: 'paid' }, 'Invalid status: must be one of pending, confirmed'],
    [{ auto_generated: 'yes' }, 'Invalid auto_generated: must be true or false'],
    [{ date: { max: '2024-02-30' } }, 'Invalid date.max: must be a date, YYYY-MM-DD'],
    [{ date_created: {} }, 'Invalid date_created: must have min, max or both'],
    [{ amount: { min: '0.001' } }, 'Invalid amount.min: must be an amount with at most 2 decimals'],
    [{ amount: { min: 2, max: '1.99' } }, 'Invalid amount: min must not be above max'],
  ])('%j → 400', (filters, message) => expectInvalid(query('/api/expenses', filters), message))

  it.each([
    'category_id',
    'partner_id',
    'linked_income_id',
    'linked_income_commission_id',
    'status',
    'auto_generated',
    'date',
    'date_created',
    'amount_cents',
  ])('looks %s up in an index', (column) => expectIndexed('expenses', column))
})
