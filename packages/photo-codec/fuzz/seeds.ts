/**
 * The sound files that fuzzing starts from. To add one, add a line to SMALL or LARGE; what sharp cannot write is put
 * together in seed-jpeg.ts, seed-profiles.ts and seed-rows.ts.
 */

import sharp, { type Sharp } from 'sharp'
import { encodeGif } from '../corpus/gif-encoder.ts'
import { findSegment } from '../fixtures/containers.ts'
import { type Random, seeded } from '../fixtures/random.ts'
import { randomJpeg, withoutHuffmanTables } from './seed-jpeg.ts'
import { GRIDLESS, LINEAR, withChunk, withProfile, withSegments } from './seed-profiles.ts'
import { gif, png } from './seed-rows.ts'

export const FORMATS = ['jpeg', 'png', 'gif', 'webp'] as const
export type Format = (typeof FORMATS)[number]

/** A sound file. Large ones are drawn less often, as each takes long. */
export interface Seed {
  name: string
  format: Format
  bytes: Uint8Array
  large: boolean
}

type Maker = (random: Random) => Promise<Uint8Array> | Uint8Array

const RGB = [1, 1]
const HALF = [2, 2, 1, 1, 1, 1]
const FULL = [1, 1, 1, 1, 1, 1]
/** The frame marker of JPEGs of random coefficients. */
const SOF1 = 0xc1

const SMALL: Record<Format, Record<string, Maker>> = {
  jpeg: {
    'baseline 4:4:4': (r) =>
      encoded(photo(r, 61, 43).jpeg({ chromaSubsampling: '4:4:4', progressive: false })),
    'baseline 4:2:0': (r) => encoded(photo(r, 61, 43).jpeg({ progressive: false, optimiseCoding: false })),
    'one block': (r) => encoded(photo(r, 8, 8).jpeg({ progressive: false })),
    wide: (r) => encoded(photo(r, 640, 9).jpeg()),
    tall: (r) => encoded(photo(r, 5, 300).jpeg({ progressive: true })),
    'progressive 4:4:4': (r) =>
      encoded(photo(r, 50, 70).jpeg({ chromaSubsampling: '4:4:4', progressive: true })),
    'progressive 4:2:0': (r) => encoded(photo(r, 71, 50).jpeg({ progressive: true })),
    trellis: (r) => encoded(photo(r, 90, 60).jpeg({ mozjpeg: true, quality: 60 })),
    grey: (r) => encoded(photo(r, 40, 33).grayscale().jpeg()),
    'progressive grey': (r) => encoded(photo(r, 40, 33).grayscale().jpeg({ progressive: true })),
    cmyk: (r) => encoded(photo(r, 40, 24).toColourspace('cmyk').jpeg()),
    'progressive cmyk': (r) => encoded(photo(r, 40, 24).toColourspace('cmyk').jpeg({ progressive: true })),
    profile: (r) => encoded(photo(r, 32, 32).withIccProfile('p3').jpeg()),
    'cmyk profile': (r) => withProfile(photo(r, 40, 24).toColourspace('cmyk').jpeg(), 'CMYK', 4),
    'table profile': (r) => withProfile(photo(r, 40, 24).jpeg(), 'RGB ', 3),
    'linear light': (r) => withSegments(photo(r, 40, 24).jpeg(), LINEAR),
    'grey linear light': (r) =>
      withSegments(photo(r, 40, 24).grayscale().jpeg({ progressive: true }), LINEAR),
    'table without a grid': (r) => withSegments(photo(r, 40, 24).jpeg(), GRIDLESS),
    turned: (r) => encoded(photo(r, 48, 32).withMetadata({ orientation: 6 }).jpeg()),
    mirrored: (r) => encoded(photo(r, 33, 47).withMetadata({ orientation: 7 }).jpeg({ progressive: true })),
    'restarts 4:4:4': (r) => randomJpeg(r, { width: 60, height: 40, sampling: FULL, restart: 3 }),
    'restarts 4:2:0': (r) => randomJpeg(r, { width: 90, height: 70, sampling: HALF, restart: 2 }),
    'restart per block': (r) => randomJpeg(r, { width: 60, height: 30, sampling: RGB, restart: 1 }),
    'odd grey sampling': (r) => randomJpeg(r, { width: 50, height: 41, sampling: [2, 2] }),
    '4:2:2': (r) => randomJpeg(r, { width: 50, height: 41, sampling: [2, 1, 1, 1, 1, 1] }),
    '4:4:0': (r) => randomJpeg(r, { width: 50, height: 41, sampling: [1, 2, 1, 1, 1, 1] }),
    '4:1:1': (r) => randomJpeg(r, { width: 50, height: 41, sampling: [4, 1, 1, 1, 1, 1] }),
    'uneven chroma': (r) => randomJpeg(r, { width: 50, height: 41, sampling: [2, 2, 1, 2, 2, 1] }),
    'multi-scan 4:2:0': (r) => randomJpeg(r, { width: 75, height: 43, sampling: HALF, scans: 'each' }),
    'multi-scan restarts': (r) =>
      randomJpeg(r, { width: 75, height: 43, sampling: HALF, scans: 'each', restart: 4 }),
    'four components': (r) => randomJpeg(r, { width: 30, height: 30, sampling: [2, 2, 1, 1, 1, 1, 2, 2] }),
    'motion frame': async (r) =>
      withoutHuffmanTables(await encoded(photo(r, 71, 50).jpeg({ optimiseCoding: false }))),
    'more intervals': (r) =>
      lowered(randomJpeg(r, { width: 75, height: 70, sampling: HALF, restart: 3 }), 32),
    'more intervals, grey': (r) =>
      lowered(randomJpeg(r, { width: 60, height: 60, sampling: RGB, restart: 8 }), 17),
    'without end': async (r) => (await encoded(photo(r, 61, 43).jpeg())).slice(0, -2),
    'progressive without end': async (r) =>
      (await encoded(photo(r, 50, 70).jpeg({ progressive: true }))).slice(0, -2),
    'wide quantizers': (r) => randomJpeg(r, { width: 30, height: 30, sampling: HALF, wideTables: true }),
  },
  png: {
    ...pngKinds(),
    profile: (r) => encoded(photo(r, 20, 20).withIccProfile('p3').png()),
    'by sharp': (r) => encoded(photo(r, 90, 60).png({ compressionLevel: 9 })),
    'palette by sharp': (r) => encoded(photo(r, 50, 60).png({ palette: true, colours: 40 })),
    wide: (r) => png(r, { width: 900, height: 3, colourType: 2, depth: 8 }),
    tall: (r) => png(r, { width: 3, height: 700, colourType: 6, depth: 8, interlaced: true }),
    'without end': (r) => png(r, { width: 37, height: 29, colourType: 2, depth: 8 }).slice(0, -12),
    'few colours': (r) => png(r, { width: 37, height: 29, colourType: 3, depth: 8, colours: 3 }),
    'linear light': (r) => png(r, { width: 37, height: 29, colourType: 2, depth: 8, profile: LINEAR }),
    'linear light, 16 bits': (r) =>
      png(r, { width: 37, height: 29, colourType: 6, depth: 16, profile: LINEAR }),
  },
  gif: {
    plain: (r) => gif(r, { width: 40, height: 30, colours: 4 }),
    'two colours': (r) => gif(r, { width: 33, height: 9, colours: 2 }),
    interlaced: (r) => gif(r, { width: 37, height: 41, colours: 16, interlaced: true }),
    'interlaced and low': (r) => gif(r, { width: 37, height: 3, colours: 256, interlaced: true }),
    transparent: (r) => gif(r, { width: 64, height: 64, colours: 64, transparent: true }),
    'small frame': (r) => gif(r, { width: 64, height: 50, colours: 8, frame: [10, 5, 30, 20] }),
    'beyond canvas': (r) => gif(r, { width: 24, height: 10, colours: 8, frame: [10, 5, 30, 20] }),
    'beyond canvas, interlaced': (r) =>
      gif(r, { width: 24, height: 10, colours: 8, frame: [3, 30, 30, 20], interlaced: true }),
    'wide codes': () => wideCodes(11),
    'wide codes, interlaced': () => wideCodes(9, true),
    '256 colours': (r) => gif(r, { width: 120, height: 100, colours: 256 }),
    animated: (r) => gif(r, { width: 30, height: 30, colours: 8, frames: 3 }),
    'by sharp': (r) => encoded(photo(r, 80, 60).gif()),
    'animated by sharp': (r) => animation(r, 24, 20, (frames) => frames.gif()),
  },
  webp: {
    lossy: (r) => encoded(photo(r, 61, 43).webp()),
    'lossy and rough': (r) => encoded(photo(r, 70, 45).webp({ quality: 4 })),
    'lossy and fine': (r) => encoded(photo(r, 45, 70).webp({ quality: 100, effort: 6 })),
    'lossy one pixel': (r) => encoded(photo(r, 1, 1).webp()),
    'lossy with raw alpha': (r) => encoded(sheer(r, 33, 41).webp({ alphaQuality: 100, effort: 0 })),
    'lossless, small': (r) => encoded(photo(r, 90, 70).webp({ lossless: true, effort: 6 })),
    'lossless palette': (r) => encoded(photo(r, 50, 40).png({ palette: true, colours: 12 })).then(repacked),
    'lossy with alpha': (r) => encoded(sheer(r, 40, 40).webp()),
    lossless: (r) => encoded(photo(r, 61, 43).webp({ lossless: true })),
    'lossless with alpha': (r) => encoded(sheer(r, 30, 50).webp({ lossless: true })),
    'near lossless': (r) => encoded(photo(r, 50, 20).webp({ nearLossless: true })),
    'few colours': (r) => encoded(photo(r, 64, 64).threshold(128).webp({ lossless: true })),
    wide: (r) => encoded(photo(r, 640, 8).webp()),
    profile: (r) => encoded(photo(r, 32, 32).withIccProfile('p3').webp()),
    'linear light': async (r) => withChunk(await encoded(photo(r, 33, 31).webp()), 33, 31),
    'lossless linear light': async (r) =>
      withChunk(await encoded(photo(r, 33, 31).webp({ lossless: true })), 33, 31),
    turned: (r) => encoded(photo(r, 48, 32).withMetadata({ orientation: 8 }).webp()),
    animated: (r) => animation(r, 24, 20, (frames) => frames.webp()),
    'animated lossless': (r) => animation(r, 31, 17, (frames) => frames.webp({ lossless: true })),
  },
}

const LARGE: Record<Format, Record<string, Maker>> = {
  jpeg: {
    'large baseline': (r) => encoded(photo(r, 1000, 700).jpeg({ progressive: false })),
    'large progressive': (r) => encoded(photo(r, 700, 1000).jpeg({ progressive: true })),
    'large restarts': (r) => randomJpeg(r, { width: 1100, height: 330, sampling: HALF, restart: 17 }),
    'large panorama': (r) => encoded(photo(r, 3000, 120).jpeg()),
  },
  png: {
    'large rgb': (r) => png(r, { width: 1000, height: 500, colourType: 2, depth: 8 }),
    'large interlaced': (r) =>
      png(r, { width: 500, height: 1000, colourType: 6, depth: 16, interlaced: true }),
  },
  gif: {
    large: (r) => gif(r, { width: 1000, height: 700, colours: 128, interlaced: true }),
  },
  webp: {
    large: (r) => encoded(photo(r, 1000, 700).webp()),
    'large lossless': (r) => encoded(photo(r, 1000, 500).webp({ lossless: true })),
  },
}

/** Every seed of some formats; the same bytes on every run. */
export async function loadSeeds(formats: readonly Format[]): Promise<Seed[]> {
  const seeds: Seed[] = []
  for (const format of formats) {
    for (const [kinds, large] of [
      [SMALL[format], false],
      [LARGE[format], true],
    ] as const) {
      for (const [name, make] of Object.entries(kinds)) {
        const bytes = Uint8Array.from(await make(seeded(seeds.length)))
        seeds.push({ name, format, bytes, large })
      }
    }
  }
  return seeds
}

/** Every colour type in every depth, flat and interlaced. */
function pngKinds(): Record<string, Maker> {
  const depths: Record<number, number[]> = {
    0: [1, 2, 4, 8, 16],
    2: [8, 16],
    3: [1, 2, 4, 8],
    4: [8, 16],
    6: [8, 16],
  }
  const kinds: Record<string, Maker> = {}
  for (const [type, allowed] of Object.entries(depths)) {
    for (const depth of allowed) {
      for (const interlaced of [false, true]) {
        const kind = { colourType: Number(type), depth, interlaced, transparent: depth < 8 || interlaced }
        kinds[`type ${type}, ${depth} bits${interlaced ? ', interlaced' : ''}`] = (r) =>
          png(r, { width: 37, height: 29, ...kind })
      }
    }
  }
  return kinds
}

function encoded(image: Sharp): Promise<Uint8Array> {
  return image.toBuffer()
}

/** A JPEG whose frame header tells of a lower picture. */
function lowered(jpeg: Uint8Array, height: number): Uint8Array {
  const out = Uint8Array.from(jpeg)
  out.set([height >> 8, height & 255], findSegment(out, SOF1) + 5)
  return out
}

/** A GIF with a minimum code size that is longer than indexes are, and indexes that no palette has. */
function wideCodes(codeBits: number, interlaced = false): Uint8Array {
  const indexes = Array.from({ length: 40 * 30 }, (_, i) => (i * i) % 9)
  const palette = [[0, 0, 0] as const, [90, 120, 200] as const, [255, 230, 90] as const]
  return encodeGif({ width: 40, height: 30, palette, frames: [{ indexes, codeBits, interlaced }] })
}

/** Shapes, a slope and some noise, so that every kind of coefficient and of row occurs. */
function raster(random: Random, width: number, height: number, channels: 3 | 4): Sharp {
  const data = new Uint8Array(width * height * channels)
  const [a, b, c] = [random.int(1, 9), random.int(1, 9), random.int(3, 20)]
  for (let i = 0; i < data.length; i++) {
    const [x, y, channel] = [Math.floor(i / channels) % width, Math.floor(i / channels / width), i % channels]
    const edge = (x * a + y * b) % (c * 8) < c * 3 ? 90 : 0
    data[i] = (x * (channel + 1) + y * a + edge + (x % 64 < 16 ? random.int(0, 60) : 0)) & 255
  }
  return sharp(data, { raw: { width, height, channels } })
}

function photo(random: Random, width: number, height: number): Sharp {
  return raster(random, width, height, 3)
}

/** A picture as a lossless WebP. */
async function repacked(file: Uint8Array): Promise<Uint8Array> {
  return encoded(sharp(file).webp({ lossless: true }))
}

function sheer(random: Random, width: number, height: number): Sharp {
  return raster(random, width, height, 4)
}

async function animation(
  random: Random,
  width: number,
  height: number,
  encode: (frames: Sharp) => Sharp,
): Promise<Uint8Array> {
  const stills = await Promise.all(
    Array.from({ length: 3 }, () => encoded(sheer(random, width, height).png())),
  )
  return encoded(encode(sharp(stills, { join: { animated: true } })))
}
