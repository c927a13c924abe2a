/** Damage to WebPs: chunk sizes, canvas, frames, and the headers of both codings. */

import { bytesOf, concat, joined, uint32 } from '../fixtures/bytes.ts'
import type { Random } from '../fixtures/random.ts'
import { BYTE_MUTATIONS, type Mutation, noise, put, shuffled, wrongNumber } from './bytes.ts'

interface Chunk {
  type: string
  body: Uint8Array
  /** The size that the file claims, where it is a lie. */
  size?: number
  /** An odd body without the byte that makes it even. */
  unpadded?: boolean
}

const HEADER_BYTES = 12
const FRAME_BYTES = 16

function parse(bytes: Uint8Array): Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const chunks: Chunk[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = view.getUint32(at + 4, true)
    const type = String.fromCharCode(...bytes.subarray(at, at + 4))
    chunks.push({ type, body: bytes.slice(at + 8, at + 8 + size) })
    at += 8 + size + (size & 1)
  }
  return chunks
}

function little(n: number): number[] {
  return uint32(n).reverse()
}

function assembleChunks(chunks: readonly Chunk[]): Uint8Array {
  return joined(
    chunks.flatMap(({ type, body, size, unpadded }) => [
      bytesOf(type),
      little(size ?? body.length),
      body,
      body.length % 2 === 1 && !unpadded ? [0] : [],
    ]),
  )
}

function assemble(chunks: readonly Chunk[], size?: number): Uint8Array {
  const body = assembleChunks(chunks)
  return concat(bytesOf('RIFF'), little(size ?? body.length + 4), bytesOf('WEBP'), body)
}

type ChunksMutation = (chunks: Chunk[], random: Random, other: () => Chunk[]) => Chunk[]

/** Damage to one chunk of a type, wherever it stands. */
function within(
  types: readonly string[] | undefined,
  change: (chunk: Chunk, random: Random) => void,
): ChunksMutation {
  return (chunks, random) => {
    const chosen = chunks.filter(({ type }) => types === undefined || types.includes(type))
    if (chosen.length > 0) change(random.pick(chosen), random)
    return chunks
  }
}

function setNumber(body: Uint8Array, at: number, bytes: 2 | 3, random: Random, largest: number): void {
  const old = (body[at] ?? 0) | ((body[at + 1] ?? 0) << 8)
  const wrong = wrongNumber(random, old, random.chance(0.7) ? 2000 : largest)
  put(body, at, little(wrong).slice(0, bytes))
}

const canvas = within(['VP8X'], ({ body }, random) =>
  setNumber(body, random.pick([4, 7]), 3, random, 0xffffff),
)

const canvasFlags = within(['VP8X'], ({ body }, random) => {
  body[0] = (body[0] ?? 0) ^ (1 << random.int(0, 7))
})

/** The size, the scale, the start code and the length of the first partition. */
const lossyHeader = within(['VP8 '], ({ body }, random) => {
  random.pick([
    () => setNumber(body, random.pick([6, 8]), 2, random, 0xffff),
    () => setNumber(body, random.pick([6, 8]), 2, random, 0x3fff),
    () => setNumber(body, 0, 3, random, 0xffffff),
    () => put(body, random.int(0, 30), [random.int(0, 255)]),
  ])()
})

/** Signature, size in 14 bits each, alpha, version; then the transforms. */
const losslessHeader = within(['VP8L'], ({ body }, random) => {
  const at = random.int(0, random.chance(0.5) ? 4 : 24)
  body[at] = random.chance(0.5) ? (body[at] ?? 0) ^ (1 << random.int(0, 7)) : random.int(0, 255)
})

const alphaHeader = within(['ALPH'], ({ body }, random) => {
  body[0] = random.int(0, 255)
})

const coded = within(['VP8 ', 'VP8L', 'ALPH', 'ANMF'], (chunk, random) => {
  chunk.body = random.pick(BYTE_MUTATIONS)(chunk.body, random, () => chunk.body)
})

const falseSize = within(undefined, (chunk, random) => {
  const huge = random.pick([0x7fffffff, 0xfffffff0, 0xfffffff6, 0xfffffffe, 0xffffffff])
  chunk.size = random.chance(0.3) ? huge : wrongNumber(random, chunk.body.length)
})

const unpadded = within(undefined, (chunk, random) => {
  chunk.body = chunk.body.slice(0, chunk.body.length - random.int(0, 1))
  chunk.unpadded = true
})

const retyped = within(undefined, (chunk, random) => {
  chunk.type = random.pick(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP ', 'abcd'])
})

const insertChunk: ChunksMutation = (chunks, random) => {
  const type = random.pick(['VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP ', 'abcd'])
  const body = noise(random, random.pick([0, 1, 6, 10, 16, 17, 200]))
  return chunks.toSpliced(random.int(0, chunks.length), 0, { type, body })
}

const reordered: ChunksMutation = (chunks, random, other) => shuffled(chunks, random, other())

/** The place and size of a frame of an animation, or the chunks inside of it. */
const frame = within(['ANMF'], (chunk, random) => {
  if (random.chance(0.5)) {
    setNumber(chunk.body, random.pick([0, 3, 6, 9]), 3, random, 0xffffff)
    return
  }
  const inner = random.pick(STILL_MUTATIONS)(parse(chunk.body.subarray(FRAME_BYTES)), random, () => [])
  chunk.body = concat(chunk.body.subarray(0, FRAME_BYTES), assembleChunks(inner))
})

/** A canvas around a still picture, right or wrong. */
const wrapped: ChunksMutation = (chunks, random) => {
  if (chunks.some(({ type }) => type === 'VP8X')) return chunks
  const body = noise(random, 10)
  body.set([random.pick([0, 0x10, 2, 0x3c]), 0, 0, 0, random.int(0, 90), 0, 0, random.int(0, 90), 0, 0])
  return [{ type: 'VP8X', body }, ...chunks]
}

const STILL_MUTATIONS: readonly ChunksMutation[] = [
  lossyHeader,
  losslessHeader,
  lossyHeader,
  losslessHeader,
  alphaHeader,
  coded,
  falseSize,
  unpadded,
  retyped,
  insertChunk,
  reordered,
]

const MUTATIONS: readonly ChunksMutation[] = [
  ...STILL_MUTATIONS,
  coded,
  canvas,
  canvas,
  canvasFlags,
  frame,
  frame,
  wrapped,
]

/** Damage that knows what a WebP is made of. */
export const mutateWebp: Mutation = (bytes, random, other) => {
  if (bytes.length < HEADER_BYTES) return bytes
  const chunks = parse(bytes.subarray(HEADER_BYTES))
  if (random.chance(0.08)) return assemble(chunks, wrongNumber(random, bytes.length - 8))
  if (random.chance(0.1))
    return assemble(parse(bytes.slice(HEADER_BYTES, random.int(HEADER_BYTES, bytes.length))))
  const mutate = random.pick(MUTATIONS)
  return assemble(mutate(chunks, random, () => parse(other().subarray(HEADER_BYTES))))
}
