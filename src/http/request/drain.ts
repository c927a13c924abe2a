/**
 * Reads and discards the rest of the request body before every reply, including errors.
 *
 * A reply during the upload would reset the connection: many clients would never see it, and `wrangler dev` would exit.
 */
import type { MiddlewareHandler } from 'hono'
import type { App } from '../context.ts'
import { byteReader, CHUNK_BYTES, hasEnded } from './body.ts'

/** Maximum number of bytes to discard: the largest request that Cloudflare accepts on its smaller plans. */
const MAX_BYTES = 100 * 1024 * 1024
/**
 * Time limits for the whole body and for the next `CHUNK_BYTES`. They are generous because they include the time that
 * the service spends on other requests.
 */
const MAX_DRAIN_MS = 60_000
const CHUNK_LIMIT_MS = 15_000

/** Delays the reply until the body is read or a limit is reached. */
export const drainBody: MiddlewareHandler<App> = async (c, next) => {
  await next()
  const { body } = c.req.raw
  if (body && !body.locked && !hasEnded(body)) await discardRest(body)
}

/** Discards the rest of `body`, within the limits, in a single buffer. Never rejects. */
async function discardRest(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = byteReader(body)
  if (!reader) return
  const giveUp = () => void reader.cancel().catch(() => undefined)
  const deadline = setTimeout(giveUp, MAX_DRAIN_MS)
  let stalled: ReturnType<typeof setTimeout> | undefined
  try {
    let buffer = new Uint8Array(CHUNK_BYTES)
    for (let left = MAX_BYTES; left > 0; ) {
      clearTimeout(stalled)
      stalled = setTimeout(giveUp, CHUNK_LIMIT_MS)
      const { value, done } = await reader.readAtLeast(CHUNK_BYTES, buffer)
      if (done || !value) return
      left -= value.byteLength
      buffer = new Uint8Array(value.buffer as ArrayBuffer)
    }
  } catch {
    // The client has disconnected.
  } finally {
    clearTimeout(deadline)
    clearTimeout(stalled)
    reader.releaseLock()
  }
}
