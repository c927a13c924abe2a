/** Deprecated endpoints and the headers that announce it: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
import type { MiddlewareHandler } from 'hono'
import type { App } from '../context.ts'

/** The deprecation of an endpoint. */
export interface Deprecation {
  /** Day on which the deprecation begins, `YYYY-MM-DD` in UTC. */
  since: string
  /** Earliest day of removal, `YYYY-MM-DD` in UTC; absent while it is undecided. */
  sunset?: string
  /** What to do instead, a sentence of Markdown. */
  instead: string
}

const POLICY = '</docs/versioning.md>; rel="deprecation"; type="text/markdown"'

/** Adds the headers to every reply of an endpoint, errors included. */
export function setDeprecationHeaders({ since, sunset }: Deprecation): MiddlewareHandler<App> {
  const date = `@${midnight(since).getTime() / 1000}`
  const end = sunset && midnight(sunset).toUTCString()
  return async (c, next) => {
    await next()
    // `c.header()` would copy the finished response for each header.
    const { headers } = c.res
    headers.set('Deprecation', date)
    if (end) headers.set('Sunset', end)
    headers.append('Link', POLICY)
  }
}

/** The deprecation as text of the documentation. */
export function describeDeprecation({ since, sunset, instead }: Deprecation): string {
  return `Deprecated since ${since}${sunset ? `; may be gone from ${sunset} on` : ''}. ${instead}`
}

function midnight(day: string): Date {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) throw new Error(`${day} is no day`)
  return date
}
