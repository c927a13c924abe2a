/**
 * Bodies that are made as they are read: how much is held for a reader who stops, and for how long.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../../src/http/context.ts'
import { ApiError } from '../../../src/http/errors.ts'
import { inPieces, streamText, streamToAnyone } from '../../../src/http/reply/stream.ts'
import { silenceLog } from '../send.ts'

const IDLE_MS = 1000

let log: string[] = []
let made = 0
let hasEnded = false

beforeEach(() => {
  log = silenceLog()
  made = 0
  hasEnded = false
})

/** Texts of 10 kB with a closing line. */
async function* texts(count: number, failAt = -1): AsyncGenerator<string> {
  try {
    for (let number = 0; number < count; number++) {
      if (number === failAt) throw new Error('broken')
      made++
      yield `${'ά'.repeat(5000)}\n`
    }
    yield 'END\n'
  } finally {
    hasEnded = true
  }
}

const app = new Hono<App>()
app.get('/anyone/:count/:failAt', async (c) =>
  c.body(
    await streamToAnyone(c, texts(Number(c.req.param('count')), Number(c.req.param('failAt'))), IDLE_MS),
  ),
)
app.get('/export', (c) => c.body(streamText(c, texts(100))))
app.onError((error, c) =>
  error instanceof ApiError
    ? c.json({ message: error.message }, error.status as 503, error.headers)
    : c.json({ message: error.message }, 500),
)

const open: ReadableStreamDefaultReader<Uint8Array>[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((reader) => reader.cancel().catch(() => undefined)))
})

async function openReader(path: string) {
  const response = await app.request(path, {}, env)
  const reader = response.status === 200 ? response.body?.getReader() : undefined
  if (reader) open.push(reader)
  return { response, read: async () => (await reader?.read()) ?? { done: true, value: undefined } }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function readAll(read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>) {
  const parts: Uint8Array[] = []
  for (let part = await read(); !part.done && part.value; part = await read()) parts.push(part.value)
  return {
    parts,
    text: new TextDecoder().decode(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer()),
  }
}

describe('pieces', () => {
  it.each([1, 7, 10_001, 64 * 1024])(
    'of %i bytes are the same text, each full but the last',
    async (size) => {
      const pieces: Uint8Array[] = []
      for await (const piece of inPieces(texts(3), size)) pieces.push(piece)
      expect(pieces.slice(0, -1).every(({ length }) => length === size)).toBe(true)
      const whole = await new Blob(pieces as Uint8Array<ArrayBuffer>[]).text()
      expect(whole).toBe(`${`${'ά'.repeat(5000)}\n`.repeat(3)}END\n`)
    },
  )
})

describe('a body for anyone', () => {
  it('is made as far as it is read, in pieces of 64 KB', async () => {
    const { read } = await openReader('/anyone/100/-1')
    expect(made).toBe(7)
    await wait(50)
    expect(made).toBe(7)
    await read()
    await read()
    expect(made).toBeLessThanOrEqual(14)
    const { parts, text } = await readAll(read)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024)
    expect(text.endsWith('END\n')).toBe(true)
    expect([made, hasEnded]).toEqual([100, true])
  })

  it('ends without its last line when no client reads it', async () => {
    const { read } = await openReader('/anyone/100/-1')
    await read()
    await wait(2 * IDLE_MS)
    expect(hasEnded).toBe(true)
    await expect(readAll(read)).rejects.toThrow('No client reads this body')
    expect(log.filter((line) => line.includes('no client reads it')).length).toBe(1)
  })

  it('goes on for a client who is slow', async () => {
    const { read } = await openReader('/anyone/20/-1')
    const pieces = []
    for (let part = await read(); !part.done; part = await read()) {
      pieces.push(part.value)
      await wait(IDLE_MS / 2)
    }
    expect([made, pieces.length]).toEqual([20, 4])
  })

  it('is an error if its beginning fails, and breaks off if another part does', async () => {
    const { response } = await openReader('/anyone/100/0')
    expect([response.status, await response.json()]).toEqual([500, { message: 'broken' }])
    const { read } = await openReader('/anyone/100/50')
    await expect(readAll(read)).rejects.toThrow('broken')
    expect(log.some((line) => line.includes('"stream":') && line.includes('broken'))).toBe(true)
    expect(hasEnded).toBe(true)
  })

  it('is one of eight, however the others end', async () => {
    const openAll = (count: number, path = '/anyone/100/-1') =>
      Promise.all(Array.from({ length: count }, () => openReader(path)))
    const statuses = (answers: { response: Response }[]) =>
      answers.map(({ response }) => response.status).toSorted((a, b) => a - b)
    const all = await openAll(9)
    expect(statuses(all)).toEqual([...Array(8).fill(200), 503])
    const refused = all.find(({ response }) => response.status === 503)
    expect(refused?.response.headers.get('Retry-After')).toBe('30')
    const [one, two, three] = open
    // Read to its end, left by its client, and broken off.
    await readAll(async () => (await one?.read()) ?? { done: true, value: undefined })
    await two?.cancel()
    expect(statuses(await openAll(3))).toEqual([200, 200, 503])
    await three?.cancel()
    expect(statuses(await openAll(1, '/anyone/100/0'))).toEqual([500])
    expect(statuses(await openAll(2))).toEqual([200, 503])
    // All eight stop reading.
    await wait(2 * IDLE_MS)
    expect(statuses(await openAll(8))).toEqual(Array(8).fill(200))
  })
})

it('a body for a client with a key waits for it', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => openReader('/export')))
  expect(answers.map(({ response }) => response.status)).toEqual(Array(10).fill(200))
  await wait(2 * IDLE_MS)
  const { parts, text } = await readAll(answers[0]?.read ?? (() => Promise.reject(new Error('no reader'))))
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024)
  expect(text.endsWith('END\n')).toBe(true)
})
