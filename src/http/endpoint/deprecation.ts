/** Calls that will go away, and how their answers say so: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
import type { MiddlewareHandler } from 'hono'
import type { App } from '../context.ts'

/** That a call should no longer be made. */
export interface Deprecation {
  /** First day on which it counts as deprecated, `YYYY-MM-DD` in UTC. */
  since: string
  /** Day from which on it may be gone, `YYYY-MM-DD` in UTC; absent while nobody knows. */
  sunset?: string
  /** What to do instead, a sentence of Markdown. */
  instead: string
}

const POLICY = '</docs/versioning.md>; rel="deprecation"; type="text/markdown"'

/** Adds the headers to every answer of a call, errors included. */
export function setDeprecationHeaders({ since, sunset }: Deprecation): MiddlewareHandler<App> {
  const date = `@${midnight(since).getTime() / 1000}`
  const end = sunset && midnight(sunset).toUTCString()
  return async (c, next) => {
    await next()
    // Not by Hono's own way, which copies a finished answer for each header.
    const { headers } = c.res
    headers.set('Deprecation', date)
    if (end) headers.set('Sunset', end)
    headers.append('Link', POLICY)
  }
}

/** The sentences of the documentation. */
export function describeDeprecation({ since, sunset, instead }: Deprecation): string {
  return `Deprecated since ${since}${sunset ? `; may be gone from ${sunset} on` : ''}. ${instead}`
}

function midnight(day: string): Date {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) throw new Error(`${day} is no day`)
  return date
}
