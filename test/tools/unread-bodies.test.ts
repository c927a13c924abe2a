/**
 * What `wrangler dev` does when a call is answered that has no use for its body: it has to stay up.
 *
 * @module-tag slow
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../scripts/service/admin.ts'
import { type LocalService, startLocalService } from '../../scripts/start/local.ts'

const MB = 1024 * 1024

let service: LocalService
let url = ''
let key = ''
/** Sent before everything else, as the service waits for the rest of the body. */
let stalled: ReturnType<typeof stall>

beforeAll(async () => {
  service = await startLocalService()
  url = service.url
  key = (await createApiKey(service, 'tests', ['*:read', 'contacts:write', 'listings:write'])).key
  stalled = stall()
  // The test that waits for it throws it.
  stalled.catch(() => undefined)
})

afterAll(() => service.stop())

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
    ['GET', '/api/nowhere', 404, authorised],
    ['POST', '/api/listings/1/photos', 400, form],
    ['DELETE', '/api/contacts/1', 404, () => ({ ...authorised(), ...never })],
    ['POST', '/api/contacts', 400, () => ({ ...authorised(), 'Idempotency-Key': ' ' })],
    ['GET', '/health', 200],
    ['OPTIONS', '/api/listings', 204],
    ['GET', '/docs', 200],
    ['GET', '/photos/none.jpg', 404],
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

/** Sends the beginning of a body and no more; gives the head of the answer and the milliseconds that it took. */
async function stall(): Promise<{ head: string; took: number }> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const started = Date.now()
  socket.write(`POST /api/listings HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${30 * MB}\r\n\r\n{`)
  const [head] = await once(socket.setEncoding('utf8'), 'data')
  const took = Date.now() - started
  socket.destroy()
  return { head, took }
}

it('a client that stops sending is answered all the same', async () => {
  const { head, took } = await stalled
  expect(head).toMatch(/^HTTP\/1\.1 401 /)
  expect(took).toBeLessThan(25_000)
  await expectAlive()
})
