/**
 * Parses a colour profile. Profiles are untrusted input: nothing outside the file is read, and an invalid profile is
 * null, never an error.
 *
 *     const profile = openProfile(bytes)
 *     const lut = readLut(profile?.tags.get('A2B0'), 4)
 *
 * Standard: ICC.1:2022, section 7.
 */

import { textAt, viewOf } from '../containers.ts'

export const HEADER_BYTES = 128
export const TAG_ENTRY_BYTES = 12

/** Maximum profile of a stored photo, in bytes: those of cameras have up to 4,000, those of scanners a million. */
export const MAX_PROFILE_BYTES = 2 * 1024 * 1024

/** A device class that was left empty. */
export const NO_CLASS = '\0\0\0\0'

/** Maximum tags of a profile that are read; real ones have 9 to 40. */
const MAX_TAGS = 100

/**
 * Input device, display, output device, colour space: the classes that describe pixels. Some programs leave the field
 * empty.
 */
const DEVICE_CLASSES = new Set(['scnr', 'mntr', 'prtr', 'spac', NO_CLASS])

/** Latest version, as the header has it: 5.0 (ICC.2), of which only what version 4 has too is used. */
const LATEST_VERSION = 0x05_00_00_00

/** A profile for the pixels of a photo. */
export interface IccProfile {
  /** All of it, as long as its header says. */
  bytes: Uint8Array
  /** The meaning of the samples: `RGB `, `GRAY`, `CMYK`, … */
  space: string
  /** The connection space that samples are converted to: `XYZ ` or `Lab `. */
  connection: string
  /** 2, 3 or 4: the version whose rules apply. A header may also say 0 or 1, which read as 2, or 5, which reads as 4. */
  version: number
  /**
   * Tagged elements by their four-letter signatures; each starts with the signature of its type. Tags with the same
   * offset and length share one element.
   */
  tags: ReadonlyMap<string, Uint8Array>
}

/** Reads header and tag table. Null unless it is a profile for pixels of a known version. */
export function openProfile(file: Uint8Array): IccProfile | null {
  if (file.length < HEADER_BYTES + 4 || textAt(file, 36, 4) !== 'acsp') return null
  const bytes = file.subarray(0, viewOf(file).getUint32(0))
  const written = viewOf(file).getUint32(8)
  const connection = textAt(file, 20, 4)
  if (bytes.length < HEADER_BYTES + 4 || written > LATEST_VERSION) return null
  if (!DEVICE_CLASSES.has(textAt(file, 12, 4)) || (connection !== 'XYZ ' && connection !== 'Lab '))
    return null
  const version = Math.max(2, Math.min(4, written >>> 24))
  return { bytes, space: textAt(file, 16, 4), connection, version, tags: readTags(bytes) }
}

/** The type of a tagged element. */
export function typeOf(element: Uint8Array): string {
  return textAt(element, 0, 4)
}

function readTags(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = viewOf(bytes)
  const count = Math.min(view.getUint32(HEADER_BYTES), MAX_TAGS)
  const tags = new Map<string, Uint8Array>()
  const elements = new Map<string, Uint8Array>()
  for (let i = 0; i < count; i++) {
    const at = HEADER_BYTES + 4 + i * TAG_ENTRY_BYTES
    if (at + TAG_ENTRY_BYTES > bytes.length) break
    const [start, length] = [view.getUint32(at + 4), view.getUint32(at + 8)]
    const signature = textAt(bytes, at, 4)
    if (length < 8 || start + length > bytes.length || tags.has(signature)) continue
    const element = elements.get(`${start} ${length}`) ?? bytes.subarray(start, start + length)
    elements.set(`${start} ${length}`, element)
    tags.set(signature, element)
  }
  return tags
}
