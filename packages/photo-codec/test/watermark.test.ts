import { describe, expect, it } from 'vitest'
import { bytesOf } from '../fixtures/bytes.ts'
import {
  BLUE,
  type Colour,
  GREEN,
  GREY,
  paint,
  quadrants,
  RED,
  readJpeg,
  toGif,
  toJpeg,
  toPng,
  toWebp,
  WHITE,
} from '../fixtures/pictures.ts'
import { seeded } from '../fixtures/random.ts'
import { isWatermarkImage, processPhoto } from '../src/process.ts'

import { expectColour } from './rendering.ts'

describe('the watermark', () => {
  const photo = () => toPng(paint(64, 48, () => GREY))
  const mark = (width: number, height: number, colour: Colour) => toPng(paint(width, height, () => colour))

  async function watermarked(watermark: Uint8Array | null, maxSide = 1920) {
    const result = processPhoto(photo(), { maxSide, watermark })
    expectColour(
      (await readJpeg(result.original)).pixel(result.width >> 1, result.height >> 1),
      GREY,
      'the original',
    )
    return result.watermarked && readJpeg(result.watermarked)
  }

  it('is drawn in the middle at its own size', async () => {
    const picture = await watermarked(mark(32, 16, WHITE))
    const inside = [16, 47].flatMap((x) => [16, 31].map((y) => [x, y]))
    const outside = [
      [15, 24],
      [48, 24],
      [32, 15],
      [32, 32],
      [0, 0],
    ]
    for (const [x = 0, y = 0] of inside) expectColour(picture?.pixel(x, y) ?? [], WHITE, `${x},${y}`)
    for (const [x = 0, y = 0] of outside) expectColour(picture?.pixel(x, y) ?? [], GREY, `${x},${y}`)
  })

  it('lets the photo through where it is transparent', async () => {
    const picture = await watermarked(mark(32, 32, [255, 255, 255, 128]))
    expectColour(picture?.pixel(32, 24) ?? [], [192, 192, 192, 255])
    const clear = await watermarked(mark(32, 32, [255, 0, 0, 0]))
    expectColour(clear?.pixel(32, 24) ?? [], GREY)
  })

  it.each([
    ['in the middle', 120, 40],
    ['from edge to edge', 600, 24],
    ['at the height of the photo', 8, 400],
    ['on one row of blocks', 16, 2],
  ])('gives the same file whether or not it has clear rows around it: %s', async (_, width, height) => {
    const random = seeded(1)
    const noise = toPng(
      paint(600, 400, () => [random.int(0, 255), random.int(0, 255), random.int(0, 255), 255]),
    )
    const [left, top] = [(600 - width) / 2, (400 - height) / 2]
    const isInside = (x: number, y: number) => x >= left && x < left + width && y >= top && y < top + height
    const small = toPng(paint(width, height, () => [255, 0, 0, 200]))
    const whole = toPng(paint(600, 400, (x, y) => (isInside(x, y) ? [255, 0, 0, 200] : [0, 0, 0, 0])))
    const [first, second] = [
      processPhoto(noise, { maxSide: 1920, watermark: small }),
      processPhoto(noise, { maxSide: 1920, watermark: whole }),
    ]
    expect(first.watermarked).not.toEqual(first.original)
    expect(first.watermarked).toEqual(second.watermarked)
    expect(first.original).toEqual(second.original)
  })

  it('may be WebP or JPEG', async () => {
    const blue = paint(32, 32, () => BLUE)
    for (const file of [await toWebp(blue), await toJpeg(blue)]) {
      expectColour((await watermarked(file))?.pixel(32, 24) ?? [], BLUE)
      expect(isWatermarkImage(file)).toBe(true)
    }
  })

  it('stands upright on a photo that was turned', async () => {
    const turned = await toJpeg(
      paint(64, 32, () => GREY),
      { orientation: 6 },
    )
    const result = processPhoto(turned, { maxSide: 1920, watermark: toPng(quadrants(16, 32)) })
    expect([result.width, result.height]).toEqual([32, 64])
    const picture = await readJpeg(result.watermarked ?? new Uint8Array(0))
    expectColour(picture.pixel(11, 20), RED)
    expectColour(picture.pixel(20, 20), GREEN)
    expectColour(picture.pixel(11, 43), BLUE)
  })

  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', bytesOf('hello')],
    ['a PNG that was cut', mark(32, 32, RED).subarray(0, 60)],
    ['a GIF', toGif(2, 2, [RED, GREEN], [{ indexes: [0, 1, 0, 1] }])],
  ])('is left out when it is %s', async (_, file) => {
    expect(await watermarked(file)).toBeNull()
    expect(isWatermarkImage(file)).toBe(false)
  })

  it('is not asked for', async () => {
    expect(await watermarked(null)).toBeNull()
  })
})
