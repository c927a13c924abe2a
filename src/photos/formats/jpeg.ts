/**
 * Hands a JPEG to the codec, which reads all of the file itself.
 *
 *     decodeJpeg(codec, bytes, info, { consume: true, inks: null })
 *
 * Standard: ITU-T T.81; what four inks look like is said in `src/photos/icc/ink-table.ts`.
 */

import { giveBack } from '../../http/gather.ts'
import type { Codec } from '../codec-instance.ts'
import type { Size } from '../fit.ts'
import type { InkTable } from '../icc/ink-table.ts'

/** Decodes a JPEG of the size that its header was read to have. Throws when it is damaged. */
export function decodeJpeg(
  codec: Codec,
  bytes: Uint8Array,
  { width, height }: Size,
  { consume, inks }: { consume: boolean; inks: InkTable | null },
): void {
  const { length } = bytes
  const file = codec.place(bytes)
  // The codec has the file now.
  if (consume) giveBack(bytes)
  if (inks) codec.exports.useInkTable(placeNumbers(codec, inks.axes), placeNumbers(codec, inks.nodes))
  codec.exports.decodeJpeg(file, length, width, height)
}

/** Copies numbers, as little-endian as those of WebAssembly, into the codec's memory. Returns their address. */
function placeNumbers(codec: Codec, { buffer, byteOffset, byteLength }: Int16Array | Int32Array): number {
  return codec.place(new Uint8Array(buffer, byteOffset, byteLength))
}
