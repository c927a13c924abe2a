/**
 * Authenticates callers. `/api/*` requires an API key with a scope for the resource, `/admin/*` the admin token.
 *
 * A key is `estia_` and 192 random bits. KV stores an `ApiKey` under the key's SHA-256 (hex). The key itself is shown
 * once and never stored. The first 16 digits of the hash are the key's id. Lookups use the hash, so their timing
 * reveals nothing about a guessed key.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { formatDateTime, isDateTime } from '../../fields/values.ts'
import type { ApiKey, App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { log } from '../log.ts'
import { keyCacheOf } from './key-cache.ts'
import { addressLimit, clientNetwork, countCall, keyLimit, policyHeader } from './rate-limits.ts'

/** The messages of 401 for API calls and admin calls. */
export const NO_KEY = 'Missing, unknown, revoked or expired API key'
export const NO_ADMIN_TOKEN = 'Missing or wrong admin token'

/** Number of hash digits in a key's id. */
const ID_LENGTH = 16
export const KEY_ID = /^[0-9a-f]{16}$/

/** The admin token of `.dev.vars.example`, which is public. */
const DEVELOPMENT_TOKEN = 'local-admin-token'
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** 401 without a valid API key; 429 if the key has exceeded its rate limit. */
export const requireKey: MiddlewareHandler<App> = async (c, next) => {
  const secret = keyOfRequest(c)
  const key = secret ? await findKey(c.env.API_KEYS, secret) : null
  if (!key) throw await unauthorized(c, NO_KEY)
  c.set('key', key)
  const limit = keyLimit(c.env)
  await countCall(limit, key.id)
  // Set before the reply exists: Hono would copy a finished response for each header.
  for (const [name, value] of Object.entries(policyHeader(limit))) c.header(name, value)
  await next()
}

/** 401 without the deployment's admin token. */
export const requireAdmin: MiddlewareHandler<App> = async (c, next) => {
  const token = bearerToken(c)
  const expected = c.env.ADMIN_TOKEN
  if (expected === DEVELOPMENT_TOKEN && !LOCAL_HOSTS.includes(new URL(c.req.url).hostname)) {
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

/** Creates and stores a key. `secret` is the only copy of it. */
export async function createKey(
  keys: KVNamespace,
  options: Pick<ApiKey, 'name' | 'scopes' | 'expires'>,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = `estia_${randomBytes(24).toString('hex')}`
  const hash = sha256(secret).toString('hex')
  const key: ApiKey = { id: hash.slice(0, ID_LENGTH), ...options, date_created: formatDateTime(new Date()) }
  await keys.put(hash, JSON.stringify(key))
  return { key, secret }
}

/** Every stored key, including expired ones, oldest first. */
export async function listKeys(keys: KVNamespace): Promise<ApiKey[]> {
  const found: ApiKey[] = []
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await keys.list({ cursor, limit: 100 })
    const names = page.keys.map((key) => key.name)
    const values = names.length > 0 ? await keys.get<ApiKey>(names, 'json') : new Map<string, ApiKey | null>()
    for (const key of values.values()) if (key) found.push(key)
    cursor = page.list_complete ? null : page.cursor
  } while (cursor)
  return found.toSorted((a, b) => a.date_created.localeCompare(b.date_created) || a.id.localeCompare(b.id))
}

/** Revokes a key: immediately in this isolate, within a minute in others. False if the id is unknown. */
export async function revokeKey(keys: KVNamespace, id: string): Promise<boolean> {
  if (!KEY_ID.test(id)) return false
  const { keys: found } = await keys.list({ prefix: id })
  await Promise.all(
    found.map(async ({ name }) => {
      await keys.delete(name)
      keyCacheOf(keys).forget(name)
    }),
  )
  return found.length > 0
}

/** The stored data of the key `secret`; null if it is unknown, revoked or expired. */
export async function findKey(keys: KVNamespace, secret: string): Promise<ApiKey | null> {
  const key = await keyCacheOf(keys).find(sha256(secret).toString('hex'))
  const expired = key?.expires && isDateTime(key.expires) && key.expires <= formatDateTime(new Date())
  return expired ? null : key
}

/** The key sent as `Authorization: Bearer`, as `X-API-Key`, or as the password of `Authorization: Basic`. */
function keyOfRequest(c: Context<App>): string | undefined {
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
  const limit = addressLimit(c.env)
  await countCall(limit, clientNetwork(c))
  return new ApiError(401, message, [], { 'WWW-Authenticate': 'Bearer', ...policyHeader(limit) })
}
