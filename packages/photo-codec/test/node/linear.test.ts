import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { planesOf, toYcc } from '../../corpus/forms.ts'
import { encodeProfile, gammaElement, linearProfile } from '../../corpus/icc.ts'
import { lightOf } from '../../corpus/icc-colours.ts'
import { encodeJpeg, type JpegOptions } from '../../corpus/jpeg-encoder.ts'
import { adobeSegment } from '../../corpus/jpegs.ts'
import { LINEAR } from '../../corpus/linear.ts'
import { fromRaw } from '../../corpus/oracle.ts'
import { bytesOf, concat } from '../../fixtures/bytes.ts'
import { pngChunk, profileSegments, riff, riffChunk } from '../../fixtures/containers.ts'
import { encodePng, type PngOptions } from '../../fixtures/png.ts'
import { processPanorama, processPhoto } from '../../src/process.ts'
import { itIsFaithful } from './likeness.ts'
import { patches, seen, shift } from './patches.ts'

/** Patches of all mixtures of 5 levels of sRGB, two of them in the shadows, as they are to be seen. */
const LEVELS = [0, 20, 64, 160, 255]
const SIDE = 25 * 16
const levelAt = (i: number) => {
  const at = Math.floor(i / 3)
  const patch = Math.floor(Math.floor(at / SIDE) / 16) * 25 + Math.floor((at % SIDE) / 16)
  return LEVELS[Math.floor(patch / 5 ** (i % 3)) % 5] ?? 0
}

const toLevel = (light: number) =>
  255 * (light > 0.0031308 ? 1.055 * light ** (1 / 2.4) - 0.055 : light * 12.92)

/** The light of the chart in samples of so many bits, and the levels that these samples mean. */
function chart(depth: 8 | 16, isGrey = false) {
  const most = 2 ** depth - 1
  const light = Uint16Array.from({ length: SIDE * SIDE * 3 }, (_, i) =>
    Math.round(lightOf(levelAt(isGrey ? i - (i % 3) : i)) * most),
  )
  const levels = new Float64Array(light.length)
  light.forEach((sample, i) => {
    levels[i] = toLevel(sample / most)
  })
  return { light, expected: patches(levels as unknown as Uint8Array) }
}

const RGB = linearProfile()
const GREY = encodeProfile({ space: 'GRAY', elements: [['kTRC', gammaElement(1)]] })

const DEEP = chart(16)
const FLAT = chart(8)
const DEEP_GREY = chart(16, true)
const FLAT_GREY = chart(8, true)
const bytes = Uint8Array.from(FLAT.light)
const every = (samples: Uint16Array, step: number) => samples.filter((_, i) => i % step === 0)

function png(options: Pick<PngOptions, 'colourType' | 'depth' | 'samples' | 'interlaced'>, profile = RGB) {
  const chunk = pngChunk('iCCP', concat(bytesOf('linear\0\0'), deflateSync(profile)))
  return encodePng({ width: SIDE, height: SIDE, ...options, before: [chunk] })
}

/** With an opaque alpha channel. */
const withAlpha = (samples: Uint16Array, channels: number, most: number) =>
  Uint16Array.from({ length: (samples.length / channels) * (channels + 1) }, (_, i) => {
    const channel = i % (channels + 1)
    return channel === channels ? most : (samples[Math.floor(i / (channels + 1)) * channels + channel] ?? 0)
  })

function jpeg(planes: readonly Uint8Array[], options: JpegOptions = {}, profile = RGB) {
  const before = [...(options.before ?? []), ...profileSegments(profile)]
  const components = planes.map((samples) => ({ samples }))
  return encodeJpeg(SIDE, SIDE, components, { quality: 99, ...options, before })
}

const planes = planesOf({ width: SIDE, height: SIDE, data: bytes })

async function webp(lossless: boolean) {
  const picture = fromRaw({ width: SIDE, height: SIDE, data: bytes })
  const still = (await picture.webp({ lossless, quality: 100, effort: 2 }).toBuffer()).subarray(12)
  const size = [SIDE - 1, SIDE - 1].flatMap((side) => [side & 255, side >> 8, 0])
  return riff(riffChunk('VP8X', concat([0x20, 0, 0, 0], size)), riffChunk('ICCP', RGB), still)
}

interface Carrier {
  name: string
  make: () => Uint8Array | Promise<Uint8Array>
  expected: number[]
  /** Most levels that the mean of a channel is off; lossy formats lose light in the shadows before it gets here. */
  bound?: number
}

const CARRIERS: Carrier[] = [
  {
    name: 'PNG of 16-bit RGB',
    make: () => png({ colourType: 2, depth: 16, samples: DEEP.light }),
    expected: DEEP.expected,
  },
  {
    name: 'PNG of 16-bit RGBA, interlaced',
    make: () =>
      png({ colourType: 6, depth: 16, samples: withAlpha(DEEP.light, 3, 65_535), interlaced: true }),
    expected: DEEP.expected,
  },
  {
    name: 'PNG of 16-bit grey',
    make: () => png({ colourType: 0, depth: 16, samples: every(DEEP_GREY.light, 3) }, GREY),
    expected: DEEP_GREY.expected,
  },
  {
    name: 'PNG of 16-bit grey and alpha',
    make: () =>
      png({ colourType: 4, depth: 16, samples: withAlpha(every(DEEP_GREY.light, 3), 1, 65_535) }, GREY),
    expected: DEEP_GREY.expected,
  },
  {
    name: 'PNG of 8-bit RGB',
    make: () => png({ colourType: 2, depth: 8, samples: FLAT.light }),
    expected: FLAT.expected,
  },
  {
    name: 'PNG of 8-bit grey',
    make: () => png({ colourType: 0, depth: 8, samples: every(FLAT_GREY.light, 3) }, GREY),
    expected: FLAT_GREY.expected,
  },
  {
    name: 'JPEG of Y′CbCr',
    make: () => jpeg(toYcc(planes)),
    expected: FLAT.expected,
    bound: 3,
  },
  {
    name: 'JPEG of Y′CbCr, progressive',
    make: () => jpeg(toYcc(planes), { scans: 'progressive' }),
    expected: FLAT.expected,
    bound: 3,
  },
  {
    name: 'JPEG of RGB',
    make: () => jpeg(planes, { before: [adobeSegment(0)] }),
    expected: FLAT.expected,
  },
  {
    name: 'JPEG of grey',
    make: () => jpeg([Uint8Array.from(every(FLAT_GREY.light, 3))], {}, GREY),
    expected: FLAT_GREY.expected,
  },
  { name: 'lossless WebP', make: () => webp(true), expected: FLAT.expected },
  { name: 'lossy WebP', make: () => webp(false), expected: FLAT.expected, bound: 4 },
]

describe('a photo in linear light', () => {
  itIsFaithful(LINEAR)

  it.each(CARRIERS)('is stored in sRGB: $name', async ({ make, expected, bound = 1 }) => {
    const file = await make()
    const { original } = processPhoto(file, { maxSide: 1920, watermark: null })
    const { image } = processPanorama(file)
    for (const copy of [original, image]) {
      expect((await sharp(copy).metadata()).icc).toBeUndefined()
      expect(Math.max(...shift(patches(await seen(copy)), expected))).toBeLessThan(bound)
    }
  })

  it('keeps shadows apart that 8 bits of light cannot tell', async () => {
    // All levels of sRGB below 16, a patch each; in 8 bits of linear light they are three.
    const ramp = Uint16Array.from({ length: 256 * 16 * 3 }, (_, i) =>
      Math.round(lightOf(Math.floor((Math.floor(i / 3) % 256) / 16)) * 65_535),
    )
    const chunk = pngChunk('iCCP', concat(bytesOf('linear\0\0'), deflateSync(RGB)))
    const file = encodePng({
      width: 256,
      height: 16,
      colourType: 2,
      depth: 16,
      samples: ramp,
      before: [chunk],
    })
    const { original } = processPhoto(file, { maxSide: 1920, watermark: null })
    const pixels = await seen(original)
    const found = Array.from({ length: 16 }, (_, i) => pixels[(8 * 256 + i * 16 + 8) * 3] ?? 0)
    for (const [level, value] of found.entries()) expect(Math.abs(value - level)).toBeLessThanOrEqual(1)
  })

  it('keeps what is transparent, and the one colour that is', async () => {
    const light = Math.round(lightOf(100) * 65_535)
    const [clear, opaque] = [
      [light, light, light],
      [light, light, light + 1],
    ]
    const samples = Uint16Array.from({ length: 32 * 16 * 3 }, (_, i) => {
      const colour = Math.floor(i / 3) % 32 < 16 ? clear : opaque
      return colour[i % 3] ?? 0
    })
    const transparency = pngChunk('tRNS', concat(...[light, light, light].map((n) => [n >> 8, n & 255])))
    const chunk = pngChunk('iCCP', concat(bytesOf('linear\0\0'), deflateSync(RGB)))
    const file = encodePng({
      width: 32,
      height: 16,
      colourType: 2,
      depth: 16,
      samples,
      before: [chunk, transparency],
    })
    const pixels = await seen(processPhoto(file, { maxSide: 1920, watermark: null }).original)
    expect([pixels[(8 * 32 + 4) * 3], pixels[(8 * 32 + 28) * 3]]).toEqual([
      expect.closeTo(255, -0.5),
      expect.closeTo(100, -0.5),
    ])
  })

  it('is converted in a watermark, too', async () => {
    const photo = await fromRaw({ width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 3) })
      .jpeg()
      .toBuffer()
    const mark = png({ colourType: 2, depth: 16, samples: DEEP.light })
    const { watermarked } = processPhoto(photo, { maxSide: 1920, watermark: mark })
    const found = patches(await seen(watermarked ?? new Uint8Array(0)))
    expect(Math.max(...shift(found, DEEP.expected))).toBeLessThan(1.5)
  })
})
