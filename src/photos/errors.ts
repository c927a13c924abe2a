/**
 * The messages of photo errors, which are part of the API.
 *
 *     throw new PhotoError(PHOTO_ERRORS.badUrl)
 *     throw new PhotoError(PHOTO_ERRORS.undecodable, { cause: error })
 */

import { CODEC_ERRORS, PhotoError } from '@estia/photo-codec'
import { describeFailure, log } from '../http/log.ts'

/** Messages, in the order of the checks. */
export const PHOTO_ERRORS = {
  badShape: 'Each photo must be a URL string, or an object with url or data (base64-encoded image bytes)',
  badUrl: 'Invalid photo url',
  notDownloaded: 'Could not download photo',
  badBase64: 'Invalid base64 image data',
  ...CODEC_ERRORS,
  notUploaded: 'Failed to upload photo',
} as const

/** The message for any error with a photo. An unexpected error is logged, and reported like a damaged picture. */
export function photoFailure(error: unknown): string {
  if (error instanceof PhotoError) return error.message
  log('error', { work: 'a photo', ...describeFailure(error) })
  return PHOTO_ERRORS.undecodable
}
