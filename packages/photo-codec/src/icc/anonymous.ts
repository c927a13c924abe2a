/**
 * Removes from a profile everything that could identify a person, a place or a device. Only the data that define colours
 * are copied, into a new file with new texts.
 *
 *     anonymiseProfile(profile) // the same colours, or null if the profile is invalid
 *
 * Texts of maker and owner, serial numbers, dates, measurements and all private tags are dropped. So are bytes between
 * elements, and bytes after the end of elements whose content defines their length.
 */

import { bytesOf, textAt, viewOf } from '../containers.ts'
import { readCurve } from './curves.ts'
import { readLut, tablesLength } from './lut.ts'
import {
  HEADER_BYTES,
  type IccProfile,
  MAX_PROFILE_BYTES,
  NO_CLASS,
  TAG_ENTRY_BYTES,
  typeOf,
} from './profile.ts'
import { textElements } from './texts.ts'

const CURVES = ['rTRC', 'gTRC', 'bTRC']
const PRIMARIES = ['rXYZ', 'gXYZ', 'bXYZ']
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`)
/** Tags of tables from samples to colours; those back and of other kinds are only kept. */
const TABLES = numbered('A2B', 3)
const OTHER_TABLES = [...numbered('B2A', 3), ...numbered('D2B', 4), ...numbered('B2D', 4), 'gamt']
const KEPT = [...PRIMARIES, ...CURVES, ...TABLES, ...OTHER_TABLES, 'wtpt', 'bkpt', 'chad', 'cicp']

/** Functions for the length in bytes of an element, by type; null when it is damaged. Other types are dropped. */
const LENGTHS: Record<string, (element: Uint8Array) => number | null> = {
  'XYZ ': fixed(20),
  sf32: fixed(44),
  cicp: fixed(12),
  curv: (element) => readCurve(element)?.length ?? null,
  para: (element) => readCurve(element)?.length ?? null,
  mft1: tablesLength,
  mft2: tablesLength,
  'mAB ': ({ length }) => length,
  'mBA ': ({ length }) => length,
  mpet: ({ length }) => length,
}

const CHANNELS = 3

/** Rewrites a profile of RGB pixels. Null when it has no valid definition of colours, or is too long. */
export function anonymiseProfile(profile: IccProfile): Uint8Array | null {
  const kept = new Map<string, Uint8Array>()
  const cut = new Map<Uint8Array, Uint8Array | null>()
  for (const signature of KEPT) {
    const element = profile.tags.get(signature)
    if (!element) continue
    // Tags that share an element keep sharing it, so that it is written once.
    const exact = cut.get(element) ?? cutToLength(element)
    cut.set(element, exact)
    if (exact) kept.set(signature, exact)
  }
  for (const signature of TABLES) if (!readLut(kept.get(signature), CHANNELS)) kept.delete(signature)
  const isMeaningful = isMatrix(kept) || TABLES.some((signature) => kept.has(signature))
  return isMeaningful ? buildProfile(profile, kept) : null
}

/**
 * Writes an RGB profile of these elements. The header fields that define the numbers come from `model`. Null when the
 * profile would exceed `MAX_PROFILE_BYTES`.
 */
export function buildProfile(
  model: IccProfile,
  elements: ReadonlyMap<string, Uint8Array>,
): Uint8Array | null {
  const all = new Map([...textElements(model), ...elements])
  const places = new Map<Uint8Array, number>()
  let end = HEADER_BYTES + 4 + all.size * TAG_ENTRY_BYTES
  for (const element of new Set(all.values())) {
    places.set(element, end)
    end += (element.length + 3) & ~3
  }
  if (end > MAX_PROFILE_BYTES) return null
  const out = new Uint8Array(end)
  writeHeader(out, model)
  const view = viewOf(out)
  view.setUint32(HEADER_BYTES, all.size)
  let entry = HEADER_BYTES + 4
  for (const [signature, element] of all) {
    out.set(bytesOf(signature), entry)
    view.setUint32(entry + 4, places.get(element) ?? 0)
    view.setUint32(entry + 8, element.length)
    entry += TAG_ENTRY_BYTES
  }
  for (const [element, at] of places) out.set(element, at)
  return out
}

/** Writes only the header fields that colour management needs: no maker, model, creator, date or identity. */
function writeHeader(out: Uint8Array, model: IccProfile): void {
  const view = viewOf(out)
  view.setUint32(0, out.length)
  // Version, class, colour space and connection space.
  for (const [from, to] of [
    [8, 24],
    [36, 40],
    [64, 80],
  ] as const) {
    out.set(model.bytes.subarray(from, to), from)
  }
  // Other readers are stricter about versions: the header states the version whose rules were applied.
  if (out[8] !== model.version) out.set([model.version, 0, 0, 0], 8)
  if (textAt(out, 12, 4) === NO_CLASS) out.set(bytesOf('mntr'), 12)
  out.set(bytesOf('RGB '), 16)
  // A date is required: 1 January 2000, as 16-bit year, month and day.
  view.setUint16(24, 2000)
  view.setUint16(26, 1)
  view.setUint16(28, 1)
}

function isMatrix(elements: ReadonlyMap<string, Uint8Array>): boolean {
  const isOf = (signatures: string[], types: string[]) =>
    signatures.every((signature) => types.includes(typeOf(elements.get(signature) ?? new Uint8Array(0))))
  return isOf(PRIMARIES, ['XYZ ']) && isOf(CURVES, ['curv', 'para'])
}

/** An element without the bytes after its end. */
function cutToLength(element: Uint8Array): Uint8Array | null {
  const length = LENGTHS[typeOf(element)]?.(element)
  return length ? element.subarray(0, length) : null
}

function fixed(length: number): (element: Uint8Array) => number | null {
  return (element) => (element.length >= length ? length : null)
}
