/** Incomes and expenses to test with. */
import { type Data, get, importRecords } from '../../support/api.ts'
import { named } from '../../support/factories/named.ts'
import { CONTRACT, empty, OFFER, rows, seedDeals } from '../offers/seed.ts'

/** The deals, contracts 1 and 2, other categories 1–2, expense categories 3–5, of which 4 is for commissions. */
export async function seedFinances(): Promise<void> {
  await seedDeals()
  await importRecords([
    ['offers', OFFER],
    ['contracts', CONTRACT],
    ['contracts', { ...CONTRACT, id: 2 }],
    ...named('income_other_categories', 'Ενοίκια', 'Fees'),
    ['expense_categories', { id: 3, name: 'Rent' }],
    ['expense_categories', { id: 4, name: 'Συνεργάτες' }],
    ['expense_categories', { id: 5, name: 'Office' }],
    ['settings', { key: 'partner_commission_category_id', value: 4 }],
  ])
}

/** Removes every income and expense. */
export async function emptyFinances(): Promise<void> {
  await empty('expense_contacts', 'expenses', 'income_commissions', 'income_contacts', 'incomes', 'id_floors')
}

/** A whole income without commissions. */
export const INCOME = {
  id: 1,
  category: 'contract',
  other_category_id: null as number | null,
  contract_id: 1 as number | null,
  owner_side_amount: '1000.10' as string | null,
  client_side_amount: '2000.20' as string | null,
  total_amount: '3000.30',
  date: '2024-04-01',
  title: 'Πώληση' as string | null,
  notes: 'Σημείωση' as string | null,
  status: 'pending',
  created_by: 2,
  date_created: '2024-04-02 10:00:00',
  date_updated: '2024-04-03 10:00:00' as string | null,
  commissions: [] as Data[],
  contacts: [2, 1],
}

/** A commission as import takes it. */
export function commission(id: number, changes: Data = {}): Data {
  return {
    id,
    side: 'owner_side',
    partner_id: 3,
    side_total_commission: '1000.10',
    partner_commission_amount: '100.01',
    ...changes,
  }
}

/** A whole expense that stands alone. */
export const EXPENSE = {
  id: 1,
  category_id: 3,
  partner_id: null as number | null,
  linked_income_id: null as number | null,
  linked_income_commission_id: null as number | null,
  auto_generated: false,
  amount: '250.05',
  date: '2024-04-05',
  title: 'Rent' as string | null,
  notes: 'Paid' as string | null,
  status: 'pending',
  created_by: 1,
  date_created: '2024-04-05 10:00:00',
  date_updated: null as string | null,
  contacts: [3, 1],
}

/** `INCOME` with these commissions. */
export function income(commissions: Data[], changes: Data = {}): Data {
  return { ...INCOME, ...changes, commissions }
}

/** Imports `INCOME` with these commissions. */
export function storeIncome(commissions: Data[], changes: Data = {}): Promise<void> {
  return importRecords([['incomes', income(commissions, changes)]])
}

/** Imports `EXPENSE` with changes. */
export function storeExpense(changes: Data): Promise<void> {
  return importRecords([['expenses', { ...EXPENSE, ...changes }]])
}

/** An expense as the API reads it back. */
export async function expense(id: number) {
  return (await get(`/api/expenses/${id}`)).body.data
}

/** Expense ids by commission, of those that stand alone under 0. */
export async function idsByCommission(): Promise<Record<number, number[]>> {
  const ids: Record<number, number[]> = {}
  for (const row of await rows('expenses', 'id')) {
    const key = Number(row.linked_income_commission_id ?? 0)
    ids[key] = [...(ids[key] ?? []), Number(row.id)]
  }
  return ids
}
