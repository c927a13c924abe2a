/**
 * Red, green and blue of linear light to sRGB through a grid that the host makes of the picture's profile
 * (`src/icc/rgb-table.ts`), interpolated along the edges of a cell, that of the most advanced channel first. What
 * it holds is light, which primaries mix evenly; levels of sRGB are looked up at the end.
 */

/** For each channel and sample: the byte offset of the node below, and the key of the step to the next one. */
let axes: usize = 0
/** Four 32-bit floats for each node: red, green and blue light, 1 being white, and 0. */
let nodes: usize = 0
/** The level of each amount of light, of 65,536. */
let levels: usize = 0

const MAX_LIGHT: f32 = 65535
/** A key is how far the next node is, of FULL_STEP, and after it the distance of that node in bytes. */
const DISTANCE: i32 = 0xffff
const PART_BITS: i32 = 16
const FULL_STEP: f32 = 0x7fff

/** Samples of an axis: 13 bits, and 1 at the end. */
const AXIS_BYTES: usize = 8193 * 8
/** What of 16 bits is too fine for an axis. */
const FINE_BITS: u32 = 3
const HALF: u32 = 4

/** Sets the table for the current picture. */
export function useRgbTable(axesOfTable: usize, nodesOfTable: usize, levelsOfTable: usize): void {
  axes = axesOfTable
  nodes = nodesOfTable
  levels = levelsOfTable
}

export function hasRgbTable(): bool {
  return nodes !== 0
}

/** Forgets the table of the picture before. */
export function clearRgbTable(): void {
  axes = 0
  nodes = 0
  levels = 0
}

/** Converts `count` RGBA pixels in place; alpha stays. */
export function convertRgb(rgba: usize, count: i32): void {
  for (const end = rgba + count * 4; rgba < end; rgba += 4) {
    const pixel = load<u32>(rgba)
    convertPixel(rgba, (pixel & 255) * 257, ((pixel >> 8) & 255) * 257, ((pixel >> 16) & 255) * 257)
  }
}

/** Gives `count` RGBA pixels new colours: those of big-endian samples of 16 bits, of which a pixel has `samples`. */
export function convertDeep(row: usize, samples: i32, count: i32, rgba: usize): void {
  const green: usize = samples < 3 ? 0 : 2
  for (const end = rgba + count * 4; rgba < end; rgba += 4, row += samples * 2) {
    convertPixel(rgba, deepAt(row), deepAt(row + green), deepAt(row + green * 2))
  }
}

function deepAt(place: usize): u32 {
  return u32(bswap(load<u16>(place)))
}

/** Writes red, green and blue for samples of 16 bits. */
function convertPixel(rgba: usize, red: u32, green: u32, blue: u32): void {
  const r = entryOf(0, red)
  const g = entryOf(1, green)
  const b = entryOf(2, blue)
  const cell = nodes + load<i32>(r) + load<i32>(g) + load<i32>(b)
  const light = mixLight(cell, load<i32>(r, 4), load<i32>(g, 4), load<i32>(b, 4))
  const most = f32x4.splat(MAX_LIGHT)
  const amounts = i32x4.trunc_sat_f32x4_u(f32x4.nearest(f32x4.min(f32x4.mul(light, most), most)))
  store<u8>(rgba, load<u8>(levels + i32x4.extract_lane(amounts, 0)))
  store<u8>(rgba, load<u8>(levels + i32x4.extract_lane(amounts, 1)), 1)
  store<u8>(rgba, load<u8>(levels + i32x4.extract_lane(amounts, 2)), 2)
}

/** The light within a cell, by the keys of the three channels. */
function mixLight(cell: usize, first: i32, second: i32, third: i32): v128 {
  const larger = max(first, second)
  const smaller = min(first, second)
  const most = max(larger, third)
  const middle = max(smaller, min(larger, third))
  const least = min(smaller, third)
  const start = v128.load(cell)
  let step = most & DISTANCE
  const one = v128.load(cell + step)
  step += middle & DISTANCE
  const two = v128.load(cell + step)
  step += least & DISTANCE
  const end = v128.load(cell + step)
  let sum = f32x4.add(start, partOf(f32x4.sub(one, start), most))
  sum = f32x4.add(sum, partOf(f32x4.sub(two, one), middle))
  return f32x4.add(sum, partOf(f32x4.sub(end, two), least))
}

function partOf(differences: v128, key: i32): v128 {
  return f32x4.mul(differences, f32x4.splat(f32(key >> PART_BITS) / FULL_STEP))
}

function entryOf(channel: usize, sample: u32): usize {
  return axes + channel * AXIS_BYTES + (usize((sample + HALF) >> FINE_BITS) << 3)
}
