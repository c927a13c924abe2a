/**
 * Authenticates callers. `/api/*` and `/office/*` require an API key with a scope for the resource, `/admin/*` the admin token
 * or a key with a scope of administration. A person whom Cloudflare Access has signed in counts as a key.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { formatDateTime } from '../../fields/values.ts'
import type { ApiKey, App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { log } from '../log.ts'
import { clientNetwork } from '../networks.ts'
import { findSignedIn, requireOwnPage } from './access.ts'
import { EVERYTHING_ADMIN, PUBLIC_TOKEN } from './admin-scope.ts'
import { CALLER_LIMITS, type RateLimitDeclaration } from './limits.ts'
import { countCall, policyHeader, rateLimit } from './rate-limits.ts'
import { nameScope, type Scope } from './scope.ts'
import { noteUse } from './stored-keys.ts'
import {
  countVisit,
  findKeyOfCaller,
  findPublishableKey,
  hasSecretInQuery,
  keyInQuery,
  noteVisitor,
  originOfKey,
  requireOrigin,
} from './website-keys.ts'

/** The messages of 401 for API calls and admin calls. */
export const NO_KEY = 'Missing, unknown, revoked or expired API key'
export const SECRET_IN_QUERY = 'A secret API key must not be sent in the address: send it in a header'
export const NO_ADMIN_TOKEN = 'Missing or wrong admin token or API key'

/**
 * 401 without a valid API key, or a person whom Cloudflare Access has signed in; 429 if the key, or its visitor, has exceeded
 * the rate limit.
 */
export const requireKey =
  (findPerson: FindPerson): MiddlewareHandler<App> =>
  async (c, next) => {
    const key = hasCredential(c) ? await keyOfCaller(c) : await enterPerson(c, findPerson)
    if (!key) throw await unauthorized(c, hasSecretInQuery(c) ? SECRET_IN_QUERY : NO_KEY)
    // Set before the reply exists: Hono would copy a finished response for each header.
    const origin = originOfKey(c, key)
    if (origin !== null) c.header('Access-Control-Allow-Origin', origin)
    await enterKey(c, key)
    await next()
  }

/**
 * 401 without the deployment's admin token, an API key, or a person whom Cloudflare Access has signed in; 429 past the rate
 * limit.
 */
export const requireAdmin =
  (findPerson: FindPerson): MiddlewareHandler<App> =>
  async (c, next) => {
    const expected = c.env.ADMIN_TOKEN
    if (expected === PUBLIC_TOKEN) {
      warnOfPublicToken()
      throw await unauthorized(c, NO_ADMIN_TOKEN)
    }
    const token = bearerToken(c)
    if (!expected) throw await unauthorized(c, NO_ADMIN_TOKEN)
    if (token && isEqualInConstantTime(token, expected)) {
      await countByKey(c, CALLER_LIMITS.key, 'ADMIN_TOKEN')
    } else {
      const key = hasCredential(c)
        ? token && (await findKeyOfCaller(c, token))
        : await enterPerson(c, findPerson)
      if (!key) throw await unauthorized(c, NO_ADMIN_TOKEN)
      await enterKey(c, key)
      requireOrigin(c, key)
    }
    await next()
  }

/** Notes the key of a call, and counts the call. Throws 429. */
async function enterKey(c: Context<App>, key: ApiKey): Promise<void> {
  c.set('key', key)
  const isShared = key.website?.publishable === true
  // First, so that a visitor past the limit uses up nothing of the key.
  if (noteVisitor(c) || isShared) await countVisit(c, key)
  if (isShared) sendPolicy(c, rateLimit(c, CALLER_LIMITS.visitor))
  else await countByKey(c, key.website ? CALLER_LIMITS.site : CALLER_LIMITS.key, key.id)
  if (!c.get('isPerson')) noteUse(c, key)
}

async function countByKey(c: Context<App>, declaration: RateLimitDeclaration, id: string): Promise<void> {
  const limit = rateLimit(c, declaration)
  await countCall(limit, id)
  sendPolicy(c, limit)
}

function sendPolicy(c: Context<App>, limit: ReturnType<typeof rateLimit>): void {
  for (const [name, value] of Object.entries(policyHeader(limit))) c.header(name, value)
}

/** Finds what a person who is signed in may do, and the user of that address. */
export type FindPerson = (env: Env, email: string) => Promise<Pick<ApiKey, 'scopes' | 'user_id'>>

/** The person who calls, in the form of a key; null if none is signed in. Throws 403 for calls from other pages. */
async function enterPerson(c: Context<App>, findPerson: FindPerson): Promise<ApiKey | null> {
  const signedIn = await findSignedIn(c)
  if (!signedIn) return null
  requireOwnPage(c)
  const { email, expires } = signedIn
  const person = await findPerson(c.env, email)
  c.set('isPerson', true)
  return {
    id: personIdOf(email),
    name: email,
    ...person,
    expires: formatDateTime(new Date(expires * 1000)),
    date_created: '',
  }
}

/** The id of a person: made of the address that Access vouches for, and of nothing that callers can write. */
export function personIdOf(email: string): string {
  return `person-${sha256(email.toLowerCase()).toString('hex').slice(0, 16)}`
}

let hasWarned = false

/** Logs once per isolate, so that the log is not flooded. */
function warnOfPublicToken(): void {
  if (!hasWarned) {
    log('error', {
      error:
        'ADMIN_TOKEN is the public one that .dev.vars.example once had: admin calls are refused until it is changed',
    })
  }
  hasWarned = true
}

/** Throws 403 unless the caller may access the resource. The holder of the admin token may administer everything. */
export function requireScope(c: Context<App>, scope: Scope): void {
  const key = c.get('key')
  if (key && !hasScope(key, scope)) throw missingScope(nameScope(scope))
}

/** Whether the key may access the resource. */
export function hasScope({ scopes }: Pick<ApiKey, 'scopes'>, scope: Scope): boolean {
  const all = scope.resource === 'admin' ? EVERYTHING_ADMIN : `*:${scope.access}`
  return scopes.includes(nameScope(scope)) || scopes.includes(all)
}

/** 403: the key is valid but lacks a scope. */
export function missingScope(scope: string): ApiError {
  return new ApiError(403, `This API key lacks the scope ${scope}`)
}

/**
 * The key of a call; null without a valid one. Throws 429 after too many invalid ones of the address. A key in the query
 * wins over those in headers: it may do less, and then the reply depends on the URL alone.
 */
async function keyOfCaller(c: Context<App>): Promise<ApiKey | null> {
  const inQuery = keyInQuery(c)
  if (inQuery !== undefined) return findPublishableKey(c, inQuery)
  const inHeader = keyInHeader(c)
  return inHeader ? findKeyOfCaller(c, inHeader) : null
}

/** Whether a call is made with a key or token, right or wrong: then it is judged by that alone. */
function hasCredential(c: Context<App>): boolean {
  return (
    keyInQuery(c) !== undefined ||
    hasSecretInQuery(c) ||
    c.req.header('Authorization') !== undefined ||
    c.req.header('X-API-Key') !== undefined
  )
}

/** The key sent as `Authorization: Bearer`, as `X-API-Key`, or as the password of `Authorization: Basic`. */
function keyInHeader(c: Context<App>): string | undefined {
  return bearerToken(c) ?? c.req.header('X-API-Key')?.trim() ?? basicPassword(c.req.header('Authorization'))
}

function bearerToken(c: Context<App>): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

function basicPassword(header: string | undefined): string | undefined {
  const encoded = /^Basic +(\S+) *$/i.exec(header ?? '')?.[1]
  if (!encoded) return undefined
  try {
    const credentials = atob(encoded)
    return credentials.slice(credentials.indexOf(':') + 1)
  } catch {
    return undefined
  }
}

/** Compares digests, so that the time reveals neither the length nor the first differing byte. */
function isEqualInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}

/** Synchronous, which is faster: every call waits for it. */
function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer')
}

/** Makes a 401 and counts it against the client's address. Throws 429 if that address has failed too often. */
export async function unauthorized(c: Context<App>, message: string): Promise<ApiError> {
  const limit = rateLimit(c, CALLER_LIMITS.address)
  await countCall(limit, clientNetwork(c))
  return new ApiError(401, message, [], { 'WWW-Authenticate': 'Bearer', ...policyHeader(limit) })
}
