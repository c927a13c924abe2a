/**
 * The reasons a photo can fail, in the words the API promises to its callers.
 *
 *     throw new PhotoError(PHOTO_ERRORS.badUrl)
 *     throw new PhotoError(PHOTO_ERRORS.undecodable, { cause: error })
 */

import { log } from '../http/log.ts'

/** Failure texts, in the order the checks are made. */
export const PHOTO_ERRORS = {
  badShape: 'Each photo must be a URL string, or an object with url or data (base64-encoded image bytes)',
  badUrl: 'Invalid photo url',
  notDownloaded: 'Could not download photo',
  badBase64: 'Invalid base64 image data',
  noDimensions: 'Could not read image dimensions',
  typeMismatch: 'Image content does not match its detected type',
  undecodable: 'Could not decode image',
  notUploaded: 'Failed to upload photo',
} as const

/** A photo was refused; `message` is one of the API's texts and safe to show. The technical reason is `cause`. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError'
}

/** The refusal of a file that is no JPEG, PNG, GIF or WebP. */
export function unsupportedType(mime: string): PhotoError {
  return new PhotoError(`Unsupported or unrecognized image type: ${mime}`)
}

/** The API's text for whatever went wrong with one photo. What nobody foresaw is logged, and told as a damaged picture. */
export function photoFailure(error: unknown): string {
  if (error instanceof PhotoError) return error.message
  log('error', { error: 'A photo failed unexpectedly', cause: nameCause(error) })
  return PHOTO_ERRORS.undecodable
}

/** What may be logged of an error: what lies at its bottom. Errors further up may name addresses and parameters. */
export function nameCause(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause
}
