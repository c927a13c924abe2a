import { describe, expect, it } from 'vitest'
import { bytesOf, concat, uint24, uint32, uint32le } from '../../fixtures/bytes.ts'
import { exifSegment, pngChunk, riff, riffChunk, segment } from '../../fixtures/containers.ts'
import { append, drop, dropSegment, type Edit, edit, insert, set } from '../../fixtures/edits.ts'
import { sample, samplesOf } from '../../fixtures/samples.ts'
import { FORMATS } from '../../fuzz/parts.ts'
import { PhotoError } from '../../src/errors.ts'
import { processPhoto } from '../../src/process.ts'

/** A name, the sample, and what is done to it. */
type Case = [name: string, file: string, ...edits: Edit[]]

const [SOF, DHT, SOS, DQT, DRI] = ['\xff\xc0', '\xff\xc4', '\xff\xda', '\xff\xdb', '\xff\xdd']
const STRAY = '<?xpacket end="w"?>\xff\0\0\xff\xff\0'

const PLAIN = 'jpeg/baseline-420.jpg'
const RESTARTS = 'jpeg/restarts-420.jpg'
const SCANS = 'jpeg/separate-scans.jpg'
const PROGRESSIVE = 'jpeg/progressive-420.jpg'
const RGB = 'png/filter-up.png'
const PALETTE = 'png/palette-8.png'
const GIF = 'gif/plain.gif'
const [GIF_PALETTE, GIF_FRAME, GIF_CODE_SIZE] = [13, 213, 223]
const ALPHA = 'webp/lossy-with-alpha.webp'

const sized = (width: number, height: number, frame = SOF) =>
  set(frame, 5, height >> 8, height & 255, width >> 8, width & 255)
const withoutEnd = drop(-2)

/** Restart markers replaced by what `change` makes of their last byte. */
const restarts =
  (change: (marker: number) => number): Edit =>
  (file) =>
    file.map((byte, at) => (file[at - 1] === 0xff && byte >= 0xd0 && byte <= 0xd7 ? change(byte) : byte))

/** Stray bytes in front of every scan but the first. */
const betweenScans: Edit = (file) => {
  const parts = FORMATS.jpeg.split(file)
  const first = parts.findIndex(({ kind }) => kind === SOS)
  const stray = { kind: '', body: bytesOf(STRAY) }
  return FORMATS.jpeg.join(
    parts.flatMap((part, i) => (part.kind === SOS && i > first ? [stray, part] : [part])),
  )
}

/** XMP that says it is two bytes shorter than it is. */
const shortXmp = segment(0xe1, bytesOf('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>')).map((byte, at) =>
  at === 3 ? byte - 2 : byte,
)

/** Right checksums after other edits. */
const sealed: Edit = (file) => FORMATS.png.join(FORMATS.png.split(file))
const headed =
  (offset: number, ...bytes: number[]): Edit =>
  (file) =>
    sealed(set('IHDR', 4 + offset, ...bytes)(file))
const sizedPng = (width: number, height: number) => headed(0, ...uint32(width), ...uint32(height))
/** The chunks without, or with others in place of, those of a kind. */
const chunks =
  (kind: string, ...instead: Uint8Array[]): Edit =>
  (file) =>
    concat(
      ...FORMATS.png
        .split(file)
        .flatMap((part) => (part.kind === kind ? instead.splice(0) : [FORMATS.png.join([part])])),
    )
const chunk = (kind: string, body: ArrayLike<number> = []) => pngChunk(kind, Uint8Array.from(body))
const idat = (data: Uint8Array) => chunks('IDAT', chunk('IDAT', data))
/** Other rows than those the header asks for. */
const rows =
  (change: Edit): Edit =>
  (file) => {
    const parts = FORMATS.png.split(file)
    for (const part of parts) FORMATS.png.within?.(part, change)
    return FORMATS.png.join(parts)
  }
const behindHeader = (...added: Uint8Array[]) => insert(33, concat(...added))

/** Deflate data, as the bits in the order in which they are read, that mean nothing. Spaces are for the eye. */
const BAD_BLOCKS: Record<string, string> = {
  'a block of kind 3': '1 11',
  // Behind a literal 0 (00110000), a match of 3 (0000001): 2 back; then with distance code 30.
  'a distance before the beginning': '1 10 00110000 0000001 10000 0000000',
  'distance code 30': '1 10 00110000 0000001 11110 0000000',
  // The symbol 286, 11000110.
  'length code 286': '1 10 00110000 11000110 00000 0000000',
  'a stored length that contradicts itself': `1 00 00000 ${'1'.repeat(16)} ${'1'.repeat(16)}`,
  'a stored block beyond the end': `1 00 00000 ${'1'.repeat(16)} ${'0'.repeat(16)}`,
  '287 lengths': '1 01 01111 00000 0000',
  '31 distances': '1 01 00000 01111 0000',
  'no codes for sizes': `1 01 00000 00000 0000 ${'000'.repeat(4)}`,
  'too many codes for sizes': `1 01 00000 00000 0000 ${'100'.repeat(4)}`,
  // Sizes 16 and 0 have codes of one bit, and there is nothing yet to repeat.
  'a repetition of nothing': `1 01 00000 00000 0000 100 000 000 100 ${'1'.repeat(40)}`,
  // Only zeros: no end of the block.
  'no code for the end': `1 01 00000 00000 0000 000 100 000 100 ${'0'.repeat(300)}`,
}

/** A zlib header and these bits; no checksum. */
function zlibOf(bits: string): Uint8Array {
  const read = bits.replaceAll(' ', '').padEnd(Math.ceil(bits.length / 8) * 8, '0')
  const bytes = read.match(/.{8}/g)?.map((byte) => Number.parseInt([...byte].reverse().join(''), 2))
  return concat([0x78, 0x9c], bytes ?? [])
}

const UNTIDY: Case[] = [
  ['a restart behind the last interval', RESTARTS, insert(-2, [0xff, 0xd7])],
  ['a restart without intervals', PLAIN, insert(-2, [0xff, 0xd0])],
  ['a segment that is longer than it says', PLAIN, insert(2, shortXmp)],
  ['stray bytes before the frame', PLAIN, insert(SOF, STRAY)],
  ['stray bytes behind the frame', PLAIN, insert(DHT, STRAY)],
  ['stray bytes between scans', SCANS, betweenScans],
  ['stray bytes between progressive scans', 'jpeg/progressive-restart.jpg', betweenScans],
  ['stray bytes at the end', PLAIN, insert(-2, STRAY)],
  ['zeros at the end', PLAIN, insert(-2, new Uint8Array(4096))],
  ['filled up at the end', RESTARTS, insert(-2, concat(bytesOf(STRAY), new Uint8Array(512).fill(0xe5)))],
  ['markers before the first segment', PLAIN, insert(2, [0xff, 0xff, 0xff, 0x01, 0xff, 0xff, 0xd3, 0xff])],
  [
    'other segments',
    PLAIN,
    insert(2, concat(segment(0xfe, bytesOf('remark')), segment(0xe5, new Uint8Array(5000)))),
  ],
  ['garbage behind the end', PLAIN, append('\0\xff\xd8\xff\xda garbage \xff'.repeat(50))],
  [
    'components that are named alike',
    PLAIN,
    ...[10, 13, 16].map((at) => set(SOF, at, 1)),
    ...[5, 7, 9].map((at) => set(SOS, at, 1)),
  ],
  ['without an end', PLAIN, withoutEnd],
  ['with half an end', PLAIN, drop(-1)],
  ['restarts without an end', RESTARTS, withoutEnd],
  ['separate scans without an end', SCANS, withoutEnd],
  ['progressive without an end', PROGRESSIVE, withoutEnd],
  ['a comment instead of the end', PLAIN, withoutEnd, append(segment(0xfe, bytesOf('that is all')))],
  [
    'cut in a comment instead of the end',
    PLAIN,
    withoutEnd,
    append(segment(0xfe, bytesOf('that')).slice(0, -2)),
  ],
  ['another file instead of the end', PLAIN, withoutEnd, append(sample(PLAIN))],

  ['without IEND', RGB, drop(-12)],
  ['interlaced without IEND', 'png/rgb-8-adam7.png', drop(-12)],
  ['many IDATs without IEND', 'png/many-idats.png', drop(-12)],
  ['cut in the checksum of IEND', RGB, drop(-2)],
  ['cut in the name of IEND', RGB, drop(-7)],
  ['cut in the checksum of IDAT', RGB, drop(-14)],
  ['a wrong checksum of IEND', RGB, set(-1, 0, 0)],
  ['zeros instead of IEND', RGB, drop(-12), append(new Uint8Array(99))],
  [
    'a cut text instead of IEND',
    RGB,
    drop(-12),
    append(chunk('tEXt', bytesOf('Comment\0nothing')).slice(0, -7)),
  ],
  ['an unknown critical chunk behind the data', RGB, insert(-12, chunk('ABCD', [1, 2]))],
  ['another PNG instead of IEND', RGB, drop(-12), append(sample(RGB))],
  ['a wrong checksum of zlib', RGB, (file) => sealed(set(-17, 0, (file.at(-17) ?? 0) ^ 1)(file))],
  ['bytes behind IEND', RGB, append(new Uint8Array(99).fill(7))],
  ['a palette behind the data', RGB, insert(-12, chunk('PLTE', [1, 2, 3, 4]))],
  [
    'data behind text behind the data',
    RGB,
    insert(-12, concat(chunk('tEXt', bytesOf('a\0b')), chunk('IDAT', [1, 2]))),
  ],
  ['megabytes of rows behind the last', RGB, rows((bytes) => concat(bytes, new Uint8Array(3 << 20)))],
  [
    'other chunks',
    RGB,
    behindHeader(
      chunk('gAMA', [0, 0, 177, 143]),
      chunk('sBIT', [8, 8, 8]),
      chunk('tEXt', bytesOf('Comment\0nothing')),
    ),
  ],
  ...['tEXt', 'tRNS', 'eXIf', 'tIME', 'iCCP'].map(
    (kind): Case => [
      `a wrong checksum of ${kind}`,
      RGB,
      behindHeader(chunk(kind, [0, 1, 0, 2, 0, 3]).fill(7, -1)),
    ],
  ),

  ['a GIF without its trailer', GIF, drop(-1)],
  ['a later frame that is cut', 'gif/animated.gif', drop(-60)],
]

const REFUSED: Case[] = [
  ['separate scans, the last one missing', SCANS, drop(2441)],
  ['a scan missing in front of the end', SCANS, drop(2441), append([0xff, 0xd9])],
  ['the last progressive scan missing', 'jpeg/progressive-restart.jpg', drop(2589)],
  ['zeros instead of the last data', PLAIN, drop(-40), append(new Uint8Array(4096))],
  ...[DQT, SOF, DHT, SOS].map(
    (marker): Case => [
      `cut in segment ${marker}`,
      PLAIN,
      (file) => drop(Buffer.from(file).indexOf(marker, 0, 'latin1') + 7)(file),
    ],
  ),
  ['a piece missing', PLAIN, drop(1200, 400)],
  ['a piece missing before zeros', RESTARTS, drop(800, 200), insert(-2, new Uint8Array(400))],
  ['a new ending', PLAIN, drop(1400), append([0xff, 0xd9])],
  ['65,500 × 65,500', PLAIN, sized(65_500, 65_500)],
  ['progressive, 9,900 × 9,900', PROGRESSIVE, sized(9900, 9900, '\xff\xc2')],
  ['more rows than data', PLAIN, sized(61, 107)],
  ['no width', PLAIN, sized(0, 43)],
  ['no height', PLAIN, sized(61, 0)],
  ...[0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf].map(
    (marker): Case => [`frame ${marker.toString(16)}`, PLAIN, set(SOF, 1, marker)],
  ),
  ['12 bits', PLAIN, set(SOF, 1, 0xc1), set('\xff\xc1', 4, 12)],
  ['16 bits', PLAIN, set(SOF, 4, 16)],
  ['no components', PLAIN, set(SOF, 9, 0)],
  ['two components', PLAIN, set(SOF, 9, 2)],
  ['a sampling factor of 0', PLAIN, set(SOF, 11, 0x02)],
  ['a sampling factor of 5', PLAIN, set(SOF, 11, 0x52)],
  ['an MCU of 18 blocks', PLAIN, set(SOF, 11, 0x44)],
  ['two frames', PLAIN, (file) => insert(SOF, file.slice(140, 159))(file)],
  ['no quantisers', PLAIN, dropSegment(DQT)],
  ['a quantiser that is not defined', PLAIN, set(SOF, 12, 3)],
  ['no Huffman tables', 'jpeg/tables-in-one-segment.jpg', dropSegment(DHT)],
  ['progressive without Huffman tables', PROGRESSIVE, dropSegment(DHT)],
  ['only AC tables', PLAIN, dropSegment(DHT), set(DHT, 4, 0x11)],
  ['three codes of one bit', PLAIN, set(DHT, 5, 3)],
  ['too many codes', PLAIN, set(DHT, 11, 255, 255)],
  ['fewer symbols than codes', PLAIN, set(DHT, 20, 12)],
  ['table number 9', PLAIN, set(DHT, 4, 9)],
  ['a scan of an unknown component', PLAIN, set(SOS, 5, 77)],
  ['a scan of nothing', PLAIN, set(SOS, 4, 0)],
  ['the same component twice', PLAIN, set(SOS, 7, 1)],
  ['a scan before the frame', PLAIN, (file) => insert(2, file.slice(591, 605))(file)],
  ['restarts that are announced only', PLAIN, insert(SOS, segment(0xdd, Uint8Array.of(0, 1)))],
  ['a wrong restart interval', RESTARTS, set(DRI, 5, 3)],
  ['restarts announced for longer', RESTARTS, set(DRI, 5, 4)],
  ['restarts out of order', RESTARTS, restarts((marker) => (marker === 0xd3 ? 0xd6 : marker))],
  [
    'restarts that are gone',
    RESTARTS,
    (file) =>
      file.filter(
        (_, at) =>
          ![file[at], file[at - 1]].some(
            (byte, i) => byte === 0xff && ((file[at + 1 - i] ?? 0) & 0xf8) === 0xd0,
          ),
      ),
  ],
  ['restarts that are not announced', RESTARTS, dropSegment(DRI)],
  // Six MCUs to a row, two to an interval: a picture that ends behind six intervals.
  [
    'more intervals out of order',
    RESTARTS,
    sized(90, 20, '\xff\xc1'),
    restarts((marker) => (marker === 0xd5 ? 0xd6 : marker)),
  ],
  ['more intervals of another length', RESTARTS, sized(90, 20, '\xff\xc1'), set(DRI, 5, 5)],
  ['more intervals in separate scans', 'jpeg/multi-scan-restarts.jpg', sized(75, 16, '\xff\xc1')],
  ['blocks left over', PLAIN, sized(61, 27)],
  ['bytes left over', PLAIN, insert(-2, 'fewer would be forgiven, so many not')],
  [
    'a thumbnail behind a segment that is too short',
    PLAIN,
    (file) => insert(2, concat(exifSegment(1).with(3, 20), sample(RESTARTS)))(file),
  ],
  ['a segment of length 0', PLAIN, set(DQT, 2, 0, 0)],
  ['a segment beyond the end', PLAIN, set(SOF, 2, 0xff, 0xff)],

  ...['IHDR', 'IDAT'].map(
    (kind): Case => [
      `a wrong checksum of ${kind}`,
      RGB,
      (file) => set(Buffer.from(file).indexOf(kind) - 4, 0, 0)(set(kind, 6, 99)(file)),
    ],
  ),
  ['a wrong checksum of PLTE', RGB, behindHeader(chunk('PLTE', [1, 2, 3]).fill(7, -1))],
  ...(
    [
      [0, 17],
      [21, 0],
      [0xffffffff, 0xffffffff],
      [0x7fffffff, 1],
      [7900, 7900],
    ] as const
  ).map(([width, height]): Case => [`${width} × ${height}`, RGB, sizedPng(width, height)]),
  ['interlaced, 4,900 × 4,900', 'png/rgb-8-adam7.png', sizedPng(4900, 4900)],
  ...(
    [
      ['depth 3', 8, 3],
      ['RGB of 4 bits', 8, 4],
      ['a palette of 16 bits', 8, 16, 3],
      ['colour type 5', 8, 8, 5],
      ['compression 1', 10, 1],
      ['filter method 1', 11, 1],
      ['interlace 2', 12, 2],
    ] as const
  ).map(([name, offset, ...bytes]): Case => [name, RGB, headed(offset, ...bytes)]),
  ['filter 5', RGB, rows((bytes) => bytes.with(0, 5))],
  ['filter 255', RGB, rows((bytes) => bytes.with(64, 255))],
  ['a row missing', RGB, rows(drop(-64))],
  ['a byte missing', RGB, rows(drop(-1))],
  ['no rows', RGB, rows(() => new Uint8Array(0))],
  ['an empty IDAT', RGB, idat(new Uint8Array(0))],
  ['no IDAT', RGB, chunks('IDAT')],
  ['no zlib', RGB, idat(new Uint8Array(500).fill(0x55))],
  ...Object.entries(BAD_BLOCKS).map(([name, bits]): Case => [`deflate: ${name}`, RGB, idat(zlibOf(bits))]),
  ...(
    [
      ['a zlib dictionary', 0x78, 0xbb],
      ['a window of 64 KB', 0x88, 0x1c],
      ['a wrong zlib header', 0x78, 0x9d],
    ] as const
  ).map(([name, method, flags]): Case => [name, RGB, (file) => sealed(set('IDAT', 4, method, flags)(file))]),
  ['no palette', PALETTE, chunks('PLTE')],
  ['a palette of 4 bytes', PALETTE, chunks('PLTE', chunk('PLTE', [1, 2, 3, 4]))],
  ['an empty palette', PALETTE, chunks('PLTE', chunk('PLTE'))],
  ['a palette of 257 colours', PALETTE, chunks('PLTE', chunk('PLTE', new Uint8Array(771)))],
  ['a header that comes second', RGB, insert(8, chunk('tEXt', [1, 2]))],
  ['two headers', RGB, (file) => insert(33, file.slice(8, 33))(file)],
  ['an unknown critical chunk', RGB, behindHeader(chunk('ABCD', [1]))],
  ['an end in front of the data', RGB, behindHeader(chunk('IEND'))],
  [
    'data in two places',
    RGB,
    (file) =>
      chunks(
        'IDAT',
        chunk('IDAT', file.slice(41, 300)),
        chunk('tEXt', [1]),
        chunk('IDAT', file.slice(300, -16)),
      )(file),
  ],
  ['a chunk beyond the end', RGB, set(33, 0, 0x7f, 0xff, 0xff, 0xff)],

  ['a frame of 65,535 × 65,535', GIF, set(GIF_FRAME + 5, 0, 255, 255, 255, 255)],
  ['a frame of 8,001 × 8,000', GIF, set(GIF_FRAME + 5, 0, 0x41, 0x1f, 0x40, 0x1f)],
  ['a frame without width', GIF, set(GIF_FRAME + 5, 0, 0, 0)],
  ['cut in a descriptor', GIF, drop(GIF_CODE_SIZE - 1)],
  ...[0, 12, 255].map((size): Case => [`a code size of ${size}`, GIF, set(GIF_CODE_SIZE, 0, size)]),
  ['no GIF palette', GIF, set(10, 0, 5), drop(GIF_PALETTE, 192)],
  // Seven bits each: clear (64) and then a code that is not defined, or the end (65).
  ['a code that is not defined', GIF, drop(GIF_CODE_SIZE + 1), append([2, 64, 50, 0, 0x3b])],
  ['a frame that ends at once', GIF, drop(GIF_CODE_SIZE + 1), append([2, 64 | 128, 32, 0, 0x3b])],
  ['a frame without data', GIF, drop(GIF_CODE_SIZE + 1), append([0, 0x3b])],
  ['no frame', GIF, drop(GIF_FRAME), append([0x3b])],

  ['a RIFF longer than the file', 'webp/lossy.webp', set(4, 0, ...uint32le(1_000_000))],
  ['a RIFF of 4 GB', 'webp/lossy.webp', set(4, 0, 255, 255, 255, 255)],
  ['a chunk longer than the file', 'webp/lossy.webp', set(16, 0, ...uint32le(1_000_000))],
  ['lossy without width', 'webp/lossy.webp', set(26, 0, 0, 0)],
  ['lossy of 16,383 × 16,383', 'webp/lossy.webp', set(26, 0, 0xff, 0x3f, 0xff, 0x3f)],
  ['lossy without a key frame', 'webp/lossy.webp', set(20, 0, 1)],
  ['a partition beyond the end', 'webp/lossy.webp', set(20, 0, 0xf0, 0xff, 0xff)],
  ['lossless of 16,384 × 16,384', 'webp/lossless.webp', set(21, 0, 0xff, 0xff, 0xff, 0x0f)],
  ['a wrong lossless signature', 'webp/lossless.webp', set(20, 0, 0x2e)],
  ['a lossless version', 'webp/lossless.webp', set(24, 0, 0xe0)],
  ['lossless garbage', 'webp/lossless.webp', set(25, 0, ...new Uint8Array(40).fill(0xff))],
  ['alpha garbage', ALPHA, set('ALPH', 8, ...new Uint8Array(60).fill(0xff))],
  ...(
    [
      [0x1000000, 0x1000000],
      [49, 36],
    ] as const
  ).map(
    ([width, height]): Case => [
      `a canvas of ${width} × ${height}`,
      'webp/lossy.webp',
      (file) =>
        riff(
          riffChunk('VP8X', concat([0, 0, 0, 0], uint24(width - 1), uint24(height - 1))),
          file.subarray(12),
        ),
    ],
  ),
  ['a frame of another size than its picture', 'webp/animated.webp', set('ANMF', 14, 9)],
  ['a WebP of its header', 'webp/animated.webp', () => riff(riffChunk('VP8X', new Uint8Array(10)))],
  ['a WebP without a chunk', 'webp/lossy.webp', () => riff()],
]

const process = (file: Uint8Array) => processPhoto(file, { maxSide: 1920, watermark: null })

describe('a file that is not quite as its standard has it', () => {
  it.each(UNTIDY)('gives the whole picture: %s', (_, name, ...edits) => {
    expect(process(edit(name, ...edits))).toEqual(process(sample(name)))
  })
})

describe('a damaged file', () => {
  it.each(REFUSED)('is refused: %s', (_, name, ...edits) => {
    expect(() => process(edit(name, ...edits))).toThrow(PhotoError)
  })

  // What may be missing at the end: EOI; IEND and a checksum; what is behind the first frame.
  const unneeded = { jpeg: 2, png: 16, gif: 4, webp: 0 }
  const cut = (Object.keys(unneeded) as (keyof typeof unneeded)[]).flatMap((format) =>
    samplesOf(format)
      .filter(({ name }) => !/animated|behind|fill|without|more-intervals|tall/.test(name))
      .map((one) => ({ ...one, needed: one.bytes.length - unneeded[format] })),
  )
  it.each(cut)('is refused where it is cut: $name', ({ bytes, needed }) => {
    for (const part of [0.2, 0.4, 0.6, 0.8, 0.95, 0.99]) {
      const end = Math.min(needed - 1, Math.floor(needed * part))
      expect(() => process(bytes.slice(0, end)), `${end} of ${bytes.length}`).toThrow(PhotoError)
    }
    expect(() => process(bytes.slice(0, needed - 1))).toThrow(PhotoError)
  })
})
