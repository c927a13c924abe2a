/** Bodies that are JSON or, where their contract says so, the files themselves. */
import type { Hash } from 'node:crypto'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { App } from '../context.ts'
import { bodyLengthOf, readBytes, readChunks } from './body.ts'
import { checkObject, type Draft } from './check.ts'
import { type Multipart, readMultipart } from './multipart.ts'
import { readBody, reportUnknownFields } from './read.ts'

/** The media types that files may come in beside JSON. */
export const FILE_TYPES = { one: 'image/*', several: 'multipart/form-data' } as const

/** The body of a call: read once, parsed once, and then released, as it may be large. */
export class RequestBody {
  private readonly c: Context<App>
  private readonly limit: number
  private readonly files: string | undefined
  private received: Uint8Array | Multipart | undefined

  /**
   * @param limit most bytes
   * @param files the list that may come as files, if any may
   */
  constructor(c: Context<App>, limit: number, files: string | undefined) {
    this.c = c
    this.limit = limit
    this.files = files
  }

  /**
   * Reads the body. Throws 413, and 400 when it breaks off or is a form that makes no sense.
   * @param hash takes what makes it the same as another: its bytes, or the parts of a form
   */
  async read(hash?: Hash): Promise<void> {
    this.received = await readRaw(this.c, this.limit, this.files !== undefined, hash)
  }

  /**
   * The body, checked against `schema`: JSON, or files, which then are a list of it as bytes. What a form holds beside
   * files counts as unknown keys. No file at all is no list. Throws 400 like `readBody`, and what `read` throws.
   */
  async parse<S extends z.ZodObject>(schema: S): Promise<Draft<z.output<S>>> {
    if (!this.received) await this.read()
    const { received = EMPTY_BYTES } = this
    this.received = undefined
    if (received instanceof Uint8Array)
      return readBody(this.c, schema, received, { extractsBytes: this.files !== undefined })
    const { files, others } = received
    const draft = checkObject(schema, this.files && files.length > 0 ? { [this.files]: files } : {})
    for (const name of others) draft.ignore('', name)
    reportUnknownFields(this.c, draft)
    return draft
  }
}

const EMPTY_BYTES = new Uint8Array(0)

async function readRaw(
  c: Context<App>,
  limit: number,
  takesFiles: boolean,
  hash?: Hash,
): Promise<Uint8Array | Multipart> {
  const contentType = c.req.header('Content-Type') ?? ''
  const mediaType = takesFiles ? (contentType.toLowerCase().split(';', 1)[0]?.trim() ?? '') : ''
  if (mediaType === FILE_TYPES.several) {
    hash?.update('form\n')
    return readMultipart(readChunks(c, limit), contentType, bodyLengthOf(c), hash)
  }
  const isFile = mediaType.startsWith('image/')
  // No JSON object begins so: the same bytes as a file are another call.
  if (isFile) hash?.update('file\n')
  const bytes = await readBytes(c, limit, hash)
  if (!isFile) return bytes
  return { files: bytes.length > 0 ? [bytes] : [], others: [] }
}
