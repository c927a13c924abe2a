/** Damage to sound files, drawn at random: to their bytes, and to those of one part whose length and checksum follow. */
import { concat } from '../fixtures/bytes.ts'
import type { Random } from '../fixtures/random.ts'
import type { Format } from './parts.ts'

/** Numbers at which something changes: signs, sizes of fields, depths, types, factors, numbers of tables. */
const EDGES = [0, 1, 2, 3, 4, 8, 11, 16, 0x11, 0x22, 0x41, 127, 128, 255]

type Damage = (bytes: Uint8Array, random: Random, other: () => Uint8Array) => Uint8Array

/** Changes some bytes, most often one. */
const someBytes =
  (change: (byte: number, random: Random) => number): Damage =>
  (bytes, random) => {
    const out = bytes.slice()
    for (let i = random.chance(0.6) ? 1 : random.int(2, 12); i > 0 && out.length > 0; i--) {
      const at = random.int(0, out.length - 1)
      out[at] = change(out[at] ?? 0, random)
    }
    return out
  }

const DAMAGES: readonly Damage[] = [
  someBytes((byte, random) => byte ^ (1 << random.int(0, 7))),
  someBytes((_, random) => random.pick([...EDGES, random.int(0, 255)])),
  // A number near the beginning, where headers are: another by a little.
  (bytes, random) => {
    const at = random.int(0, Math.min(bytes.length - 1, random.chance(0.7) ? 12 : 40))
    return bytes.length > 0 ? bytes.with(at, (bytes[at] ?? 0) + random.pick([-1, 1])) : bytes
  },
  // A block left out, repeated, or filled.
  (bytes, random) => {
    const from = random.int(0, Math.max(bytes.length - 1, 0))
    const to = from + random.pick([1, 2, 3, 4, 8, 16, 64, 256, 1024])
    const [before, block, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
    return random.pick([
      () => concat(before, after),
      () => concat(before, ...new Array<Uint8Array>(random.int(2, 20)).fill(block), after),
      () => concat(before, new Uint8Array(block.length).fill(random.pick(EDGES)), after),
    ])()
  },
  (bytes, random) => bytes.slice(0, random.int(0, bytes.length)),
  // The beginning of one file and the end of another.
  (bytes, random, other) => {
    const cut = random.int(0, bytes.length)
    return concat(bytes.subarray(0, cut), other().subarray(cut))
  },
]

/** A damaged file. `other` draws another sound file of the same format. */
export function damaged(
  file: Uint8Array,
  format: Format | undefined,
  random: Random,
  other: () => Uint8Array,
): Uint8Array {
  let bytes = file
  for (let i = random.pick([1, 1, 1, 2, 2, 3, 5]); i > 0; i--) {
    const parts = format && random.chance(0.75) ? format.split(bytes) : []
    const filled = parts.filter(({ body }) => body.length > 0)
    if (!format || filled.length === 0) {
      bytes = random.pick(DAMAGES)(bytes, random, other)
      continue
    }
    const part = random.pick(filled)
    const change = (body: Uint8Array) => random.pick(DAMAGES)(body, random, () => body)
    if (format.within && random.chance(0.2)) format.within(part, change)
    else part.body = change(part.body)
    bytes = format.join(parts)
  }
  return bytes
}
