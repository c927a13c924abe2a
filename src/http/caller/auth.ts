/** Authenticates callers. `/api/*` requires an API key with a scope for the resource, `/admin/*` the admin token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { ApiKey, App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { log } from '../log.ts'
import { isLocal } from '../urls.ts'
import { CALLER_LIMITS } from './limits.ts'
import { clientNetwork, countCall, policyHeader, rateLimit } from './rate-limits.ts'
import {
  countVisit,
  findKeyOfCaller,
  findPublishableKey,
  hasSecretInQuery,
  keyInQuery,
  noteVisitor,
  originOfKey,
} from './website-keys.ts'

/** The messages of 401 for API calls and admin calls. */
export const NO_KEY = 'Missing, unknown, revoked or expired API key'
export const SECRET_IN_QUERY = 'A secret API key must not be sent in the address: send it in a header'
export const NO_ADMIN_TOKEN = 'Missing or wrong admin token'

/** The admin token of `.dev.vars.example`, which is public. */
const DEVELOPMENT_TOKEN = 'local-admin-token'

/** 401 without a valid API key; 429 if the key, or its visitor, has exceeded the rate limit. */
export const requireKey: MiddlewareHandler<App> = async (c, next) => {
  const key = await keyOfCaller(c)
  if (!key) throw await unauthorized(c, hasSecretInQuery(c) ? SECRET_IN_QUERY : NO_KEY)
  c.set('key', key)
  // Set before the reply exists: Hono would copy a finished response for each header.
  const origin = originOfKey(c, key)
  if (origin !== null) c.header('Access-Control-Allow-Origin', origin)
  const isShared = key.website?.publishable === true
  const limit = rateLimit(c, isShared ? CALLER_LIMITS.visitor : CALLER_LIMITS.key)
  // First, so that a visitor past the limit uses up nothing of the key.
  if (noteVisitor(c) || isShared) await countVisit(c, key)
  if (!isShared) await countCall(limit, key.id)
  for (const [name, value] of Object.entries(policyHeader(limit))) c.header(name, value)
  await next()
}

/** 401 without the deployment's admin token. */
export const requireAdmin: MiddlewareHandler<App> = async (c, next) => {
  const token = bearerToken(c)
  const expected = c.env.ADMIN_TOKEN
  if (expected === DEVELOPMENT_TOKEN && !isLocal(c)) {
    warnOfDevelopmentToken()
    throw await unauthorized(c, NO_ADMIN_TOKEN)
  }
  if (!token || !expected || !isEqualInConstantTime(token, expected)) {
    throw await unauthorized(c, NO_ADMIN_TOKEN)
  }
  await next()
}

let hasWarned = false

/** Logs once per isolate, so that the log is not flooded. */
function warnOfDevelopmentToken(): void {
  if (!hasWarned) {
    log('error', {
      error: 'ADMIN_TOKEN is the one of .dev.vars.example: admin calls are refused until it is changed',
    })
  }
  hasWarned = true
}

/** Throws 403 unless the key may `read` or `write` the resource. */
export function requireScope(c: Context<App>, resource: string, access: 'read' | 'write'): void {
  if (!hasScope(c.get('key'), { resource, access })) throw missingScope(`${resource}:${access}`)
}

/** Whether the key may `read` or `write` the resource. */
export function hasScope(
  { scopes }: Pick<ApiKey, 'scopes'>,
  { resource, access }: { resource: string; access: 'read' | 'write' },
): boolean {
  return scopes.includes(`${resource}:${access}`) || scopes.includes(`*:${access}`)
}

/** 403: the key is valid but lacks a scope. */
export function missingScope(scope: string): ApiError {
  return new ApiError(403, `This API key lacks the scope ${scope}`)
}

/**
 * The key of a call; null without a valid one. Throws 429 after too many invalid ones of the address. A key in the query wins over those in headers: it may do less, and then
 * the reply depends on the URL alone.
 */
async function keyOfCaller(c: Context<App>): Promise<ApiKey | null> {
  const inQuery = keyInQuery(c)
  if (inQuery !== undefined) return findPublishableKey(c, inQuery)
  const inHeader = keyInHeader(c)
  return inHeader ? findKeyOfCaller(c, inHeader) : null
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
  return createHash('sha256').update(value).digest()
}

/** Makes a 401 and counts it against the client's address. Throws 429 if that address has failed too often. */
async function unauthorized(c: Context<App>, message: string): Promise<ApiError> {
  const limit = rateLimit(c, CALLER_LIMITS.address)
  await countCall(limit, clientNetwork(c))
  return new ApiError(401, message, [], { 'WWW-Authenticate': 'Bearer', ...policyHeader(limit) })
}
