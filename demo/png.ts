/** Drawings as PNG files. */

import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** A PNG file of RGBA pixels; an opaque picture leaves its alpha channel out. Suits drawings, which repeat downwards. */
export function encodeDrawing(pixels: Uint8ClampedArray, width: number, height: number): Uint8Array {
  const opaque = withoutAlpha(pixels)
  const samples = opaque ?? pixels
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a sample; RGB or RGBA.
  header.set([8, opaque ? 2 : 6], 8)
  const data = deflateSync(filterRows(samples, samples.length / height), { level: 9 })
  const chunks = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([Buffer.from(SIGNATURE), ...chunks]))
}

/** The red, green and blue of RGBA pixels; null when one is not opaque. */
function withoutAlpha(pixels: Uint8ClampedArray): Uint8ClampedArray | null {
  const samples = new Uint8ClampedArray((pixels.length / 4) * 3)
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    if (pixels[from + 3] !== 255) return null
    samples[to] = pixels[from] ?? 0
    samples[to + 1] = pixels[from + 1] ?? 0
    samples[to + 2] = pixels[from + 2] ?? 0
  }
  return samples
}

/** Each row as its difference from the row above (filter 2). */
function filterRows(samples: Uint8ClampedArray, rowBytes: number): Uint8Array {
  const rows = new Uint8Array(samples.length + samples.length / rowBytes)
  for (let at = 0, to = 0; at < samples.length; at++) {
    if (at % rowBytes === 0) rows[to++] = 2
    rows[to++] = (samples[at] ?? 0) - (samples[at - rowBytes] ?? 0)
  }
  return rows
}

function chunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), body])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
