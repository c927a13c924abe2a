/**
 * Hands a JPEG to the codec, which reads all of the file itself.
 *
 *     decodeJpeg(codec, bytes, info, { consume: true })
 *
 * Standard: ITU-T T.81.
 */

import type { Codec } from '../codec-instance.ts'
import type { Size } from '../fit.ts'

/** Decodes a JPEG of the size that its header was read to have. Throws when it is damaged. */
export function decodeJpeg(
  codec: Codec,
  bytes: Uint8Array,
  { width, height }: Size,
  { consume }: { consume: boolean },
): void {
  const { length } = bytes
  const file = codec.place(bytes)
  // The codec has the file now: its buffer is freed, which leaves `bytes` empty.
  if (consume && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
  codec.exports.decodeJpeg(file, length, width, height)
}
