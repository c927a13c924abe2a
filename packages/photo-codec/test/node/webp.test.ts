import { defaultOptions } from '@jsquash/webp/meta.js'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { fromRaw, psnr, readLook } from '../../fixtures/looks.ts'
import { webpEncoder } from '../../fixtures/pictures.ts'
import { drawScene } from '../../fixtures/scene.ts'
import { codecMemory } from '../../src/codec-instance.ts'
import { processPhoto } from '../../src/process.ts'
import { PLAIN } from '../rendering.ts'

const MEGABYTE = 1_000_000

/** What is lost, in dB, beyond what sharp's JPEG of the same picture loses; and how near is near enough. */
const MAX_LOSS = 2.5
const NEAR_ENOUGH = 40

/** Everything that libwebp's encoder can be told. */
const SETTINGS = fc.record({
  width: fc.integer({ min: 1, max: 150 }),
  height: fc.integer({ min: 1, max: 120 }),
  transparency: fc.boolean(),
  fewColours: fc.boolean(),
  quality: fc.nat(100),
  method: fc.nat(6),
  lossless: fc.nat(1),
  exact: fc.nat(1),
  segments: fc.integer({ min: 1, max: 4 }),
  sns_strength: fc.nat(100),
  filter_strength: fc.nat(100),
  filter_sharpness: fc.nat(7),
  filter_type: fc.nat(1),
  partitions: fc.nat(3),
  alpha_compression: fc.nat(1),
  alpha_filtering: fc.nat(2),
  alpha_quality: fc.integer({ min: 50, max: 100 }),
  near_lossless: fc.nat(100),
})

const SCENE = drawScene(160, 130)

function pixels(width: number, height: number, transparency: boolean, fewColours: boolean) {
  const { data, width: stride } = SCENE
  const mask = fewColours ? 0xc0 : 0xff
  const rgba = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < rgba.length; at++) {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)]
    const alpha = transparency ? Math.min(255, (x * 5 + y * 3) % 400) : 255
    rgba[at] = at % 4 === 3 ? alpha & mask : (data[(y * stride + x) * 3 + (at % 4)] ?? 0) & mask
  }
  return rgba
}

it('reads WebPs of all settings as libwebp does', async () => {
  const property = fc.asyncProperty(
    SETTINGS,
    async ({ width, height, transparency, fewColours, ...settings }) => {
      const rgba = pixels(width, height, transparency, fewColours)
      const encoded = (await webpEncoder).encode(rgba, width, height, { ...defaultOptions, ...settings })
      const file = new Uint8Array(encoded ?? new ArrayBuffer(0))
      const expected = await readLook(file)
      const theirs = psnr(await readLook(await fromRaw(expected).jpeg({ quality: 90 }).toBuffer()), expected)
      const ours = psnr(await readLook(processPhoto(file, PLAIN).original), expected)
      expect(ours.luma).toBeGreaterThan(Math.min(NEAR_ENOUGH, theirs.luma - MAX_LOSS))
      expect(ours.rgb).toBeGreaterThan(Math.min(NEAR_ENOUGH, theirs.rgb - MAX_LOSS))
    },
  )
  await fc.assert(property, { numRuns: 80, seed: 5 })
})

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#5577aa' } })

it.each([
  ['a WebP of 40 megapixels', 8000, 5000, () => flat(8000, 5000).webp({ effort: 0 }).toBuffer()],
  [
    'a lossless WebP of 40 megapixels',
    8000,
    5000,
    () => flat(8000, 5000).webp({ lossless: true, effort: 0 }).toBuffer(),
  ],
  [
    'an interlaced PNG of 24 megapixels',
    6000,
    4000,
    () => flat(6000, 4000).threshold(60).png({ palette: true, colours: 2, progressive: true }).toBuffer(),
  ],
])('never holds all of it: %s', async (_, width, height, make) => {
  const { original } = processPhoto(Uint8Array.from(await make()), { ...PLAIN, maxSide: 400 })
  const scale = 400 / Math.max(width, height)
  expect(await sharp(original).metadata()).toMatchObject({ width: 400, height: Math.round(height * scale) })
  expect(codecMemory()).toBeGreaterThan(0)
  expect(codecMemory()).toBeLessThan(20 * MEGABYTE)
})
