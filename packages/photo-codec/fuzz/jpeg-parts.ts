/** JPEGs taken apart at their markers, and put together again. */

import { joined, uint16 } from '../fixtures/bytes.ts'

/** A marker with what follows it, up to the next marker that is no restart. */
export interface Part {
  marker: number
  /** Missing where a marker stands alone. */
  body?: Uint8Array
  /** Coded data after the header of a scan, or garbage between segments. */
  data: Uint8Array
  /** The length that the file claims, where it is a lie. */
  length?: number
}

const SOI = 0xd8
export const EOI = 0xd9
export const SOS = 0xda
export const DQT = 0xdb
export const DHT = 0xc4
export const DRI = 0xdd

/** Takes a file apart. What cannot be told apart stays in the data of the part before. */
export function parse(bytes: Uint8Array): Part[] {
  const parts: Part[] = []
  let at = 0
  while (at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff || marker < 0xc0) break
    const alone = marker === SOI || marker === EOI
    const length = alone ? 0 : ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    const start = at + 2 + length
    let end = start
    while (end < bytes.length && !endsData(bytes, end)) end += 1
    const body = alone ? {} : { body: bytes.slice(at + 4, start) }
    parts.push({ marker, ...body, data: bytes.slice(start, end) })
    at = end
  }
  return parts
}

function endsData(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1] ?? 0
  return bytes[at] === 0xff && next >= 0xc0 && next < 0xff && !(next >= 0xd0 && next <= 0xd7)
}

/** Puts a file together. */
export function assemble(parts: readonly Part[]): Uint8Array {
  return joined(
    parts.flatMap(({ marker, body, data, length }) => [
      [0xff, marker],
      body ? uint16(length ?? body.length + 2) : [],
      body ?? [],
      data,
    ]),
  )
}

/** Whether a part is the header of a frame, of whatever coding. */
export function isFrame({ marker }: Part): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== 0xc8 && marker !== 0xcc
}
