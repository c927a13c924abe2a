import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, get, importRecords } from '../../support/api.ts'
import { expectOnePage } from '../../support/reads.ts'
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
})
