/**
 * Stores files and photos in R2 under unguessable keys.
 *
 *     const key = await storeFile(env.PHOTOS, pdf, 'application/pdf', 'files') // 'files/3f0c…9a.pdf'
 *
 * A key is never reused, so its content never changes. Nothing here deletes files: a write that seems to have failed
 * may be committed. The sweep (`sweep.ts`) deletes unreferenced files later.
 */

import { PhotoError, type PhotoType } from '@estia/photo-codec'
import { ApiError } from '../http/errors.ts'
import { describeFailure, log } from '../http/log.ts'
import { PHOTO_ERRORS } from '../photos/errors.ts'
import { isFileKey } from './keys.ts'

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
} satisfies Record<PhotoType | 'application/pdf', string>

/** 503: the bucket did not accept a file, which another attempt may change. See `cause`. */
export class StorageError extends ApiError {
  override readonly name = 'StorageError'
  static readonly MESSAGE = 'The file could not be stored, try again'

  constructor(cause: unknown) {
    super(503, StorageError.MESSAGE, [], { 'Retry-After': '1' })
    this.cause = cause
  }
}

/** Stores a photo and returns its key. Throws a PhotoError if the bucket does not accept it. */
export async function storePhoto(bucket: R2Bucket, bytes: Uint8Array, type: PhotoType): Promise<string> {
  try {
    return await storeFile(bucket, bytes, type, 'photos')
  } catch (cause) {
    throw new PhotoError(PHOTO_ERRORS.notUploaded, { cause })
  }
}

/**
 * Stores a file and returns its key, `<folder>/<32 hex digits>.<extension>`. The folder may contain lower-case letters
 * and hyphens. Throws a StorageError if the bucket does not accept the file.
 */
export async function storeFile(
  bucket: R2Bucket,
  bytes: Uint8Array,
  contentType: string,
  folder: string,
): Promise<string> {
  const random = crypto.getRandomValues(new Uint8Array(16))
  const name = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const key = `${folder}/${name}.${EXTENSIONS[contentType] ?? 'bin'}`
  if (!isFileKey(key)) throw new Error(`Not a folder for files: ${folder}`)
  try {
    await bucket.put(key, bytes, { httpMetadata: { contentType } })
  } catch (cause) {
    log('error', { work: 'storing a file', ...describeFailure(cause) })
    throw new StorageError(cause)
  }
  return key
}
