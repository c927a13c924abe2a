/** Markers: where the segments and scans of a JPEG begin (ITU-T T.81 annex B.1). */

import { Failure, fail } from './failure'

/** Markers, without their leading 0xFF (ITU-T T.81 table B.1; the APPn ones by their users). */
export const TEM: i32 = 0x01
export const SOF0: i32 = 0xc0
export const SOF2: i32 = 0xc2
export const SOF15: i32 = 0xcf
export const DHT: i32 = 0xc4
export const JPG: i32 = 0xc8
export const DAC: i32 = 0xcc
export const RST0: i32 = 0xd0
export const RST7: i32 = 0xd7
export const SOI: i32 = 0xd8
export const EOI: i32 = 0xd9
export const SOS: i32 = 0xda
export const DQT: i32 = 0xdb
export const DRI: i32 = 0xdd
export const APP0: i32 = 0xe0
export const APP14: i32 = 0xee

/** The 16-bit number at `at`, high byte first. */
export function bigEndian16(at: usize): i32 {
  return i32(bswap(load<u16>(at)))
}

/**
 * The address of the next marker. Stray bytes in front of it are passed over, as cameras write segments that are longer
 * than they say; so is any number of 0xFF, which may fill the space before a marker, and 0xFF with 0, which is none.
 */
export function findMarker(from: usize, end: usize): usize {
  for (let at = from; at + 2 <= end; at++) {
    if (load<u8>(at) !== 0xff) continue
    const next = load<u8>(at, 1)
    if (next !== 0xff && next !== 0) return at
  }
  fail(Failure.Truncated)
  return end
}

/** Whether a marker has no segment and, between segments, no meaning. */
export function standsAlone(marker: i32): bool {
  return marker === TEM || (marker >= RST0 && marker <= RST7)
}

/** Whether a marker starts a frame. */
export function isFrameMarker(marker: i32): bool {
  return marker >= SOF0 && marker <= SOF15 && marker !== DHT && marker !== JPG && marker !== DAC
}
