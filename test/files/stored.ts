/** What the bucket holds, and what the rows say it holds. */
import { env } from 'cloudflare:workers'
import { FILE_COLUMNS, FILE_LISTS } from '../../src/files/references.ts'
import { sweepFiles } from '../../src/files/sweep.ts'

const DAY = 24 * 60 * 60 * 1000

/** Keys of everything in the bucket, in order. */
export async function storedKeys(): Promise<string[]> {
  return (await env.PHOTOS.list()).objects.map(({ key }) => key)
}

/** Keys that rows name, in order, each once. */
export async function namedKeys(): Promise<string[]> {
  const selects = [
    ...FILE_COLUMNS.map(({ table, column }) => `select ${column} as key from ${table}`),
    ...FILE_LISTS.map(({ table, column }) => `select value as key from ${table}, json_each(${column})`),
  ]
  const found = await env.DB.batch<{ key: string | null }>(selects.map((select) => env.DB.prepare(select)))
  const keys = found.flatMap(({ results }) => results.map(({ key }) => key))
  return [...new Set(keys.filter((key) => key !== null))].toSorted((a, b) => (a < b ? -1 : 1))
}

/** Runs the sweep so many days from now. */
export function sweepAfter(days: number, limits: Parameters<typeof sweepFiles>[2] = {}) {
  return sweepFiles(env, new Date(Date.now() + days * DAY + 60_000), limits)
}
