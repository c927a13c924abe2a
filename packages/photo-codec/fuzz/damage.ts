/** Damage to sound files, drawn at random: to their bytes, and to the parts that they are made of. */
import { concat, uint32 } from '../fixtures/bytes.ts'
import type { Random } from '../fixtures/random.ts'
import type { Format, Part } from './parts.ts'

/** Numbers at which something changes: signs, sizes of fields, depths, types, factors, numbers of tables. */
const EDGES = [0, 1, 2, 3, 4, 8, 11, 16, 0x11, 0x22, 0x41, 127, 128, 255, 256, 0x7fff, 0xffff, 0x7fffffff]

/** A damaged file. `other` draws another sound file of the same format. */
export function damaged(
  file: Uint8Array,
  format: Format | undefined,
  random: Random,
  other: () => Uint8Array,
): Uint8Array {
  let bytes = file
  for (let i = random.pick([1, 1, 1, 2, 2, 3, 5]); i > 0; i--) {
    if (!format || random.chance(0.25)) {
      bytes = random.pick(BYTES)(bytes, random, other)
      continue
    }
    const parts = format.split(bytes)
    if (parts.length > 0) bytes = format.join(random.pick(PARTS)(parts, random, format, other))
  }
  return bytes
}

const noise = (random: Random, length: number) => Uint8Array.from({ length }, () => random.int(0, 255))

type BytesDamage = (bytes: Uint8Array, random: Random, other: () => Uint8Array) => Uint8Array

/** Changes some bytes, most often one. */
const someBytes =
  (change: (byte: number, random: Random) => number): BytesDamage =>
  (bytes, random) => {
    const out = bytes.slice()
    for (let i = random.chance(0.6) ? 1 : random.int(2, 12); i > 0 && out.length > 0; i--) {
      const at = random.int(0, out.length - 1)
      out[at] = change(out[at] ?? 0, random)
    }
    return out
  }

const BYTES: readonly BytesDamage[] = [
  someBytes((byte, random) => byte ^ (1 << random.int(0, 7))),
  someBytes((_, random) => random.pick([...EDGES, random.int(0, 255)])),
  // A block left out, repeated, put in, or filled.
  (bytes, random) => {
    const from = random.int(0, Math.max(bytes.length - 1, 0))
    const to = from + random.pick([1, 2, 3, 4, 8, 16, 64, 256, 1024])
    const [before, block, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
    return random.pick([
      () => concat(before, after),
      () => concat(before, ...new Array<Uint8Array>(random.int(2, 20)).fill(block), after),
      () => concat(before, noise(random, block.length), block, after),
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

type PartsDamage = (parts: Part[], random: Random, format: Format, other: () => Uint8Array) => Part[]

/** Damage to one part, changed in place. */
const toPart =
  (change: (part: Part, random: Random, format: Format, other: () => Part) => void): PartsDamage =>
  (parts, random, format, other) => {
    const filled = parts.filter(({ body }) => body.length > 0)
    const another = () => random.pick(format.split(other()))
    if (filled.length > 0) change(random.pick(filled), random, format, another)
    return parts
  }

/** A number of one to four bytes near the beginning of a body, where headers are: another by a little, or altogether. */
const number = toPart(({ body }, random) => {
  const width = random.pick([1, 1, 2, 2, 3, 4])
  const at = random.int(0, Math.min(body.length - 1, random.chance(0.7) ? 12 : 40))
  const bytes = body.slice(at, at + width)
  const old = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const value = random.pick([old - 1, old + 1, old * 2, old >>> 1, random.pick(EDGES), random.int(1, 400)])
  body.set(uint32(value >>> 0).slice(-bytes.length), at)
})

const bytesOfPart = toPart((part, random, _, other) => {
  part.body = random.pick(BYTES)(part.body, random, () => other().body)
})

const packed = toPart((part, random, format) => {
  format.within?.(part, (bytes) => {
    const out = random.pick([
      () => random.pick(BYTES)(bytes, random, () => bytes),
      // Filters of rows, as long as they are what they seem.
      () => bytes.map((byte) => (byte < 5 && random.chance(0.5) ? random.int(0, 4) : byte)),
    ])()
    return out.length > 0 ? out : bytes
  })
})

/** Parts left out, repeated, swapped, or taken from another file. */
const reordered: PartsDamage = (parts, random, format, other) => {
  const [from, to] = [random.int(0, parts.length - 1), random.int(0, parts.length - 1)]
  const [one, two] = [parts[from], parts[to]]
  if (!one || !two) return parts
  return random.pick([
    () => parts.toSpliced(from, 1),
    () => parts.toSpliced(to, 0, ...new Array<Part>(random.pick([1, 1, 2, 10, 50])).fill(one)),
    () => parts.with(from, two).with(to, one),
    () => parts.with(to, random.pick(format.split(other()))),
  ])()
}

const PARTS: readonly PartsDamage[] = [number, number, bytesOfPart, bytesOfPart, packed, reordered]
