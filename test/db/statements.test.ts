import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { batch, database, runStatement } from '../../src/db/client.ts'
import { decoderOf } from '../../src/db/columns.ts'
import {
  JsonField,
  prepared,
  preparedAround,
  select,
  selectRows,
  sqlStatement,
} from '../../src/db/statements.ts'
import * as agency from '../../src/db/tables/agency.ts'
import { contacts } from '../../src/db/tables/contacts.ts'
import * as externalListings from '../../src/db/tables/external-listings.ts'
import * as finances from '../../src/db/tables/finances.ts'
import * as knowledgeBase from '../../src/db/tables/knowledge-base.ts'
import { listings } from '../../src/db/tables/listings.ts'
import * as lookups from '../../src/db/tables/lookups.ts'
import * as offers from '../../src/db/tables/offers.ts'
import { requests } from '../../src/db/tables/requests.ts'
import { webhooks } from '../../src/db/tables/webhooks.ts'
import { selectContacts } from '../../src/resources/contacts/queries.ts'
import { contracts as plainContracts } from '../../src/resources/contracts/resource.ts'
import { expenses as plainExpenses } from '../../src/resources/expenses/resource.ts'
import { selectExternalListings } from '../../src/resources/external-listings/queries.ts'
import { incomes as plainIncomes } from '../../src/resources/incomes/resource.ts'
import { articles as plainArticles } from '../../src/resources/knowledge-base/resource.ts'
import { selectListings } from '../../src/resources/listings/queries.ts'
import { offers as plainOffers } from '../../src/resources/offers/resource.ts'
import { selectRequests } from '../../src/resources/requests/queries.ts'
import { importRecords } from '../support/api.ts'
import { demoLines } from '../support/demo.ts'

const TABLES = [
  agency.custom_fields,
  agency.settings,
  contacts,
  externalListings.external_listings,
  finances.expenses,
  finances.incomes,
  knowledgeBase.knowledge_base_categories,
  listings,
  lookups.contract_statuses,
  lookups.listing_subtypes,
  offers.contracts,
  offers.offers,
  requests,
]

const WHOLE = {
  contacts: selectContacts,
  contracts: plainContracts.selectWhole,
  expenses: plainExpenses.selectWhole,
  external_listings: selectExternalListings,
  incomes: plainIncomes.selectWhole,
  knowledge_base_articles: plainArticles.selectWhole,
  listings: selectListings,
  offers: plainOffers.selectWhole,
  requests: selectRequests,
}

const db = database(env)

beforeAll(async () => {
  const lines = Array.from(demoLines({ contacts: 20, listings: 20 }), ({ entity, data }) => [entity, data])
  await importRecords(lines as [string, Record<string, unknown>][])
})

describe('a select', () => {
  it.each(TABLES.map((table) => ({ name: getTableName(table), table })))(
    'decodes what drizzle decodes: $name',
    async ({ table }) => {
      const expected = await drizzle(env.DB).select().from(table)
      expect(expected.length).toBeGreaterThan(0)
      expect(await runStatement(db, selectRows(table, sql``))).toEqual(expected)
    },
  )

  it.each(Object.entries(WHOLE))('reads the lists of a record: %s', async (table, selectWhole) => {
    const rows = await runStatement<object>(db, selectWhole(sql`limit 3`))
    expect(rows.length).toBeGreaterThan(0)
    // Triggers read the keys of people, and what writes a record makes them as text.
    const lists = rows.flatMap((row) => Object.entries(row)).filter(([name]) => name !== 'person_keys')
    for (const [, value] of lists) {
      expect(typeof value === 'string' && /^[[{]/.test(value), `${table}: ${value}`).toBe(false)
    }
  })

  it('keeps columns of one name apart, and null as it is', async () => {
    const fields = {
      id: contacts.id,
      other: agency.users.id,
      none: new JsonField<number[]>(sql`null`, JSON.parse),
    }
    const joined = select(
      fields,
      sql`from ${contacts} join ${agency.users} where contacts.id = 2 and users.id = 1`,
    )
    const rows = await runStatement(db, joined)
    expectTypeOf(rows).toEqualTypeOf<{ id: number; other: number; none: number[] }[]>()
    expect(rows).toEqual([{ id: 2, other: 1, none: null }])
  })

  it('knows how every column is decoded', () => {
    const kinds = [...TABLES, webhooks].flatMap((table) => Object.values(getTableColumns(table)))
    const decoded = kinds.filter((column) => decoderOf(column)).map(({ columnType }) => columnType)
    const stored = kinds.filter((column) => !decoderOf(column)).map(({ columnType }) => columnType)
    expect(new Set(decoded)).toEqual(new Set(['SQLiteBoolean', 'SQLiteTextJson']))
    expect(new Set(stored)).toEqual(new Set(['SQLiteInteger', 'SQLiteReal', 'SQLiteText']))
  })
})

describe('a limit', () => {
  it('is in the text, as SQLite would prepare the statement anew for each value that is bound', () => {
    const { sql: text, params } = sqlStatement(
      sql`select id from (select id from contacts where notes <> ${'limit ?'} limit ${7}) where id > ${1} limit ${5} offset ${3}`,
    )
    expect(text).toBe(
      'select id from (select id from contacts where notes <> ? limit 7) where id > ? limit 5 offset ?',
    )
    expect(params).toEqual(['limit ?', 1, 3])
  })

  it('stays bound in a statement whose text has a question mark of its own', () => {
    const { sql: text, params } = sqlStatement(
      sql`select 'a ? limit ?' from contacts where notes like ${'b'} and 1 <> ${8} limit ${5}`,
    )
    expect(text).toBe("select 'a ? limit ?' from contacts where notes like ? and 1 <> ? limit ?")
    expect(params).toEqual(['b', 8, 5])
  })
})

describe('a prepared statement', () => {
  it('is built once, and binds the parameters of each call', async () => {
    let builds = 0
    const selectOne = prepared(() => {
      builds++
      return selectContacts(sql`where id = ${sql.placeholder('id')} and is_deleted = ${0}`)
    })
    const { one, two, none } = await batch(db, {
      one: selectOne({ id: 1 }),
      two: selectOne({ id: 2 }),
      none: selectOne({ id: 0 }),
    })
    expect([one[0]?.id, two[0]?.id, none]).toEqual([1, 2, []])
    expect(builds).toBe(1)
  })

  it('refuses parameters around a fragment', () => {
    const bound = preparedAround((where) => selectContacts(sql`where ${where} and is_lead = ${1}`))
    expect(() => bound(sql`true`)).toThrow('Only one fragment, and no other parameter')
  })
})
