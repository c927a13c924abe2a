/** Single calls, each to the Worker that it names. */
import { request } from 'node:http'
import { BENCH_KEY, HOSTS, type Host } from './service.ts'

/** The headers of every call; `fetch` would not send the host. */
export function headersFor(host: Host): Record<string, string> {
  return { host: HOSTS[host], authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' }
}

/** The text of the answer; throws when it is no success. */
export function ask(url: URL, host: Host, method: string, path: string, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url).href, { method, headers: headersFor(host) }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(`${host}: ${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`))
      })
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
