/**
 * A question as SQL by hand over `listings` and its links: what somebody writes who has to answer only this one, and may
 * have the one index that is best for it.
 */

import { columnsFor } from './columns.ts'
import type { Question } from './questions.ts'
import type { View } from './service.ts'
import { type Term, termsOf } from './terms.ts'
import type { Trip } from './worker.ts'

/** An index for a question, and the statements that use it. */
export interface Candidate {
  create: string
  drop: string
  /** The page and the total. */
  trip: Trip
}

/** The indexes that may be best: one to find what the filters select, one to read in the order of the page. */
export function candidatesFor(question: Question, view: View, document: string): Candidate[] {
  const terms = termsOf(question.filters, view)
  const order = orderOf(question, view)
  const of = (kind: Term['kind']) => terms.filter((term) => term.kind === kind).flatMap(({ reads }) => reads)
  const ordered = orderColumns(order)
  const rest = [...of('list'), ...of('range'), ...of('test'), ...order.reads]
  const [range = [], ...ranges] = terms.filter(({ kind }) => kind === 'range').map(({ reads }) => reads)
  const lists = [
    [...of('equal'), ...of('list'), ...range, ...ranges.flat(), ...ordered, ...rest],
    ...(order.isComputed ? [] : [[...of('equal'), ...ordered, ...rest]]),
  ]
  const indexes = new Set(lists.map((columns) => distinct(columns).join(', ')))
  return [...indexes].map((columns, number) => {
    const name = `bench_${number}`
    return {
      create: `create index ${name} on listings (${columns})`,
      drop: `drop index ${name}`,
      trip: statementsOf(question, { view, document, terms, order, index: name }),
    }
  })
}

/** A column is there once, whatever its direction. */
function distinct(columns: string[]): string[] {
  const seen = new Set<string>()
  return columns.filter((column) => {
    const plain = column.replace(/ desc$/, '')
    const isNew = !seen.has(plain)
    seen.add(plain)
    return isNew
  })
}

interface Order {
  /** The column or expression; null for the id. */
  by: string | null
  isDescending: boolean
  /** Whether no index can have it. */
  isComputed: boolean
  reads: string[]
  params: unknown[]
}

/** The columns that leave nothing to sort. */
function orderColumns({ by, isDescending, isComputed }: Order): string[] {
  if (isComputed) return []
  // Read backwards, equal values have the newest first.
  return by ? [by, ...(isDescending ? [] : ['id desc'])] : ['id']
}

function orderOf({ sort, filters: { near } }: Question, view: View): Order {
  const columns = columnsFor(view)
  const isDescending = sort.startsWith('-')
  const name = sort.replace(/^-/, '')
  if (name === 'id') return { by: null, isDescending, isComputed: false, reads: [], params: [] }
  if (name !== 'distance') {
    return { by: columns.of(name), isDescending, isComputed: false, reads: [], params: [] }
  }
  if (!near) throw new Error('A distance is from a point')
  const { sql, params, reads } = columns.distanceTo(near)
  return { by: sql, isDescending, isComputed: true, reads, params }
}

interface Parts {
  view: View
  /** The table that has the JSON of a listing. */
  document: string
  terms: Term[]
  order: Order
  index: string
}

function statementsOf({ page, per_page }: Question, { view, document, terms, order, index }: Parts): Trip {
  const conditions = terms.map(({ sql }) => `(${sql})`).join(' and ') || 'true'
  const params = terms.flatMap((term) => term.params)
  const from = `from listings indexed by ${index} where ${conditions}`
  const direction = order.isDescending ? 'desc' : 'asc'
  const orderBy = order.by ? `${order.by} ${direction} nulls last, id desc` : `id ${direction}`
  const ids = `select id ${from} order by ${orderBy} limit ? offset ?`
  const bounds = [per_page, (page - 1) * per_page]
  return [
    {
      sql: `select ${cardOf(view, document)} from listings where id in (${ids}) order by ${orderBy}`,
      params: [...params, ...order.params, ...bounds, ...order.params],
    },
    { sql: `select count(*) as total ${from}`, params },
  ]
}

const areaOf = (
  level: number,
) => `(select json_object('id', id, 'level', level, 'parent_id', parent_id, 'name_el', name_el,
  'name_en', name_en, 'full_name_el', full_name_el, 'full_name_en', full_name_en)
  from locations where locations.id = listings.area_level${level}) as area${level}`

/** What the service reads of a listing as well, with its stored JSON. */
function cardOf(view: View, document: string): string {
  if (view === 'secret')
    return 'id, (select document from listing_documents where listing_id = listings.id) as document'
  return `id, date_updated, (select shown from ${document} as stored where stored.id = listings.id) as shown,
    ${areaOf(1)}, ${areaOf(2)}, ${areaOf(3)},
    case display_address when 'fake' then address_el end as exact_address, display_address = 'fake' as hides_number`
}
