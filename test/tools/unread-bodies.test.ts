/**
 * What `wrangler dev` does when a call is answered that has no use for its body: it has to stay up.
 *
 * @module-tag slow
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEV_ADMIN_TOKEN, type DevServer, startDevServer } from '../../tools/runtime/dev-server.ts'

const MB = 1024 * 1024

let server: DevServer | undefined
let url = ''
let key = ''

beforeAll(async () => {
  server = await startDevServer()
  url = server.url
  const answer = await fetch(`${url}/admin/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${DEV_ADMIN_TOKEN}` },
    body: JSON.stringify({ name: 'tests', scopes: ['*:read', 'contacts:write', 'listings:write'] }),
  })
  key = ((await answer.json()) as { data: { key: string } }).data.key
})

afterAll(() => server?.stop())

/** Sends `size` bytes, with their length or in chunks; gives the status and the whole answer. */
async function send(
  method: string,
  path: string,
  { size, isChunked, headers = {} }: { size: number; isChunked: boolean; headers?: Record<string, string> },
): Promise<{ status: number | undefined; text: string }> {
  const framing = isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(size) }
  const outgoing = request(url + path, { method, headers: { ...framing, ...headers }, agent: false })
  const answered = once(outgoing, 'response')
  const chunk = Buffer.alloc(64 * 1024, ' ')
  for (let left = size; left > 0; left -= chunk.length) {
    if (!outgoing.write(chunk.subarray(0, left))) await Promise.race([once(outgoing, 'drain'), answered])
  }
  outgoing.end()
  const [incoming] = await answered
  let text = ''
  for await (const part of incoming.setEncoding('utf8')) text += part
  return { status: incoming.statusCode, text }
}

/** Twice, as the server ends a moment after the answer. */
async function expectAlive(): Promise<void> {
  for (let call = 0; call < 2; call++) expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(server?.hasEnded()).toBe(false)
}

describe('a large body that the answer does not depend on', () => {
  const authorised = () => ({ Authorization: `Bearer ${key}` })
  const form = () => ({ ...authorised(), 'Content-Type': 'multipart/form-data; boundary=x' })
  const never = { 'If-Match': '"never"' }

  it.each<[string, string, number, (() => Record<string, string>)?]>([
    ['GET', '/admin/keys', 401],
    ['POST', '/api/listings', 401],
    ['PUT', '/api/offers/1', 405, authorised],
    ['POST', '/api/requests', 403, authorised],
    ['PUT', '/api/contacts/1', 413, authorised],
    ['GET', '/api/listings', 413, authorised],
    ['GET', '/api/knowledge-base/categories/11', 413, authorised],
    ['GET', '/api/nowhere', 404, authorised],
    ['POST', '/api/listings/1/photos', 400, form],
    [
      'POST',
      '/api/listings/1/photos',
      400,
      () => ({ ...authorised(), 'Content-Type': 'multipart/form-data' }),
    ],
    ['DELETE', '/api/contacts/1', 404, () => ({ ...authorised(), ...never })],
    ['POST', '/api/contacts', 400, () => ({ ...authorised(), 'Idempotency-Key': ' ' })],
    ['GET', '/api/listings/tags', 200, authorised],
    ['GET', '/health', 200],
    ['HEAD', '/health', 200],
    ['OPTIONS', '/api/listings', 204],
    ['GET', '/docs', 200],
    ['GET', '/client.tgz', 200],
    ['POST', '/client.tgz', 405],
    ['GET', '/photos/none.jpg', 404],
    ['GET', '/tours/none', 404],
    ['PATCH', '/nowhere', 404],
  ])('leaves the server up: %s %s', async (method, path, status, headersOf) => {
    for (const isChunked of [false, true]) {
      const answer = await send(method, path, { size: 4 * MB, isChunked, headers: headersOf?.() ?? {} })
      expect([isChunked, answer.status]).toEqual([isChunked, status])
      await expectAlive()
    }
  })

  it('may be larger than any call takes', async () => {
    const photos = { size: 40 * MB, headers: authorised() }
    for (const isChunked of [false, true]) {
      const { status, text } = await send('POST', '/api/listings/1/photos', { ...photos, isChunked })
      expect([status, JSON.parse(text).error_message]).toEqual([
        413,
        'Body too large: at most 29360128 bytes are accepted',
      ])
      await expectAlive()
    }
  })
})

it('a client that stops sending is answered all the same', async () => {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const started = Date.now()
  socket.write(`POST /api/listings HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${30 * MB}\r\n\r\n{`)
  const [head] = await once(socket.setEncoding('utf8'), 'data')
  expect(head).toMatch(/^HTTP\/1\.1 401 /)
  expect(Date.now() - started).toBeLessThan(25_000)
  socket.destroy()
  await expectAlive()
})
