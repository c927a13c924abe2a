import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A PNG file of RGBA pixels; opaque pictures leave their alpha channel out. */
export function encodePng(pixels: Uint8ClampedArray, width: number, height: number): Uint8Array {
  const channels = isOpaque(pixels) ? 3 : 4
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 8)
  header.setUint8(9, channels === 3 ? 2 : 6)
  return joined([
    SIGNATURE,
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', deflateSync(scanlines(pixels, width, height, channels), { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}

const UP = 2

/** Rows as differences from the row above: drawings repeat themselves downwards, so most bytes become 0. */
function scanlines(pixels: Uint8ClampedArray, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels + 1
  const rows = new Uint8Array(stride * height)
  for (let y = 0; y < height; y += 1) {
    rows[y * stride] = UP
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < channels; channel += 1) {
        const from = (y * width + x) * 4 + channel
        const above = y === 0 ? 0 : (pixels[from - width * 4] ?? 0)
        rows[y * stride + 1 + x * channels + channel] = (pixels[from] ?? 0) - above
      }
    }
  }
  return rows
}

function isOpaque(pixels: Uint8ClampedArray): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false
  return true
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([new TextEncoder().encode(type), data])
  const frame = new DataView(new ArrayBuffer(body.length + 8))
  frame.setUint32(0, data.length)
  frame.setUint32(body.length + 4, crc32(body))
  const bytes = new Uint8Array(frame.buffer)
  bytes.set(body, 4)
  return bytes
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
