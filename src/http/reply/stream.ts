/**
 * Sends texts as they are made, as fast as the client reads. A fault ends the body where it is and is logged: the closing
 * tag or bracket is missing, so that no reader takes what came before for a whole file. The connection is no sign of it, as
 * workerd ends the chunks of a broken body like those of a whole one.
 */
import type { Context } from 'hono'
import { type Slot, Slots } from '../concurrency/slots.ts'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { describeFailure, log } from '../log.ts'

/** Bytes that are handed over at once: all that a client which stops reading keeps, beside what its text is made of. */
const PIECE_BYTES = 64 * 1024
/** Bodies that are made at once for anyone in one isolate. */
const MAX_STREAMS = 8
/** A body that no client pulls for so long is given up, in milliseconds. */
const MAX_IDLE_MS = 30_000

/** Longer than a body may be idle, so that a slot is free once its body has been given up. */
const streams = new Slots(MAX_STREAMS, MAX_IDLE_MS + 5000)

/**
 * A body for clients that need no key. The first piece is made at once: if that fails, this rejects, and an error can
 * still be answered. Throws 503 while too many bodies are made.
 */
export async function streamToAnyone(
  c: Context<App>,
  texts: AsyncIterable<string>,
  maxIdleMs = MAX_IDLE_MS,
): Promise<ReadableStream<Uint8Array>> {
  const slot = streams.take()
  if (!slot) throw new ApiError(503, 'Too many files are being read', [], { 'Retry-After': '30' })
  const pieces = inPieces(texts, PIECE_BYTES)
  try {
    const first = await pieces.next()
    return streamPieces(c, startingWith(first, pieces), { slot, maxIdleMs })
  } catch (error) {
    slot.free()
    throw error
  }
}

/** A body for clients with a key: they may pause for as long as they like. Each text is sent before the next is made. */
export function streamText(c: Context<App>, texts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  return streamPieces(c, piecesOfEach(texts), null)
}

async function* piecesOfEach(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for await (const text of texts) {
    const bytes = encoder.encode(text)
    for (let start = 0; start < bytes.length; start += PIECE_BYTES)
      yield bytes.subarray(start, start + PIECE_BYTES)
  }
}

/** UTF-8 in pieces of `size` bytes; the last one may be shorter. */
export async function* inPieces(
  texts: AsyncIterable<string>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder()
  let piece = new Uint8Array(size)
  let filled = 0
  for await (const text of texts) {
    for (let bytes = encoder.encode(text); bytes.length > 0; ) {
      const part = bytes.subarray(0, size - filled)
      piece.set(part, filled)
      filled += part.length
      bytes = bytes.subarray(part.length)
      if (filled < size) continue
      yield piece
      piece = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

async function* startingWith<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>) {
  try {
    if (first.done) return
    yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}

/** What ends a body that is not read. */
interface Idling {
  slot: Slot
  maxIdleMs: number
}

function streamPieces(
  c: Context<App>,
  pieces: AsyncGenerator<Uint8Array, void>,
  idling: Idling | null,
): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  const end = () => {
    hasEnded = true
    clearTimeout(timer)
    idling?.slot.free()
    // What it is made of is let go at once. Pieces that are being made end behind that.
    pieces.return().catch(() => undefined)
  }
  const report = (level: 'info' | 'error', why: object) =>
    log(level, { request_id: c.get('requestId'), stream: c.req.routePath, ...why })
  const awaitReader = (controller: ReadableStreamDefaultController) => {
    if (!idling) return
    timer = setTimeout(() => {
      report('info', { ended: 'no client reads it' })
      end()
      controller.error(new Error('No client reads this body'))
    }, idling.maxIdleMs)
  }
  return new ReadableStream<Uint8Array>(
    {
      start: awaitReader,
      async pull(controller) {
        clearTimeout(timer)
        idling?.slot.beat()
        try {
          const { value, done } = await pieces.next()
          if (hasEnded) return
          if (done) {
            end()
            controller.close()
          } else {
            controller.enqueue(value)
            awaitReader(controller)
          }
        } catch (error) {
          if (hasEnded) return
          report('error', describeFailure(error))
          end()
          controller.error(error)
        }
      },
      cancel: end,
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  )
}
