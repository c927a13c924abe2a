/**
 * A profile without anything that could name a person, a place or a device: only what colour needs is carried over, in a
 * new file with new texts.
 *
 *     anonymiseProfile(profile) // the same colours, or null where the profile does not hold together
 *
 * Left behind are the maker's and the owner's texts, serial numbers, dates, measurements and all private tags, as well
 * as bytes between elements and behind the end of those whose length is known by their content.
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
/** Tables from samples to colours, and back again. */
const TABLES = ['A2B0', 'A2B1', 'A2B2']
const OTHER_TABLES = [
  'B2A0',
  'B2A1',
  'B2A2',
  'D2B0',
  'D2B1',
  'D2B2',
  'D2B3',
  'B2D0',
  'B2D1',
  'B2D2',
  'B2D3',
  'gamt',
]
const KEPT = [...PRIMARIES, ...CURVES, ...TABLES, ...OTHER_TABLES, 'wtpt', 'bkpt', 'chad', 'cicp']

/** Bytes of an element by its type; null when it is damaged. Types that are not here are not carried over. */
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

/** The profile of RGB pixels written anew. Null when it lacks what makes RGB mean something, or is too long. */
export function anonymiseProfile(profile: IccProfile): Uint8Array | null {
  const kept = new Map<string, Uint8Array>()
  const cut = new Map<Uint8Array, Uint8Array | null>()
  for (const signature of KEPT) {
    const element = profile.tags.get(signature)
    if (!element) continue
    // The same element for the same place, so that it is written once.
    const exact = cut.get(element) ?? cutToLength(element)
    cut.set(element, exact)
    if (exact) kept.set(signature, exact)
  }
  for (const signature of TABLES) if (!readLut(kept.get(signature), CHANNELS)) kept.delete(signature)
  const isMeaningful = isMatrix(kept) || TABLES.some((signature) => kept.has(signature))
  return isMeaningful ? buildProfile(profile, kept) : null
}

/**
 * Writes an RGB profile of these elements; header fields that say what numbers mean are those of `model`. Null when it
 * becomes longer than a profile may be.
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

/** No maker, no model, no creator, no date, no identity: of the header only what colour management asks for. */
function writeHeader(out: Uint8Array, model: IccProfile): void {
  const view = viewOf(out)
  view.setUint32(0, out.length)
  // Version, class and what the numbers of both sides are.
  for (const [from, to] of [
    [8, 24],
    [36, 40],
    [64, 80],
  ] as const) {
    out.set(model.bytes.subarray(from, to), from)
  }
  // Readers are stricter than this one about versions and classes: a profile says by which rules it was read.
  if (out[8] !== model.version) out.set([model.version, 0, 0, 0], 8)
  if (textAt(out, 12, 4) === NO_CLASS) out.set(bytesOf('mntr'), 12)
  out.set(bytesOf('RGB '), 16)
  // A date there has to be: the first one of the century, in words of year, month and day.
  view.setUint16(24, 2000)
  view.setUint16(26, 1)
  view.setUint16(28, 1)
}

function isMatrix(elements: ReadonlyMap<string, Uint8Array>): boolean {
  const isOf = (signatures: string[], types: string[]) =>
    signatures.every((signature) => types.includes(typeOf(elements.get(signature) ?? new Uint8Array(0))))
  return isOf(PRIMARIES, ['XYZ ']) && isOf(CURVES, ['curv', 'para'])
}

/** An element without what lies behind its end. */
function cutToLength(element: Uint8Array): Uint8Array | null {
  const length = LENGTHS[typeOf(element)]?.(element)
  return length ? element.subarray(0, length) : null
}

function fixed(length: number): (element: Uint8Array) => number | null {
  return (element) => (element.length >= length ? length : null)
}
