/** Bytes, joined and written, and damage that needs to know no format. */

import { concat, uint16 } from '../fixtures/bytes.ts'
import type { Random } from '../fixtures/random.ts'

/** Makes a damaged file of a sound one. `other` draws another sound file of the same format. */
export type Mutation = (bytes: Uint8Array, random: Random, other: () => Uint8Array) => Uint8Array

export const EDGE_BYTES = [0, 1, 127, 128, 255] as const
export const EDGE_WORDS = [0, 1, 2, 127, 128, 255, 256, 0x7fff, 0x8000, 0xfffe, 0xffff] as const

/** Overwrites bytes; those that a file cut short no longer has are left out. */
export function put(bytes: Uint8Array, at: number, values: readonly number[]): void {
  for (const [i, value] of values.entries()) if (at + i < bytes.length) bytes[at + i] = value
}

/** Random bytes. */
export function noise(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.int(0, 255))
}

/** A size or length that is wrong by a little, by a factor, or altogether. */
export function wrongNumber(random: Random, n: number, largest = 0xffff): number {
  const wrong = random.pick([
    () => n + random.pick([-2, -1, 1, 2, 7, 8, 16]),
    () => n * 2,
    () => n >> 1,
    () => random.pick(EDGE_WORDS),
    () => random.int(1, 400),
    () => random.int(0, largest),
  ])()
  return Math.min(Math.max(wrong, 0), largest)
}

function flipBit(bytes: Uint8Array, random: Random): void {
  const at = random.int(0, bytes.length - 1)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7))
}

/** Changes some bits, most often one. */
export const flipBits: Mutation = (bytes, random) => {
  const out = bytes.slice()
  const count = random.chance(0.6) ? 1 : random.int(2, 12)
  for (let i = 0; i < count && out.length > 0; i++) flipBit(out, random)
  return out
}

/** Sets some bytes to values at an edge. */
export const setBytes: Mutation = (bytes, random) => {
  const out = bytes.slice()
  const count = random.chance(0.6) ? 1 : random.int(2, 8)
  for (let i = 0; i < count && out.length > 0; i++) {
    out[random.int(0, out.length - 1)] = random.chance(0.8) ? random.pick(EDGE_BYTES) : random.int(0, 255)
  }
  return out
}

/** Sets a number of two bytes, in either order, near the beginning more often than not. */
export const setWord: Mutation = (bytes, random) => {
  if (bytes.length < 2) return bytes
  const out = bytes.slice()
  const at = random.int(0, Math.min(bytes.length, random.chance(0.7) ? 200 : bytes.length) - 2)
  const value = uint16(random.pick(EDGE_WORDS))
  out.set(random.chance(0.5) ? value : value.reverse(), at)
  return out
}

/** Deletes, repeats, swaps, overwrites or inserts a block. */
export const moveBlock: Mutation = (bytes, random) => {
  const from = random.int(0, Math.max(bytes.length - 1, 0))
  const to = Math.min(bytes.length, from + random.pick([1, 2, 3, 4, 8, 16, 64, 256, 1024]))
  const [before, block, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
  return random.pick([
    () => concat(before, after),
    () => concat(before, block, block, after),
    () => concat(before, ...Array.from({ length: random.int(2, 20) }, () => block), after),
    () => concat(before, noise(random, block.length), block, after),
    () => concat(before, new Uint8Array(block.length).fill(random.pick(EDGE_BYTES)), after),
    () => {
      const cut = random.int(0, after.length)
      return concat(before, after.subarray(0, cut), block, after.subarray(cut))
    },
  ])()
}

/** Cuts the end off. */
export const truncate: Mutation = (bytes, random) =>
  bytes.slice(
    0,
    random.chance(0.3) ? Math.max(bytes.length - random.int(1, 30), 0) : random.int(0, bytes.length),
  )

/** The beginning of one file and the end of another. */
export const splice: Mutation = (bytes, random, other) => {
  const second = other()
  const cut = random.int(0, bytes.length)
  const from = random.chance(0.5) ? Math.min(cut, second.length) : random.int(0, second.length)
  return concat(bytes.subarray(0, cut), second.subarray(from))
}

export const BYTE_MUTATIONS: readonly Mutation[] = [flipBits, setBytes, setWord, moveBlock, truncate, splice]

/** A list with one element left out, repeated, moved, or swapped with another. */
export function shuffled<T>(list: readonly T[], random: Random, others: readonly T[] = []): T[] {
  if (list.length === 0) return []
  const out = [...list]
  const at = random.int(0, out.length - 1)
  const [element] = out.splice(at, 1)
  if (element === undefined) return out
  const anywhere = random.int(0, out.length)
  return random.pick([
    () => out,
    () => out.toSpliced(anywhere, 0, element),
    () => out.toSpliced(at, 0, element, element),
    () => out.toSpliced(at, 0, element).toSpliced(anywhere, 0, element),
    () => out.toSpliced(at, 0, element).toSpliced(anywhere, 0, others.length ? random.pick(others) : element),
  ])()
}
