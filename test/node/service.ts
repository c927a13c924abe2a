/** The service behind a real HTTP server, and requests that no fetch() can make. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { createTestHarness } from 'wrangler'

export const ADMIN_TOKEN = 'node-admin-token'

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface HttpOptions {
  body?: string | Buffer
  headers?: Record<string, string>
}

/** A running, migrated, empty service in memory, with a key that may do everything. */
export async function startService() {
  const harness = createTestHarness({
    workers: [
      { configPath: './wrangler.toml', secrets: { ADMIN_TOKEN }, vars: { ALLOW_PRIVATE_PHOTO_URLS: 'true' } },
    ],
  })
  const { url } = await harness.listen()
  await harness.getWorker().applyD1Migrations('DB')
  const key = await makeKey(url)
  return { url, key, close: () => harness.close() }
}

/** A request exactly as told: any method with any body; with its length unless the headers say otherwise. */
export function http(
  url: URL,
  method: string,
  { body, headers = {} }: HttpOptions = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const outgoing = httpRequest(url.href, { method, headers: { ...length, ...headers } }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Imports lines of `[entity, data]`; throws when one is refused. */
export async function importRecords(
  url: URL,
  records: [entity: string, data: Record<string, unknown>][],
): Promise<void> {
  const body = records.map(([entity, data]) => JSON.stringify({ entity, data })).join('\n')
  const { text } = await http(new URL('/admin/import', url), 'POST', {
    body,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  if (JSON.parse(text).data?.rejected !== 0) throw new Error(text)
}

async function makeKey(url: URL): Promise<string> {
  const { text } = await http(new URL('/admin/keys', url), 'POST', {
    body: JSON.stringify({ name: 'tests', scopes: ['*:read', '*:write'] }),
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  return JSON.parse(text).data.key
}
