/** How files are answered that anyone reads who knows their URL: counted by address, with conditions, and as they are made. */
import type { Context } from 'hono'
import { RATE_LIMITS } from '../catalogue/rate-limits.ts'
import { countCall, policyHeader, rateLimit } from '../http/caller/rate-limits.ts'
import { includesTag, parseTags } from '../http/concurrency/entity-tags.ts'
import type { App } from '../http/context.ts'
import { ApiError } from '../http/errors.ts'
import { clientNetwork } from '../http/networks.ts'

/** How long a copy may be used, in seconds. */
const MAX_AGE = 300

/** The unguessable part of a URL. */
export const TOKEN = /^[\da-f]{32}$/

/** Counts a call by the address that it comes from, guesses included, and those of each kind apart. Throws 429. */
export async function countReader(c: Context<App>, kind = ''): Promise<void> {
  // Errors are kept nowhere: the next call may be answered otherwise.
  c.header('Cache-Control', 'no-store')
  const limit = rateLimit(c, RATE_LIMITS.feed)
  await countCall(limit, kind + clientNetwork(c))
  for (const [name, value] of Object.entries(policyHeader(limit))) c.header(name, value)
}

/** The same error for unknown, former and disabled URLs, so that clients cannot distinguish them. */
export function fileNotFound(): ApiError {
  return new ApiError(404, 'Not found')
}

/** What distinguishes one state of a file from another. */
interface Version {
  /** An entity tag without quotes. */
  tag: string
  /** When what it shows last changed, as `Date.now()`; absent where no date says it. */
  modified?: number
}

interface Conditions {
  'If-None-Match'?: string | undefined
  'If-Modified-Since'?: string | undefined
}

/** Whether the client already has this version. A tag is exact, so the date counts only without one. */
export function isKnown({ tag, modified = Number.NaN }: Version, conditions: Conditions): boolean {
  const { 'If-None-Match': tags, 'If-Modified-Since': date } = conditions
  if (tags === undefined) return modified <= Date.parse(date ?? '')
  const parsed = parseTags(tags)
  return includesTag(parsed === '*' ? '*' : parsed?.map((one) => one.tag), tag)
}

/** Replies with a file, or with 304 for null. `caches`: where copies may be kept. */
export function replyWithFile(
  c: Context<App>,
  { tag, modified, caches }: Version & { caches: 'public' | 'private' },
  content: { type: string; body: ReadableStream<Uint8Array> | '' } | null,
): Response {
  c.header('Cache-Control', `${caches}, max-age=${MAX_AGE}`)
  c.header('ETag', `"${tag}"`)
  if (modified !== undefined) c.header('Last-Modified', new Date(modified).toUTCString())
  if (!content) return c.body(null, 304)
  c.header('Content-Type', content.type)
  return c.body(content.body)
}
