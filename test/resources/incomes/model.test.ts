import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { selectAll } from '../../support/database.ts'
import { expectSameAfterReimport, importLines } from '../../support/transfer.ts'
import { rows } from '../offers/seed.ts'
import { commission, EXPENSE, emptyFinances, INCOME, seedFinances } from './seed.ts'

beforeAll(seedFinances)

const small = (max: number) => fc.integer({ min: 1, max })
const status = fc.constantFrom('pending', 'confirmed')

const incomeLine = fc.record({
  id: small(3),
  status,
  commissions: fc.uniqueArray(
    fc.record({
      id: small(6),
      expense_id: fc.option(small(9)),
      partner_commission_amount: fc.integer({ min: 0, max: 999 }).map((cents) => cents / 100),
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  ),
})

const expenseLine = fc.record({
  id: small(9),
  status,
  linked_income_commission_id: fc.option(small(6)),
  auto_generated: fc.boolean(),
  contacts: fc.subarray([1, 2, 3]),
})

const requests = fc.array(
  fc.oneof(
    fc
      .array(incomeLine, { minLength: 1, maxLength: 4 })
      .map((lines) => ({ entity: 'incomes' as const, lines })),
    fc
      .array(expenseLine, { minLength: 1, maxLength: 4 })
      .map((lines) => ({ entity: 'expenses' as const, lines })),
  ),
  { minLength: 1, maxLength: 6 },
)

it('every commission has one expense, and an export comes back the same', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (imports) => {
      await emptyFinances()
      for (const { entity, lines } of imports) {
        await importLines(
          entity,
          lines.map((line) => (entity === 'incomes' ? toIncome(line) : { ...EXPENSE, ...line })),
        )
        await expectConsistent()
      }
      await expectSameAfterReimport(['incomes', 'expenses'], emptyFinances)
    }),
    { numRuns: 5 },
  )
})

async function expectConsistent(): Promise<void> {
  const commissions = await rows('income_commissions', 'id')
  const linked = (await rows('expenses', 'linked_income_commission_id')).filter(
    (expense) => expense.linked_income_commission_id !== null,
  )
  expect(linked.map((expense) => [expense.linked_income_commission_id, expense.linked_income_id])).toEqual(
    commissions.map(({ id, income_id }) => [id, income_id]),
  )
  expect(await selectAll('pragma foreign_key_check')).toEqual([])
  expect(await rows('expenses where id <= 0')).toEqual([])
}

function toIncome(line: object): Record<string, unknown> {
  const { commissions, ...rest } = line as { commissions: { id: number }[] }
  return { ...INCOME, ...rest, commissions: commissions.map((changes) => commission(changes.id, changes)) }
}
