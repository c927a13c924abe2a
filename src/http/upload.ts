/** Bodies that are JSON or, where their contract says so, the files themselves. */
import type { Context } from 'hono'
import type { z } from 'zod'
import type { App } from './app.ts'
import { announcedLength, readBytes, readChunks } from './body.ts'
import { checkObject, type Draft } from './check.ts'
import { readForm } from './form.ts'
import { readBody, reportUnknownFields } from './request.ts'

/** The media types that files may come in beside JSON. */
export const FILE_TYPES = { one: 'image/*', several: 'multipart/form-data' } as const

/**
 * A body of `schema` that came as JSON, as one file or as a form with files, which then are the list `field` of it as
 * bytes. What a form holds beside files counts as unknown keys. No file at all is no list. Throws 400 and 413 like
 * `readBody`.
 */
export async function readUpload<S extends z.ZodObject>(
  c: Context<App>,
  schema: S,
  limit: number,
  field: string,
): Promise<Draft<z.output<S>>> {
  const contentType = c.req.header('Content-Type') ?? ''
  const [mediaType = ''] = contentType.toLowerCase().split(';', 1)
  const isForm = mediaType.trim() === FILE_TYPES.several
  if (!isForm && !mediaType.trim().startsWith('image/')) {
    return readBody(c, schema, limit, { takesBytes: true })
  }
  const { files, others } = isForm
    ? await readForm(readChunks(c, limit), contentType, announcedLength(c))
    : { files: [await readBytes(c, limit)].filter(({ length }) => length > 0), others: [] }
  const draft = checkObject(schema, files.length > 0 ? { [field]: files } : {})
  for (const name of new Set(others)) draft.ignore('', name)
  reportUnknownFields(c, draft)
  return draft
}
