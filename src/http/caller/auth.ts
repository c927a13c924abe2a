/**
 * Who may call. `/api/*` takes an API key with a scope for the resource, `/admin/*` the deployment's secret.
 *
 * A key is `estia_` and 192 random bits. KV holds its SHA-256 (hex) as name and `ApiKey` as value; the key itself
 * is shown once and stored nowhere. A key's id is the first 16 digits of that hash. Keys are looked up by their hash, so
 * no look-up tells by its time how much of a guess was right.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { formatDateTime, isDateTime } from '../../fields/values.ts'
import type { ApiKey, App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { log } from '../log.ts'
import { keyCacheOf } from './key-cache.ts'
import { addressLimit, clientNetwork, countCall, keyLimit, policyHeader } from './rate-limits.ts'

/** The texts of 401, of the API and of admin calls. */
export const NO_KEY = 'Missing, unknown, revoked or expired API key'
export const NO_ADMIN_TOKEN = 'Missing or wrong admin token'

/** Digits of the hash that make a key's id. */
const ID_LENGTH = 16
export const KEY_ID = /^[0-9a-f]{16}$/

/** The admin token of `.dev.vars.example`: whoever has read the repository knows it. */
const DEVELOPMENT_TOKEN = 'local-admin-token'
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** 401 unless the request carries a known API key that has not expired; 429 when that key has called too often. */
export const requireKey: MiddlewareHandler<App> = async (c, next) => {
  const secret = keyOfRequest(c)
  const key = secret ? await findKey(c.env.API_KEYS, secret) : null
  if (!key) throw await unauthorized(c, NO_KEY)
  c.set('key', key)
  const limit = keyLimit(c.env)
  await countCall(limit, key.id)
  // Before there is an answer, which Hono would copy for it.
  for (const [name, value] of Object.entries(policyHeader(limit))) c.header(name, value)
  await next()
}

/** 401 unless the request carries the deployment's admin token. */
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

/** Once per isolate, so that it is found without filling the log. */
function warnOfDevelopmentToken(): void {
  if (!hasWarned) {
    log('error', {
      error: 'ADMIN_TOKEN is the one of .dev.vars.example: admin calls are refused until it is changed',
    })
  }
  hasWarned = true
}

/** 403 unless the key may `read` or `write` the resource. */
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

/** 403: the key is good, but not for this. */
export function missingScope(scope: string): ApiError {
  return new ApiError(403, `This API key lacks the scope ${scope}`)
}

/** Makes and stores a key; `secret` is the only copy. */
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

/** Every stored key, expired ones too. */
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

/** Revokes a key, in this isolate at once, elsewhere within a minute; false when there is none of that id. */
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

/** What is known of the key `secret`; null when it is unknown, revoked or expired. */
export async function findKey(keys: KVNamespace, secret: string): Promise<ApiKey | null> {
  const key = await keyCacheOf(keys).find(sha256(secret).toString('hex'))
  const expired = key?.expires && isDateTime(key.expires) && key.expires <= formatDateTime(new Date())
  return expired ? null : key
}

/** The key as `Authorization: Bearer`, as `X-API-Key`, or as the password of `Authorization: Basic`. */
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

/** Compares digests, so that neither the length nor the first differing byte shows in the time it takes. */
function isEqualInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}

/** At once, as every call waits for it. */
function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

/** 401, which counts against the address that it goes to. Throws 429 when that has tried too often. */
async function unauthorized(c: Context<App>, message: string): Promise<ApiError> {
  const limit = addressLimit(c.env)
  await countCall(limit, clientNetwork(c))
  return new ApiError(401, message, [], { 'WWW-Authenticate': 'Bearer', ...policyHeader(limit) })
}
