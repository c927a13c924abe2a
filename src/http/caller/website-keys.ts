/**
 * Website keys: their calls act for visitors of a website. They reach only the endpoints that are declared for visitors
 * (`endpoint/visitors.ts`), by scopes of their own.
 */
import type { Context } from 'hono'
import { z } from 'zod'
import { needsKey } from '../areas.ts'
import type { ApiKey, App } from '../context.ts'
import { ApiError, invalid } from '../errors.ts'
import { clientNetwork, isAddress } from '../networks.ts'
import { CALLER_LIMITS } from './limits.ts'
import { countCall, rateLimit, requireWithinLimit } from './rate-limits.ts'
import { findKey, looksPublishable } from './stored-keys.ts'

/** The query parameter for a publishable key. Unlike a header, it needs no preflight. */
export const KEY_PARAMETER = 'key'

/** The header by which a website's server names the visitor whom it calls for. */
export const VISITOR_ADDRESS = 'X-Visitor-Address'

/** Its schema takes any text, as other keys may send anything: `requireVisitorAddress` validates it. */
export const visitorAddress = z.string().meta({
  description:
    'With the secret key of a website: the IP address of the visitor whom the call is for. Then the limits of a ' +
    'visitor hold for that address, too. Ignored with any other key',
  example: '203.0.113.7',
})

/** What a call sends as `?key=`; undefined if that holds no API key. Callers may name an unknown filter `key`. */
export function keyInQuery(c: Context<App>): string | undefined {
  if (!c.req.raw.url.includes('?')) return undefined
  const sent = c.req.queries(KEY_PARAMETER)?.map((text) => text.trim())
  const [key, ...others] = new Set(sent?.filter((text) => text.startsWith('estia_')))
  // It is unclear which of several keys is meant, and an empty text is no key.
  return others.length > 0 ? '' : key
}

/** Whether the call sends a secret as `?key=`, by its form alone: whether there is such a key remains unsaid. */
export function hasSecretInQuery(c: Context<App>): boolean {
  const text = keyInQuery(c)
  return !!text && !looksPublishable(text)
}

/** The publishable key `text`; null if it is unknown, revoked, expired or a secret. Throws 429 like `findKeyOfCaller`. */
export async function findPublishableKey(c: Context<App>, text: string): Promise<ApiKey | null> {
  const key = looksPublishable(text) ? await findKeyOfCaller(c, text) : null
  return key?.website?.publishable ? key : null
}

/**
 * The key `text`; null if it is invalid. Throws 429 without asking KV if the address has sent too many invalid ones,
 * unless the isolate has the key.
 */
export function findKeyOfCaller(c: Context<App>, text: string): Promise<ApiKey | null> {
  return findKey(c.env.API_KEYS, text, () =>
    requireWithinLimit(rateLimit(c, CALLER_LIMITS.address), clientNetwork(c)),
  )
}

/**
 * Notes the visitor whom a website's server calls for: from now on, limits count by that address. Returns whether the call
 * names one.
 */
export function noteVisitor(c: Context<App>): boolean {
  const address = sentAddress(c)
  if (address === undefined || !isAddress(address)) return false
  c.set('visitorAddress', address)
  return true
}

/** Throws 400 if the server of a website sends no address where one belongs. */
export function requireVisitorAddress(c: Context<App>): void {
  if (sentAddress(c) === undefined || c.get('visitorAddress') !== undefined) return
  const message = `Invalid ${VISITOR_ADDRESS}: must be one IP address`
  throw invalid([{ field: VISITOR_ADDRESS, message }])
}

/** What a website's server sends as the address of its visitor. Visitors themselves could write anything there. */
function sentAddress(c: Context<App>): string | undefined {
  return c.get('key').website?.publishable === false ? c.req.header(VISITOR_ADDRESS) : undefined
}

/** Counts a call of a website key for its visitor, each of whom has a limit of their own. Throws 429. */
export function countVisit(c: Context<App>, key: ApiKey): Promise<void> {
  return countCall(rateLimit(c, CALLER_LIMITS.visitor), `${key.id} ${clientNetwork(c)}`)
}

/** The origin of the call, if the key names it: then browsers may read the reply, whatever `CORS_ORIGINS` says. */
export function originOfKey(c: Context<App>, { website }: ApiKey): string | null {
  const origin = c.req.header('Origin')
  return origin !== undefined && website?.origins?.includes(origin) ? origin : null
}

/**
 * The origin of a preflight with `?key=`, if the key names it. A preflight has no key elsewhere. It counts as a call of
 * the key, or as a failure of the address. The preflight itself never gets 429: browsers show pages no more than that it
 * was refused.
 */
export async function originOfPreflight(c: Context<App>): Promise<string | null> {
  const text = needsKey(c.req.path) ? keyInQuery(c) : undefined
  if (text === undefined) return null
  const key = await findPublishableKey(c, text).catch(passOver429)
  // Past the limit it is counted already, and nothing is known of the key.
  if (key === undefined) return null
  await (key ? countVisit(c, key) : countCall(rateLimit(c, CALLER_LIMITS.address), clientNetwork(c))).catch(
    passOver429,
  )
  return key && originOfKey(c, key)
}

function passOver429(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}

/** Throws 403 if a browser calls from an origin that is not among those of the key. */
export function requireOrigin(c: Context<App>, key: ApiKey): void {
  if (!key.website?.origins || c.req.header('Origin') === undefined || originOfKey(c, key)) return
  throw new ApiError(403, ORIGIN_NOT_ALLOWED)
}

/** The message of 403 for an origin. */
export const ORIGIN_NOT_ALLOWED = 'Origin not allowed'
