/** JPEGs as cameras and programs write them. */

import { bytesOf, concat } from '../fixtures/bytes.ts'
import { exifSegment, profileSegments, segment } from '../fixtures/containers.ts'
import { scene } from '../fixtures/scene.ts'
import { planesOf, pressProfile, sharpJpeg, storedAs, toCmyk, toYcc } from './forms.ts'
import { encodeProfile, gammaElement, mft2Element } from './icc.ts'
import { asLegacyLab, shown } from './icc-colours.ts'
import { encodeJpeg, type JpegOptions } from './jpeg-encoder.ts'
import type { Component } from './jpeg-planes.ts'
import { fromRaw, readInks } from './oracle.ts'
import { type Floors, type SoundPicture, sound } from './picture.ts'
import { UNTIDY_JPEGS } from './untidy-jpegs.ts'

/** Adobe's marker with how the colours are coded: 0 as they are, 1 YCbCr, 2 YCCK. */
export function adobeSegment(transform: number): Uint8Array {
  return segment(0xee, concat(bytesOf('Adobe'), [0, 100, 0, 0, 0, 0, transform]))
}

type SharpOptions = Parameters<typeof sharpJpeg>[1]

/** A photo as sharp writes it, at 4:2:0 and quality 92 unless told otherwise. */
function photo(
  kind: string,
  [width, height]: readonly [number, number],
  options: SharpOptions,
  floors: Floors,
  growth?: number,
) {
  const bytes = () => sharpJpeg(scene(width, height), options)
  return sound(`jpeg/${kind}-${width}x${height}`, { width, height, bytes, growth }, floors)
}

const VGA = [640, 480] as const

/** Odd in both directions, whatever the sampling. */
const [WIDTH, HEIGHT] = [333, 251]

const ycc = () => toYcc(planesOf(scene(WIDTH, HEIGHT)))

/** A file of the corpus's own encoder, of the odd size. */
function own(kind: string, components: () => Component[], options: JpegOptions, floors: Floors) {
  const bytes = () => encodeJpeg(WIDTH, HEIGHT, components(), options)
  return sound(`jpeg/${kind}`, { width: WIDTH, height: HEIGHT, bytes }, floors)
}

/** YCbCr with these sampling factors for Y, and 1 × 1 for the others unless given. */
function sampled(
  kind: string,
  factors: readonly (readonly [number, number])[],
  options: JpegOptions,
  floors: Floors,
) {
  const components = () =>
    ycc().map((samples, i): Component => {
      const [h, v] = factors[i] ?? [1, 1]
      return { samples, h, v }
    })
  return own(kind, components, options, floors)
}

const rgb = (ids: number[]) => () =>
  planesOf(scene(WIDTH, HEIGHT)).map((samples, i) => ({ samples, id: ids[i] }))

/**
 * Four inks; for YCCK, three of them turned into luma and chroma, which may be sampled more coarsely. Without a
 * transform there is no marker of Adobe's.
 */
function inks(
  kind: string,
  transform: 0 | 2 | null,
  [h, v]: readonly [number, number],
  floors: Floors,
  profile?: () => Promise<Uint8Array>,
) {
  const bytes = async () => {
    const [cyan, magenta, yellow, key] = toCmyk(planesOf(scene(WIDTH, HEIGHT)))
    const dark = (plane: Uint8Array) => plane.map((value) => 255 - value)
    const colours =
      transform === 2 ? toYcc([dark(cyan), dark(magenta), dark(yellow)]) : [cyan, magenta, yellow]
    const components = [...colours, key].map((samples, i) => (i % 3 === 0 ? { samples, h, v } : { samples }))
    const before = [
      ...(transform === null ? [] : [adobeSegment(transform)]),
      ...(profile ? profileSegments(await profile()) : []),
    ]
    return encodeJpeg(WIDTH, HEIGHT, components, { before })
  }
  return sound(`jpeg/${kind}`, { width: WIDTH, height: HEIGHT, bytes, expected: readInks }, floors)
}

/** A photo in the inks of a press, as sharp writes it, progressive. */
function photoOfInks([width, height]: readonly [number, number], floors: Floors) {
  const bytes = () =>
    fromRaw(scene(width, height))
      .toColourspace('cmyk')
      .withIccProfile('cmyk')
      .jpeg({ quality: 92, progressive: true })
      .toBuffer()
  const name = `jpeg/cmyk-profile-progressive-${width}x${height}`
  return sound(name, { width, height, bytes, expected: readInks }, floors)
}

/** Grey with the profile of a screen that is brighter than others. */
const greyProfile = () => encodeProfile({ space: 'GRAY', elements: [['kTRC', gammaElement(1.8)]] })

/** A profile of 216 KB, which takes several segments. */
const largeProfile = () =>
  encodeProfile({
    space: 'RGB ',
    connection: 'Lab ',
    elements: [['A2B0', mft2Element({ channels: 3, nodes: 33, colourAt: (rgb) => asLegacyLab(shown(rgb)) })]],
  })

/** A photo whose pixels lie as `orientation` says; 9 means nothing. */
function oriented(orientation: number, floors: Floors) {
  const bytes = async () => {
    const jpeg = await sharpJpeg(storedAs(scene(WIDTH, HEIGHT), orientation === 9 ? 1 : orientation), {
      chromaSubsampling: '4:4:4',
    })
    return concat(jpeg.subarray(0, 2), exifSegment(orientation), jpeg.subarray(2))
  }
  const expected = () => scene(WIDTH, HEIGHT)
  return sound(`jpeg/orientation-${orientation}`, { width: WIDTH, height: HEIGHT, bytes, expected }, floors)
}

/** A photo with bytes put in behind SOI and at the end. */
function framed(kind: string, before: Uint8Array, after: Uint8Array, floors: Floors) {
  const bytes = async () => {
    const jpeg = await sharpJpeg(scene(WIDTH, HEIGHT))
    return concat(jpeg.subarray(0, 2), before, jpeg.subarray(2), after)
  }
  return sound(`jpeg/${kind}`, { width: WIDTH, height: HEIGHT, bytes }, floors)
}

const TWO_BY_TWO = [[2, 2]] as const

/** Every sound JPEG of the corpus. */
export const JPEGS: readonly SoundPicture[] = [
  photo('photo', [1, 1], {}, [42, 42, 42, 42]),
  photo('photo', [7, 5], {}, [36, 24.4, 32.3, 17.7]),
  photo('photo', [8, 8], {}, [32.9, 25.2, 34.3, 19.9]),
  photo('photo', [17, 33], {}, [33.9, 27.3, 32.3, 23.9]),
  photo('photo', VGA, {}, [44.2, 38.2, 38.2, 29.5], 3),
  photo('photo', [1601, 1203], {}, [46.4, 41.5, 37.4, 30.2], 3),
  photo('photo', [2500, 1667], {}, [41.4, 38, 37.8, 29.8], 4),
  photo('photo', [4000, 3000], {}, [39.3, 36.1, 37.3, 29.7], 6),
  photo('photo', [300, 5000], {}, [37.2, 28.2, 34.6, 24.8], 11),
  photo('quality-30', VGA, { quality: 30 }, [46.8, 40.5, 38.2, 29.9], 3),
  photo('quality-75', VGA, { quality: 75 }, [45.3, 39.6, 38.2, 29.6], 3),
  photo('quality-100', VGA, { quality: 100 }, [40.1, 36.4, 38.2, 29.5], 3),
  photo('444', VGA, { chromaSubsampling: '4:4:4' }, [44.2, 30.3, 38.2, 27.9], 2),
  photo('progressive', VGA, { progressive: true }, [44.2, 38.2, 38.2, 29.5], 3),
  photo(
    'progressive-444',
    [333, 251],
    { progressive: true, chromaSubsampling: '4:4:4' },
    [42, 27, 36.9, 26],
    2,
  ),
  photo('progressive', [1601, 1203], { progressive: true }, [46.4, 41.5, 37.4, 30.2], 3),
  photo('mozjpeg', VGA, { mozjpeg: true }, [46.1, 38.7, 38.2, 29.6], 3),

  sampled('444', [[1, 1]], {}, [42, 27, 36.9, 26]),
  sampled('422', [[2, 1]], {}, [42.1, 30.8, 36.9, 26.8]),
  sampled('420', TWO_BY_TWO, {}, [42.1, 35.3, 37, 27.6]),
  sampled('440', [[1, 2]], {}, [42, 29.2, 36.9, 26.7]),
  sampled('411', [[4, 1]], {}, [42.1, 30.5, 36.9, 27.1]),
  sampled('410', [[4, 2]], {}, [42.2, 32, 37, 27.5]),
  sampled('1-in-4-down', [[1, 4]], {}, [42.1, 28.7, 36.9, 26.9]),
  sampled(
    'chroma-sampled-unlike',
    [
      [2, 2],
      [2, 1],
      [1, 2],
    ],
    {},
    [42.1, 29.4, 36.9, 26.8],
  ),
  sampled(
    '444-with-factors-of-2',
    [
      [1, 2],
      [1, 2],
      [1, 2],
    ],
    {},
    [42, 27, 36.9, 26],
  ),
  sampled('422-progressive', [[2, 1]], { scans: 'progressive' }, [42.1, 30.8, 36.9, 26.8]),
  sampled('440-progressive', [[1, 2]], { scans: 'progressive' }, [42, 29.2, 36.9, 26.7]),
  sampled('411-progressive', [[4, 1]], { scans: 'progressive' }, [42.1, 30.5, 36.9, 27.1]),
  sampled('restart-1', TWO_BY_TWO, { restart: 1 }, [42.1, 35.3, 37, 27.6]),
  sampled('restart-7', TWO_BY_TWO, { restart: 7 }, [42.1, 35.3, 37, 27.6]),
  sampled('restart-row', [[2, 1]], { restart: 21 }, [42.1, 30.8, 36.9, 26.8]),
  sampled('separate-scans', TWO_BY_TWO, { scans: 'separate' }, [42.1, 35.3, 37, 27.6]),
  sampled('separate-scans-restart', [[2, 1]], { scans: 'separate', restart: 5 }, [42.1, 30.8, 36.9, 26.8]),
  sampled('progressive-restart', TWO_BY_TWO, { scans: 'progressive', restart: 5 }, [42.1, 35.3, 37, 27.6]),
  sampled('fill-bytes', TWO_BY_TWO, { fill: 3 }, [42.1, 35.3, 37, 27.6]),
  sampled('tables-in-one-segment', TWO_BY_TWO, { packed: true }, [42.1, 35.3, 37, 27.6]),
  sampled('adobe-ycc', TWO_BY_TWO, { before: [adobeSegment(1)] }, [42.1, 35.3, 37, 27.6]),

  own('grey', () => [{ samples: ycc()[0] }], {}, [42.6, 42.6, 36.9, 36.9]),
  own('grey-with-factors-of-2', () => [{ samples: ycc()[0], h: 2, v: 2 }], {}, [42.6, 42.6, 36.9, 36.9]),
  own(
    'grey-progressive',
    () => [{ samples: ycc()[0] }],
    { scans: 'progressive', restart: 9 },
    [42.6, 42.6, 36.9, 36.9],
  ),
  sound(
    'jpeg/grey-profile',
    {
      width: WIDTH,
      height: HEIGHT,
      bytes: () =>
        encodeJpeg(WIDTH, HEIGHT, [{ samples: ycc()[0] }], { before: profileSegments(greyProfile()) }),
    },
    [42.6, 42.6, 36.9, 36.9],
  ),
  sound(
    'jpeg/profile-of-216-kb',
    {
      width: 640,
      height: 480,
      bytes: async () => {
        const jpeg = await sharpJpeg(scene(640, 480))
        return concat(jpeg.subarray(0, 2), ...profileSegments(largeProfile()), jpeg.subarray(2))
      },
    },
    [44.4, 38.2, 38.1, 29.2],
  ),
  own('rgb-adobe', rgb([1, 2, 3]), { before: [adobeSegment(0)] }, [41, 26.9, 36.9, 25.9]),
  own('rgb-by-ids', rgb([0x52, 0x47, 0x42]), {}, [41, 26.9, 36.9, 25.9]),
  inks('cmyk', 0, [1, 1], [37.3, 28.3, 35.9, 27.5]),
  inks('cmyk-without-marker', null, [1, 1], [37.3, 28.3, 35.9, 27.5]),
  inks('cmyk-profile', 0, [1, 1], [40.3, 28.8, 37.3, 27.8], pressProfile),
  inks('ycck-profile', 2, [1, 1], [40.5, 28.8, 37.3, 27.8], pressProfile),
  inks('ycck-420-profile', 2, [2, 2], [38.8, 34.6, 37.1, 29.3], pressProfile),
  photoOfInks([640, 480], [40.3, 30.5, 38, 28.4]),
  photoOfInks([2500, 1667], [40.9, 35.2, 36.4, 29.5]),
  inks('ycck', 2, [1, 1], [37.3, 28.2, 35.9, 27.5]),
  inks('ycck-420', 2, [2, 2], [36.4, 32.9, 35.6, 28.9]),
  sound(
    'jpeg/cmyk-by-sharp',
    {
      width: 640,
      height: 480,
      bytes: () => fromRaw(scene(640, 480)).toColourspace('cmyk').jpeg({ quality: 92 }).toBuffer(),
      expected: readInks,
    },
    [36.4, 29.1, 35.4, 27.4],
  ),

  framed(
    'other-segments',
    concat(segment(0xfe, bytesOf('remark')), segment(0xe5, new Uint8Array(5000))),
    new Uint8Array(0),
    [42.1, 35.3, 36.9, 27.6],
  ),
  framed(
    'trailing-garbage',
    new Uint8Array(0),
    bytesOf('\0\xff\xd8\xff\xda garbage \xff'.repeat(50)),
    [42.1, 35.3, 36.9, 27.6],
  ),
  sound(
    'jpeg/display-p3',
    { width: 640, height: 480, bytes: () => fromRaw(scene(640, 480)).withIccProfile('p3').jpeg().toBuffer() },
    [49.9, 41.1, 38.2, 30.6],
  ),
  oriented(1, [37.6, 26.9, 36.9, 26]),
  oriented(2, [37, 26.8, 36.9, 26]),
  oriented(3, [37.1, 26.8, 36.9, 25.9]),
  oriented(4, [37, 26.8, 36.9, 26]),
  oriented(5, [37.4, 26.9, 36.9, 26]),
  oriented(6, [37.1, 26.8, 36.9, 26]),
  oriented(7, [37.1, 26.8, 36.8, 26]),
  oriented(8, [37.1, 26.8, 36.9, 26]),
  oriented(9, [37.6, 26.9, 36.9, 26]),

  ...UNTIDY_JPEGS,
]
