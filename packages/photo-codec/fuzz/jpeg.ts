/** Damage to JPEGs: segments, headers, tables and scans. */

import { concat, uint16 } from '../fixtures/bytes.ts'
import type { Random } from '../fixtures/random.ts'
import {
  BYTE_MUTATIONS,
  EDGE_BYTES,
  EDGE_WORDS,
  type Mutation,
  noise,
  put,
  shuffled,
  wrongNumber,
} from './bytes.ts'
import { assemble, DHT, DQT, DRI, EOI, isFrame, type Part, parse, SOS } from './jpeg-parts.ts'

type PartsMutation = (parts: Part[], random: Random, other: () => Part[]) => Part[]

/** Damage to one part of a kind, changed in place. */
function within(
  kind: (part: Part) => boolean,
  change: (body: Uint8Array, random: Random, part: Part) => void,
) {
  return (parts: Part[], random: Random): Part[] => {
    const chosen = parts.filter((part) => part.body && kind(part))
    if (chosen.length === 0) return parts
    const part = random.pick(chosen)
    if (part.body && part.body.length > 0) change(part.body, random, part)
    return parts
  }
}

const is = (marker: number) => (part: Part) => part.marker === marker

const someByte = (body: Uint8Array, random: Random) => {
  body[random.int(0, body.length - 1)] = random.chance(0.5) ? random.pick(EDGE_BYTES) : random.int(0, 255)
}

const frameSize = within(isFrame, (body, random) => {
  const at = random.pick([1, 3])
  const size = ((body[at] ?? 0) << 8) | (body[at + 1] ?? 0)
  put(body, at, uint16(wrongNumber(random, size, random.chance(0.8) ? 2000 : 0xffff)))
})

const frameField = within(isFrame, (body, random, part) => {
  const component = 6 + 3 * random.int(0, 3)
  random.pick([
    () => (body[0] = random.pick([0, 1, 8, 12, 16])),
    () => (body[5] = random.pick([0, 1, 2, 3, 4, 5, 255])),
    () => (body[component] = random.int(0, 5)),
    () =>
      (body[component + 1] = random.pick([
        0, 0x11, 0x12, 0x21, 0x22, 0x14, 0x41, 0x44, 0x31, 0x13, 0xff, 0x10,
      ])),
    () => (body[component + 2] = random.int(0, 5)),
    () => (part.marker = random.pick([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xca, 0xcf])),
  ])()
})

const scanField = within(is(SOS), (body, random) => {
  const end = body.length - 3
  const component = 1 + 2 * random.int(0, 3)
  random.pick([
    () => (body[0] = random.pick([0, 1, 2, 3, 4, 5, 255])),
    () => (body[component] = random.int(0, 5)),
    () => (body[component + 1] = random.pick([0, 0x01, 0x10, 0x11, 0x22, 0x33, 0x44, 0xff])),
    () => (body[end] = random.pick([0, 1, 2, 5, 6, 63, 64, 255])),
    () => (body[end + 1] = random.pick([0, 1, 2, 5, 6, 62, 63, 64, 255])),
    () => (body[end + 2] = random.pick([0, 1, 2, 0x10, 0x21, 0x32, 0x31, 0x1d, 0xdd, 0xff])),
  ])()
})

const tableNumber = within(
  (part) => part.marker === DQT || part.marker === DHT,
  (body, random) => {
    body[0] = random.pick([0, 1, 2, 3, 4, 0x10, 0x11, 0x12, 0x13, 0x14, 0x20, 0xff])
  },
)

const huffmanCounts = within(is(DHT), (body, random) => {
  const [from, to] = [random.int(1, 16), random.int(1, 16)]
  const moved = random.chance(0.6)
  body[from] = Math.max((body[from] ?? 0) - 1, 0)
  body[to] = moved ? (body[to] ?? 0) + 1 : random.pick([0, 1, 2, 4, 100, 255])
})

const huffmanSymbols = within(is(DHT), (body, random) => {
  for (let i = random.int(1, 8); i > 0; i--) {
    if (body.length > 17)
      body[random.int(17, body.length - 1)] = random.pick([0, 0xf0, 0x0f, 0xff, 0xe0, 0x10, 0x0b, 0x1f, 0x5a])
  }
})

const resized = within(
  () => true,
  (body, random, part) => {
    const length = wrongNumber(random, body.length, 600)
    part.body = random.chance(0.5) ? body.slice(0, length) : concat(body, noise(random, length))
  },
)

const falseLength = within(
  () => true,
  (body, random, part) => {
    part.length = wrongNumber(random, body.length + 2)
  },
)

const restartInterval: PartsMutation = (parts, random) => {
  const interval: Part = {
    marker: DRI,
    body: Uint8Array.from(uint16(random.pick(EDGE_WORDS))),
    data: new Uint8Array(0),
  }
  const at = parts.findIndex(is(DRI))
  if (at >= 0 && random.chance(0.7)) return parts.with(at, interval)
  return parts.toSpliced(random.int(1, parts.length), 0, interval)
}

/** Damage to coded data: bits, blocks, markers in the wrong place. */
const codedData: PartsMutation = (parts, random, other) => {
  const scans = parts.filter((part) => part.data.length > 0)
  if (scans.length === 0) return parts
  const scan = random.pick(scans)
  const at = random.int(0, scan.data.length - 1)
  const [before, after] = [scan.data.subarray(0, at), scan.data.subarray(at)]
  scan.data = random.pick([
    () => random.pick(BYTE_MUTATIONS)(scan.data, random, () => random.pick(other()).data),
    () => random.pick(BYTE_MUTATIONS)(scan.data, random, () => random.pick(other()).data),
    () => concat(before, [0xff, 0xd0 + random.int(0, 7)], after),
    () => concat(before, [0xff, random.pick([0, 1, 0xff, 0xfe, 0xdc, 0xd9])], after),
    () =>
      scan.data.map((byte, i) => (scan.data[i - 1] === 0xff && byte >= 0xd0 ? random.int(0xd0, 0xd7) : byte)),
    () => before,
  ])()
  return parts
}

/** A second frame header, of another size, right after the first or anywhere. */
const secondFrame: PartsMutation = (parts, random) => {
  const at = parts.findIndex(isFrame)
  const frame = parts[at]
  if (!frame?.body) return parts
  const copy = { ...frame, body: frame.body.slice() }
  frameSize([copy], random)
  const places = [at, at + 1, random.int(0, parts.length)]
  return parts.toSpliced(random.pick(places), 0, copy)
}

const reordered: PartsMutation = (parts, random, other) => shuffled(parts, random, other())

/** Only tables, frames and scans: these meet the decoder rather than the check at the door. */
const reorderedTables: PartsMutation = (parts, random, other) => {
  const from = parts.findIndex(({ marker }) => marker === DQT || marker === DHT || marker === SOS)
  if (from < 0) return parts
  const end = parts.at(-1)?.marker === EOI ? parts.length - 1 : parts.length
  const middle = shuffled(parts.slice(from, end), random, other().slice(2))
  return [...parts.slice(0, from), ...middle, ...parts.slice(end)]
}

const moreScans: PartsMutation = (parts, random) => {
  const scans = parts.filter(is(SOS))
  const last = parts.findLastIndex(is(SOS))
  if (last < 0) return parts
  const most = Math.ceil(100_000 / Math.max(...scans.map(({ data }) => data.length), 1))
  const more = Array.from({ length: Math.min(random.pick([1, 2, 10, 100]), most) }, () => random.pick(scans))
  return parts.toSpliced(last + 1, 0, ...more)
}

const garbage: PartsMutation = (parts, random) => {
  const part = random.pick(parts)
  const between = random.chance(0.5) ? new Uint8Array(random.int(1, 9)).fill(0xff) : noise(random, 5)
  part.data = concat(part.data, between)
  return parts
}

const cutWithEnding: PartsMutation = (parts, random) => {
  const whole = assemble(parts)
  const cut = parse(whole.slice(0, random.int(0, whole.length)))
  return [...cut, { marker: EOI, data: new Uint8Array(0) }]
}

const MUTATIONS: readonly PartsMutation[] = [
  frameSize,
  frameSize,
  frameField,
  frameField,
  scanField,
  scanField,
  tableNumber,
  huffmanCounts,
  huffmanSymbols,
  within(is(DQT), someByte),
  within(() => true, someByte),
  resized,
  falseLength,
  restartInterval,
  codedData,
  codedData,
  codedData,
  secondFrame,
  reordered,
  reorderedTables,
  reorderedTables,
  moreScans,
  garbage,
  cutWithEnding,
]

/** Damage that knows what a JPEG is made of. */
export const mutateJpeg: Mutation = (bytes, random, other) => {
  const parts = parse(bytes)
  if (parts.length === 0) return bytes
  return assemble(random.pick(MUTATIONS)(parts, random, () => parse(other())))
}
