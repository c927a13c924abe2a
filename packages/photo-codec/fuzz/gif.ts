/** Damage to GIFs: screen, frames, palettes, code sizes and the blocks of coded data. */

import { concat, joined } from '../fixtures/bytes.ts'
import type { Random } from '../fixtures/random.ts'
import { BYTE_MUTATIONS, type Mutation, noise, put, shuffled, wrongNumber } from './bytes.ts'

interface Block {
  /** The bytes before the coded data: an extension's label, or an image's descriptor, palette and code size. */
  head: Uint8Array
  /** The data without the lengths of its sub-blocks; missing in the trailer. */
  data?: Uint8Array
  /** The lengths of the sub-blocks, repeated to the end of the data; 255 unless given. */
  lengths?: readonly number[]
  /** The sub-block of no length that ends the data is left out. */
  open?: boolean
}

interface Gif {
  /** Signature, screen descriptor and global palette. */
  screen: Uint8Array
  blocks: Block[]
}

const IMAGE = 0x2c
const EXTENSION = 0x21
const TRAILER: Block = { head: Uint8Array.of(0x3b) }
const DESCRIPTOR_BYTES = 10

function paletteBytes(flags: number): number {
  return flags & 0x80 ? 3 * (2 << (flags & 7)) : 0
}

/** Takes a file apart, as far as it can be followed. */
function parse(bytes: Uint8Array): Gif {
  let at = 13 + paletteBytes(bytes[10] ?? 0)
  const screen = bytes.slice(0, at)
  const blocks: Block[] = []
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind !== IMAGE && kind !== EXTENSION) {
      blocks.push({ head: bytes.slice(at) })
      break
    }
    const headBytes = kind === EXTENSION ? 2 : DESCRIPTOR_BYTES + paletteBytes(bytes[at + 9] ?? 0) + 1
    const head = bytes.slice(at, at + headBytes)
    at += headBytes
    const pieces: Uint8Array[] = []
    for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
      pieces.push(bytes.subarray(at + 1, at + 1 + length))
      at += 1 + length
    }
    at += 1
    blocks.push({ head, data: joined(pieces) })
  }
  return { screen, blocks }
}

function assemble({ screen, blocks }: Gif): Uint8Array {
  return joined([screen, ...blocks.map(({ head, ...rest }) => concat(head, subBlocks(rest)))])
}

function subBlocks({ data, lengths = [255], open }: Omit<Block, 'head'>): Uint8Array {
  if (!data) return new Uint8Array(0)
  const parts: ArrayLike<number>[] = []
  for (let at = 0, i = 0; at < data.length; i++) {
    const piece = data.subarray(at, at + (lengths[i % lengths.length] ?? 255))
    parts.push([piece.length], piece)
    at += Math.max(piece.length, 1)
  }
  if (!open) parts.push([0])
  return joined(parts)
}

type GifMutation = (gif: Gif, random: Random, other: () => Gif) => Gif

/** Damage to one image block, or to one extension. */
function within(kind: number, change: (block: Block, random: Random, gif: Gif) => void): GifMutation {
  return (gif, random) => {
    const chosen = gif.blocks.filter(({ head }) => head[0] === kind)
    if (chosen.length > 0) change(random.pick(chosen), random, gif)
    return gif
  }
}

function setShort(bytes: Uint8Array, at: number, random: Random, largest: number): void {
  const size = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  const wrong = wrongNumber(random, size, largest)
  put(bytes, at, [wrong & 255, wrong >> 8])
}

const screenSize: GifMutation = (gif, random) => {
  setShort(gif.screen, random.pick([6, 8]), random, random.chance(0.8) ? 2000 : 0xffff)
  return gif
}

/** Flags, background, aspect ratio: a flag that changes moves everything after the palette. */
const screenFlags: GifMutation = (gif, random) => {
  put(gif.screen, random.int(10, 12), [random.int(0, 255)])
  return gif
}

const framePlace = within(IMAGE, ({ head }, random) => {
  setShort(head, random.pick([1, 3, 5, 7]), random, random.chance(0.8) ? 300 : 0xffff)
})

const frameFlags = within(IMAGE, ({ head }, random) => {
  head[9] = (head[9] ?? 0) ^ random.pick([0x40, 0x40, 0x80, 0x20, 1, 2, 7])
})

const codeSize = within(IMAGE, ({ head }, random) => {
  head[head.length - 1] = random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 32, 255])
})

const localPalette = within(IMAGE, (block, random) => {
  const flags = 0x80 | random.int(0, 7)
  const descriptor = block.head.slice(0, DESCRIPTOR_BYTES)
  descriptor[9] = ((descriptor[9] ?? 0) & 0x40) | flags
  block.head = concat(descriptor, noise(random, paletteBytes(flags)), block.head.subarray(-1))
})

const noPalette: GifMutation = (gif) => {
  gif.screen = gif.screen.slice(0, 13)
  gif.screen[10] = (gif.screen[10] ?? 0) & 0x7f
  return gif
}

/** Another palette, often too short for the codes. */
const otherPalette: GifMutation = (gif, random) => {
  const flags = 0x80 | random.int(0, 7)
  gif.screen = concat(gif.screen.subarray(0, 13), noise(random, paletteBytes(flags)))
  gif.screen[10] = flags
  return gif
}

const codes = within(IMAGE, (block, random, gif) => {
  const data = block.data ?? new Uint8Array(0)
  const other = () => random.pick(gif.blocks).data ?? data
  block.data = random.pick([
    () => random.pick(BYTE_MUTATIONS)(data, random, other),
    () => random.pick(BYTE_MUTATIONS)(data, random, other),
    () => noise(random, random.int(1, 2000)),
    () => new Uint8Array(random.int(1, 2000)).fill(random.pick([0, 0x11, 0x55, 0xaa, 0xff])),
    () => concat(data, noise(random, random.int(1, 2000))),
    () => data.slice(0, random.int(0, data.length)),
  ])()
})

const blockLengths = within(IMAGE, (block, random) => {
  block.lengths = Array.from({ length: random.int(1, 4) }, () => random.pick([1, 2, 3, 17, 128, 254, 255]))
  if (random.chance(0.2)) block.lengths = [...block.lengths, 0]
  block.open = random.chance(0.2)
})

const extension = within(EXTENSION, (block, random) => {
  const data = block.data ?? new Uint8Array(0)
  random.pick([
    () => (block.head[1] = random.pick([0xf9, 0xff, 0xfe, 0x01, 0])),
    () => (block.data = random.pick(BYTE_MUTATIONS)(data, random, () => data)),
    () => (block.data = data.map((byte, i) => (i === 0 ? byte ^ random.int(0, 255) : byte))),
    () => (block.data = data.map((byte, i) => (i === 3 ? random.int(0, 255) : byte))),
  ])()
})

const insertExtension: GifMutation = (gif, random) => {
  const head = Uint8Array.of(EXTENSION, random.pick([0xf9, 0xff, 0xfe, 0x01, 0]))
  const data = noise(random, random.pick([0, 1, 4, 5, 11, 14, 300]))
  return { ...gif, blocks: gif.blocks.toSpliced(random.int(0, gif.blocks.length), 0, { head, data }) }
}

const reordered: GifMutation = ({ screen, blocks }, random, other) => ({
  screen,
  blocks: shuffled(blocks, random, other().blocks),
})

/** A frame of the same data but another place, before or after the sound one. */
const secondFrame: GifMutation = (gif, random) => {
  const at = gif.blocks.findIndex(({ head }) => head[0] === IMAGE)
  const frame = gif.blocks[at]
  if (!frame) return gif
  const copy = { ...frame, head: frame.head.slice() }
  setShort(copy.head, random.pick([1, 3, 5, 7]), random, 300)
  return { ...gif, blocks: gif.blocks.toSpliced(at + random.int(0, 1), 0, copy) }
}

const cutWithEnding: GifMutation = (gif, random) => {
  const whole = assemble(gif)
  const cut = parse(whole.slice(0, random.int(13, whole.length)))
  return { ...cut, blocks: [...cut.blocks, TRAILER] }
}

const MUTATIONS: readonly GifMutation[] = [
  screenSize,
  screenFlags,
  framePlace,
  framePlace,
  frameFlags,
  codeSize,
  codeSize,
  localPalette,
  noPalette,
  otherPalette,
  codes,
  codes,
  codes,
  blockLengths,
  extension,
  insertExtension,
  reordered,
  secondFrame,
  cutWithEnding,
]

/** Damage that knows what a GIF is made of. */
export const mutateGif: Mutation = (bytes, random, other) => {
  if (bytes.length < 13) return bytes
  return assemble(random.pick(MUTATIONS)(parse(bytes), random, () => parse(other())))
}
