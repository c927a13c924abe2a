/**
 * Records beside listings as they are stored: a row, its JSON parsed, and the ids that belong to it. What the service
 * makes of them is not repeated here.
 */
import { getTableColumns, getTableName, is, type Table } from 'drizzle-orm'
import { SQLiteTextJson } from 'drizzle-orm/sqlite-core'
import * as contacts from '../../../src/db/tables/contacts.ts'
import * as external from '../../../src/db/tables/external-listings.ts'
import * as finances from '../../../src/db/tables/finances.ts'
import { type LinkTable, linkColumns } from '../../../src/db/tables/links.ts'
import * as offers from '../../../src/db/tables/offers.ts'
import * as requests from '../../../src/db/tables/requests.ts'

export type Row = Record<string, string | number | null>

export const PAGE_SIZE = 50

interface Resource {
  table: Table
  /** Lists of ids, by the names that the service gives them. */
  lists: Record<string, LinkTable>
  /** The condition of its list, and of a read. */
  where?: string
}

const RESOURCES: Record<string, Resource> = {
  contacts: {
    table: contacts.contacts,
    lists: { tags: contacts.contact_tag_links, users: contacts.contact_users },
    where: 'is_deleted = 0',
  },
  requests: {
    table: requests.requests,
    lists: {
      contacts: requests.request_contacts,
      users: requests.request_users,
      tags: requests.request_tag_links,
      places: requests.request_locations,
    },
    where: 'is_deleted = 0',
  },
  'external-listings': {
    table: external.external_listings,
    lists: { tags: external.external_listing_tag_links, users: external.external_listing_users },
  },
  offers: { table: offers.offers, lists: { contacts: offers.offer_contacts } },
  contracts: { table: offers.contracts, lists: { contacts: offers.contract_contacts } },
  incomes: { table: finances.incomes, lists: { contacts: finances.income_contacts } },
  expenses: { table: finances.expenses, lists: { contacts: finances.expense_contacts } },
}

/** How the records of a resource are read. */
export interface Reader {
  table: string
  /** `select … from <table> t`, whole records. */
  select: string
  where: string
  present: (row: Row) => Record<string, unknown>
}

export const READERS = new Map(
  Object.entries(RESOURCES).map(([name, resource]) => [name, readerOf(resource)]),
)

function readerOf({ table, lists, where = 'true' }: Resource): Reader {
  const name = getTableName(table)
  const columns = Object.values(getTableColumns(table))
  const subselects = Object.entries(lists).map(([list, links]) => {
    const { owner, target } = linkColumns(links)
    return `${idsOf(getTableName(links), target, owner)} as ${list}`
  })
  const json = [
    ...columns.filter((column) => is(column, SQLiteTextJson)).map((column) => column.name),
    ...Object.keys(lists),
  ]
  return {
    table: name,
    select: `select ${[...columns.map((column) => `t.${column.name}`), ...subselects].join(', ')} from ${name} t`,
    where,
    present: (row) => ({ ...row, ...Object.fromEntries(json.map((key) => [key, parse(row[key])])) }),
  }
}

export async function readOne(
  db: D1Database,
  { select, where, present }: Reader,
  id: number,
): Promise<Response> {
  const row = await db.prepare(`${select} where t.id = ? and ${where}`).bind(id).first<Row>()
  return record(row && present(row))
}

export async function readPage(
  db: D1Database,
  { table, select, where, present }: Reader,
  query: URLSearchParams,
): Promise<Response> {
  const page = pageOf(query)
  const [rows, counted] = await db.batch<Row>([
    db
      .prepare(`${select} where ${where} order by t.id desc limit ${PAGE_SIZE} offset ?`)
      .bind((page - 1) * PAGE_SIZE),
    db.prepare(`select count(*) as total from ${table} where ${where}`),
  ])
  return list(page, Number(counted?.results[0]?.total), (rows?.results ?? []).map(present))
}

/** One record; 404 where there is none. */
export function record(data: unknown): Response {
  if (data === null) return failed(404, 'Not found')
  return Response.json({ status: 200, data })
}

/** A page of records. */
export function list(page: number, total: number, data: unknown[]): Response {
  return Response.json({
    status: 200,
    page,
    total_pages: Math.ceil(total / PAGE_SIZE),
    results_per_page: PAGE_SIZE,
    total_results: total,
    data,
  })
}

export function failed(status: number, message: string): Response {
  return Response.json({ status, message }, { status })
}

/** The page that `query` asks for, from 1. */
export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}

/** A sub-select for the ids in a join table, in their order. */
export function idsOf(table: string, column: string, owner: string): string {
  return `(select json_group_array(${column}) from (
    select ${column} from ${table} where ${owner} = t.id order by position))`
}

/** What a column holds as JSON. */
export function parse(value: Row[string] | undefined) {
  return value == null ? null : JSON.parse(String(value))
}
