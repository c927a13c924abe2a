/**
 * Bytes put together by hand.
 *
 *     concat([0xff, 0xd8], segment, uint32(7), bytesOf('IEND'))
 */

/** Joins bytes. */
export function concat(...parts: ArrayLike<number>[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** Latin-1 text as bytes. */
export function bytesOf(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, (character) => character.charCodeAt(0))
}

/** Bytes as Latin-1 text. */
export function text(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/** 32 bits, high byte first. */
export function uint32(n: number): number[] {
  return [n >>> 24, (n >>> 16) & 0xff, (n >>> 8) & 0xff, n & 0xff]
}

/** 32 bits, low byte first. */
export function uint32le(n: number): number[] {
  return uint32(n).reverse()
}

/** 24 bits, low byte first. */
export function uint24(n: number): number[] {
  return [n & 0xff, (n >> 8) & 0xff, n >> 16]
}
