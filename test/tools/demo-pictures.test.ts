/** The drawings of the demo agency: the same every time, with correct panoramas and floor plans. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { demoContacts, livingContactIds } from '../../demo/contacts.ts'
import { layOut, type Storey } from '../../demo/drawing/floor-layout.ts'
import { floorPlan } from '../../demo/drawing/floor-plan.ts'
import { house } from '../../demo/drawing/houses.ts'
import { capitals, strokesOf } from '../../demo/drawing/letters.ts'
import { unroll } from '../../demo/drawing/panorama.ts'
import { Stage, type Vector } from '../../demo/drawing/stage.ts'
import { pickStyle, SKIES } from '../../demo/drawing/style.ts'
import { type Perspective, render, svgOf } from '../../demo/drawing/view.ts'
import { listingPictures } from '../../demo/listing-pictures.ts'
import { demoListings } from '../../demo/listings.ts'
import {
  drawOutside,
  drawPanorama,
  drawPlan,
  drawRoom,
  EXAMPLE_HOME,
  watermark,
} from '../../demo/pictures.ts'
import { seeded } from '../../fixtures/random.ts'

const STOREY: Storey = { area: 84, rooms: ['living', 'kitchen', 'bedroom', 'bedroom', 'bathroom'] }

async function pixelsOf(picture: Uint8Array) {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) =>
    Array.from(data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels))
  return { ...info, at }
}

const difference = (a: number[], b: number[]) =>
  Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? 0))))

describe('every picture', () => {
  it.each([
    ['a room', 1280, 960, 3, () => drawRoom(EXAMPLE_HOME, 'livingRoom')],
    ['a house', 1280, 960, 3, () => drawOutside(EXAMPLE_HOME, house('villa', 2, true))],
    ['a floor plan', 1280, 960, 3, () => drawPlan(EXAMPLE_HOME, STOREY, 'PLAN')],
    ['a panorama', 2560, 1280, 3, () => drawPanorama(EXAMPLE_HOME, 'bedroom')],
    ['the watermark', 537, 77, 4, watermark],
  ])('is the same every time and has its size: %s', async (_, width, height, channels, draw) => {
    const [first, second] = [await draw(), await draw()]
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(hash(second)).toBe(hash(first))
    expect(await sharp(first).metadata()).toMatchObject({ format: 'png', width, height, channels })
    expect(first.length).toBeLessThan(700_000)
  })
})

it('the watermark is transparent around its letters, and light on a dark edge', async () => {
  const { width, height, at } = await pixelsOf(await watermark())
  expect(at(0, 0)[3]).toBe(0)
  let [light, dark] = [0, 0]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [red = 0, , , opacity = 0] = at(x, y)
      if (opacity > 128 && red > 200) light += 1
      if (opacity > 20 && red < 80) dark += 1
    }
  expect(light).toBeGreaterThan(2_000)
  expect(dark).toBeGreaterThan(2_000)
})

describe('a panorama', () => {
  const WHITE: Vector = [0, 0, 0]

  it.each(['livingRoom', 'bedroom', 'terrace'] as const)('closes and has even poles: %s', async (room) => {
    const { width, height, at } = await pixelsOf(await drawPanorama(EXAMPLE_HOME, room))
    let seam = 0
    let inside = 0
    for (let y = 0; y < height; y += 1) {
      seam += difference(at(0, y), at(width - 1, y))
      inside += difference(at(width / 4, y), at(width / 4 + 1, y))
    }
    // Across the edge, neighbours differ no more than elsewhere.
    expect(seam / height).toBeLessThan(Math.max(1.5, (3 * inside) / height))
    for (const y of [0, height - 1])
      expect(difference(at(0, y), at(width / 2, y))).toBeLessThan(y === 0 ? 3 : 12)
  })

  it('shows everything in its direction', async () => {
    const stage = new Stage(WHITE, SKIES.day)
    // A small square ten metres away; 0 is north, 90 is east.
    const square = (heading: number, elevation: number, colour: number) => {
      const [turn, rise] = [(heading * Math.PI) / 180, (elevation * Math.PI) / 180]
      const [sin, cos, level] = [Math.sin(turn), Math.cos(turn), Math.cos(rise)]
      const middle: Vector = [sin * level * 10, cos * level * 10, Math.sin(rise) * 10]
      const corner = (right: number, up: number): Vector => [
        middle[0] + cos * right - sin * Math.sin(rise) * up,
        middle[1] - sin * right - cos * Math.sin(rise) * up,
        middle[2] + level * up,
      ]
      stage.polygon([corner(-0.2, -0.2), corner(0.2, -0.2), corner(0.2, 0.2), corner(-0.2, 0.2)], colour)
    }
    const squares = [
      [0, 0, 0xff0000],
      [90, 0, 0x00ff00],
      [180, 30, 0x0000ff],
      [-90, -40, 0xffff00],
      [45, 0, 0xff00ff],
      [20, 70, 0x00ffff],
      [-135, -60, 0x808000],
    ] as const
    for (const [heading, elevation, colour] of squares) square(heading, elevation, colour)
    const { width, height, at } = await pixelsOf(await unroll(stage, 0, () => 0xffffff))
    for (const [heading, elevation, colour] of squares) {
      const x = Math.round((heading / 360 + 0.5) * width) % width
      const y = Math.round((0.5 - elevation / 180) * height)
      expect([heading, at(x, y)]).toEqual([heading, [colour >> 16, (colour >> 8) & 255, colour & 255]])
    }
    expect(at(Math.round(width * 0.6), height / 2)).toEqual([255, 255, 255])
  })
})

it('what is nearer hides what is farther, in whatever order it is drawn', async () => {
  const perspective: Perspective = {
    width: 40,
    height: 40,
    focal: 40,
    horizon: 20,
    forward: [0, 1, 0],
    up: [0, 0, 1],
  }
  for (const order of [
    [2, 5, 9],
    [9, 5, 2],
    [5, 9, 2],
  ]) {
    const stage = new Stage([0, 0, 0], SKIES.day)
    for (const distance of order)
      stage.thing([-1, distance, -1], [1, distance + 1, 1], () => {
        const square: Vector[] = [
          [-1, distance, -1],
          [1, distance, -1],
          [1, distance, 1],
          [-1, distance, 1],
        ]
        stage.polygon(square, distance === 2 ? 0xff0000 : 0x0000ff)
      })
    const { at } = await pixelsOf(await render(svgOf(stage, perspective), 40, 40).png().toBuffer())
    expect(at(20, 20)).toEqual([255, 0, 0, 255])
  }
})

describe('a floor plan', () => {
  const kind = fc.constantFrom('bedroom', 'bathroom', 'wc')
  const storey = fc
    .record({
      living: fc.constantFrom(['living', 'kitchen'] as const, []),
      others: fc.array(kind, { minLength: 1, maxLength: 12 }),
      share: fc.integer({ min: 12, max: 40 }),
    })
    .map(({ living, others, share }): Storey => {
      const rooms = [...living, ...others]
      return { rooms, area: rooms.length * share }
    })

  it('has all rooms, none over another, and the whole area', () => {
    fc.assert(
      fc.property(storey, ({ area, rooms }) => {
        const planned = layOut({ area, rooms })
        expect(new Set(planned.map((room) => room.kind))).toEqual(new Set([...rooms, 'hall']))
        expect(planned.length).toBe(rooms.length + 1)
        expect(planned.reduce((sum, room) => sum + room.width * room.depth, 0)).toBeCloseTo(area, 6)
        for (const [index, a] of planned.entries()) {
          expect(Math.min(a.width, a.depth)).toBeGreaterThan(0.5)
          for (const b of planned.slice(index + 1)) {
            const apartX = a.x + a.width <= b.x + 1e-9 || b.x + b.width <= a.x + 1e-9
            expect(apartX || a.y + a.depth <= b.y + 1e-9 || b.y + b.depth <= a.y + 1e-9).toBe(true)
          }
        }
      }),
    )
  })

  it('holds numbers alone, and no text that needs a font', () => {
    const svg = floorPlan(STOREY, 'ΚΑΤΟΨΗ', pickStyle(seeded(1)))
    expect(svg).not.toMatch(/NaN|undefined|Infinity|<text/)
  })
})

it('there is a letter for all that is written', () => {
  const written = [
    'Κάτοψη πρώτου ορόφου',
    'Κάτοψη ισογείου',
    'Second floor',
    'Εστία Κέντρο',
    'ΥΠΝΟΔΩΜΑΤΙΟ',
    'ΜΠΑΛΚΟΝΙ WC',
    '0123456789,',
  ]
  for (const letter of capitals(written.join('').replaceAll(' ', '')))
    expect([letter, strokesOf(letter).length > 0]).toEqual([letter, true])
})

describe('the pictures of a listing', () => {
  const listings = new Map(
    demoListings(livingContactIds(demoContacts(400)), 300).map((listing) => [listing.id, listing]),
  )
  const pictures = listingPictures().map((entry) => ({ ...entry, listing: listings.get(entry.listing_id) }))
  const english = ({ captions }: { captions: readonly { language_id: number; caption: string }[] }) =>
    captions.find(({ language_id }) => language_id === 2)?.caption ?? ''

  it('begin with the property from outside and end with its floor plans', () => {
    for (const { photos } of pictures) {
      const kinds = photos.map(({ kind }) => kind)
      expect(kinds[0]).toBe('photo')
      expect(kinds).toEqual(kinds.toSorted((a, b) => (a === b ? 0 : a === 'photo' ? -1 : 1)))
      expect(photos.length).toBeLessThanOrEqual(7)
    }
    expect(pictures.some(({ photos }) => photos.some(({ kind }) => kind === 'floor_plan'))).toBe(true)
  })

  it('say in two languages what they show', () => {
    for (const { photos, panoramas } of pictures)
      for (const { captions } of [...photos, ...panoramas]) {
        expect(captions.map(({ language_id }) => language_id)).toEqual([1, 2])
        for (const { caption } of captions) expect(caption).toMatch(/^\p{Lu}[\p{L} ]{3,60}$/u)
      }
  })

  it('show a pool where the listing has one', () => {
    const houses = pictures.filter(
      ({ photos: [first] }) => first && /house( and its pool)?$/.test(english(first)),
    )
    for (const { photos, listing } of houses) {
      const hasPool = listing?.features.some((key) => key.endsWith('_pool')) ?? false
      expect(photos.map(english).includes('The house and its pool')).toBe(hasPool)
    }
    expect(new Set(houses.map(({ photos: [first] }) => first && english(first))).size).toBe(2)
  })

  it('show all rooms of one home around the eye, and one of another', () => {
    const counts = pictures.map(({ panoramas }) => panoramas.length).filter((count) => count > 0)
    expect(counts).toEqual([1, 3])
  })
})
