import { env } from 'cloudflare:workers'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoLines } from '../../demo/generate.ts'
import { batch, type Database, database, type Statement } from '../../src/db/client.ts'
import { fixed, fixedAround, plainOf } from '../../src/db/statements.ts'
import { contacts } from '../../src/db/tables/contacts.ts'
import { selectContacts } from '../../src/resources/contacts/queries.ts'
import { selectContracts } from '../../src/resources/contracts/queries.ts'
import { selectExpenses } from '../../src/resources/expenses/queries.ts'
import { selectExternalListings } from '../../src/resources/external-listings/queries.ts'
import { selectIncomes } from '../../src/resources/incomes/queries.ts'
import { selectArticles } from '../../src/resources/knowledge-base/queries.ts'
import { selectListings } from '../../src/resources/listings/queries.ts'
import { selectOffers } from '../../src/resources/offers/queries.ts'
import { selectRequests } from '../../src/resources/requests/queries.ts'
import { importRecords } from '../support/api.ts'

type Select = Statement & PromiseLike<object[]>

const SELECTS: Record<string, (db: Database) => Select> = {
  contacts: selectContacts,
  contracts: selectContracts,
  expenses: selectExpenses,
  external_listings: selectExternalListings,
  incomes: selectIncomes,
  knowledge_base_articles: selectArticles,
  listings: selectListings,
  offers: (db) => selectOffers(db, true),
  requests: selectRequests,
}

const db = database(env)

beforeAll(async () => {
  const lines = Array.from(demoLines({ contacts: 20, listings: 20 }), ({ entity, data }) => [entity, data])
  await importRecords(lines as [string, Record<string, unknown>][])
})

describe('a statement that is built once', () => {
  it.each(Object.entries(SELECTS))('reads what drizzle reads: %s', async (_, select) => {
    const expected = await select(db)
    expect(expected.length).toBeGreaterThan(0)
    const selectFixed = fixed(select)
    const [first] = await batch(db, [selectFixed({})])
    const [again] = await batch(db, [selectFixed({})])
    expect(first).toEqual(expected)
    expect(again).toEqual(expected)
  })

  it('binds what each call gives', async () => {
    const selectOne = fixed((builder) =>
      selectContacts(builder).where(
        and(eq(contacts.id, sql.placeholder('id')), eq(contacts.is_deleted, false)),
      ),
    )
    const [[one], [two], none] = await batch(db, [
      selectOne({ id: 1 }),
      selectOne({ id: 2 }),
      selectOne({ id: 0 }),
    ])
    expect([one?.id, two?.id, none]).toEqual([1, 2, []])
  })

  it('takes a piece of SQL with its parameters where it has left room', async () => {
    const select = fixedAround((builder, where) => selectContacts(builder).where(where))
    const [low, high] = await batch(db, [select(sql`id in (${1}, ${3})`), select(sql`id > ${18}`)])
    expect(low.map(({ id }) => id)).toEqual([1, 3])
    expect(high.map(({ id }) => id)).toEqual([19, 20])
  })

  it('refuses what it would get wrong', async () => {
    const twice = fixed((builder) => builder.select({ id: contacts.id, same: sql`id` }).from(contacts))
    await expect(batch(db, [twice({})])).rejects.toThrow('Two columns have one name')
    const bound = fixedAround((builder, where) =>
      selectContacts(builder).where(and(where, eq(contacts.is_lead, true))),
    )
    expect(() => bound(sql`true`)).toThrow('Only one piece, and no other parameter')
  })

  it('may be a piece that drizzle has put together', async () => {
    const [rows] = await batch(db, [
      plainOf<{ id: number }>(sql`select id from contacts where id < ${3} order by id`),
    ])
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  })
})
