/** What lists answer. */
import { expect } from 'vitest'
import { get } from './api.ts'

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
