/** Damage to sound files, drawn at random: to their bytes, and to the parts that they are made of. */
import { bytesOf, concat, uint32, uint32le } from '../fixtures/bytes.ts'
import type { Random } from '../fixtures/random.ts'
import type { Format, Part } from './parts.ts'

const EDGES = [0, 1, 2, 127, 128, 255, 256, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x7fffffff, 0xffffffff]
/** Values of fields that have few: depths, types, factors, numbers of tables, sizes of codes. */
const FIELDS = [
  0, 1, 2, 3, 4, 5, 6, 8, 11, 12, 16, 0x11, 0x12, 0x14, 0x21, 0x22, 0x41, 0x44, 0x63, 127, 128, 255,
]

/** A damaged file. `other` draws another sound file of the same format. */
export function damaged(
  file: Uint8Array,
  format: Format,
  random: Random,
  other: () => Uint8Array,
): Uint8Array {
  let bytes = file
  for (let i = random.pick([1, 1, 1, 2, 2, 3, 5]); i > 0; i--) {
    if (random.chance(0.25)) {
      bytes = random.pick(BYTES)(bytes, random, other)
      continue
    }
    const parts = format.split(bytes)
    if (parts.length > 0) bytes = format.join(random.pick(PARTS)(parts, random, format, other))
  }
  return bytes
}

const noise = (random: Random, length: number) => Uint8Array.from({ length }, () => random.int(0, 255))

/** A number that is wrong by a little, by a factor, or altogether. */
function wrong(random: Random, n: number, largest = 0xffffffff): number {
  const value = random.pick([
    n - 1,
    n + 1,
    n + random.pick([-2, 2, 7, 8, 16]),
    n * 2,
    n >>> 1,
    random.pick(EDGES),
    random.int(1, 400),
  ])
  return Math.min(Math.max(value, 0), largest)
}

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
  someBytes((_, random) => random.pick(EDGES)),
  someBytes((_, random) => random.int(0, 255)),
  // A block left out, repeated, filled, or moved further on.
  (bytes, random) => {
    const from = random.int(0, Math.max(bytes.length - 1, 0))
    const to = from + random.pick([1, 2, 3, 4, 8, 16, 64, 256, 1024])
    const [before, block, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
    const cut = random.int(0, after.length)
    return random.pick([
      () => concat(before, after),
      () => concat(before, ...new Array<Uint8Array>(random.int(2, 20)).fill(block), after),
      () => concat(before, noise(random, block.length), block, after),
      () => concat(before, new Uint8Array(block.length).fill(random.pick(EDGES)), after),
      () => concat(before, after.subarray(0, cut), block, after.subarray(cut)),
    ])()
  },
  (bytes, random) =>
    bytes.slice(
      0,
      random.chance(0.3) ? Math.max(bytes.length - random.int(1, 30), 0) : random.int(0, bytes.length),
    ),
  // The beginning of one file and the end of another.
  (bytes, random, other) => {
    const second = other()
    const cut = random.int(0, bytes.length)
    return concat(
      bytes.subarray(0, cut),
      second.subarray(random.chance(0.5) ? cut : random.int(0, second.length)),
    )
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

/** A number of one to four bytes near the beginning of a body, where headers are. */
const number = toPart(({ body }, random, { isLittleEndian }) => {
  const width = random.pick([1, 2, 2, 3, 4])
  const at = random.int(0, Math.min(body.length - 1, random.chance(0.7) ? 12 : 40))
  const bytes = body.slice(at, at + width)
  if (isLittleEndian) bytes.reverse()
  const value = wrong(
    random,
    bytes.reduce((sum, byte) => sum * 256 + byte, 0),
    random.chance(0.7) ? 2000 : undefined,
  )
  body.set(isLittleEndian ? uint32le(value).slice(0, bytes.length) : uint32(value).slice(-bytes.length), at)
})

const field = toPart(({ body }, random) => {
  body[random.int(0, Math.min(body.length - 1, 24))] = random.pick(FIELDS)
})

const bytesOfPart = toPart((part, random, _, other) => {
  part.body = random.pick(BYTES)(part.body, random, () => other().body)
})

const token = toPart((part, random, { tokens }) => {
  const at = random.int(0, part.body.length)
  part.body = concat(part.body.subarray(0, at), bytesOf(random.pick(tokens)), part.body.subarray(at))
})

const resized = toPart((part, random) => {
  const length = wrong(random, part.body.length, 600)
  part.body = random.chance(0.5) ? part.body.slice(0, length) : concat(part.body, noise(random, length))
})

const packed = toPart((part, random, format) => {
  format.within?.(part, (bytes) => {
    const out = random.pick([
      () => random.pick(BYTES)(bytes, random, () => bytes),
      () => concat(bytes, noise(random, random.pick([1, 2, 50, 5000]))),
      () => bytes.slice(0, -random.int(1, 60)),
      // Filters of rows, as long as they are what they seem.
      () => bytes.map((byte) => (byte < 5 && random.chance(0.5) ? random.int(0, 4) : byte)),
    ])()
    return out.length > 0 ? out : bytes
  })
})

/** Parts left out, repeated, moved, swapped, or taken from another file. */
const reordered: PartsDamage = (parts, random, format, other) => {
  const [from, to] = [random.int(0, parts.length - 1), random.int(0, parts.length - 1)]
  const [one, two] = [parts[from], parts[to]]
  if (!one || !two) return parts
  return random.pick([
    () => parts.toSpliced(from, 1),
    () => parts.toSpliced(to, 0, ...new Array<Part>(random.pick([1, 1, 2, 10, 50])).fill(one)),
    () => parts.toSpliced(from, 1).toSpliced(to, 0, one),
    () => parts.with(from, two).with(to, one),
    () => parts.toSpliced(to, 0, random.pick(format.split(other()))),
    () => parts.with(to, random.pick(format.split(other()))),
  ])()
}

const inserted: PartsDamage = (parts, random, { kinds }) => {
  const body = noise(random, random.pick([0, 1, 2, 3, 4, 6, 10, 16, 32, 200, 257, 768]))
  return parts.toSpliced(random.int(0, parts.length), 0, { kind: random.pick(kinds), body })
}

const cutWithEnding: PartsDamage = (parts, random, format) => {
  const whole = format.join(parts)
  return [
    ...format.split(whole.slice(0, random.int(0, whole.length))),
    { kind: format.end, body: new Uint8Array(0) },
  ]
}

const PARTS: readonly PartsDamage[] = [
  number,
  number,
  number,
  number,
  field,
  field,
  field,
  field,
  bytesOfPart,
  bytesOfPart,
  bytesOfPart,
  bytesOfPart,
  token,
  token,
  resized,
  packed,
  packed,
  packed,
  reordered,
  reordered,
  reordered,
  inserted,
  cutWithEnding,
  toPart((part, random) => {
    part.length = wrong(random, part.body.length)
  }),
  toPart((part, random) => {
    part.checksum = random.int(0, 0xffff)
  }),
  toPart((part, random, { kinds }) => {
    part.kind = random.pick(kinds)
  }),
]
