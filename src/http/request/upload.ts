/** Request bodies: JSON, either JSON or files, or one file, as the contract says. */
import type { Hash } from 'node:crypto'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { App } from '../context.ts'
import { invalid } from '../errors.ts'
import { bodyLengthOf, readBytes, readChunks } from './body.ts'
import { checkObject, type Draft } from './check.ts'
import { type Multipart, readMultipart } from './multipart.ts'
import { readBody, reportUnknownFields } from './read.ts'

/** The media types for sending files without JSON. */
export const FILE_TYPES = { one: 'image/*', several: 'multipart/form-data' } as const

/** What a body is besides JSON. */
interface Takes {
  /** Name of the list that may come as files. */
  list?: string | undefined
  /** Set if it is always one file. */
  file?: boolean
}

/** The body of a call. It is read once, parsed once and then released, because it may be large. */
export class RequestBody {
  private readonly c: Context<App>
  private readonly limit: number
  private readonly takes: Takes
  private received: Uint8Array | Multipart | undefined

  /**
   * @param limit maximum size in bytes
   * @param takes what it is besides JSON
   */
  constructor(c: Context<App>, limit: number, takes: Takes = {}) {
    this.c = c
    this.limit = limit
    this.takes = takes
  }

  /**
   * Reads the body. Throws 413 if it is too large, and 400 if it is incomplete or malformed multipart.
   * @param hash is updated with what identifies the body: its bytes, or its multipart parts
   */
  async read(hash?: Hash): Promise<void> {
    this.received = await readRaw(this.c, this.limit, this.takes, hash)
  }

  /**
   * The body, checked against `schema`. Files become the list named by the contract, as bytes; without files the list
   * is absent. One file becomes `file`, and its name `name`, for which the query takes precedence. Other multipart
   * parts count as unknown keys. Throws what `readBody` and `read` throw.
   */
  async parse<S extends z.ZodObject>(schema: S): Promise<Draft<z.output<S>>> {
    if (!this.received) await this.read()
    const { received = EMPTY_BYTES } = this
    this.received = undefined
    const { list, file } = this.takes
    if (received instanceof Uint8Array) {
      if (list !== undefined) refuseUnnamedFile(this.c, received)
      return readBody(this.c, schema, received, { extractsBytes: list !== undefined })
    }
    const { files, names, others } = received
    const several = list && files.length > 0 ? { [list]: files } : {}
    const draft = checkObject(schema, file ? oneFile(files, this.c.req.query('name') || names[0]) : several)
    for (const name of others) draft.ignore('', name)
    reportUnknownFields(this.c, draft)
    return draft
  }
}

const EMPTY_BYTES = new Uint8Array(0)

/** The body that one file stands for. An empty file counts as none, and several are refused by the schema. */
function oneFile(files: Uint8Array[], name: string | undefined): Record<string, unknown> {
  const file = files.length > 1 ? files : files[0]
  return { ...(name ? { name } : {}), ...(file?.length ? { file } : {}) }
}

/** How pictures and forms begin that came without their type, and JSON does not: it may have a byte order mark. */
const FILE_START = /^(?:[^\t\n\r -~\xef]|GIF8|RIFF|--)/

/** Throws 400 if the body is a file whose type the call does not name. */
function refuseUnnamedFile(c: Context<App>, bytes: Uint8Array): void {
  if (!FILE_START.test(String.fromCharCode(...bytes.subarray(0, 4)))) return
  const problem = c.req.header('Content-Type') ? 'Invalid' : 'Missing'
  const message = `${problem} Content-Type: a picture needs image/*, a form with several ${FILE_TYPES.several}`
  throw invalid([{ field: 'Content-Type', message }])
}

async function readRaw(
  c: Context<App>,
  limit: number,
  { list, file }: Takes,
  hash?: Hash,
): Promise<Uint8Array | Multipart> {
  const contentType = c.req.header('Content-Type') ?? ''
  const mediaType = list || file ? (contentType.toLowerCase().split(';', 1)[0]?.trim() ?? '') : ''
  if (mediaType === FILE_TYPES.several) {
    hash?.update('form\n')
    const form = await readMultipart(readChunks(c, limit), contentType, bodyLengthOf(c), hash)
    if (file) hash?.update(JSON.stringify(form.names))
    return form
  }
  const isFile = file || mediaType.startsWith('image/')
  // No JSON object begins with this, so a file with the same bytes gets another fingerprint.
  if (isFile) hash?.update('file\n')
  const bytes = await readBytes(c, limit, hash)
  if (!isFile) return bytes
  return { files: bytes.length > 0 ? [bytes] : [], names: [], others: [] }
}
