import { type Random, seeded } from '../fixtures/random.ts'
import type { Subcategory } from '../src/catalogue/enums.ts'
import { encodeDrawing } from './png.ts'
import { blankRaster, type Canvas, finish, rectangle } from './raster.ts'
import { drawFlats, drawHouse, drawPlot, drawShop, drawWarehouse } from './scenes.ts'
import { type Backdrop, drawSurroundings, type Ground } from './surroundings.ts'

/** Something that is photographed. */
interface Scene {
  draw: (canvas: Canvas, random: Random) => void
  /** What it can pass for. */
  subcategories: readonly Subcategory[]
  /** Where it stands, in one photo each. */
  places: readonly `${Backdrop} ${Ground}`[]
}

/** What a photo shows when no other scene can pass for the property. */
const FLATS: Scene = {
  draw: drawFlats,
  subcategories: [],
  places: [
    'city street',
    'hills street',
    'sea street',
    'city street',
    'city street',
    'hills street',
    'sea street',
  ],
}

const SCENES: readonly Scene[] = [
  {
    draw: drawHouse,
    subcategories: ['maisonette', 'detached', 'villa', 'farmhouse', 'houseboat', 'other_residential'],
    places: ['hills grass', 'sea grass', 'hills earth', 'sea earth', 'city grass', 'sea grass'],
  },
  FLATS,
  {
    draw: drawShop,
    subcategories: ['store', 'business', 'other_commercial'],
    places: ['city street', 'city street', 'hills street', 'sea street'],
  },
  {
    draw: drawPlot,
    subcategories: ['plot', 'parcel', 'island'],
    places: ['hills earth', 'sea earth', 'sea grass', 'hills grass'],
  },
  {
    draw: drawWarehouse,
    subcategories: ['warehouse', 'hall', 'industrial_space', 'craft_space'],
    places: ['hills street', 'city street', 'hills earth'],
  },
]

/** What each photo shows; the index in this list is the photo's number. */
const PHOTOS = SCENES.flatMap((scene) => scene.places.map((place) => ({ scene, place })))

/** How many photos there are; their numbers begin at 0. */
export const PHOTO_COUNT = PHOTOS.length

/** A photo as a PNG file of 1280 × 960. */
export function photo(number: number): Uint8Array {
  const shown = PHOTOS[number]
  if (!shown) throw new Error(`There is no photo ${number}`)
  const [backdrop, ground] = shown.place.split(' ') as [Backdrop, Ground]
  const random = seeded(4_000 + number)
  const canvas = blankRaster(1_280, 960)
  drawSurroundings(canvas, random, backdrop, ground)
  shown.scene.draw(canvas, random)
  return encodeDrawing(finish(canvas), canvas.width, canvas.height)
}

/** The numbers of the photos that can pass for a property of this subcategory. */
export function photosFor(subcategory: Subcategory): number[] {
  const scene = SCENES.find(({ subcategories }) => subcategories.includes(subcategory)) ?? FLATS
  return PHOTOS.flatMap((photo, index) => (photo.scene === scene ? [index] : []))
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
