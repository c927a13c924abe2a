/**
 * Renders a picture through the code under test and looks at the result.
 *
 *     expectCorners(await render(await toJpeg(quadrants(64, 32))), UPRIGHT)
 */

import { expect } from 'vitest'
import { text } from '../fixtures/bytes.ts'
import { BLUE, type Colour, GREEN, GREY, RED, readJpeg, WHITE } from '../fixtures/pictures.ts'
import { processPhoto } from '../src/process.ts'

/** What most tests ask for: a bound that does not matter, no watermark. */
export const PLAIN = { maxSide: 1920, watermark: null }

/** How far a JPEG at quality 90 may be from the colour that was painted. */
const TOLERANCE = 6

/** Fails unless a pixel is the colour that was painted, as near as JPEG keeps it. */
export function expectColour(found: number[], [red, green, blue]: Colour, where = '') {
  const distance = Math.max(...[red, green, blue].map((value, i) => Math.abs(value - (found[i] ?? -999))))
  expect(distance, `${where} is ${found}, not ${[red, green, blue]}`).toBeLessThanOrEqual(TOLERANCE)
}

/** The processed photo, decoded by another decoder. */
export async function render(bytes: Uint8Array, maxSide = 1920) {
  const { original, width, height } = processPhoto(bytes, { maxSide, watermark: null })
  const picture = await readJpeg(original)
  expect([picture.width, picture.height]).toEqual([width, height])
  return picture
}

/** The four colours of `quadrants`, clockwise from the top left. */
function corners({ width, height, pixel }: Awaited<ReturnType<typeof readJpeg>>): number[][] {
  const [left, right, top, bottom] = [width / 4, (width * 3) / 4, height / 4, (height * 3) / 4].map(
    Math.floor,
  )
  return [
    pixel(left ?? 0, top ?? 0),
    pixel(right ?? 0, top ?? 0),
    pixel(right ?? 0, bottom ?? 0),
    pixel(left ?? 0, bottom ?? 0),
  ]
}

/** Fails unless the quarters of a picture have these colours, clockwise from the top left. */
export function expectCorners(picture: Awaited<ReturnType<typeof readJpeg>>, colours: readonly Colour[]) {
  corners(picture).forEach((found, i) => {
    expectColour(found, colours[i] ?? WHITE, `corner ${i}`)
  })
}

/** The quarters of `quadrants` as they were painted. */
export const UPRIGHT = [RED, GREEN, GREY, BLUE]

/** Fails unless a JPEG of 40 × 40 pixels is baseline with 4:2:0 chroma, and its table of luma begins with these numbers. */
export function expectBaseline(jpeg: Uint8Array, quantisers: readonly number[]) {
  const frame = [0xff, 0xc0, 0, 17, 8, 0, 40, 0, 40, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff]
  expect(text(jpeg)).toContain(text(Uint8Array.from(frame)))
  expect(text(jpeg)).toContain(text(Uint8Array.of(0xff, 0xdb, 0, 67, 0, ...quantisers)))
}
