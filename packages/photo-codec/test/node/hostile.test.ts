import { describe, expect, it } from 'vitest'
import { bytesOf, concat, uint24, uint32 } from '../../fixtures/bytes.ts'
import {
  assemblePng,
  pngChunk,
  profileSegments,
  riff,
  riffChunk,
  segment,
} from '../../fixtures/containers.ts'
import { edit, insert, set } from '../../fixtures/edits.ts'
import { encodeProfile } from '../../fixtures/profile.ts'
import { sample } from '../../fixtures/samples.ts'
import { PhotoError } from '../../src/errors.ts'
import { processPhoto } from '../../src/process.ts'
import { PLAIN } from '../rendering.ts'

/** Longest that a file may be worked on, in milliseconds of the processor; all but a few need less than a tenth of it. */
const PATIENCE = 5000
const PIECES = 3 << 20

/** A piece again and again until there are so many bytes. */
const repeated = (piece: ArrayLike<number>, bytes = PIECES) =>
  new Uint8Array(Buffer.alloc(Math.floor(bytes / piece.length) * piece.length, Uint8Array.from(piece)))

const empty = new Uint8Array(0)
const png = (width: number, height: number, rest: number[], data: Uint8Array) =>
  assemblePng([pngChunk('IHDR', concat(uint32(width), uint32(height), rest)), pngChunk('IDAT', data)])
const jpeg = (bytes: ArrayLike<number>) => edit('jpeg/baseline-420.jpg', insert(2, bytes))
/** A first marker makes the file a JPEG. */
const between = (...piece: number[]) => jpeg(concat([0xff, 0x01], repeated(piece)))

const [GIF_FRAME, GIF_CODE_SIZE] = [213, 223]
const ends = (count: number, first: number[]) => ({ counts: [count, ...new Uint8Array(15)], symbols: first })
const table = (number: number, { counts, symbols }: ReturnType<typeof ends>) =>
  segment(0xc4, Uint8Array.from([number, ...counts, ...symbols]))

/** A scan of one coefficient of a grey progressive JPEG of 5120 × 5120 pixels, in which every block is empty. */
function scan(at: number, high: number, low: number): Uint8Array {
  const blocks = (5120 / 8) ** 2
  // Difference 0 is one bit, and so is the end of a band of 2^14 blocks, before 14 zeros for no more than that.
  const bits = at === 0 ? blocks : (blocks / 2 ** 14) * 15
  const header = segment(0xda, Uint8Array.of(1, 1, 0, at, at, high * 16 + low))
  return concat(header, new Uint8Array(Math.ceil(bits / 8)))
}

/** Many scans, all allowed by the standard. Each has a few bytes but makes a decoder process the whole picture. */
const bomb = (scans: readonly Uint8Array[]) =>
  concat(
    [0xff, 0xd8],
    segment(0xdb, concat([0], new Uint8Array(64).fill(1))),
    segment(0xc2, Uint8Array.of(8, 0x14, 0, 0x14, 0, 1, 1, 0x11, 0)),
    table(0, ends(1, [0])),
    table(16, ends(1, [0xe0])),
    ...scans,
    [0xff, 0xd9],
  )
const bits = Array.from({ length: 14 }, (_, i) => 13 - i)
const bandByBand = () =>
  bomb(
    Array.from({ length: 64 }, (_, at) => bits.map((bit) => scan(at, bit === 13 ? 0 : bit + 1, bit))).flat(),
  )

/** Bits in the order in which they are read, as bytes. */
const packed = (read: string) =>
  (read.replaceAll(' ', '').match(/.{8}/g) ?? []).map((byte) =>
    Number.parseInt([...byte].reverse().join(''), 2),
  )

/**
 * A block of 101 bits with codes of its own and one match of 258 bytes. Of the symbols, 256 (the end, code 0) and 285 (the
 * match, code 1) are used, and distance 0 (code 0): sizes are told as 138, 118, 1, 28 zeros (1 and how many), 1 and 1 (0).
 */
const DESCRIBED_BLOCK = [
  '0 01 10111 00000 0111',
  '000 000 100 000 000 000 000 000 000 000 000 000 000 000 000 000 000 100',
  '1 1111111 1 1101011 0 1 1000100 0 0',
  '1 0 0',
].join('')

/** Ten curves of 32,768 samples for one table: all in the same place. */
function overlappingCurves(): Uint8Array {
  const curve = concat(bytesOf('curv\0\0\0\0'), uint32(32_768), repeated([0x40, 1], 65_536))
  const grid = concat(new Array(4).fill(2), new Uint8Array(12), [1, 0, 0, 0], new Uint8Array(48))
  const at = [32 + grid.length, 0, 32 + grid.length, 32, 32 + grid.length].map(uint32)
  const element = concat(bytesOf('mAB \0\0\0\0'), [4, 3, 0, 0], ...at, grid, ...new Array(4).fill(curve))
  const parts = { space: 'CMYK', connection: 'Lab ', version: 4 } as const
  const profile = encodeProfile({ ...parts, elements: [['A2B0', element]] })
  return edit('jpeg/cmyk.jpg', insert(2, concat(...profileSegments(profile))))
}

const HOSTILE: [name: string, make: () => Uint8Array][] = [
  ['empty IDATs', () => edit('png/filter-up.png', insert(33, repeated(pngChunk('IDAT', empty))))],
  ['empty texts', () => edit('png/filter-up.png', insert(33, repeated(pngChunk('tEXt', empty))))],
  [
    'empty stored blocks',
    () => png(21, 17, [8, 2, 0, 0, 0], concat([0x78, 0x9c], repeated([0, 0, 0, 0xff, 0xff]))),
  ],
  [
    // First a zero in a block with the fixed codes; an empty stored block fills up to the next byte.
    'blocks with codes of their own',
    () => {
      const blocks = repeated(packed(DESCRIBED_BLOCK.replaceAll(' ', '').repeat(8)), 2_020_000)
      const data = concat(
        [0x78, 0x9c],
        packed(`010001100000000000${'0'.repeat(6)}`),
        [0, 0, 0xff, 0xff],
        blocks,
        [3, 0],
      )
      return png(8000, 2500, [8, 4, 0, 0, 0], data)
    },
  ],
  [
    // Eight blocks with the fixed codes, of one match of 16 bytes each, one byte back; the very first one a zero.
    'blocks of 16 bytes',
    () => {
      const blocks = repeated(packed('010 0001011 1 00000 0000000'.repeat(8)))
      return png(4000, 4000, [8, 0, 0, 0, 0], concat([0x78, 1, 0, 1, 0, 0xfe, 0xff, 0], blocks, [3, 0]))
    },
  ],
  ['empty segments', () => jpeg(repeated(segment(0xef, empty)))],
  ['fill bytes', () => jpeg(repeated([0xff]))],
  ['zeros between segments', () => between(0)],
  ['stuffing between segments', () => between(0xff, 0)],
  ['restarts between segments', () => between(0xff, 0xd0)],
  [
    'a profile in 255 parts',
    () =>
      jpeg(
        concat(
          ...Array.from({ length: 255 }, (_, i) =>
            segment(0xe2, concat(bytesOf('ICC_PROFILE\0'), [i + 1, 255], new Uint8Array(60_000))),
          ),
        ),
      ),
  ],
  ['curves of inks that overlap', overlappingCurves],
  ['896 scans', bandByBand],
  ['1,001 scans', () => bomb([scan(0, 0, 0), ...new Array<Uint8Array>(1000).fill(scan(1, 0, 0))])],
  [
    'sub-blocks of a byte',
    () => edit('gif/plain.gif', insert(GIF_FRAME, concat([0x21, 0xfe], repeated([1, 65]), [0]))),
  ],
  [
    // Codes of seven bits; 64 clears the table.
    'clear after clear',
    () =>
      edit(
        'gif/plain.gif',
        insert(GIF_CODE_SIZE + 1, repeated([252, ...repeated(packed('0000001'.repeat(8)), 252)])),
      ),
  ],
  [
    'unknown chunks',
    () =>
      riff(
        riffChunk('VP8X', concat(new Uint8Array(4), uint24(47), uint24(35))),
        repeated(riffChunk('abcd', empty)),
        sample('webp/lossy.webp').subarray(12),
      ),
  ],
  ['one byte of 4,000 × 4,000', () => edit('gif/plain.gif', set(GIF_FRAME + 5, 0, 0xa0, 0x0f, 0xa0, 0x0f))],
]

describe('a file of many little pieces', () => {
  it.each(HOSTILE)('is dealt with soon: %s', (_, make) => {
    const file = make()
    const start = process.cpuUsage()
    try {
      processPhoto(file, PLAIN)
    } catch (error) {
      expect(error).toBeInstanceOf(PhotoError)
    }
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(PATIENCE)
  })
})
