/** One HTTP call as bytes on a socket, so that no client library corrects its errors. */
import { connect } from 'node:net'

export interface FuzzCall {
  method: string
  /** Path and query, as in the request line. */
  target: string
  headers: [name: string, value: string][]
  body: Buffer | null
  /** Whether its bytes are no longer valid HTTP, so that it does not test the API. */
  malformed: boolean
}

export interface FuzzAnswer {
  status: number
  headers: Map<string, string>
  text: string
}

/** The result of a call. */
export type FuzzOutcome = { answer: FuzzAnswer } | { failure: 'no answer' | 'refused' | 'closed' }

/** Characters that a request line or header cannot contain: all but visible ones of Latin-1. */
const BEYOND_LATIN_1 = /[^\t\x20-\x7e\x80-\xff]/g

/** The bytes of `call`. */
export function callBytes({ method, target, headers, body }: FuzzCall, host: string): Buffer {
  const declared = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const lines = [
    `${method} ${target.replace(BEYOND_LATIN_1, '').replaceAll(' ', '%20')} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value.replace(BEYOND_LATIN_1, '')}`),
    ...(body && !declared ? [`Content-Length: ${body.byteLength}`] : []),
    'Connection: close',
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return body ? Buffer.concat([head, body]) : head
}

/** Sends the bytes of a call with `method` and reads its reply, for at most `limit` milliseconds. */
export function send(url: URL, method: string, bytes: Buffer, limit: number): Promise<FuzzOutcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(url.port), url.hostname)
    const finishOnce = (outcome: FuzzOutcome) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(outcome)
    }
    const finish = () => {
      const answer = readAnswer(method, Buffer.concat(chunks))
      finishOnce(answer ? { answer } : { failure: 'closed' })
    }
    const timer = setTimeout(() => finishOnce({ failure: 'no answer' }), limit)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // workerd leaves the connection open even after `Connection: close`.
      if (isWhole(method, Buffer.concat(chunks))) finish()
    })
    socket.on('end', finish)
    socket.on('error', (error) => {
      const code = 'code' in error ? error.code : ''
      if (code === 'ECONNREFUSED') finishOnce({ failure: 'refused' })
      else finish()
    })
  })
}

/** Whether the reply is complete. */
function isWhole(method: string, bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = bytes.subarray(0, end).toString('latin1')
  if (/^transfer-encoding: *chunked/im.test(head))
    // Behind the head, whose last value may end in 0, too.
    return bytes.subarray(Math.max(end + 4, bytes.byteLength - 5)).toString('latin1') === '0\r\n\r\n'
  const length = method === 'HEAD' ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  return bytes.byteLength >= end + 4 + length
}

/** Null if it is not complete: workerd closes the connection of invalid chunks, which may cut off what it has sent. */
function readAnswer(method: string, bytes: Buffer): FuzzAnswer | null {
  if (!isWhole(method, bytes)) return null
  const end = bytes.indexOf('\r\n\r\n')
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(line.split(' ')[1])
  if (!Number.isInteger(status)) return null
  const headers = new Map<string, string>()
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers.set(field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim())
  }
  const rest = bytes.subarray(end + 4)
  const body = headers.get('transfer-encoding') === 'chunked' ? joinChunks(rest) : rest
  return { status, headers, text: body.toString('utf8') }
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.byteLength; ) {
    const line = bytes.indexOf('\r\n', at)
    const length = line < 0 ? 0 : Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    if (!length) break
    chunks.push(bytes.subarray(line + 2, line + 2 + length))
    at = line + 2 + length + 2
  }
  return Buffer.concat(chunks)
}
