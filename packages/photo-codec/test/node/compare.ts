/**
 * One file through the photo pipeline and through sharp, and what differs.
 *
 *     const { line, isLike } = await compare('house.webp', bytes)
 */
import { fromRaw, psnr, readLook } from '../../fixtures/looks.ts'
import type { Rgb } from '../../fixtures/scene.ts'
import { processPhoto } from '../../src/process.ts'

/** The bound that the service uses, in pixels. */
const MAX_SIDE = 1920
/** Blocks whose means are compared have so many pixels in each direction; a JPEG keeps those, whatever it loses. */
const BLOCK = 8
/** Means that differ by this many levels of 255 more than in a JPEG by sharp show more than rounding. */
const MAX_DIFFERENCE = 6
/** A copy with this many dB less than a JPEG by sharp is worse, unless it is near enough anyway. */
const MAX_LOSS = 2
const NEAR_ENOUGH = 40

/** Whether a file looks as it does to sharp, with the figures. Throws when either refuses it. */
export async function compare(name: string, file: Uint8Array): Promise<{ line: string; isLike: boolean }> {
  const ours = await readLook(processPhoto(file, { maxSide: MAX_SIDE, watermark: null }).original)
  const fit = { width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true } as const
  const theirs = await readLook(file, fit)
  const { width, height } = theirs
  if (ours.width !== width || ours.height !== height)
    return { line: `${name}: ${ours.width} × ${ours.height}, by sharp ${width} × ${height}`, isLike: false }
  const best = await readLook(await fromRaw(theirs).jpeg({ quality: 90 }).toBuffer())
  const [found, possible] = [psnr(ours, theirs).luma, psnr(best, theirs).luma]
  const [apart, leastApart] = [largestDifference(ours, theirs), largestDifference(best, theirs)]
  const likeness = `${found.toFixed(1)} dB, largest difference ${apart.toFixed(0)}`
  const least = `${possible.toFixed(1)} dB, ${leastApart.toFixed(0)}`
  return {
    line: `${name}: ${likeness} (a JPEG by sharp ${least})`,
    isLike: found >= Math.min(NEAR_ENOUGH, possible - MAX_LOSS) && apart <= leastApart + MAX_DIFFERENCE,
  }
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
