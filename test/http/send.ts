/** Raw calls, for what the typed helper hides: raw replies, other bindings, any method. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import type { z } from 'zod'
import { ENTITIES } from '../../src/admin/transfer/entities.ts'
import { app, routers } from '../../src/app.ts'
import type { Endpoint } from '../../src/http/endpoint/contract.ts'
import { ORIGIN, yieldToEventLoop } from '../support/api.ts'

/** Every endpoint of the service. */
export const endpoints: Endpoint[] = routers.flatMap((router) => router.endpoints)

/** What comes in: every body, all filters and each line of an import, by name. */
export const INPUTS: [name: string, schema: z.ZodObject][] = [
  ...endpoints.flatMap(({ method, path, contract: { body, filters } }): [string, z.ZodObject][] => [
    ...(body ? [[`${method.toUpperCase()} ${path}`, body] as [string, z.ZodObject]] : []),
    ...(filters ? [[`filters of ${path}`, filters] as [string, z.ZodObject]] : []),
  ]),
  ...ENTITIES.map(({ name, schema }): [string, z.ZodObject] => [`import of ${name}`, schema]),
]

/** `path` of an endpoint with `id` where its parameter is. */
export function fill(path: string, id: string | number = 1): string {
  return path.replace(/\{\w+\}/g, String(id))
}

/** The whole reply, of a deployment whose bindings differ by `changes`. */
export function send(
  method: string,
  path: string,
  init: RequestInit = {},
  changes: Partial<Env> = {},
): Promise<Response> {
  return sendTo(changes, new Request(ORIGIN + path, { method, ...init }))
}

/** The same for a request that is made already. */
export async function sendTo(changes: Partial<Env>, request: Request): Promise<Response> {
  // Not through the pool's own fetch, which becomes slower with each call of a file.
  const response = await app.fetch(request, { ...env, ...changes }, createExecutionContext())
  await yieldToEventLoop()
  return response
}

/** The same, with all that the call leaves to be done behind the reply. */
export async function sendAndWait(changes: Partial<Env>, request: Request): Promise<Response> {
  const context = createExecutionContext()
  const response = await app.fetch(request, { ...env, ...changes }, context)
  await waitOnExecutionContext(context)
  return response
}

interface Sent {
  method?: string
  body?: string | undefined
  headers?: Record<string, string>
}

/** A request by any method, also a GET with a body, which the constructor of Request refuses. */
export function requestTo(url: string, { method = 'GET', body, headers = {} }: Sent): Request {
  if (method !== 'GET' || body === undefined) return new Request(url, { method, headers, body: body ?? null })
  return new GetRequest(url, { method: 'POST', body, headers })
}

export const getWithBody = (path: string, body: string, headers: Record<string, string>) =>
  requestTo(ORIGIN + path, { body, headers })

class GetRequest extends Request {
  override get method(): string {
    return 'GET'
  }
}

export function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` }
}

/** Silences the log. Returns the list of its lines, which grows as they are written. */
export function silenceLog(): string[] {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
  return lines
}
