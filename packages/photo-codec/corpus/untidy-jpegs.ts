/** JPEGs with a sound picture in a file that is not quite as the standard has it, as cameras and programs write them. */

import { bytesOf, concat } from '../fixtures/bytes.ts'
import { exifSegment, findSegment, segment, type TiffOptions } from '../fixtures/containers.ts'
import { scene } from '../fixtures/scene.ts'
import { planesOf, sharpJpeg, storedAs, toYcc } from './forms.ts'
import { encodeJpeg, type JpegOptions } from './jpeg-encoder.ts'
import { type Floors, type SoundPicture, sound } from './picture.ts'

/** Odd in both directions, whatever the sampling. */
const [WIDTH, HEIGHT] = [333, 251]

const [SOF, DHT, SOS] = [0xc0, 0xc4, 0xda]
const FLOORS: Floors = [42.1, 35.3, 36.9, 27.6]
const TURNED_FLOORS: Floors = [37.1, 26.8, 36.9, 26]

const STRAY = bytesOf('<?xpacket end="w"?>\xff\0\0\xff\xff\0')

function plain(options: JpegOptions = {}): Uint8Array {
  const [luma, cb, cr] = toYcc(planesOf(scene(WIDTH, HEIGHT)))
  return encodeJpeg(WIDTH, HEIGHT, [{ samples: luma, h: 2, v: 2 }, { samples: cb }, { samples: cr }], options)
}

function untidy(kind: string, bytes: () => Uint8Array | Promise<Uint8Array>) {
  return sound(`jpeg/untidy-${kind}`, { width: WIDTH, height: HEIGHT, bytes }, FLOORS)
}

/** Bytes put in at an offset, which counts from the end where it is negative. */
function withBytes(jpeg: Uint8Array, at: number, bytes: ArrayLike<number>): Uint8Array {
  return concat(jpeg.slice(0, at), bytes, jpeg.slice(at))
}

const beforeEnd = (jpeg: Uint8Array, bytes: ArrayLike<number>) => withBytes(jpeg, -2, bytes)
const beforeSegment = (jpeg: Uint8Array, marker: number, bytes: ArrayLike<number>) =>
  withBytes(jpeg, findSegment(jpeg, marker), bytes)

/** A scan of a whole page behind a header that says how much of it is picture, as network scanners write it. */
function lowered(kind: string, height: number, floors: Floors, options: JpegOptions) {
  const bytes = () => {
    const jpeg = plain(options)
    jpeg.set([height >> 8, height & 255], findSegment(jpeg, SOF) + 5)
    return jpeg
  }
  return sound(`jpeg/untidy-more-intervals-${kind}`, { width: WIDTH, height, bytes }, floors)
}

/** All components by one name, in the frame and in the scan. */
function namedAlike(): Uint8Array {
  const jpeg = plain()
  const [frame, scan] = [findSegment(jpeg, SOF), findSegment(jpeg, SOS)]
  for (const at of [frame + 10, frame + 13, frame + 16, scan + 5, scan + 7, scan + 9]) jpeg[at] = 1
  return jpeg
}

const withoutEnd = (jpeg: Uint8Array) => jpeg.slice(0, -2)

/** XMP that says it is two bytes shorter than it is. */
function shortXmp(): Uint8Array {
  const xmp = segment(0xe1, bytesOf('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>'))
  return xmp.with(3, (xmp[3] ?? 0) - 2)
}

/** Stray bytes in front of every scan but the first. */
function betweenScans(options: JpegOptions): Uint8Array {
  const jpeg = plain(options)
  const parts: Uint8Array[] = []
  let from = 0
  for (let at = findSegment(jpeg, SOS) + 2; at + 1 < jpeg.length; at++) {
    if (jpeg[at] !== 0xff || jpeg[at + 1] !== SOS) continue
    parts.push(jpeg.subarray(from, at), STRAY)
    from = at
  }
  return concat(...parts, jpeg.subarray(from))
}

/** A frame of Motion JPEG: the tables of annex K, which it does not have. */
async function motionJpeg(): Promise<Uint8Array> {
  let jpeg: Uint8Array = await sharpJpeg(scene(WIDTH, HEIGHT), { optimiseCoding: false })
  for (let table = 0; table < 4; table++) {
    const at = findSegment(jpeg, DHT)
    const length = 2 + (jpeg[at + 2] ?? 0) * 256 + (jpeg[at + 3] ?? 0)
    jpeg = concat(jpeg.subarray(0, at), jpeg.subarray(at + length))
  }
  return withBytes(jpeg, 2, segment(0xe0, bytesOf('AVI1\0\0\0\0\0\0\0\0\0\0')))
}

const sideways = () =>
  sharpJpeg(storedAs(scene(WIDTH, HEIGHT), 6), { chromaSubsampling: '4:4:4', optimiseCoding: false })

function turned(kind: string, make: (jpeg: Uint8Array) => Uint8Array) {
  const bytes = async () => make(await sideways())
  const expected = () => scene(WIDTH, HEIGHT)
  return sound(
    `jpeg/untidy-orientation-${kind}`,
    { width: WIDTH, height: HEIGHT, bytes, expected },
    TURNED_FLOORS,
  )
}

const typed = (kind: string, options: TiffOptions) =>
  turned(kind, (jpeg) => withBytes(jpeg, 2, exifSegment(6, options)))

/** Every sound JPEG in an untidy file. */
export const UNTIDY_JPEGS: readonly SoundPicture[] = [
  untidy('restart-behind-last-interval', () => beforeEnd(plain({ restart: 7 }), [0xff, 0xd7])),
  untidy('restart-without-intervals', () => beforeEnd(plain(), [0xff, 0xd0])),
  untidy('segment-that-is-longer', () => withBytes(plain(), 2, shortXmp())),
  untidy('stray-bytes-before-frame', () => beforeSegment(plain(), SOF, STRAY)),
  untidy('stray-bytes-behind-frame', () => beforeSegment(plain(), DHT, STRAY)),
  untidy('stray-bytes-between-scans', () => betweenScans({ scans: 'separate' })),
  untidy('stray-bytes-between-progressive-scans', () => betweenScans({ scans: 'progressive', restart: 5 })),
  untidy('stray-bytes-at-end', () => beforeEnd(plain(), STRAY)),
  untidy('zeros-at-end', () => beforeEnd(plain(), new Uint8Array(4096))),
  untidy('filled-up-at-end', () =>
    beforeEnd(plain({ restart: 7 }), concat(STRAY, new Uint8Array(512).fill(0xe5))),
  ),
  untidy('markers-before-first-segment', () =>
    withBytes(plain(), 2, [0xff, 0xff, 0xff, 0x01, 0xff, 0xff, 0xd3, 0xff]),
  ),
  untidy('motion-jpeg', motionJpeg),
  untidy('components-named-alike', namedAlike),
  untidy('without-end', () => withoutEnd(plain())),
  untidy('with-half-an-end', () => plain().slice(0, -1)),
  untidy('restarts-without-end', () => withoutEnd(plain({ restart: 7 }))),
  untidy('separate-scans-without-end', () => withoutEnd(plain({ scans: 'separate' }))),
  untidy('progressive-without-end', () => withoutEnd(plain({ scans: 'progressive' }))),
  untidy('comment-instead-of-end', () => concat(withoutEnd(plain()), segment(0xfe, bytesOf('that is all')))),
  untidy('cut-in-comment-behind', () =>
    concat(withoutEnd(plain()), segment(0xfe, bytesOf('that is all')).slice(0, -5)),
  ),
  untidy('another-file-instead-of-end', () => concat(withoutEnd(plain()), plain())),

  // 21 MCUs to a row.
  lowered('a-row-each', 187, [44.1, 36.4, 37.4, 27.8], { restart: 21 }),
  lowered('three-to-a-row', 64, [47.3, 41.1, 38.7, 32.3], { restart: 7 }),
  lowered('across-rows', 187, [44.1, 36.4, 37.4, 27.8], { restart: 5 }),
  lowered('one-row', 16, [45.3, 38.2, 35, 27.3], { restart: 42 }),

  typed('as-long', { type: 'LONG' }),
  typed('as-slong', { type: 'SLONG' }),
  typed('as-byte', { type: 'BYTE' }),
  typed('as-little-endian-byte', { type: 'BYTE', little: true }),
  turned('behind-frame', (jpeg) => beforeSegment(jpeg, SOS, exifSegment(6))),
  turned('in-second-exif', (jpeg) =>
    withBytes(jpeg, 2, concat(shortXmp(), exifSegment(0), exifSegment(6, { little: true }), exifSegment(3))),
  ),
]
