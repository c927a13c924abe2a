/** Single calls, each to the Worker that it names. */
import { http } from '../runtime/http.ts'
import { BENCH_KEY, HOSTS, type Host } from './service.ts'

/** The headers of every call; `fetch` would not send the host. */
export function headersFor(host: Host): Record<string, string> {
  return { host: HOSTS[host], authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' }
}

/** The text of the answer; throws when it is no success. */
export async function ask(
  url: URL,
  host: Host,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const sent = { headers: headersFor(host), body: JSON.stringify(body) }
  const { status, text } = await http(new URL(path, url), method, sent)
  if (status === 200) return text
  throw new Error(`${host}: ${method} ${path}: ${status} ${text.slice(0, 300)}`)
}
