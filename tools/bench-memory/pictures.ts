/** The largest pictures that a call takes. */
import sharp, { type Sharp } from 'sharp'

/** The most that the service takes; plain Node cannot import the constant, which stands beside WebAssembly. */
const MAX_PHOTO_BYTES = 20 * 1024 * 1024

/** Most bytes of a comment in a JPEG. */
const MAX_COMMENT = 65_533

/** A JPEG of 48 megapixels and exactly as many bytes as a photo may have. */
export async function largestJpeg(): Promise<Buffer> {
  const bytes = await grain(8000, 6000, 40).jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer()
  return lengthen(bytes, MAX_PHOTO_BYTES)
}

/** Bytes that Miniflare can put into its bucket, as its own isolate has no more heap than that of the service. */
const MAX_STORED_BYTES = 16 * 1024 * 1024

/** A JPEG as large as a WebP may be, with as many bytes as can be stored. */
export async function squareJpeg(): Promise<Buffer> {
  return lengthen(await grain(1920, 1920, 60).jpeg({ quality: 95 }).toBuffer(), MAX_STORED_BYTES)
}

export function progressiveJpeg(): Promise<Buffer> {
  return grain(8000, 8000, 24).jpeg({ quality: 90, progressive: true }).toBuffer()
}

/** Just below the size from which a photo may need all memory. */
export function belowLargeJpeg(): Promise<Buffer> {
  return grain(4600, 3450, 20).jpeg({ quality: 85 }).toBuffer()
}

/** A slope of grey with noise, of which `strength` of 256 parts is random; the same every time. */
function grain(width: number, height: number, strength: number): Sharp {
  const pixels = Buffer.allocUnsafe(width * height * 3)
  let state = 1
  for (let at = 0; at < pixels.length; at += 3) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    const grey = 60 + (at * 120) / pixels.length + ((state >>> 24) * strength) / 256
    pixels.fill(grey, at, at + 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** The same picture with comments that make it `length` bytes. */
function lengthen(jpeg: Buffer, length: number): Buffer {
  const parts = [jpeg.subarray(0, 2)]
  for (let left = length - jpeg.length; left >= 4; ) {
    const taken = Math.min(left - 4, MAX_COMMENT)
    const head = Buffer.from([0xff, 0xfe, 0, 0])
    head.writeUInt16BE(taken + 2, 2)
    parts.push(head, Buffer.alloc(taken))
    left -= taken + 4
  }
  return Buffer.concat([...parts, jpeg.subarray(2)])
}
