/**
 * Smaller copies of stored pictures: made from the stored file when they are first asked for, then stored themselves.
 *
 *     const answer = await serveSize(env.PHOTOS, name, { width: 640, format: 'webp' }, request, calls)
 *
 * The key of a copy ends in the name of its picture, so that references to the picture keep the copy, too, and the sweep
 * deletes both.
 */

import { inspectPhoto, MAX_PHOTO_BYTES, MAX_WEBP_SIDE, resizePhoto, sizeAtWidth } from '@estia/photo-codec'
import { PICTURE_FOLDER } from '../fields/picture-folder.ts'
import { MakingTakesTooLong, makeOnce } from '../http/concurrency/single-maker.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { describeFailure, log } from '../http/log.ts'
import { PHOTO_ERRORS, photoFailure } from '../photos/errors.ts'
import { makeRoomFor, queuePhotoWork } from '../photos/queue.ts'
import { isFileKey } from './keys.ts'
import { harmless, serveFile } from './serve.ts'
import { type Size, sizeKey } from './size-keys.ts'

/** The call that may make a copy. */
export interface SizeCall {
  /** Who calls: the rate limit counts by it. */
  client: string
  /** Counts a copy that is to be made for the client. Whether it may be made. */
  mayMake: () => Promise<boolean>
  /** Keeps the work alive if the client leaves. */
  waitUntil: (work: Promise<unknown>) => void
}

/** A finished copy. */
interface Copy {
  bytes: Uint8Array
  type: string
}

/** What became of a copy. */
interface Making {
  isStored: boolean
  /** Null if the bucket had it already. */
  copy: Copy | null
}

/** The client has had too many copies made. */
class LimitReached extends ApiError {
  readonly client: string

  constructor(client: string) {
    super(503, 'Too many pictures are being made', [], { 'Retry-After': '60', ...NOT_CACHED })
    this.client = client
  }
}

/** How long a request waits for another that makes the same copy, in ms. */
const MAX_WAIT_MS = 10_000

/** What is no copy must not be cached in place of one. */
const NOT_CACHED = { 'Cache-Control': 'no-store' }

/**
 * The reply to a GET or HEAD for a copy of the picture with this name, as `serveFile` makes it. Null if there is no such
 * picture. Throws 400 for a WebP that would be too large, 422 if the picture cannot be decoded, and 503 after too many
 * copies for this client, or if another request does not finish the copy in time.
 */
export async function serveSize(
  bucket: R2Bucket,
  name: string,
  size: Size,
  request: Request,
  call: SizeCall,
): Promise<Response | null> {
  const key = sizeKey(name, size)
  if (!isFileKey(key)) return null
  const stored = await serveFile(bucket, key, request)
  if (stored) return stored
  const made = await makeForAll(bucket, name, size, call)
  if (!made?.copy) return made && serveFile(bucket, key, request)
  const answer = made.isStored ? await serveFile(bucket, key, request).catch(reportFailure) : null
  return answer ?? wholeAnswer(made.copy, request)
}

/** Makes the copy, or waits for the request that does. Null if there is no such picture. */
async function makeForAll(
  bucket: R2Bucket,
  name: string,
  size: Size,
  call: SizeCall,
): Promise<Making | null> {
  const key = sizeKey(name, size)
  const { client, mayMake, waitUntil } = call
  const make = async () => {
    const [picture, stored] = await Promise.all([bucket.head(`${PICTURE_FOLDER}/${name}`), bucket.head(key)])
    // Another request may have stored it since this one looked.
    if (stored) return { isStored: true, copy: null }
    if (!picture) return null
    if (!(await mayMake())) throw new LimitReached(client)
    // Others may have put anything into the bucket.
    if (picture.size > MAX_PHOTO_BYTES) throw undecodable(PHOTO_ERRORS.undecodable)
    return makeSize(bucket, name, size)
  }
  const until = Date.now() + MAX_WAIT_MS
  for (;;) {
    try {
      return await makeOnce(key, { make, waitUntil, until })
    } catch (error) {
      // Another client's limit is not this one's: it tries by itself.
      if (error instanceof LimitReached && error.client !== client && Date.now() < until) continue
      if (error instanceof MakingTakesTooLong) throw new ApiError(503, 'The picture is being made', [], BUSY)
      throw error
    }
  }
}

const BUSY = { 'Retry-After': '5', ...NOT_CACHED }

/** Makes and stores a copy. A bucket that does not take it only costs the next request. */
async function makeSize(bucket: R2Bucket, name: string, size: Size): Promise<Making | null> {
  const copy = await queuePhotoWork(async () => {
    const picture = await bucket.get(`${PICTURE_FOLDER}/${name}`)
    return picture && copyOf(new Uint8Array(await picture.arrayBuffer()), size)
  })
  if (!copy) return null
  const stored = await bucket
    .put(sizeKey(name, size), copy.bytes, { httpMetadata: { contentType: copy.type } })
    .catch(reportFailure)
  return { isStored: stored !== null, copy }
}

/** The bytes and type of a copy. Consumes those of the picture. */
async function copyOf(picture: Uint8Array, { width, format }: Size): Promise<Copy> {
  try {
    const info = inspectPhoto(picture)
    const fitted = sizeAtWidth(info, width ?? Number.POSITIVE_INFINITY)
    if (format === 'webp' && Math.max(fitted.width, fitted.height) > MAX_WEBP_SIDE)
      throw invalid([{ field: 'format', message: 'Invalid format' }])
    if (format === null && fitted.width === sizeAtWidth(info, Number.POSITIVE_INFINITY).width)
      return { bytes: picture, type: info.type }
    makeRoomFor(info, picture.length)
    return await resizePhoto(picture, {
      width: width ?? Number.POSITIVE_INFINITY,
      format: format ?? 'jpeg',
      consume: true,
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw undecodable(photoFailure(error))
  }
}

/** A copy that could not be stored, or not be read again: without ranges and conditions. */
function wholeAnswer({ bytes, type }: Copy, { method }: Request): Response {
  const headers = new Headers({ ...harmless, 'content-type': type, 'content-length': String(bytes.length) })
  return new Response(method === 'HEAD' ? null : bytes, { headers })
}

function undecodable(message: string): ApiError {
  return new ApiError(422, message, [], NOT_CACHED)
}

function reportFailure(error: unknown): null {
  log('error', { work: 'a size of a photo', ...describeFailure(error) })
  return null
}
