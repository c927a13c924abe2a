/** PNGs with a whole picture in a file that is not quite as the standard has it, as programs write them. */

import { bytesOf, concat } from '../fixtures/bytes.ts'
import { pngChunk } from '../fixtures/containers.ts'
import { encodePng, type PngOptions } from '../fixtures/png.ts'
import { type Rgb, scene } from '../fixtures/scene.ts'
import { paletteOf } from './forms.ts'
import { type Floors, type SoundPicture, sound } from './picture.ts'
import { colour, grey, HEIGHT, type Kind, WIDTH, withTransparency, wrongChecksum } from './png-kinds.ts'

type Change = (file: Uint8Array) => Uint8Array

const IEND_BYTES = 12
const RGB_FLOORS: Floors = [37.8, 24.1, 37.1, 25.1]

/** A PNG whose end is not as the standard has it. */
function ending(kind: string, change: Change, more: Partial<PngOptions> = {}): SoundPicture {
  const bytes = () =>
    change(encodePng({ width: WIDTH, height: HEIGHT, ...colour(8)(scene(WIDTH, HEIGHT)), ...more }))
  return sound(`png/untidy-${kind}`, { width: WIDTH, height: HEIGHT, bytes }, RGB_FLOORS)
}

/** Something else in place of IEND. */
const instead = (bytes: ArrayLike<number>) => (file: Uint8Array) => concat(file.slice(0, -IEND_BYTES), bytes)
const withoutEnd = instead([])
const cutBy = (bytes: number) => (file: Uint8Array) => file.slice(0, -bytes)

/** A palette and transparency that are not where, or not as long as, the standard has them. */
function untidyPalette(
  kind: string,
  depth: 2 | 8,
  chunks: (palette: Uint8Array, alphas: Uint8Array) => Pick<PngOptions, 'before' | 'after'>,
  floors: Floors,
): SoundPicture {
  const bytes = () => {
    const { colours, indexes } = paletteOf(scene(WIDTH, HEIGHT), depth === 2 ? 4 : 64)
    const alphas = Uint8Array.from(colours, (_, i) => 255 - i * 3)
    const samples = Uint16Array.from(indexes)
    return encodePng({
      width: WIDTH,
      height: HEIGHT,
      colourType: 3,
      depth,
      samples,
      ...chunks(concat(...colours), alphas),
    })
  }
  return sound(`png/untidy-${kind}`, { width: WIDTH, height: HEIGHT, bytes }, floors)
}

const plte = (palette: Uint8Array) => pngChunk('PLTE', palette)
const trns = (alphas: ArrayLike<number>) => pngChunk('tRNS', Uint8Array.from(alphas))

/** A colour that is transparent by a chunk whose body `change` makes of the right one. */
function untidyColour(
  kind: string,
  make: (picture: Rgb) => Kind,
  change: Change,
  floors: Floors,
): SoundPicture {
  const bytes = () => {
    const { before = [], ...rest } = withTransparency(make)(scene(WIDTH, HEIGHT))
    const changed = before.map((chunk) => trns(change(chunk.slice(8, -4))))
    return encodePng({ width: WIDTH, height: HEIGHT, ...rest, before: changed })
  }
  return sound(`png/untidy-${kind}`, { width: WIDTH, height: HEIGHT, bytes }, floors)
}

/** Every PNG with a whole picture in a file that is not quite as the standard has it. */
export const UNTIDY_PNGS: readonly SoundPicture[] = [
  ending('without-end', withoutEnd),
  ending('without-end-adam7', withoutEnd, { interlaced: true }),
  ending('many-idats-without-end', withoutEnd, { idatBytes: 501 }),
  ending('cut-in-checksum-of-end', cutBy(2)),
  ending('cut-in-name-of-end', cutBy(7)),
  ending('cut-in-checksum-of-data', cutBy(IEND_BYTES + 2)),
  ending('wrong-checksum-of-end', instead(wrongChecksum('IEND', new Uint8Array(0)))),
  ending('zeros-instead-of-end', instead(new Uint8Array(99))),
  ending('cut-text-instead-of-end', instead(pngChunk('tEXt', bytesOf('Comment\0nothing')).slice(0, -7))),
  ending('unknown-critical-chunk-behind', (file) => file, { after: [pngChunk('ABCD', new Uint8Array(4))] }),
  ending('another-file-instead-of-end', (file) => concat(withoutEnd(file), file)),
  ending('palette-behind-data', (file) => file, { after: [pngChunk('PLTE', new Uint8Array(4))] }),
  ending('data-behind-text-behind-data', (file) => file, {
    after: [pngChunk('tEXt', bytesOf('Comment\0more')), pngChunk('IDAT', new Uint8Array(99))],
  }),

  untidyPalette(
    'transparency-behind-data',
    8,
    (p, a) => ({ before: [plte(p)], after: [trns(a)] }),
    [37.3, 24.4, 37, 25.3],
  ),
  untidyPalette(
    'transparency-before-palette',
    8,
    (p, a) => ({ before: [trns(a), plte(p)] }),
    [37.3, 24.4, 37, 25.3],
  ),
  untidyPalette(
    'transparency-longer-than-palette',
    8,
    (p, a) => ({ before: [plte(p), trns([...a, 0])] }),
    [37.3, 24.4, 37, 25.3],
  ),
  untidyPalette(
    'two-transparencies',
    8,
    (p, a) => ({ before: [plte(p), trns(a), trns([0, 0])] }),
    [37.4, 28.6, 37.3, 29.4],
  ),
  untidyPalette(
    'colours-beyond-palette',
    8,
    (p) => ({ before: [plte(p.slice(0, 99))] }),
    [37.9, 27.2, 37.1, 28.6],
  ),
  untidyPalette(
    'colours-beyond-transparent-palette',
    8,
    (p, a) => ({ before: [plte(p.slice(0, 99)), trns(a.slice(0, 33))] }),
    [38.3, 29.9, 36.7, 30.7],
  ),
  untidyPalette(
    'colours-beyond-palette-of-two',
    2,
    (p) => ({ before: [plte(p.slice(0, 6))] }),
    [39.7, 31.8, 38.1, 32.4],
  ),
  untidyColour(
    'transparent-colour-too-long',
    colour(8),
    (body) => concat(body, [0, 0]),
    [38.3, 24.1, 37.7, 25.1],
  ),
  untidyColour(
    'transparent-grey-of-a-colour',
    grey(8),
    (body) => concat(body, body, body),
    [38.9, 38.9, 37.7, 37.7],
  ),
  untidyColour(
    'transparent-grey-beyond-its-depth',
    grey(2),
    (body) => body.map((value, i) => (i === 0 ? 0x9c : value | 0xf0)),
    [41, 41, 36.9, 36.9],
  ),
]
