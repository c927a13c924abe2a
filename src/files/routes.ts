/** Stored pictures, and files of the knowledge base: public under unguessable names. None may run as a page of this origin. */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import { RATE_LIMITS } from '../catalogue/rate-limits.ts'
import { database, runStatement } from '../db/client.ts'
import { selectRows } from '../db/statements.ts'
import { knowledge_base_files as files } from '../db/tables/knowledge-base.ts'
import { PICTURE_FOLDER } from '../fields/picture-folder.ts'
import { isWithinLimit, rateLimit } from '../http/caller/rate-limits.ts'
import type { App } from '../http/context.ts'
import { Router } from '../http/endpoint/router.ts'
import { ApiError, databaseBusy } from '../http/errors.ts'
import { clientNetwork } from '../http/networks.ts'
import { readQuery } from '../http/request/query.ts'
import { servePicture } from './kept-pictures.ts'
import { fileNameOf } from './references.ts'
import { serveFile } from './serve.ts'
import { sizeKey } from './size-keys.ts'
import { type SizeCall, serveSize } from './sizes.ts'

export const fileRoutes = new Router(
  'Files',
  'Stored pictures, and files of the knowledge base. Anyone who knows their URL may read them.',
)

/** The common part of the contract: the name of the file, and the headers that `files/serve.ts` supports. */
const storedFile = {
  params: z.object({ name: z.string().describe('Name of the stored file: the last part of its URL') }),
  otherReplies: {
    206: 'The part that `Range` asks for',
    304: 'Not modified since the client last had it',
    412: 'The file does not satisfy `If-Match` or `If-Unmodified-Since`',
    416: '`Range` begins beyond the end of the file',
  },
  headers: z.object({
    Range: z.string().optional().describe('One range of bytes: `bytes=0-999`'),
    'If-Range': z.string().optional().describe('Sends the range only if the file has this `ETag` or date'),
    'If-Match': z.string().optional().describe('Answers 412 unless the file has one of these `ETag`s'),
    'If-None-Match': z.string().optional().describe('Answers 304 if the file has one of these `ETag`s'),
    'If-Modified-Since': z.string().optional().describe('Answers 304 if the file is not newer'),
    'If-Unmodified-Since': z.string().optional().describe('Answers 412 if the file is newer'),
  }),
}

const photoQuery = z.object({
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

fileRoutes.get(
  '/photos/{name}',
  {
    summary: 'A stored picture of photos',
    description:
      'Never changes, so it may be cached forever. Supports `Range` and conditional requests. With `w` or `format` the ' +
      'answer is a smaller copy, which is made when it is first asked for.',
    ...storedFile,
    query: photoQuery,
    replyType: 'image/*',
    errors: {
      400: 'Invalid w',
      422: 'Could not decode image',
      503: 'Too many pictures are being made',
    },
  },
  async (c, input) => orNotFound(await servePhoto(c, input.params().name)),
)

fileRoutes.get(
  '/watermarks/{name}',
  {
    summary: 'A stored picture of watermarks',
    description: 'Never changes, so it may be cached forever. Supports `Range` and conditional requests.',
    ...storedFile,
    replyType: 'image/*',
  },
  async (c, input) => {
    const key = `watermarks/${input.params().name}`
    return orNotFound(await servePicture(c, key, () => serveFile(c.env.PHOTOS, key, c.req.raw)))
  },
)

/** Types that browsers may show instead of saving: pictures without scripts, and PDF. */
const SHOWN = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'application/pdf'])

fileRoutes.get(
  '/files/{name}',
  {
    summary: 'A stored file',
    description:
      'Never changes, so it may be cached forever. Supports `Range` and conditional requests. Pictures and PDF are ' +
      'shown; everything else is saved under its original name.',
    ...storedFile,
    replyType: 'application/octet-stream',
    errors: { 503: databaseBusy().message },
  },
  async (c, input) => {
    const key = `files/${input.params().name}`
    // Served only while an article has the file, by its key or, after an import, by its URL.
    const isOfFile = sql`${fileNameOf(files.url)} = ${fileNameOf(sql`${key}`)}`
    const [file] = await runStatement(database(c.env), selectRows(files, sql`where ${isOfFile} limit 1`))
    const answer = orNotFound(file && (await serveFile(c.env.PHOTOS, key, c.req.raw)))
    const how = SHOWN.has(answer.headers.get('Content-Type') ?? '') ? 'inline' : 'attachment'
    answer.headers.set('Content-Disposition', disposition(how, file?.original_name ?? ''))
    return answer
  },
)

/** The header of RFC 6266: the name in ASCII for old clients, and in UTF-8 as RFC 8187 encodes it. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^ -~]|["%/\\]/gu, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** The reply to a GET or HEAD for a photo of this name; null if there is none. Throws 400 for a wrong query. */
function servePhoto(c: Context<App>, name: string): Promise<Response | null> {
  const { w, format } = readQuery(c, photoQuery)
  const { raw: request } = c.req
  const picture = `${PICTURE_FOLDER}/${name}`
  if (!w && !format) return servePicture(c, picture, () => serveFile(c.env.PHOTOS, picture, request))
  const size = { width: w ? Number(w) : null, format: format ?? null }
  const serve = () => serveSize(c.env.PHOTOS, name, size, request, callOf(c))
  return servePicture(c, sizeKey(name, size), serve)
}

function callOf(c: Context<App>): SizeCall {
  const client = clientNetwork(c)
  return {
    client,
    mayMake: () => isWithinLimit(rateLimit(c, RATE_LIMITS.size), client),
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  }
}

/** The reply with a stored file. Throws 404, which must not be cached, because an import may add the file later. */
function orNotFound(answer: Response | null | undefined): Response {
  if (!answer) throw new ApiError(404, 'Not found', [], { 'Cache-Control': 'no-store' })
  return answer
}
