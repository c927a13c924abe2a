/** Bodies that are JSON or, where their contract says so, the files themselves. */
import type { Hash } from 'node:crypto'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { App } from './app.ts'
import { announcedLength, readBytes, readChunks } from './body.ts'
import { checkObject, type Draft } from './check.ts'
import { type Form, readForm } from './form.ts'
import { readBody, reportUnknownFields } from './request.ts'

/** The media types that files may come in beside JSON. */
export const FILE_TYPES = { one: 'image/*', several: 'multipart/form-data' } as const

/** A body that has come in whole, and is still to be understood. */
export type Received = Uint8Array | Form

/**
 * Takes a body in. Throws 413, and 400 when it breaks off or is a form that makes no sense.
 * @param limit most bytes
 * @param takesFiles whether it may be a file, or a form with files
 * @param hash takes every byte of it
 */
export async function receive(
  c: Context<App>,
  limit: number,
  takesFiles: boolean,
  hash?: Hash,
): Promise<Received> {
  const contentType = c.req.header('Content-Type') ?? ''
  const mediaType = takesFiles ? (contentType.toLowerCase().split(';', 1)[0]?.trim() ?? '') : ''
  if (mediaType === FILE_TYPES.several) {
    return readForm(readChunks(c, limit, hash), contentType, announcedLength(c))
  }
  const bytes = await readBytes(c, limit, hash)
  if (!mediaType.startsWith('image/')) return bytes
  return { files: bytes.length > 0 ? [bytes] : [], others: [] }
}

/**
 * A received body, checked against `schema`: JSON, or files, which then are the list `field` of it as bytes. What a form
 * holds beside files counts as unknown keys. No file at all is no list. Throws 400 like `readBody`.
 */
export function understand<S extends z.ZodObject>(
  c: Context<App>,
  schema: S,
  received: Received,
  field: string | undefined,
): Draft<z.output<S>> {
  if (received instanceof Uint8Array || field === undefined)
    return readBody(c, schema, received as Uint8Array)
  const { files, others } = received
  const draft = checkObject(schema, files.length > 0 ? { [field]: files } : {})
  for (const name of new Set(others)) draft.ignore('', name)
  reportUnknownFields(c, draft)
  return draft
}
