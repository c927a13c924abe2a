/**
 * The colour profile of a photo: the one piece of metadata that is kept, because the pixels mean something else
 * without it.
 *
 *     const profile = await readProfile(bytes, 'image/png') // ICC bytes or null
 *     output.set(profileSegments(profile)) // APP2 segments for a JPEG
 *
 * Standards: ICC.1:2022 annex B (JPEG and GIF embedding), W3C PNG section 11.3.2.3 (iCCP), RFC 9649 section 2.7 (ICCP).
 */

import { APP2, jpegSegments, pngChunks, riffChunks, textAt, viewOf } from './containers.ts'
import type { PhotoType } from './detect.ts'

/** Longest profile that is carried over, in bytes. Profiles of cameras and screens have 500 to 4,000. */
export const MAX_PROFILE_BYTES = 64 * 1024

const JPEG_PREFIX = 'ICC_PROFILE\0'
/** Header, part number and part count stand before the profile's bytes in every segment. */
const JPEG_PREFIX_BYTES = JPEG_PREFIX.length + 2
const MAX_SEGMENT_PART = 65_533 - JPEG_PREFIX_BYTES
const ICC_HEADER_BYTES = 128
/** Display, input device, output device, colour space: the classes that describe pixels. */
const DEVICE_CLASSES = new Set(['mntr', 'scnr', 'prtr', 'spac'])

/**
 * The ICC profile inside a photo, as is. Null when there is none, when it is damaged or longer than 64 KB, or when it
 * is not for RGB pixels: the output is always RGB, and a profile for grey or CMYK would be ignored or misread there.
 */
export async function readProfile(bytes: Uint8Array, type: PhotoType): Promise<Uint8Array | null> {
  const profile = await PROFILE_READERS[type](bytes)
  return profile && isUsable(profile) ? profile : null
}

/** A profile as the APP2 segments of a JPEG, ready to stand behind its APP0 segment. */
export function profileSegments(profile: Uint8Array): Uint8Array {
  const count = Math.ceil(profile.length / MAX_SEGMENT_PART)
  const out = new Uint8Array(profile.length + count * (4 + JPEG_PREFIX_BYTES))
  let at = 0
  for (let part = 0; part < count; part++) {
    const body = profile.subarray(part * MAX_SEGMENT_PART, (part + 1) * MAX_SEGMENT_PART)
    const length = 2 + JPEG_PREFIX_BYTES + body.length
    out.set([0xff, APP2, length >> 8, length & 0xff], at)
    out.set(new TextEncoder().encode(JPEG_PREFIX), at + 4)
    out.set([part + 1, count], at + 4 + JPEG_PREFIX.length)
    out.set(body, at + 4 + JPEG_PREFIX_BYTES)
    at += 4 + JPEG_PREFIX_BYTES + body.length
  }
  return out
}

const PROFILE_READERS: Record<PhotoType, (bytes: Uint8Array) => Promise<Uint8Array | null>> = {
  'image/jpeg': async (bytes) => readJpegProfile(bytes),
  'image/png': readPngProfile,
  'image/gif': async () => null,
  'image/webp': async (bytes) => readWebpProfile(bytes),
}

/** Joins the numbered parts; null unless every part is there. */
function readJpegProfile(bytes: Uint8Array): Uint8Array | null {
  const parts = new Map<number, Uint8Array>()
  let count = 0
  for (const { marker, body } of jpegSegments(bytes)) {
    if (marker !== APP2 || textAt(body, 0, JPEG_PREFIX.length) !== JPEG_PREFIX) continue
    parts.set(body[12] ?? 0, body.subarray(JPEG_PREFIX_BYTES))
    count = body[13] ?? 0
  }
  const ordered: Uint8Array[] = []
  for (let number = 1; number <= count; number++) {
    const part = parts.get(number)
    if (!part) return null
    ordered.push(part)
  }
  return ordered.length > 0 ? join(ordered) : null
}

async function readPngProfile(bytes: Uint8Array): Promise<Uint8Array | null> {
  for (const { type, body } of pngChunks(bytes)) {
    if (type === 'IDAT') return null
    if (type !== 'iCCP') continue
    const nameEnd = body.indexOf(0)
    // One byte behind the name tells the compression method; only 0 exists.
    return nameEnd < 1 || body[nameEnd + 1] !== 0 ? null : inflateBounded(body.subarray(nameEnd + 2))
  }
  return null
}

function readWebpProfile(bytes: Uint8Array): Uint8Array | null {
  for (const { type, body } of riffChunks(bytes)) if (type === 'ICCP') return body.slice()
  return null
}

/** Inflates zlib data, giving up (null) past the longest profile: 200 MB of zeros fit into 200 KB. */
async function inflateBounded(data: Uint8Array): Promise<Uint8Array | null> {
  const reader = new Response(data).body?.pipeThrough(new DecompressionStream('deflate')).getReader()
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done || !value) return join(parts)
      length += value.length
      if (length > MAX_PROFILE_BYTES) {
        await reader?.cancel()
        return null
      }
      parts.push(value)
    }
  } catch {
    return null
  }
}

/** Whether the bytes are a profile of sane size for RGB pixels. */
function isUsable(profile: Uint8Array): boolean {
  if (profile.length <= ICC_HEADER_BYTES || profile.length > MAX_PROFILE_BYTES) return false
  if (viewOf(profile).getUint32(0) !== profile.length || textAt(profile, 36, 4) !== 'acsp') return false
  return DEVICE_CLASSES.has(textAt(profile, 12, 4)) && textAt(profile, 16, 4) === 'RGB '
}

function join(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
