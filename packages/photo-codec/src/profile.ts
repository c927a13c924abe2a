/**
 * Decides how the colour profile of a photo applies to its copies:
 *
 * - a profile for RGB is kept, as the only metadata, because the pixels have other colours without it
 * - a profile for grey becomes one for RGB
 * - four inks are converted to sRGB, by their profile or, without one, as a common press prints them
 *
 *     const { profile, inks } = readColours(bytes, 'image/png')
 *     output.set(profileSegments(profile)) // APP2 segments for a JPEG
 *
 * Standards: ICC.1:2022 annex B (JPEG and GIF embedding), W3C PNG section 11.3.2.3 (iCCP), RFC 9649 section 2.7 (ICCP).
 */

import { inflateSync } from 'node:zlib'
import {
  APP2,
  bytesOf,
  isFrameMarker,
  isPngChunkIntact,
  joinBytes,
  jpegSegments,
  pngChunks,
  riffChunks,
  textAt,
} from './containers.ts'
import type { PhotoType } from './detect.ts'
import { anonymiseProfile } from './icc/anonymous.ts'
import { profileOfGrey } from './icc/grey.ts'
import { type InkTable, makeAssumedInkTable, makeInkTable } from './icc/ink-table.ts'
import { MAX_PROFILE_BYTES, openProfile } from './icc/profile.ts'

/** How the colours of a photo are processed. */
export interface PhotoColours {
  /** The anonymous profile of the copies; null for none, which means sRGB. */
  profile: Uint8Array | null
  /** Converts four inks to sRGB; null for pictures without inks. */
  inks: InkTable | null
}

/** The colour space of pixels. */
type Space = 'RGB ' | 'GRAY' | 'CMYK'

/** The colour spaces that the profile of a file may have, and the profile as it stands there; null for none. */
interface Embedded {
  spaces: readonly Space[]
  bytes: Uint8Array | null
}

const WITHOUT_PROFILE: Embedded = { spaces: [], bytes: null }

const PLAIN: PhotoColours = { profile: null, inks: null }

const JPEG_PREFIX = 'ICC_PROFILE\0'
/** Header, part number and part count precede the profile's bytes in every segment. */
const JPEG_PREFIX_BYTES = JPEG_PREFIX.length + 2
const MAX_SEGMENT_PART = 65_533 - JPEG_PREFIX_BYTES
/** Maximum bytes of a profile for inks. It is not stored, and those of large printers have up to 9 MB. */
const MAX_INK_PROFILE_BYTES = 10 * 1024 * 1024

/** The table for inks without a usable profile, made when the first such picture comes. */
let assumedInks: InkTable | undefined

/**
 * Reads the profile inside a photo. A profile that is damaged, too long or for another colour space than the photo's
 * counts as none.
 */
export function readColours(bytes: Uint8Array, type: PhotoType): PhotoColours {
  const { spaces, bytes: embedded } = PROFILE_READERS[type](bytes)
  const opened = embedded && openProfile(embedded)
  const profile = opened && spaces.some((space) => space === opened.space) ? opened : null
  if (spaces.includes('CMYK')) {
    const inks = profile && makeInkTable(profile)
    if (!inks) assumedInks ??= makeAssumedInkTable()
    return { ...PLAIN, inks: inks ?? assumedInks ?? null }
  }
  if (!profile || profile.bytes.length > MAX_PROFILE_BYTES) return PLAIN
  return { ...PLAIN, profile: profile.space === 'GRAY' ? profileOfGrey(profile) : anonymiseProfile(profile) }
}

/** A profile as the APP2 segments of a JPEG, which follow its APP0 segment. */
export function profileSegments(profile: Uint8Array): Uint8Array {
  const count = Math.ceil(profile.length / MAX_SEGMENT_PART)
  const segments = Array.from({ length: count }, (_, part) => {
    const body = profile.subarray(part * MAX_SEGMENT_PART, (part + 1) * MAX_SEGMENT_PART)
    const length = 2 + JPEG_PREFIX_BYTES + body.length
    const start = Uint8Array.of(0xff, APP2, length >> 8, length & 0xff)
    return joinBytes([start, bytesOf(JPEG_PREFIX), Uint8Array.of(part + 1, count), body])
  })
  return joinBytes(segments)
}

const PROFILE_READERS: Record<PhotoType, (bytes: Uint8Array) => Embedded> = {
  'image/jpeg': readJpegProfile,
  'image/png': readPngProfile,
  'image/gif': () => WITHOUT_PROFILE,
  'image/webp': readWebpProfile,
}

/**
 * Colour spaces of a JPEG by its number of components. A grey one may have a profile for RGB: programs that remove the
 * colour of a photo keep its profile, and browsers use the grey samples for red, green and blue.
 */
const JPEG_SPACES: Record<number, readonly Space[]> = { 1: ['GRAY', 'RGB '], 3: ['RGB '], 4: ['CMYK'] }

/** Joins the numbered parts of a profile; it counts as none unless all are present. */
function readJpegProfile(bytes: Uint8Array): Embedded {
  const parts = new Map<number, Uint8Array>()
  let count = 0
  let spaces: readonly Space[] = []
  for (const { marker, body } of jpegSegments(bytes)) {
    if (isFrameMarker(marker) && spaces.length === 0) spaces = JPEG_SPACES[body[5] ?? 0] ?? []
    if (marker !== APP2 || textAt(body, 0, JPEG_PREFIX.length) !== JPEG_PREFIX) continue
    parts.set(body[12] ?? 0, body.subarray(JPEG_PREFIX_BYTES))
    count = body[13] ?? 0
  }
  const ordered: Uint8Array[] = []
  let length = 0
  for (let number = 1; number <= count; number++) {
    const part = parts.get(number)
    if (!part) return { spaces, bytes: null }
    ordered.push(part)
    length += part.length
  }
  return { spaces, bytes: length === 0 || length > MAX_INK_PROFILE_BYTES ? null : joinBytes(ordered) }
}

function readPngProfile(bytes: Uint8Array): Embedded {
  let space: Space = 'RGB '
  for (const chunk of pngChunks(bytes)) {
    const { type, body } = chunk
    if (type === 'IDAT') break
    // Bit 1 of the colour type means colour, which a palette has as well.
    if (type === 'IHDR' && ((body[9] ?? 0) & 2) === 0) space = 'GRAY'
    if (type !== 'iCCP' || !isPngChunkIntact(bytes, chunk)) continue
    const nameEnd = body.indexOf(0)
    // The byte after the name is the compression method; only 0 exists.
    if (nameEnd < 1 || body[nameEnd + 1] !== 0) break
    return { spaces: [space], bytes: inflateBounded(body.subarray(nameEnd + 2)) }
  }
  return WITHOUT_PROFILE
}

function readWebpProfile(bytes: Uint8Array): Embedded {
  for (const { type, body } of riffChunks(bytes)) {
    if (type === 'ICCP') return { spaces: ['RGB '], bytes: body }
  }
  return WITHOUT_PROFILE
}

/** Inflates zlib data. Null when it exceeds the maximum profile: 200 MB of zeros fit into 200 KB. */
function inflateBounded(data: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(data, { maxOutputLength: MAX_PROFILE_BYTES })
  } catch {
    return null
  }
}
