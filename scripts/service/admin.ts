/** A running Estia service, as scripts use it: its URL, the admin token, and calls with retries. */
import { setTimeout as wait } from 'node:timers/promises'
import { describeUnreachable, refuseCommandLine } from './terminal.ts'

const ATTEMPTS = 5
/** Maximum number of characters to quote from a reply that is not the service's own. */
const MAX_QUOTED = 500

export interface Service {
  url: string
  adminToken: string
  /** Cancels every call. */
  signal?: AbortSignal
}

/** The service of the command line and the environment. Ends the process if ADMIN_TOKEN is not set. */
export function serviceFrom(url: string | undefined): Service {
  const adminToken = process.env.ADMIN_TOKEN
  if (!adminToken) return refuseCommandLine('Set ADMIN_TOKEN to the secret of the deployment.')
  return { url: readUrl(url), adminToken }
}

/**
 * Parses the address of a service, by default that of `npm start`. Ends the process with 2 if it is none. The scheme is
 * not guessed, as a secret is sent there.
 */
export function readUrl(text = 'http://localhost:8787'): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  return refuseCommandLine(`--url takes an address such as http://localhost:8787, not "${text}".`)
}

/** Makes an admin call. Retries with growing pauses if the network or the service fails. Throws for 4xx. */
export async function adminCall(
  service: Service,
  method: string,
  path: string,
  body?: BodyInit,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(service.url + path, {
      method,
      headers: { Authorization: `Bearer ${service.adminToken}` },
      ...(body === undefined ? {} : { body }),
      signal: service.signal,
    }).catch((error: unknown) => error)
    service.signal?.throwIfAborted()
    if (answer instanceof Response && answer.ok) return answer
    const failure =
      answer instanceof Response
        ? `${answer.status} ${messageOf(await answer.text())}`
        : describeUnreachable(answer)
    const final = answer instanceof Response && answer.status < 500 && answer.status !== 429
    if (final || attempt === ATTEMPTS)
      throw new Error(`${method} ${answer instanceof Response ? path : service.url + path}: ${failure}`)
    await wait(answer instanceof Response ? pauseOf(answer, attempt) : 2 ** attempt * 250)
  }
}

/** The data of the answer to an admin call. */
export async function adminData<T>(...call: Parameters<typeof adminCall>): Promise<T> {
  const { data } = (await (await adminCall(...call)).json()) as { data: T }
  return data
}

/** Ms before the next attempt: as the service says, but a minute at most. */
function pauseOf({ headers }: Response, attempt: number): number {
  const seconds = Number(headers.get('Retry-After') ?? 0)
  return Math.max(Math.min(seconds, 60) * 1000 || 0, 2 ** attempt * 250)
}

/** The message of the service's error; the text of any other reply is quoted. */
function messageOf(text: string): string {
  try {
    const { error_message } = JSON.parse(text)
    if (typeof error_message === 'string') return error_message
  } catch {
    // Not a reply of the service.
  }
  return text.slice(0, MAX_QUOTED)
}

/** What may be said about a new API key, as `POST /admin/keys` has it. */
interface KeyOptions {
  expires?: string
  origins?: string[]
  stores?: number[]
  publishable?: boolean
}

/** Creates an API key and returns it. */
export async function createApiKey(
  service: Service,
  name: string,
  scopes: string[],
  options: KeyOptions = {},
): Promise<{ id: string; key: string; publishable?: boolean }> {
  const body = JSON.stringify({ name, scopes, ...options })
  return adminData(service, 'POST', '/admin/keys', body)
}
