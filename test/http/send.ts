/** Raw calls, for what the typed helper hides: raw replies, other bindings, any method. */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { app, routers } from '../../src/app.ts'
import type { Endpoint } from '../../src/http/endpoint/contract.ts'
import { ORIGIN, yieldToEventLoop } from '../support/api.ts'

/** Every endpoint of the service. */
export const endpoints: Endpoint[] = routers.flatMap((router) => router.endpoints)

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

/** A GET request with a body, which the constructor of Request refuses. */
export function getWithBody(path: string, body: string, headers: Record<string, string>): Request {
  return new GetRequest(ORIGIN + path, { method: 'POST', body, headers })
}

export class GetRequest extends Request {
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
