/** Incomes and expenses. */
import { idsOf, parse, type Resource, type Row } from './read-resource.ts'

interface Commission {
  id: number
  side: string
  partner_id: number
  side_total_cents: number
  partner_cents: number
}

export const INCOMES: Resource = {
  table: 'incomes',
  select: `select id, category, other_category_id, contract_id, owner_side_cents, client_side_cents, total_cents, date,
    title, notes, status, created_by, date_created, date_updated,
    (select json_group_array(json_object('id', id, 'side', side, 'partner_id', partner_id, 'side_total_cents',
      side_total_cents, 'partner_cents', partner_cents)) from (
      select * from income_commissions where income_id = t.id order by id)) as commissions,
    ${idsOf('income_contacts', 'contact_id', 'income_id')} as contacts
    from incomes t`,
  present: presentIncome,
  presentListed: ({ notes, ...row }) => presentIncome(row),
}

function presentIncome({ owner_side_cents, client_side_cents, total_cents, ...row }: Row) {
  const commissions: Commission[] = parse(row.commissions)
  return {
    ...row,
    owner_side_amount: showCents(owner_side_cents),
    client_side_amount: showCents(client_side_cents),
    total_amount: showCents(total_cents),
    commissions: commissions.map(({ id, side, partner_id, side_total_cents, partner_cents }) => ({
      id,
      side,
      partner_id,
      side_total_commission: showCents(side_total_cents),
      partner_commission_amount: showCents(partner_cents),
    })),
    contacts: parse(row.contacts),
  }
}

export const EXPENSES: Resource = {
  table: 'expenses',
  select: `select t.id, category_id, category.name as category_name, partner_id, linked_income_id,
    linked_income_commission_id, auto_generated, amount_cents, date, title, notes, status, created_by, date_created,
    date_updated, ${idsOf('expense_contacts', 'contact_id', 'expense_id')} as contacts
    from expenses t join expense_categories category on category.id = t.category_id`,
  present: presentExpense,
  presentListed: ({ notes, ...row }) => presentExpense(row),
}

function presentExpense({ amount_cents, ...row }: Row) {
  return {
    ...row,
    auto_generated: row.auto_generated === 1,
    amount: showCents(amount_cents),
    contacts: parse(row.contacts),
  }
}

function showCents(cents: Row[string] | undefined): string | null {
  return cents == null ? null : (Number(cents) / 100).toFixed(2)
}
