/** Calls of the console to the service that serves it, as the person who has signed in. */

import type { Admin } from './admin.ts'

/** Who has signed in. */
export type Self = Admin<'/admin/self'>

/** An error of the service, or none at all: then `status` is 0. */
export class CallError extends Error {
  readonly status: number
  /** Of a contact that is not found: the one that it was merged into. */
  readonly mergedInto: string | null

  constructor(status: number, message: string, mergedInto: string | null = null) {
    super(message)
    this.status = status
    this.mergedInto = mergedInto
  }
}

/** The key or token of the person; null where Cloudflare Access signs in. It is never stored. */
let credential: string | null = null

/** From now on, calls carry this key or token. */
export function useCredential(value: string | null): void {
  credential = value
}

interface Options {
  body?: unknown
  /** A body that is no JSON, with its type. */
  raw?: { type: string; text: string }
  /** The tag of what is changed, as it was read. */
  ifMatch?: string | null
}

/** The JSON of a successful answer. Throws CallError. */
export async function call<T>(method: string, path: string, options?: Options): Promise<T> {
  return (await callTagged<T>(method, path, options)).json
}

/** The same with its ETag, and which kinds of entries a timeline has left out. */
export async function callTagged<T>(
  method: string,
  path: string,
  { body, raw, ifMatch }: Options = {},
): Promise<{ json: T; tag: string | null; leftOut: string | null }> {
  const headers: Record<string, string> = {}
  if (credential) headers.Authorization = `Bearer ${credential}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (raw) headers['Content-Type'] = raw.type
  if (ifMatch) headers['If-Match'] = ifMatch
  const answer = await fetch(path, {
    method,
    headers,
    cache: 'no-store',
    redirect: 'error',
    ...(raw ? { body: raw.text } : body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null)
  if (!answer) throw new CallError(0, '')
  const json: unknown = await answer.json().catch(() => null)
  const { headers: own } = answer
  if (answer.ok) return { json: json as T, tag: own.get('ETag'), leftOut: own.get('X-Left-Out') }
  const message = (json as { error_message?: unknown } | null)?.error_message
  throw new CallError(
    answer.status,
    typeof message === 'string' ? message : String(answer.status),
    own.get('X-Merged-Into'),
  )
}

/** The `data` of an answer. Throws CallError. */
export async function read<T>(path: string): Promise<T> {
  return (await call<{ data: T }>('GET', path)).data
}

/** Whether the caller has a scope such as `admin:trail` or `enquiries:read`. */
export function may({ scopes }: Self, scope: string): boolean {
  const [resource, access] = scope.split(':')
  const all = resource === 'admin' ? 'admin:*' : `*:${access}`
  return scopes.includes(scope) || scopes.includes(all)
}
