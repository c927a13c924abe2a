/** What reads answer: a record, or a list. */
import { expect } from 'vitest'
import { get, query } from './api.ts'

/** Expects exactly this record, its keys in this order, with `fields=all` too. */
export async function expectRecord(path: string, record: object): Promise<void> {
  const { status, body } = await get(path)
  expect({ status, body }).toEqual({ status: 200, body: { status: 200, data: record } })
  expect(Object.keys(body.data)).toEqual(Object.keys(record))
  expect((await get(`${path}?fields=all`)).body).toEqual(body)
}

/** The ids that a list answers to `filters`, sent as a QUERY; fails the test when there are more on other pages. */
export async function found(path: string, filters: Record<string, unknown>): Promise<number[]> {
  const { status, body } = await query(path, filters)
  expect({ status, total: body.total_results }).toEqual({ status: 200, total: body.data.length })
  return idsOf(body)
}

/** The ids that a list answers to a query string; fails the test when there are more on other pages. */
export async function foundByQuery(path: string, search = ''): Promise<number[]> {
  const { status, body } = await get(`${path}?${search}`)
  expect({ status, total: body.total_results }).toEqual({ status: 200, total: body.data.length })
  return idsOf(body)
}

/** The ids of the records of a reply. */
export function idsOf({ data }: { data: { id: number }[] }): number[] {
  return data.map(({ id }) => id)
}

/** Expects exactly these records, on the only page of a list. */
export async function expectOnePage(path: string, data: unknown[]): Promise<void> {
  const envelope = { page: 1, total_pages: 1, results_per_page: 50, total_results: data.length }
  expect((await get(path)).body).toEqual({ status: 200, ...envelope, data })
}
