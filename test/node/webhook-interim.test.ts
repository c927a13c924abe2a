/**
 * What a receiver may send before its final answer, byte by byte as it comes over the wire.
 *
 * @module-tag slow
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { interimOnlyError } from '../../src/admin/webhooks/send.ts'
import { type AgencyService, askAgency, startAgency } from '../../tools/runtime/agency.ts'

const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

let service: AgencyService
let receiver: Server
const sockets = new Set<Socket>()
/** What the receiver writes, a moment between each and the next; then it closes the connection. */
let parts: string[] = []

beforeAll(async () => {
  service = await startAgency(null, 0, 'network')
  receiver = createServer((socket) => {
    sockets.add(socket)
    // A sender that has read enough closes the connection.
    socket.on('error', () => undefined)
    socket.once('data', async () => {
      for (const part of parts) {
        socket.write(part)
        await sleep(20)
      }
      socket.end()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  receiver?.close()
  await service?.stop()
})

const admin = async (path: string, body: object) => (await askAgency(service, 'POST', path, body)).data

it.each<[string, string[], { status: number; error: string | null }]>([
  ['100 in one packet with the answer', [CONTINUE + OK], { status: 200, error: null }],
  ['100 in a packet of its own', [CONTINUE, OK], { status: 200, error: null }],
  ['102', ['HTTP/1.1 102 Processing\r\n\r\n', OK], { status: 200, error: null }],
  ['103', [HINTS, OK], { status: 200, error: null }],
  ['a number that is no standard', ['HTTP/1.1 199 Odd\r\n\r\n', OK], { status: 200, error: null }],
  ['several', [CONTINUE + HINTS, HINTS + HINTS, OK], { status: 200, error: null }],
  ['103 torn apart', [...((HINTS + HINTS + OK).match(/.{1,9}/gs) ?? [])], { status: 200, error: null }],
  ['103, then a status without a reason', [HINTS, 'HTTP/1.1 204\r\n\r\n'], { status: 204, error: null }],
  ['103, then 500', [HINTS, 'HTTP/1.1 500 Oh\r\n\r\n'], { status: 500, error: 'Answer 500' }],
  ['103, then 410', [HINTS, 'HTTP/1.1 410 Gone\r\n\r\n'], { status: 410, error: 'Answer 410' }],
  [
    '103, then a redirect',
    [HINTS, 'HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n'],
    { status: 302, error: 'Redirects are not followed' },
  ],
  ['103, then nothing', [HINTS], { status: 103, error: interimOnlyError(103) }],
  ['103, then half a status', [HINTS, 'HTTP/1.1 2'], { status: 103, error: interimOnlyError(103) }],
  [
    '103, then no HTTP',
    [HINTS, 'HTTP/1.1 two hundred\r\n\r\n'],
    { status: 103, error: interimOnlyError(103) },
  ],
  ['103 without end', Array(80).fill(HINTS.repeat(20)), { status: 103, error: interimOnlyError(103) }],
  ['101', ['HTTP/1.1 101 Switching Protocols\r\n\r\n'], { status: 101, error: 'Answer 101' }],
  // Last, as workerd takes what is left on such a connection for the answer to the next request.
  [
    '103 with a body of 200s',
    ['HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\n', `hello${OK}`],
    { status: 103, error: interimOnlyError(103) },
  ],
])('a receiver that sends %s first', async (_, sent, outcome) => {
  parts = sent
  const { port } = receiver.address() as AddressInfo
  const { id } = await admin('/admin/webhooks', { url: `http://127.0.0.1:${port}/hooks` })
  expect(await admin(`/admin/webhooks/${id}/test`, {})).toMatchObject({ type: 'test', ...outcome })
})
