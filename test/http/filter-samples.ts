/** A query string for every filter of a list, made of its schema: no test has to name the filters once more. */
import { z } from 'zod'
import { endpoints } from './send.ts'

/** Values that the schema of a filter does not tell. */
const OWN: Record<string, unknown> = {
  after: '',
  bounds: { south: 37, west: 23, north: 38, east: 24 },
  day: '2026-01-01',
  facets: 'rooms',
  near: { latitude: 37.9, longitude: 23.7, radius: 1000 },
  resources: 'contacts,listings',
  search: 'RES-1',
  text: 'flat',
}

/** Filters that choose what is shown of the records, not which. */
const SHOWS = new Set(['page', 'per_page', 'sort', 'fields'])

/** A query string for each filter of the list at `path`, by the name of the filter. */
export function filtersOf(path: string): Map<string, string> {
  const found = endpoints.find((endpoint) => endpoint.method === 'get' && endpoint.path === path)
  const shape: Record<string, z.ZodType> = found?.contract.filters?.shape ?? {}
  const names = Object.keys(shape).filter((name) => !SHOWS.has(name))
  return new Map(names.map((name) => [name, queryOf(name, sampleOf(name, shape[name] as z.ZodType))]))
}

/** The first of some values that the filter takes; of an enumeration its first. */
function sampleOf(name: string, filter: z.ZodType): unknown {
  if (name in OWN) return OWN[name]
  const json = JSON.stringify(z.toJSONSchema(filter, { io: 'input', unrepresentable: 'any' }))
  const [, first] = /"enum":\["([^"]+)"/.exec(json) ?? []
  const values = [first, 1, true, { min: 1 }, { min: '2026-01-01' }, 'a']
  return values.find((value) => value !== undefined && filter.safeParse(value).success)
}

function queryOf(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${name}=${value}`
  return Object.entries(value)
    .map(([part, one]) => `${name}[${part}]=${one}`)
    .join('&')
}
