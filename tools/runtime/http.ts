/** HTTP calls that fetch() cannot make. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface HttpOptions {
  body?: string | Buffer | undefined
  headers?: Record<string, string>
}

/** Sends a call without corrections: any method with any body. Adds the length unless the headers state it. */
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
