/** A stored photo, panorama or thumb, as it is or made smaller. */
import type { Context } from 'hono'
import { z } from 'zod'
import { serveFile } from '../files/serve.ts'
import { type SizeCall, serveSize } from '../files/sizes.ts'
import { clientNetwork, isWithinLimit, rateLimit } from '../http/caller/rate-limits.ts'
import type { App } from '../http/context.ts'
import { readQuery } from '../http/request/query.ts'

/** The query parameters of a stored photo. */
export const photoQuery = z.object({
  w: z
    .enum(['320', '640', '960', '1280'])
    .optional()
    .meta({
      description: 'Maximum width in pixels. A picture that is not wider keeps its size',
      type: 'integer',
      enum: [320, 640, 960, 1280],
    }),
  format: z
    .enum(['jpeg', 'webp'])
    .optional()
    .describe(
      'Format of the answer, at quality 80. By default a smaller copy is a JPEG, and a picture that is not wider than ' +
        '`w` stays as it is stored. A WebP has at most 1,920 pixels a side',
    ),
})

/** The reply to a GET or HEAD for a photo of this name; null if there is none. Throws 400 for a wrong query. */
export function servePhoto(c: Context<App>, name: string): Promise<Response | null> {
  const { w, format } = readQuery(c, photoQuery)
  const { raw: request } = c.req
  if (!w && !format) return serveFile(c.env.PHOTOS, `photos/${name}`, request)
  const size = { width: w ? Number(w) : null, format: format ?? null }
  return serveSize(c.env.PHOTOS, name, size, request, callOf(c))
}

function callOf(c: Context<App>): SizeCall {
  const client = clientNetwork(c)
  return {
    client,
    mayMake: () => isWithinLimit(rateLimit(c, 'size'), client),
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  }
}
