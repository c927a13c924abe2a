/** Damage to PNGs: headers, palettes, recompressed rows, and chunks with corrected checksums. */

import { deflateSync, inflateSync } from 'node:zlib'
import { bytesOf, concat, joined, uint32 } from '../fixtures/bytes.ts'
import { type PngHeader, rowLengths } from '../fixtures/png.ts'
import type { Random } from '../fixtures/random.ts'
import { BYTE_MUTATIONS, EDGE_BYTES, type Mutation, noise, shuffled, wrongNumber } from './bytes.ts'
import { assemblePng, headerOf, type PngChunk, parsePng, png } from './seed-rows.ts'

const KINDS = [
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
  [0, 16],
  [2, 8],
  [2, 16],
  [3, 1],
  [3, 2],
  [3, 4],
  [3, 8],
  [4, 8],
  [4, 16],
  [6, 8],
  [6, 16],
] as const

type ChunksMutation = (chunks: PngChunk[], random: Random, other: () => PngChunk[]) => PngChunk[]

/** A change of one chunk of a type, whose checksum is then corrected. */
function within(
  type: string | undefined,
  change: (body: Uint8Array, random: Random) => Uint8Array,
): ChunksMutation {
  return (chunks, random) => {
    const chosen = chunks.filter((chunk) => type === undefined || chunk.type === type)
    if (chosen.length === 0) return chunks
    const chunk = random.pick(chosen)
    return chunks.with(chunks.indexOf(chunk), { ...chunk, body: change(chunk.body, random) })
  }
}

const headerField = within('IHDR', (body, random) => {
  const out = body.slice()
  if (out.length < 13) return out
  const [depth, type] = random.chance(0.6)
    ? random.pick<readonly [number, number]>(KINDS.map(([kind, bits]) => [bits, kind]))
    : [random.pick([0, 1, 3, 8, 16, 32, 255]), random.int(0, 8)]
  random.pick([
    () => out.set([depth, type], 8),
    () => out.set([random.int(0, 2)], 12),
    () => out.set([random.pick(EDGE_BYTES)], random.int(10, 12)),
  ])()
  return out
})

const headerSize = within('IHDR', (body, random) => {
  const out = body.slice()
  if (out.length < 13) return out
  const at = random.pick([0, 4])
  const size = new DataView(out.buffer).getUint32(at)
  const largest = random.chance(0.8) ? 3000 : 0x7fffffff
  out.set(
    uint32(random.chance(0.1) ? random.pick([0x80000000, 0xffffffff]) : wrongNumber(random, size, largest)),
    at,
  )
  return out
})

const secondHeader: ChunksMutation = (chunks, random) => {
  const header = chunks.find(({ type }) => type === 'IHDR')
  if (!header) return chunks
  const [copy = header] = headerSize([header], random, () => [])
  return chunks.toSpliced(random.pick([0, 1, random.int(0, chunks.length)]), 0, copy)
}

/** Rows damaged before they are compressed again, sometimes in several chunks. */
function rows(change: (raw: Uint8Array, random: Random, header: PngHeader) => Uint8Array): ChunksMutation {
  return (chunks, random) => {
    const header = headerOf(chunks)
    const at = chunks.findIndex(({ type }) => type === 'IDAT')
    if (!header || at < 0) return chunks
    const raw = inflated(joined(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body)))
    const data = deflateSync(change(raw, random, header), { level: random.pick([0, 1, 6]) })
    const rest = chunks.filter(({ type }) => type !== 'IDAT')
    return rest.toSpliced(at, 0, ...inPieces(data, random))
  }
}

function inflated(data: Uint8Array): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: 32 << 20 })
  } catch {
    return new Uint8Array(1000)
  }
}

function inPieces(data: Uint8Array, random: Random): PngChunk[] {
  if (random.chance(0.6)) return [{ type: 'IDAT', body: data }]
  const cuts = Array.from({ length: random.int(1, 9) }, () => random.int(0, data.length)).sort(
    (a, b) => a - b,
  )
  return [0, ...cuts].map((from, i) => ({ type: 'IDAT', body: data.slice(from, cuts[i] ?? data.length) }))
}

const filterBytes = rows((raw, random, header) => {
  const out = raw.slice()
  if (header.width > 5000 || header.height > 5000) return out
  const wrong = random.chance(0.3)
  let at = 0
  for (const length of rowLengths(header)) {
    if (at < out.length && random.chance(0.5))
      out[at] = wrong && random.chance(0.1) ? random.int(0, 255) : random.int(0, 4)
    at += length + 1
  }
  return out
})

const rowBytes = rows((raw, random) => {
  const out = random.pick(BYTE_MUTATIONS)(raw, random, () => raw)
  return out.length > 0 ? out : raw
})

const rowsLonger = rows((raw, random) => concat(raw, noise(random, random.pick([1, 2, 50, 5000, 100_000]))))

const rowsShorter = rows((raw, random) => raw.slice(0, Math.max(raw.length - random.int(1, 60), 0)))

/** One byte repeated without an end: small when compressed. */
const rowsWithoutEnd = rows((raw) => concat(raw, new Uint8Array(2 << 20)))

const palette = within('PLTE', (body, random) => body.slice(0, random.pick([0, 1, 2, 3, 6, body.length - 3])))

const longPalette = within('PLTE', (body, random) =>
  concat(body, noise(random, random.pick([1, 3, 300, 768]))),
)

const insertChunk: ChunksMutation = (chunks, random) => {
  const type = random.pick([
    'tRNS',
    'PLTE',
    'gAMA',
    'iCCP',
    'eXIf',
    'acTL',
    'fdAT',
    'CgBI',
    'abcd',
    'ABCD',
    'IDAT',
  ])
  const body = noise(random, random.pick([0, 1, 2, 3, 6, 32, 256, 257, 768]))
  return chunks.toSpliced(random.int(0, chunks.length), 0, { type, body })
}

const someBody = (body: Uint8Array, random: Random) => random.pick(BYTE_MUTATIONS)(body, random, () => body)

const falseLength: ChunksMutation = (chunks, random) => {
  const chunk = random.pick(chunks)
  const length = random.chance(0.3)
    ? random.pick([0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff4])
    : wrongNumber(random, chunk.body.length)
  return chunks.with(chunks.indexOf(chunk), { ...chunk, length })
}

const falseChecksum: ChunksMutation = (chunks, random) => {
  const chunk = random.pick(chunks)
  return chunks.with(chunks.indexOf(chunk), { ...chunk, checksum: random.int(0, 0xffff) })
}

const falseType: ChunksMutation = (chunks, random) => {
  const chunk = random.pick(chunks)
  const type = String.fromCharCode(...someBody(bytesOf(chunk.type), random)).padEnd(4, 'x')
  return chunks.with(chunks.indexOf(chunk), { ...chunk, type: type.slice(0, 4) })
}

const reordered: ChunksMutation = (chunks, random, other) => shuffled(chunks, random, other())

const cutWithEnding: ChunksMutation = (chunks, random) => {
  const at = random.int(0, chunks.length - 1)
  const half = chunks[at]
  const cut = half ? [{ ...half, body: half.body.slice(0, random.int(0, half.body.length)) }] : []
  return [...chunks.slice(0, at), ...cut, { type: 'IEND', body: new Uint8Array(0) }]
}

/** Another sound picture altogether, of any kind and an odd size: what must be rendered. */
const anew: ChunksMutation = (_, random) => {
  const [colourType, depth] = random.pick<readonly [number, number]>(KINDS)
  const [width, height] = [random.int(1, 40), random.int(1, 40)]
  return parsePng(
    png(random, {
      width,
      height,
      colourType,
      depth,
      interlaced: random.chance(0.5),
      transparent: random.chance(0.5),
    }),
  )
}

const MUTATIONS: readonly ChunksMutation[] = [
  headerField,
  headerField,
  headerSize,
  headerSize,
  secondHeader,
  filterBytes,
  filterBytes,
  rowBytes,
  rowBytes,
  rowsLonger,
  rowsShorter,
  rowsWithoutEnd,
  palette,
  longPalette,
  within('tRNS', (body, random) => body.slice(0, random.int(0, body.length))),
  within('IDAT', someBody),
  within(undefined, someBody),
  insertChunk,
  insertChunk,
  falseLength,
  falseChecksum,
  falseType,
  reordered,
  reordered,
  cutWithEnding,
  anew,
]

/** Damage that knows what a PNG is made of. */
export const mutatePng: Mutation = (bytes, random, other) => {
  const chunks = parsePng(bytes)
  if (chunks.length === 0) return bytes
  return assemblePng(random.pick(MUTATIONS)(chunks, random, () => parsePng(other())))
}
