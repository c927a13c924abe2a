/** Draws the inputs of a fuzzing run: which file, how it is damaged, and what it is then used for. */

import { type Random, seeded } from '../fixtures/random.ts'
import { BYTE_MUTATIONS, type Mutation } from './bytes.ts'
import { mutateGif } from './gif.ts'
import { mutateJpeg } from './jpeg.ts'
import { mutatePng } from './png.ts'
import { FORMATS, type Format, type Seed } from './seeds.ts'
import { mutateWebp } from './webp.ts'

/** What is done with a file: fitted into so many pixels, made a panorama, or laid over a photo. */
export const USES = ['fit 24', 'fit 200', 'fit 1920', 'panorama', 'watermark'] as const
export type Use = (typeof USES)[number]

/** The use in which sound files are compared with themselves. */
export const COMPARED_USE: Use = 'fit 200'

/** One input, fully determined by its index and the seed of the run. */
export interface Input {
  /** Generates the file at every call. */
  bytes(): Uint8Array
  format: Format
  use: Use
  seed: Seed
  /** Not damaged: must give the picture that it gave at first. */
  sound: boolean
}

/** How often each format is drawn: the more there is to its decoder, the more often. */
const SHARES: Record<Format, number> = { jpeg: 5, png: 4, gif: 2, webp: 5 }

const FORMAT_MUTATIONS: Record<Format, Mutation> = {
  jpeg: mutateJpeg,
  png: mutatePng,
  gif: mutateGif,
  webp: mutateWebp,
}

/** The input at a place of a run. The same arguments give the same bytes. */
export function inputAt(seeds: readonly Seed[], runSeed: number, index: number): Input {
  const chance = Math.imul(runSeed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)
  const random = seeded(chance)
  const drawn = FORMATS.filter((format) => seeds.some((seed) => seed.format === format))
  const format = random.pick(drawn.flatMap((name) => Array.from({ length: SHARES[name] }, () => name)))
  const seed = seedOf(format, seeds, random)
  const sound = random.chance(0.04)
  if (sound) return { bytes: () => seed.bytes, format, use: COMPARED_USE, seed, sound }
  const bytes = () => {
    const dice = seeded(~chance)
    return damaged(seed.bytes, format, dice, () => seedOf(format, seeds, dice).bytes)
  }
  return { bytes, format, use: useFor(random), seed, sound }
}

function seedOf(format: Format, seeds: readonly Seed[], random: Random): Seed {
  const large = random.chance(0.06)
  return random.pick(seeds.filter((seed) => seed.format === format && seed.large === large))
}

function useFor(random: Random): Use {
  if (random.chance(0.08)) return 'watermark'
  if (random.chance(0.05)) return 'panorama'
  return random.pick<Use>(['fit 24', 'fit 200', 'fit 200', 'fit 1920'])
}

function damaged(bytes: Uint8Array, format: Format, random: Random, other: () => Uint8Array): Uint8Array {
  const count = random.pick([1, 1, 1, 2, 2, 3, 5])
  let out = bytes
  for (let i = 0; i < count; i++) {
    const mutate = random.chance(0.75) ? FORMAT_MUTATIONS[format] : random.pick(BYTE_MUTATIONS)
    out = mutate(out, random, other)
  }
  return out
}
