// @module-tag slow
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { JPEGS } from '../../corpus/jpegs.ts'
import { psnr, readRgb, resize } from '../../corpus/oracle.ts'
import type { Rgb } from '../../fixtures/scene.ts'
import { readWithJsquash } from './jsquash.ts'
import { flaws, floorsFor, itIsFaithful, LARGE, shifted, smallBound, store } from './likeness.ts'

const photos = JPEGS.filter(({ growth }) => growth !== undefined)

/** Luma this near is near enough whatever sharp does: what is left is rounding. */
const NEAR_ENOUGH = 46

describe('a JPEG', () => {
  itIsFaithful(JPEGS)
})

describe('a photo beside that of sharp', () => {
  const cases = photos.flatMap((photo) => [LARGE, smallBound(photo)].map((bound) => ({ ...photo, bound })))

  it.each(cases)('is as good and as small: $name within $bound', async (photo) => {
    const { width, height, file, found, expected } = await store(photo, photo.bound)
    const resized = sharp(await photo.bytes())
      .rotate()
      .resize(width, height, { fit: 'fill' })
    const theirs = await resized.jpeg({ quality: 90 }).toBuffer()
    const wanted = Math.min(NEAR_ENOUGH, psnr(await readRgb(theirs), expected).luma - 0.3)
    expect(psnr(found, expected).luma).toBeGreaterThanOrEqual(wanted)
    expect((file.length / theirs.length - 1) * 100, 'percent larger').toBeLessThanOrEqual(photo.growth ?? 0)
  })
})

describe('a JPEG in the eyes of mozjpeg', () => {
  // It has its own idea of CMYK, does not turn pictures, and has a warning for whatever is untidy.
  const read = JPEGS.filter(({ name }) => !/cmyk|ycck|orientation|garbage|untidy/.test(name))

  it.each(read)('looks the same: $name', async (picture) => {
    const seen = await readWithJsquash(await picture.bytes(), 'jpeg')
    for (const bound of [LARGE, smallBound(picture)]) {
      const { file, width, height, found } = await store(picture, bound)
      const expected = await resize(seen, width, height)
      expect(flaws(found, expected, floorsFor(picture, bound))).toEqual([])
      expect(flaws(await readWithJsquash(file, 'jpeg'), expected, floorsFor(picture, bound))).toEqual([])
    }
  })
})

describe('the comparison', () => {
  const darker = ({ width, height, data }: Rgb) => ({
    width,
    height,
    data: data.map((value) => Math.max(0, value - 4)),
  })
  const swapped = ({ width, height, data }: Rgb) => ({
    width,
    height,
    data: data.map((_, i) => data[i + 2 - (i % 3) * 2] ?? 0),
  })
  const changes: [string, (picture: Rgb) => Rgb][] = [
    ['a pixel to the left', (picture) => shifted(picture, 1, 1, 1)],
    ['half a pixel to the left', (picture) => shifted(picture, 1, 0.5, 0.5)],
    ['half a pixel up', (picture) => shifted(picture, picture.width, 0.5, 0.5)],
    ['a quarter of a pixel up', (picture) => shifted(picture, picture.width, 0.25, 0.25)],
    ['chroma half a pixel to the left', (picture) => shifted(picture, 1, 0, 0.5)],
    ['chroma half a pixel down', (picture) => shifted(picture, -picture.width, 0, 0.5)],
    ['red in place of blue', swapped],
    ['everything a little darker', darker],
  ]
  const samples = JPEGS.filter(({ name }) =>
    /photo-640x480|photo-2500|444-640x480|jpeg.420$|jpeg.411$/.test(name),
  )
  const cases = changes.flatMap(([change, make]) => samples.map((sample) => ({ ...sample, change, make })))

  it.each(cases)('notices $change: $name', async ({ make, ...sample }) => {
    for (const bound of [LARGE, smallBound(sample)]) {
      const { found, expected } = await store(sample, bound)
      expect(flaws(make(found), expected, floorsFor(sample, bound)), `within ${bound}`).not.toEqual([])
    }
  })
})
