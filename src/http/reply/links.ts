/**
 * The `Link` header of a list. Its URLs lead to the neighbouring pages and contain every filter in the query string,
 * even if the client sent the filters in the body. They contain no API key.
 */
import type { Context } from 'hono'
import type { App } from '../context.ts'
import { isObject } from '../request/object-keys.ts'

/** Maximum length in characters: clients and proxies refuse replies with long headers. */
const MAX_LENGTH = 2000

/** Links to `pages` by relation; null if there is none, or if the filters are too long for a header. */
export function pageLinks(c: Context<App>, pages: Record<string, number>): string | null {
  const filters = Object.keys(pages).length > 0 ? filtersOf(c) : null
  if (!filters) return null
  const url = new URL(c.req.url)
  const links = Object.entries(pages).map(([rel, page]) => {
    const parameters = new URLSearchParams(filters)
    parameters.set('page', String(page))
    url.search = parameters.toString()
    return `<${url}>; rel="${rel}"`
  })
  const header = links.join(', ')
  return header.length > MAX_LENGTH ? null : header
}

/**
 * The query parameters of the request, and the filters of its body as such. For the same key the body wins. Visitors
 * share answers, so theirs have no unknown parameters. Null if they are too long, before anything is made of them: a body
 * may have thousands.
 */
function filtersOf(c: Context<App>): [name: string, value: string][] | null {
  const known = Object.entries(c.get('knownFilters') ?? {})
  const names = new Set(known.map(([name]) => name))
  const query = c.get('key')?.website ? [] : [...new URL(c.req.url).searchParams]
  const parameters = [
    ...query.filter(([key]) => !names.has(key.replace(/\[.*/s, ''))),
    ...known.flatMap(([name, value]) => parametersOf(name, value)),
  ]
  const length = parameters.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return length > MAX_LENGTH ? null : parameters
}

/** A filter as query parameters: a list repeats its name, an object such as a range has one parameter per key. */
function parametersOf(name: string, value: unknown): [name: string, value: string][] {
  if (value === null) return []
  if (Array.isArray(value)) return value.map((entry) => [name, String(entry)])
  if (!isObject(value)) return [[name, String(value)]]
  const parts = Object.entries(value).filter(([, part]) => part != null)
  return parts.map(([key, part]) => [`${name}[${key}]`, String(part)])
}
