/**
 * Passes a JPEG to the codec, which reads the whole file itself.
 *
 *     decodeJpeg(codec, bytes, info, { consume: true })
 *
 * Standard: ITU-T T.81.
 */

import { type Codec, release } from '../codec-instance.ts'
import type { Size } from '../fit.ts'

/** Decodes a JPEG of the size that `readPhotoInfo` found. Throws when it is damaged. */
export function decodeJpeg(
  codec: Codec,
  bytes: Uint8Array,
  { width, height }: Size,
  { consume }: { consume: boolean },
): void {
  const { length } = bytes
  const file = codec.place(bytes)
  if (consume) release(bytes)
  codec.exports.decodeJpeg(file, length, width, height)
}
