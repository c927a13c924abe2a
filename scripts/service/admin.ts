/** A running Estia as the scripts talk to it: the address, the admin token, and requests that are tried again. */
import { setTimeout as wait } from 'node:timers/promises'

const ATTEMPTS = 5
/** Most characters of an answer that is not the service's own. */
const MAX_QUOTED = 500

export interface Service {
  url: string
  adminToken: string
  /** Gives up every call. */
  signal?: AbortSignal
}

/** The service that the command line and the environment name. Ends the process when there is no ADMIN_TOKEN. */
export function serviceFrom(url: string | undefined): Service {
  const adminToken = process.env.ADMIN_TOKEN
  if (!adminToken) {
    console.error('Set ADMIN_TOKEN to the secret of the deployment.')
    process.exit(2)
  }
  return { url: (url ?? 'http://localhost:8787').replace(/\/+$/, ''), adminToken }
}

/** An admin call; tried again, ever more slowly, when the network or the service fails. Throws for 4xx. */
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
      answer instanceof Response ? `${answer.status} ${messageOf(await answer.text())}` : unreachable(answer)
    const final = answer instanceof Response && answer.status < 500 && answer.status !== 429
    if (final || attempt === ATTEMPTS)
      throw new Error(`${method} ${answer instanceof Response ? path : service.url + path}: ${failure}`)
    await wait(2 ** attempt * 250)
  }
}

/** The message of an error of the service; whatever else answered is quoted. */
function messageOf(text: string): string {
  try {
    const { error_message } = JSON.parse(text)
    if (typeof error_message === 'string') return error_message
  } catch {
    // No answer of the service.
  }
  return text.slice(0, MAX_QUOTED)
}

/** Why no answer came: what `fetch` says of it hides the reason below it. */
function unreachable(error: unknown): string {
  const reason = error instanceof Error ? error.cause : null
  const code = reason instanceof Error && 'code' in reason ? ` (${reason.code})` : ''
  return `no answer${code}; does the service run there?`
}

/** Makes an API key and returns it. */
export async function createApiKey(
  service: Service,
  name: string,
  scopes: string[],
  expires?: string,
): Promise<{ id: string; key: string }> {
  const body = JSON.stringify({ name, scopes, expires: expires ?? null })
  const answer = await adminCall(service, 'POST', '/admin/keys', body)
  const { data } = (await answer.json()) as { data: { id: string; key: string } }
  return data
}
