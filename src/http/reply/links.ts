/**
 * The `Link` header of a list. Its URLs lead to the neighbouring pages and contain every filter in the query string,
 * even if the client sent the filters in the body. They contain no API key.
 */
import type { Context } from 'hono'
import type { App } from '../context.ts'
import { canonicalQuery } from '../request/canonical.ts'
import { isObject } from '../request/object-keys.ts'

/** Maximum length in characters: clients and proxies refuse replies with long headers. */
const MAX_LENGTH = 2000

/** Links to `pages` by relation; null if there is none, or if the filters are too long for a header. */
export function pageLinks(c: Context<App>, pages: Record<string, number>): string | null {
  const url = urlWithFilters(c)
  const links = Object.entries(pages).map(([rel, page]) => {
    url.searchParams.set('page', String(page))
    return `<${url}>; rel="${rel}"`
  })
  const header = links.join(', ')
  return header === '' || header.length > MAX_LENGTH ? null : header
}

/** The URL of the request, plus the filters of its body. For the same key the body wins. */
function urlWithFilters(c: Context<App>): URL {
  const url = new URL(c.req.url)
  if (c.get('key')?.website) url.search = canonicalQuery(c.req.url).toString()
  for (const [name, value] of Object.entries(c.get('bodyFilters') ?? {})) {
    for (const key of [...url.searchParams.keys()])
      if (key === name || key.startsWith(`${name}[`)) url.searchParams.delete(key)
    for (const [key, text] of parametersOf(name, value)) url.searchParams.append(key, text)
  }
  return url
}

/** A filter as query parameters: a list repeats its name, an object such as a range has one parameter per key. */
function parametersOf(name: string, value: unknown): [name: string, value: string][] {
  if (value === null) return []
  if (Array.isArray(value)) return value.map((entry) => [name, String(entry)])
  if (!isObject(value)) return [[name, String(value)]]
  const parts = Object.entries(value).filter(([, part]) => part != null)
  return parts.map(([key, part]) => [`${name}[${key}]`, String(part)])
}
