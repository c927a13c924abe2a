/** JPEGs of random coefficients, for the layouts that no encoder at hand writes. */

import { bytesOf, concat, joined, uint16 } from '../fixtures/bytes.ts'
import { segment } from '../fixtures/containers.ts'
import type { Random } from '../fixtures/random.ts'

/** The layout of a JPEG. */
export interface JpegLayout {
  width: number
  height: number
  /** How often each component is sampled across and down: two numbers per component. */
  sampling: readonly number[]
  /** Units of the scan between restart markers. */
  restart?: number
  /** One scan of all components, or one scan for each. */
  scans?: 'all' | 'each'
  /** Quantization values of 16 bits. */
  wideTables?: boolean
}

interface Component {
  id: number
  across: number
  down: number
}

const SIZES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const END_OF_BLOCK = 0
/** Runs of 0–15 zeroes before a value of 1–10 bits, the end of a block, and 16 zeroes. */
const RUN_SIZES = [
  END_OF_BLOCK,
  0xf0,
  ...Array.from({ length: 160 }, (_, i) => (Math.floor(i / 10) << 4) | ((i % 10) + 1)),
]

/** A sound JPEG; its Huffman codes are all of one length, which no decoder can tell from better ones. */
export function randomJpeg(random: Random, layout: JpegLayout): Uint8Array {
  const components: Component[] = []
  for (let i = 0; i < layout.sampling.length; i += 2) {
    components.push({ id: i / 2 + 1, across: layout.sampling[i] ?? 1, down: layout.sampling[i + 1] ?? 1 })
  }
  const frame = components.flatMap(({ id, across, down }) => [id, (across << 4) | down, 0])
  const scans = layout.scans === 'each' ? components.map((component) => [component]) : [components]
  return concat(
    [0xff, 0xd8],
    segment(0xe0, bytesOf('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    segment(0xdb, quantizers(random, layout.wideTables ?? false)),
    segment(0xc1, [8, ...uint16(layout.height), ...uint16(layout.width), components.length, ...frame]),
    segment(0xc4, [0, ...Array.from({ length: 16 }, (_, i) => (i === 3 ? SIZES.length : 0)), ...SIZES]),
    segment(0xc4, [
      16,
      ...Array.from({ length: 16 }, (_, i) => (i === 7 ? RUN_SIZES.length : 0)),
      ...RUN_SIZES,
    ]),
    layout.restart ? segment(0xdd, uint16(layout.restart)) : [],
    ...scans.flatMap((scan) => [
      segment(0xda, [scan.length, ...scan.flatMap(({ id }) => [id, 0]), 0, 63, 0]),
      scanData(random, layout, components, scan),
    ]),
    [0xff, 0xd9],
  )
}

/** A JPEG without its DHT segments: a frame of Motion JPEG, if its tables are those of the standard. */
export function withoutHuffmanTables(jpeg: Uint8Array): Uint8Array {
  const parts = [jpeg.subarray(0, 2)]
  let at = 2
  while (jpeg[at + 1] !== 0xda) {
    const end = at + 2 + (jpeg[at + 2] ?? 0) * 256 + (jpeg[at + 3] ?? 0)
    if (jpeg[at + 1] !== 0xc4) parts.push(jpeg.subarray(at, end))
    at = end
  }
  return joined([...parts, jpeg.subarray(at)])
}

function quantizers(random: Random, wide: boolean): number[] {
  const values = Array.from({ length: 64 }, () => (wide ? random.int(1, 300) : random.int(1, 24)))
  return [wide ? 16 : 0, ...values.flatMap((value) => (wide ? uint16(value) : [value]))]
}

function scanData(
  random: Random,
  { width, height, restart = 0 }: JpegLayout,
  components: readonly Component[],
  scan: readonly Component[],
): Uint8Array {
  const most = (key: 'across' | 'down') => Math.max(...components.map((component) => component[key]))
  const [only] = scan
  // The units of a scan of one component are its own blocks; else each holds all blocks of one place.
  const alone = scan.length === 1 && only
  const columns = alone
    ? Math.ceil(Math.ceil((width * only.across) / most('across')) / 8)
    : Math.ceil(width / (8 * most('across')))
  const rows = alone
    ? Math.ceil(Math.ceil((height * only.down) / most('down')) / 8)
    : Math.ceil(height / (8 * most('down')))

  const parts: ArrayLike<number>[] = []
  let bits = bitWriter()
  let levels = scan.map(() => 0)
  for (let unit = 0; unit < columns * rows; unit++) {
    if (restart > 0 && unit > 0 && unit % restart === 0) {
      parts.push(bits.end(), [0xff, 0xd0 + ((unit / restart - 1) % 8)])
      bits = bitWriter()
      levels = scan.map(() => 0)
    }
    for (const [i, { across, down }] of scan.entries()) {
      for (let block = 0; block < (alone ? 1 : across * down); block++) {
        levels[i] = writeBlock(random, bits, levels[i] ?? 0)
      }
    }
  }
  return joined([...parts, bits.end()])
}

/** Writes one block and returns its level, from which the next one counts. */
function writeBlock(random: Random, bits: ReturnType<typeof bitWriter>, level: number): number {
  const next = random.chance(0.5) ? level : random.int(-60, 60)
  writeCoefficient(bits, 4, (size) => size, next - level)
  let at = 1
  while (random.chance(0.7)) {
    const run = random.chance(0.9) ? random.int(0, 5) : random.int(0, 15)
    if (at + run > 63) break
    const value = random.chance(0.9) ? random.pick([-3, -2, -1, 1, 2, 3]) : random.pick([-40, 25, 17])
    writeCoefficient(bits, 8, (size) => RUN_SIZES.indexOf((run << 4) | size), value)
    at += run + 1
  }
  if (at < 64) bits.write(END_OF_BLOCK, 8)
  return next
}

function writeCoefficient(
  bits: ReturnType<typeof bitWriter>,
  codeLength: number,
  codeOf: (size: number) => number,
  value: number,
): void {
  const size = 32 - Math.clz32(Math.abs(value))
  bits.write(codeOf(size), codeLength)
  bits.write(value < 0 ? value + (1 << size) - 1 : value, size)
}

/** Packs bits, the high ones first, with a zero byte after each 255; the end is filled with ones. */
function bitWriter() {
  const out: number[] = []
  let held = 0
  let count = 0
  const write = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) {
      held = (held << 1) | ((value >> bit) & 1)
      count += 1
      if (count < 8) continue
      out.push(held, ...(held === 255 ? [0] : []))
      held = 0
      count = 0
    }
  }
  const end = () => {
    if (count > 0) write(255, 8 - count)
    return out
  }
  return { write, end }
}
