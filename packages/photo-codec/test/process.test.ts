import { describe, expect, it } from 'vitest'
import { bytesOf, concat, text } from '../fixtures/bytes.ts'
import { exif, pngChunk, profileOf, segment } from '../fixtures/containers.ts'
import { BLUE, GREEN, GREY, quadrants, RED, readJpeg, texture, toJpeg, toPng } from '../fixtures/pictures.ts'
import { encodeProfile, matrixElements } from '../fixtures/profile.ts'
import { CODEC_ERRORS } from '../src/errors.ts'
import { processPanorama, processPhoto } from '../src/process.ts'
import { expectBaseline, expectCorners, PLAIN, render } from './rendering.ts'

describe('processPhoto', () => {
  it.each([
    ['higher than the bound', 50, 400, 100, 13, 100],
    ['at the bound', 100, 30, 100, 100, 30],
    ['a line', 300, 1, 100, 100, 1],
    ['down to a pixel', 64, 64, 1, 1, 1],
  ])('fits a picture that is %s', async (_, width, height, maxSide, fittedWidth, fittedHeight) => {
    const picture = await render(toPng(quadrants(width, height)), maxSide)
    expect([picture.width, picture.height]).toEqual([fittedWidth, fittedHeight])
  })

  it('writes baseline JPEG with 4:2:0 chroma and the tables of quality 90', async () => {
    const { original } = processPhoto(toPng(texture(40, 40)), PLAIN)
    // Annex K.1's 16, 11, 12, 14, 12, 10 at a fifth.
    expectBaseline(original, [3, 2, 2, 3, 2, 2])
  })

  it('writes a sound file when there is more detail than it keeps waiting', async () => {
    const picture = await render(toPng(texture(2048, 1280)), 2048)
    const [x, y] = [1000, 900]
    const [red = 0, green = 0] = picture.pixel(x, y)
    expect([picture.width, picture.height]).toEqual([2048, 1280])
    expect(red + green).toBeGreaterThan(0)
  })

  it('applies the orientation of a PNG too', async () => {
    const file = toPng(quadrants(64, 32), [pngChunk('eXIf', exif(6, { little: true }))])
    expectCorners(await render(file), [BLUE, RED, GREEN, GREY])
  })

  it('drops all metadata but the colour profile', async () => {
    const profile = encodeProfile({ space: 'RGB ', elements: matrixElements() })
    const jpeg = await toJpeg(quadrants(32, 32), { orientation: 1, profile })
    const commented = concat(jpeg.subarray(0, 2), segment(0xfe, bytesOf('A comment')), jpeg.subarray(2))
    expect(text(commented)).toMatch(/Exif.*Cam/s)
    const { original } = processPhoto(commented, PLAIN)
    expect(text(original)).not.toMatch(/Exif|Cam|A comment/)
    expect(profileOf(original)?.numbers).toEqual(['1 of 1'])
  })
})

describe('the memory of a photo', () => {
  it('is given back while it is decoded, where the caller allows it', async () => {
    const file = await toJpeg(quadrants(64, 32))
    const kept = processPhoto(file, PLAIN)
    expect(file.length).toBeGreaterThan(0)
    expect(processPhoto(file, { ...PLAIN, consume: true })).toEqual(kept)
    expect(file.length).toBe(0)
  })

  it('is not left behind in the codec when a photo is refused', async () => {
    const file = await toJpeg(quadrants(64, 32))
    const before = processPhoto(file, PLAIN)
    expect(() => processPhoto(file.slice(0, -20), PLAIN)).toThrow(CODEC_ERRORS.undecodable)
    expect(processPhoto(file, PLAIN)).toEqual(before)
  })
})

describe('processPanorama', () => {
  it('keeps a panorama up to 8192 pixels wide and makes a small one of 1024', async () => {
    const { image, thumb } = processPanorama(toPng(quadrants(9000, 32)))
    const [large, small] = [await readJpeg(image), await readJpeg(thumb)]
    expect([large.width, large.height, small.width, small.height]).toEqual([8192, 29, 1024, 4])
    const narrow = processPanorama(toPng(quadrants(40, 2000)))
    expect((await readJpeg(narrow.image)).height).toBe(2000)
    expect((await readJpeg(narrow.thumb)).height).toBe(2000)
  })
})
