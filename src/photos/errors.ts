/**
 * The reasons a photo can fail, in the words the API promises to its callers.
 *
 *     throw new PhotoError(PHOTO_ERRORS.badUrl)
 *     throw new PhotoError(PHOTO_ERRORS.undecodable, { cause: error })
 */

import { describeFailure, log } from '../http/log.ts'

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

/** The refusal of a file that has none of the formats a photo may have. */
export function unsupportedType(mime: string): PhotoError {
  return new PhotoError(`Unsupported or unrecognized image type: ${mime}`)
}

/** The API's text for whatever went wrong with one photo. What nobody foresaw is logged, and told as a damaged picture. */
export function photoFailure(error: unknown): string {
  if (error instanceof PhotoError) return error.message
  log('error', { work: 'a photo', ...describeFailure(error) })
  return PHOTO_ERRORS.undecodable
}
