/**
 * Calls that go out to other hosts. All of them say who calls, as many hosts refuse calls without a `User-Agent`. The lint
 * refuses any other `fetch` of the service.
 *
 *     const response = await callOut(env, 'https://example.com/house.jpg', { redirect: 'manual', signal })
 */
import { API_VERSION } from './version.ts'

/** What calls need to know of the deployment. */
export type CallingEnv = Pick<Env, 'ALLOW_PRIVATE_PHOTO_URLS' | 'PUBLIC_BASE_URL'>

/** Calls another host. Redirects must be followed by the caller, so that each URL is checked. */
export function callOut(
  env: CallingEnv,
  url: string,
  init: RequestInit & { signal: AbortSignal; redirect: 'manual' },
): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('User-Agent', userAgentOf(env))
  return fetch(url, { ...init, headers })
}

/** The base is written as the URL parser writes it, as a header takes ASCII only. */
function userAgentOf({ PUBLIC_BASE_URL = '' }: CallingEnv): string {
  const base = URL.parse(PUBLIC_BASE_URL)?.href.replace(/\/$/, '')
  return `Estia/${API_VERSION}${base ? ` (+${base})` : ''}`
}
