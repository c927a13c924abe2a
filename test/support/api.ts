/**
 * Calls the service over HTTP inside workerd. Every reply is checked against the documented schema of its endpoint:
 * a missing key, a wrong type or an undocumented key fails the test.
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { z } from 'zod'
import { app, routers } from '../../src/app.ts'
import { WITH_ALL } from '../../src/fields/derive.ts'
import { needsKey } from '../../src/http/areas.ts'
import { createKey } from '../../src/http/caller/stored-keys.ts'
import type { WebsiteAccess } from '../../src/http/context.ts'
import type { Contract, Endpoint } from '../../src/http/endpoint/contract.ts'
import { errorBody } from '../../src/http/errors.ts'

export const ORIGIN = 'http://estia.test'
export const ADMIN_TOKEN = 'test-admin-token'

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the helper has checked it against its schema; tests read any part of it
  body: any
}

export interface CallOptions {
  /** JSON to send; a string or bytes are sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
  /** API key; by default one with all scopes. Null: none. */
  key?: string | null
  /** In place of the service's own. */
  bindings?: Partial<Env>
}

/** Calls `/api/…`, `/admin/…` (with the admin token) or a public path. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const { body, headers = {}, bindings } = options
  const key = options.key === undefined ? await defaultKey(path) : options.key
  const request = new Request(ORIGIN + path, {
    method,
    headers: { ...(key ? { Authorization: `Bearer ${key}` } : {}), ...headers },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
  })
  // Not through `exports.default`, where each call is slower than the one before.
  const context = createExecutionContext()
  const response = await app.fetch(request, { ...env, ...bindings }, context)
  await waitOnExecutionContext(context)
  await yieldToEventLoop()
  const isJson =
    /^application\/(problem\+)?json\b/.test(response.headers.get('Content-Type') ?? '') && method !== 'HEAD'
  const answer = isJson ? await response.json() : await textOf(response)
  const asksForAll = /fields=all|"fields": ?"all"/.test(`${path} ${JSON.stringify(body)}`)
  // A reply with some of the fields has no schema of its own.
  const isPart = /[?&]fields=(?!all)|"fields":(?!"all")/.test(`${path} ${JSON.stringify(body)}`)
  if (isJson && path !== '/openapi.json' && !isPart) {
    const isVisit = websiteKeys.has(key ?? '') || path.includes('key=estia_pub_')
    checkReply(replySchema(method, path, isVisit), response.status, answer, asksForAll)
  }
  return { status: response.status, headers: response.headers, body: answer }
}

/** Decodes the body itself: `text()` makes workerd print a stack trace for each type that it does not know as text. */
export async function textOf(response: Response): Promise<string> {
  return new TextDecoder().decode(await response.arrayBuffer())
}

/**
 * Lets timers fire and sockets be read. Calls within workerd, and to D1 in the same process, never wait for the system. A
 * loop of calls would therefore block all timers, those of the service and the timeout of the test.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export const get = (path: string, options?: CallOptions) => call('GET', path, options)
export const query = (path: string, body: unknown, options?: CallOptions) =>
  call('QUERY', path, { ...options, body })
export const post = (path: string, body: unknown, options?: CallOptions) =>
  call('POST', path, { ...options, body })
export const put = (path: string, body: unknown, options?: CallOptions) =>
  call('PUT', path, { ...options, body })
export const remove = (path: string, options?: CallOptions) => call('DELETE', path, options)

/** Expects 200 with exactly this data, in the envelope. */
export async function expectData(reply: Promise<Reply>, data: unknown): Promise<void> {
  const { status, body } = await reply
  expect({ status, body }).toEqual({ status: 200, body: { status: 200, data } })
}

/** Expects 200 with exactly this body beside the status. */
export async function expectDone(reply: Reply | Promise<Reply>, said: object): Promise<void> {
  const { status, body } = await reply
  expect({ status, body }).toEqual({ status: 200, body: { status: 200, ...said } })
}

/** Expects this status with exactly this text. */
export async function expectError(
  reply: Reply | Response | Promise<Reply | Response>,
  status: number,
  message: string,
): Promise<void> {
  const answer = await reply
  const body = answer instanceof Response ? await answer.json() : answer.body
  expect({ status: answer.status, body }).toEqual({ status, body: { status, error_message: message } })
}

/** Expects 400 with exactly this text. */
export const expectInvalid = (reply: Promise<Reply>, message: string) => expectError(reply, 400, message)

/** Expects 400 with exactly these problems: no other, and none twice. */
export async function expectProblems(
  method: string,
  path: string,
  body: unknown,
  messages: string[],
): Promise<void> {
  const reply = await call(method, path, { body, headers: { Accept: 'application/problem+json' } })
  const found = reply.body.errors?.map(({ message }: { message: string }) => message)
  expect({ status: reply.status, found }).toEqual({ status: 400, found: messages })
}

/** A body, or a record. */
export type Data = Record<string, unknown>

/** A line of an import. */
export type Line = [entity: string, data: Data]

/** Imports lines, 1,000 a call; fails the test when one is refused. */
export async function importRecords(records: Line[]): Promise<void> {
  const part = records.slice(0, 1000)
  const lines = part.map(([entity, data]) => JSON.stringify({ entity, data }))
  const { body } = await call('POST', '/admin/import', { body: lines.join('\n') })
  const [warnings, ignored] = [expect.any(Array), expect.any(Array)]
  const data = { accepted: part.length, rejected: 0, errors: [], warnings, ignored, next: null }
  expect(body).toEqual({ status: 200, data })
  if (records.length > part.length) await importRecords(records.slice(part.length))
}

/** A key with these scopes. */
export async function keyWith(...scopes: string[]): Promise<string> {
  const { secret } = await createKey(env.API_KEYS, { name: 'test', scopes, expires: null })
  return secret
}

/** A key with all ordinary scopes, of a user unless that is null. */
export async function keyOf(user_id: number | null, name = 'test'): Promise<string> {
  const scopes = ['*:read', '*:write']
  const wanted = { name, scopes, expires: null, ...(user_id !== null && { user_id }) }
  return (await createKey(env.API_KEYS, wanted)).secret
}

/** The website keys made so far: their replies have schemas of their own. */
const websiteKeys = new Set<string>()

/** A website key, publishable and without limits unless `access` says otherwise. */
export async function websiteKey(
  access: Partial<Omit<WebsiteAccess, 'key'>> = {},
  scopes: string[] = ['listings:public'],
): Promise<string> {
  const { secret } = await createKey(env.API_KEYS, {
    name: 'website',
    scopes,
    expires: null,
    website: { publishable: true, origins: null, stores: null, ...access },
  })
  websiteKeys.add(secret)
  return secret
}

let everything: Promise<string> | undefined

/** Makes the next call create a new default key, because the storage of this file has none yet. */
export function resetDefaultKey(): void {
  everything = undefined
}

async function defaultKey(path: string): Promise<string | null> {
  if (path.startsWith('/admin')) return ADMIN_TOKEN
  if (!needsKey(`${path}/`)) return null
  everything ??= keyWith('*:read', '*:write')
  return everything
}

function checkReply(
  reply: z.ZodType | undefined,
  status: number,
  answer: unknown,
  asksForAll: boolean,
): void {
  expect((answer as { status: unknown }).status, 'the body repeats the status').toBe(status)
  if (status !== 200) {
    errorBody.parse(answer)
    return
  }
  if (!reply) return
  const known = reply.parse(answer)
  // Of what is equal, which is nearly all, the matcher takes ten times as long to find so.
  if (!isDeepStrictEqual(answer, known)) expect(answer, 'the schema knows every key').toEqual(known)
  if (!asksForAll) expect(extraKeys(reply, answer), 'keys of fields=all').toEqual([])
}

/** Keys in `value` that the schema does not document. */
function extraKeys(schema: unknown, value: unknown): string[] {
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((entry) => extraKeys(schema.element, entry))
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  const sent = new Map(Object.entries(value))
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, field]) => {
    if (!sent.has(key)) return []
    return field.description?.endsWith(WITH_ALL) ? [key] : extraKeys(field, sent.get(key))
  })
}

type Answering = Pick<Endpoint, 'method' | 'path'> & { contract: Pick<Contract, 'reply'> }

/** A literal path takes precedence over one with an id. */
const withPatterns = (endpoints: Answering[]) =>
  endpoints
    .map((endpoint) => ({
      ...endpoint,
      pattern: new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
    .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
const ENDPOINTS = withPatterns(routers.flatMap(({ endpoints }) => endpoints))
const FOR_VISITORS = withPatterns(routers.flatMap(({ visitorEndpoints }) => visitorEndpoints))

function replySchema(method: string, path: string, isVisit: boolean): z.ZodType | undefined {
  const contractMethod = method === 'QUERY' || method === 'HEAD' ? 'get' : method.toLowerCase()
  const pathname = (path.split('?')[0] ?? '').replace(/\/$/, '')
  return (isVisit ? FOR_VISITORS : ENDPOINTS).find(
    ({ method: own, pattern }) => own === contractMethod && pattern.test(pathname),
  )?.contract.reply
}
