import { seeded } from '../fixtures/random.ts'
import type { Subcategory } from '../src/catalogue/enums.ts'
import { encodeDrawing } from './png.ts'
import { blankRaster, type Canvas, finish, rectangle } from './raster.ts'
import { drawFlats, drawHouse, drawPlot, drawShop, drawWarehouse } from './scenes.ts'
import { type Backdrop, drawSurroundings, type Ground } from './surroundings.ts'

type Scene = 'house' | 'flats' | 'shop' | 'plot' | 'warehouse'

type Shown = readonly [Scene, Backdrop, Ground]

/** What each photo shows; the index in this list is the photo's number. */
const PHOTOS: readonly [Shown, ...Shown[]] = [
  ['house', 'hills', 'grass'],
  ['house', 'sea', 'grass'],
  ['house', 'hills', 'earth'],
  ['house', 'sea', 'earth'],
  ['house', 'city', 'grass'],
  ['house', 'sea', 'grass'],
  ['flats', 'city', 'street'],
  ['flats', 'hills', 'street'],
  ['flats', 'sea', 'street'],
  ['flats', 'city', 'street'],
  ['flats', 'city', 'street'],
  ['flats', 'hills', 'street'],
  ['flats', 'sea', 'street'],
  ['shop', 'city', 'street'],
  ['shop', 'city', 'street'],
  ['shop', 'hills', 'street'],
  ['shop', 'sea', 'street'],
  ['plot', 'hills', 'earth'],
  ['plot', 'sea', 'earth'],
  ['plot', 'sea', 'grass'],
  ['plot', 'hills', 'grass'],
  ['warehouse', 'hills', 'street'],
  ['warehouse', 'city', 'street'],
  ['warehouse', 'hills', 'earth'],
]

const DRAW = { house: drawHouse, flats: drawFlats, shop: drawShop, plot: drawPlot, warehouse: drawWarehouse }

/** A photo as a PNG file of 1280 × 960. */
export function photo(number: number): Uint8Array {
  const [scene, backdrop, ground] = PHOTOS[number] ?? PHOTOS[0]
  const random = seeded(4_000 + number)
  const canvas = blankRaster(1_280, 960)
  drawSurroundings(canvas, random, backdrop, ground)
  DRAW[scene](canvas, random)
  return encodeDrawing(finish(canvas), canvas.width, canvas.height)
}

/** The numbers of the photos that can pass for a property of this subcategory. */
export function photosFor(subcategory: Subcategory): number[] {
  const scene = SCENES[subcategory] ?? 'flats'
  return PHOTOS.flatMap(([shown], index) => (shown === scene ? [index] : []))
}

const SCENES: Readonly<Partial<Record<Subcategory, Scene>>> = {
  maisonette: 'house',
  detached: 'house',
  villa: 'house',
  farmhouse: 'house',
  houseboat: 'house',
  other_residential: 'house',
  store: 'shop',
  business: 'shop',
  other_commercial: 'shop',
  warehouse: 'warehouse',
  hall: 'warehouse',
  industrial_space: 'warehouse',
  craft_space: 'warehouse',
  plot: 'plot',
  parcel: 'plot',
  island: 'plot',
}

/** The letters of the watermark, five dots wide and seven high. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  E: ['#####', '#....', '#....', '####.', '#....', '#....', '#####'],
  S: ['.####', '#....', '#....', '.###.', '....#', '....#', '####.'],
  T: ['#####', '..#..', '..#..', '..#..', '..#..', '..#..', '..#..'],
  I: ['#####', '..#..', '..#..', '..#..', '..#..', '..#..', '#####'],
  A: ['.###.', '#...#', '#...#', '#####', '#...#', '#...#', '#...#'],
}

/** The word ESTIA in half-transparent white on a soft shadow, as a PNG file. */
export function watermark(): Uint8Array {
  const dot = 16
  const word = 'ESTIA'
  const canvas = blankRaster((word.length * 6 - 1) * dot + 8, 7 * dot + 8)
  drawWord(canvas, word, dot, 6, 0x101820, 0.35)
  drawWord(canvas, word, dot, 0, 0xffffff, 0.55)
  return encodeDrawing(finish(canvas), canvas.width, canvas.height)
}

function drawWord(
  canvas: Canvas,
  word: string,
  dot: number,
  shift: number,
  colour: number,
  alpha: number,
): void {
  Array.from(word).forEach((letter, place) => {
    LETTERS[letter]?.forEach((row, y) => {
      Array.from(row).forEach((mark, x) => {
        const left = (place * 6 + x) * dot + shift
        if (mark === '#') rectangle(canvas, left, y * dot + shift, dot, dot, colour, alpha)
      })
    })
  })
}
