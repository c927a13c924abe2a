/**
 * The reasons for which a picture is refused, as texts that may be shown to the client.
 *
 *     throw new PhotoError(CODEC_ERRORS.undecodable, { cause: error })
 */

/** Refusals, in the order in which the checks are made. */
export const CODEC_ERRORS = {
  noDimensions: 'Could not read image dimensions',
  typeMismatch: 'Image content does not match its detected type',
  undecodable: 'Could not decode image',
} as const

/** A photo was refused; `message` is safe to show. The technical reason is `cause`. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError'
}

/** The error for a file whose format is not accepted for photos. */
export function unsupportedType(mime: string): PhotoError {
  return new PhotoError(`Unsupported or unrecognized image type: ${mime}`)
}
