/**
 * The reasons a photo can fail, in the words the API promises to its callers.
 *
 *     throw new PhotoError(PHOTO_ERRORS.badUrl)
 *     throw new PhotoError(PHOTO_ERRORS.undecodable, { cause: error })
 */

import { CODEC_ERRORS, PhotoError } from '@estia/photo-codec'
import { describeFailure, log } from '../http/log.ts'

/** Failure texts, in the order the checks are made. */
export const PHOTO_ERRORS = {
  badShape: 'Each photo must be a URL string, or an object with url or data (base64-encoded image bytes)',
  badUrl: 'Invalid photo url',
  notDownloaded: 'Could not download photo',
  badBase64: 'Invalid base64 image data',
  ...CODEC_ERRORS,
  notUploaded: 'Failed to upload photo',
} as const

/** The API's text for whatever went wrong with one photo. An unexpected error is logged, and reported as a damaged picture. */
export function photoFailure(error: unknown): string {
  if (error instanceof PhotoError) return error.message
  log('error', { work: 'a photo', ...describeFailure(error) })
  return PHOTO_ERRORS.undecodable
}
