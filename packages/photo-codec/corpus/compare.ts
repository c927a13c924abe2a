/**
 * One file through the photo pipeline and through sharp, and what differs.
 *
 *     const { line, differs } = await compare('house.webp', bytes)
 */
import sharp from 'sharp'
import type { Rgb } from '../fixtures/scene.ts'
import { processPhoto } from '../src/process.ts'
import { psnr, readLook } from './looks.ts'

/** The bound that the service uses, in pixels. */
const MAX_SIDE = 1920
/** Blocks whose means are compared have so many pixels in each direction; a JPEG keeps those, whatever it loses. */
const BLOCK = 8
/** Means that differ by this many levels of 255 more than in a JPEG by sharp show more than rounding. */
const MAX_DIFFERENCE = 6
/** A copy with this many dB less than a JPEG by sharp is worse, unless it is near enough anyway. */
const MAX_LOSS = 2
const NEAR_ENOUGH = 40

/** What came of a file. */
export interface Comparison {
  line: string
  /** What the two do not agree on; null when they do. */
  differs: 'only sharp accepts' | 'only Estia accepts' | 'other size' | 'other picture' | null
}

/** Compares what Estia and sharp make of a file. Never throws. */
export async function compare(name: string, file: Uint8Array, maxSide = MAX_SIDE): Promise<Comparison> {
  const [ours, theirs] = [
    await attempt(() => readOurs(file, maxSide)),
    await attempt(() => readTheirs(file, maxSide)),
  ]
  if ('refusal' in ours && 'refusal' in theirs) {
    return { line: `${name}: refused by both (${ours.refusal})`, differs: null }
  }
  if ('refusal' in ours) {
    return { line: `${name}: refused (${ours.refusal}), accepted by sharp`, differs: 'only sharp accepts' }
  }
  if ('refusal' in theirs) {
    const line = `${name}: ${sizeOf(ours)}, refused by sharp (${theirs.refusal})`
    return { line, differs: 'only Estia accepts' }
  }
  if (ours.width !== theirs.width || ours.height !== theirs.height) {
    return { line: `${name}: ${sizeOf(ours)}, by sharp ${sizeOf(theirs)}`, differs: 'other size' }
  }
  return compareLooks(name, ours, theirs)
}

async function compareLooks(name: string, ours: Rgb, theirs: Rgb): Promise<Comparison> {
  const { width, height, data } = theirs
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
  const best = await readLook(jpeg)
  const [found, possible] = [psnr(ours, theirs).luma, psnr(best, theirs).luma]
  const [apart, leastApart] = [largestDifference(ours, theirs), largestDifference(best, theirs)]
  const isWorse = found < Math.min(NEAR_ENOUGH, possible - MAX_LOSS) || apart > leastApart + MAX_DIFFERENCE
  const likeness = `${found.toFixed(1)} dB, largest difference ${apart.toFixed(0)}`
  const least = `${possible.toFixed(1)} dB, ${leastApart.toFixed(0)}`
  return {
    line: `${name}: ${sizeOf(ours)}, ${likeness} (a JPEG by sharp ${least})`,
    differs: isWorse ? 'other picture' : null,
  }
}

function sizeOf({ width, height }: Rgb): string {
  return `${width} × ${height}`
}

async function readOurs(file: Uint8Array, maxSide: number): Promise<Rgb> {
  const { original } = processPhoto(file, { maxSide, watermark: null })
  return readLook(original)
}

function readTheirs(file: Uint8Array, maxSide: number): Promise<Rgb> {
  return readLook(file, { width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
}

async function attempt(read: () => Promise<Rgb>): Promise<Rgb | { refusal: string }> {
  try {
    return await read()
  } catch (error) {
    return { refusal: reasons(error).join(': ').replaceAll('\n', ' ') }
  }
}

/** The message of an error and of what caused it. */
function reasons(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  return [error.message, ...(error.cause === undefined ? [] : reasons(error.cause))]
}

/** The largest difference between the means of two blocks at the same place, in levels of any channel. */
function largestDifference(a: Rgb, b: Rgb): number {
  let largest = 0
  for (let top = 0; top < a.height; top += BLOCK) {
    for (let left = 0; left < a.width; left += BLOCK) {
      largest = Math.max(largest, blockDifference(a, b, left, top))
    }
  }
  return largest
}

function blockDifference(a: Rgb, b: Rgb, left: number, top: number): number {
  const sums = [0, 0, 0]
  const [right, bottom] = [Math.min(a.width, left + BLOCK), Math.min(a.height, top + BLOCK)]
  for (let y = top; y < bottom; y++) {
    for (let at = (y * a.width + left) * 3; at < (y * a.width + right) * 3; at++) {
      sums[at % 3] = (sums[at % 3] ?? 0) + (a.data[at] ?? 0) - (b.data[at] ?? 0)
    }
  }
  return Math.max(...sums.map(Math.abs)) / ((right - left) * (bottom - top))
}
