/**
 * The boxes that image files are made of, with whatever is to be inside: JPEG segments, PNG and RIFF (WebP) chunks,
 * EXIF, colour profiles.
 *
 *     concat([0xff, 0xd8], segment(0xe1, exif(6)), …)
 */

import { crc32 } from 'node:zlib'
import { bytesOf, concat, text, uint24, uint32, uint32le } from './bytes.ts'

/** An animation of stills that each lie at an even place on the canvas. */
export function toAnimatedWebp(
  width: number,
  height: number,
  frames: readonly { still: Uint8Array; x: number; y: number; width: number; height: number }[],
): Uint8Array {
  const canvas = concat([0x12, 0, 0, 0], uint24(width - 1), uint24(height - 1))
  const chunks = frames.map((frame) => {
    const place = [frame.x / 2, frame.y / 2, frame.width - 1, frame.height - 1, 100].map(uint24)
    const firstChunk = text(frame.still.subarray(12, 16)) === 'VP8X' ? 30 : 12
    return riffChunk('ANMF', concat(...place, [0], frame.still.subarray(firstChunk)))
  })
  return riff(riffChunk('VP8X', canvas), riffChunk('ANIM', new Uint8Array(6)), ...chunks)
}

/** A RIFF file of the WebP kind. */
export function riff(...chunks: Uint8Array[]): Uint8Array {
  const body = concat(bytesOf('WEBP'), ...chunks)
  return concat(bytesOf('RIFF'), uint32le(body.length), body)
}

/** A RIFF chunk, padded to an even length. */
export function riffChunk(type: string, body: Uint8Array): Uint8Array {
  return concat(bytesOf(type), uint32le(body.length), body, new Uint8Array(body.length % 2))
}

/** Signature, chunks, IEND. */
export function assemblePng(chunks: Uint8Array[]): Uint8Array {
  return concat([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10], ...chunks, pngChunk('IEND', new Uint8Array(0)))
}

/** A PNG chunk with its checksum. */
export function pngChunk(type: string, body: Uint8Array): Uint8Array {
  const named = concat(bytesOf(type), body)
  return concat(uint32(body.length), named, uint32(crc32(named)))
}

/** APP2 segments of at most 30,000 bytes of profile, so that longer ones come in several. */
export function profileSegments(profile: Uint8Array): Uint8Array[] {
  const count = Math.ceil(profile.length / 30_000)
  return Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * 30_000, (i + 1) * 30_000)
    return segment(0xe2, concat(bytesOf('ICC_PROFILE\0'), [i + 1, count], part))
  })
}

/** The profile in the APP2 segments of a JPEG and the numbers in front of its parts; null when there is none. */
export function profileOf(jpeg: Uint8Array): { profile: Uint8Array; numbers: string[] } | null {
  const parts: Uint8Array[] = []
  const numbers: string[] = []
  let at = 2
  while (jpeg[at] === 0xff && jpeg[at + 1] !== 0xda) {
    const end = at + 2 + (jpeg[at + 2] ?? 0) * 256 + (jpeg[at + 3] ?? 0)
    if (jpeg[at + 1] === 0xe2 && text(jpeg.subarray(at + 4, at + 16)) === 'ICC_PROFILE\0') {
      numbers.push(`${jpeg[at + 16]} of ${jpeg[at + 17]}`)
      parts.push(jpeg.subarray(at + 18, end))
    }
    at = end
  }
  return parts.length > 0 ? { profile: concat(...parts), numbers } : null
}

/** A marker segment of a JPEG. */
export function segment(marker: number, body: Uint8Array): Uint8Array {
  return concat([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff], body)
}

/** Where the first segment of a JPEG with this marker begins. */
export function findSegment(jpeg: Uint8Array, marker: number): number {
  for (let at = 2; at < jpeg.length; ) {
    if (jpeg[at + 1] === marker) return at
    at += 2 + (jpeg[at + 2] ?? 0) * 256 + (jpeg[at + 3] ?? 0)
  }
  throw new Error(`No segment ${marker}`)
}

/** Types of TIFF that can hold an orientation. */
export const TIFF_TYPES = { BYTE: 1, SHORT: 3, LONG: 4, SBYTE: 6, SSHORT: 8, SLONG: 9 } as const

/** How a TIFF structure is written. */
export interface TiffOptions {
  little?: boolean
  /** Of the orientation. */
  type?: keyof typeof TIFF_TYPES
}

/** A TIFF structure with an orientation, a maker's name and a GPS directory. */
export function exif(orientation: number, { little = false, type = 'SHORT' }: TiffOptions = {}): Uint8Array {
  const u16 = (n: number) => (little ? [n & 0xff, n >> 8] : [n >> 8, n & 0xff])
  const u32 = (n: number) =>
    little ? [...u16(n & 0xffff), ...u16(n >> 16)] : [...u16(n >> 16), ...u16(n & 0xffff)]
  const [short, long] = [[...u16(orientation), 0, 0], u32(orientation)]
  const byte = [orientation, 0, 0, 0]
  const value = { BYTE: byte, SBYTE: byte, SHORT: short, SSHORT: short, LONG: long, SLONG: long }[type]
  const entry = (tag: number, type: number, count: number, value: number[]) =>
    concat(u16(tag), u16(type), u32(count), value)
  return concat(
    bytesOf(little ? 'II' : 'MM'),
    u16(42),
    u32(8),
    u16(3),
    entry(0x010f, 2, 4, [...bytesOf('Cam\0')]),
    entry(0x0112, TIFF_TYPES[type], 1, value),
    entry(0x8825, 4, 1, u32(50)),
    u32(0),
    u16(1),
    entry(1, 2, 2, [...bytesOf('N\0\0\0')]),
    u32(0),
  )
}

/** An Exif segment with an orientation and a GPS position. */
export function exifSegment(orientation: number, options: TiffOptions = {}): Uint8Array {
  return segment(0xe1, concat(bytesOf('Exif\0\0'), exif(orientation, options)))
}
