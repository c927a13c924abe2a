/**
 * Pictures and their sizes, kept by the Cache API of the location that serves them: a picture that is kept costs no read of
 * the bucket. Ranges are read from the bucket.
 *
 * Nothing takes a picture out of the caches of other locations. So one that is deleted may be served for as long as
 * `KEEP_SECONDS` after the sweep: docs/privacy.md promises that.
 */
import type { Context } from 'hono'
import type { App } from '../http/context.ts'
import { keepAnswer, readKept } from '../http/reply/cache.ts'
import { isFileKey } from './keys.ts'
import { serveFile, serveKept } from './serve.ts'

/** A day. */
const KEEP_SECONDS = 86_400

/** The reply to a call for the picture or size `key`, from the cache or else what `serve` makes. Null: there is none. */
export async function servePicture(
  c: Context<App>,
  key: string,
  serve: () => Promise<Response | null>,
): Promise<Response | null> {
  c.set('isPicture', true)
  const { raw: request } = c.req
  const { origin, hostname } = new URL(request.url)
  // There the Cache API keeps nothing.
  const hasCache = !hostname.endsWith('.workers.dev')
  if (!hasCache || !isFileKey(key) || request.headers.has('range')) return serve()
  // A zone may be set to ignore queries, so the size is in the path.
  const url = `${origin}/${key}`
  const report = { request_id: c.get('requestId'), cache: 'pictures' }
  const kept = await readKept(url, (found) => serveKept(found, request), report)
  if (kept) return kept
  const answer = await serve()
  // Read once more: a copy of the answer would be held for a client that reads slowly.
  const read = () => serveFile(c.env.PHOTOS, key, new Request(url))
  if (request.method === 'GET' && answer?.status === 200)
    c.executionCtx.waitUntil(keepAnswer(url, KEEP_SECONDS, read, report))
  return answer
}
