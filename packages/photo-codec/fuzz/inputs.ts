/** The files of a run of the fuzzer: each follows from its number and the seed of the run. */
import { seeded } from '../fixtures/random.ts'
import { type Sample, samplesOf } from '../fixtures/samples.ts'
import { damaged } from './damage.ts'
import type { Use } from './outcome.ts'
import { FORMATS, type FormatName } from './parts.ts'

/** What determines the files of a run. */
export interface Run {
  seed: number
  /** Only files of this format. */
  only?: FormatName
}

export interface Input {
  format: FormatName
  sample: Sample
  bytes: Uint8Array
  use: Use
  /** Not damaged: it must give the same picture each time. */
  isSound: boolean
}

/** The names of the formats. */
export const NAMES = Object.keys(FORMATS) as FormatName[]
/** Each format as often as it is drawn: the more there is to its decoder, the more often. */
const SHARES: readonly FormatName[] = [
  ...(['jpeg', 'jpeg', 'jpeg', 'jpeg', 'jpeg', 'png', 'png', 'png', 'png', 'gif', 'gif'] as const),
  ...(['webp', 'webp', 'webp', 'webp', 'webp'] as const),
]
const USES: readonly Use[] = ['fit 24', 'fit 24', 'fit 200', 'fit 200', 'fit 1920', 'watermark', 'panorama']

const samples = new Map(NAMES.map((name) => [name, samplesOf(name)]))

/** The input of this number. */
export function inputAt(index: number, { seed, only }: Run): Input {
  const random = seeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const format = only ?? random.pick(SHARES)
  const files = samples.get(format) ?? []
  const sample = random.pick(files)
  if (random.chance(0.04)) return { format, sample, bytes: sample.bytes, use: 'fit 200', isSound: true }
  const use = random.pick(USES)
  const bytes = damaged(sample.bytes, FORMATS[format], random, () => random.pick(files).bytes)
  return { format, sample, bytes, use, isSound: false }
}
