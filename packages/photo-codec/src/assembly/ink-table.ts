/**
 * Four inks to sRGB through a grid that the host makes (`src/icc/ink-table.ts`). Between
 * nodes the grid is interpolated as colour management does it: cyan by itself, the others along the edges of a cell, that
 * of the most advanced ink first, so that four nodes count instead of eight (J. Kasson and others, "Performing Color Space
 * Conversions with Three-Dimensional Linear Interpolation", 1995).
 */

/** For each ink and sample: the byte offset of the node below, and the key of the step to the next one. */
let axes: usize = 0
/** Four numbers of 16 bits for each node: red, green, blue and 255, in units of 2⁻⁶. */
let nodes: usize = 0

const AXIS_BYTES: usize = 256 * 8
const UNIT_BITS: i32 = 6
const HALF_UNIT: i16 = 32
/** A key is how far the next node is, in units of 2⁻¹⁵, and after it the distance of that node in bytes. */
const DISTANCE: i32 = 0xffff
const PART_BITS: i32 = 16

/** Converts the four inks of a JPEG through a table of `src/icc/ink-table.ts`; a JPEG of inks needs one. */
export function useInkTable(axesOfTable: usize, nodesOfTable: usize): void {
  axes = axesOfTable
  nodes = nodesOfTable
}

export function hasInkTable(): bool {
  return nodes !== 0
}

/** Forgets the table of the picture before. */
export function clearInkTable(): void {
  axes = 0
  nodes = 0
}

/** Converts `count` pixels of four rows, whose addresses lie at `rows`, to RGBA. 255 is no ink. */
export function convertInks(rows: usize, count: i32, rgba: usize): void {
  const cyan = load<usize>(rows)
  const magenta = load<usize>(rows, 4)
  const yellow = load<usize>(rows, 8)
  const black = load<usize>(rows, 12)
  for (let x = 0; x < count; x++) {
    const c = entryOf(0, load<u8>(cyan + x))
    const m = entryOf(1, load<u8>(magenta + x))
    const y = entryOf(2, load<u8>(yellow + x))
    const k = entryOf(3, load<u8>(black + x))
    const cell = nodes + load<i32>(c) + load<i32>(m) + load<i32>(y) + load<i32>(k)
    const pixel = mix(cell, load<i32>(c, 4), load<i32>(m, 4), load<i32>(y, 4), load<i32>(k, 4))
    v128.store32_lane(rgba + x * 4, pixel, 0)
  }
}

function entryOf(ink: usize, sample: u8): usize {
  return axes + ink * AXIS_BYTES + (usize(sample) << 3)
}

/** The pixel within a cell, by the keys of the four inks. The lower half of each vector has less cyan, the upper more. */
function mix(cell: usize, cyan: i32, first: i32, second: i32, third: i32): v128 {
  const larger = max(first, second)
  const smaller = min(first, second)
  const most = max(larger, third)
  const middle = max(smaller, min(larger, third))
  const least = min(smaller, third)
  const further = cell + (cyan & DISTANCE)
  let step = most & DISTANCE
  const start = nodePair(cell, further)
  const one = nodePair(cell + step, further + step)
  step += middle & DISTANCE
  const two = nodePair(cell + step, further + step)
  step += least & DISTANCE
  const end = nodePair(cell + step, further + step)
  let sum = i16x8.add(start, partOf(i16x8.sub(one, start), most))
  sum = i16x8.add(sum, partOf(i16x8.sub(two, one), middle))
  sum = i16x8.add(sum, partOf(i16x8.sub(end, two), least))
  const more = v128.shuffle<i64>(sum, sum, 1, 1)
  sum = i16x8.add(sum, partOf(i16x8.sub(more, sum), cyan))
  const rounded = i16x8.shr_s(i16x8.add(sum, i16x8.splat(HALF_UNIT)), UNIT_BITS)
  return i8x16.narrow_i16x8_u(rounded, rounded)
}

function nodePair(less: usize, more: usize): v128 {
  return v128.load64_lane(more, v128.load64_zero(less), 1)
}

function partOf(differences: v128, key: i32): v128 {
  return i16x8.q15mulr_sat_s(differences, i16x8.splat(i16(key >> PART_BITS)))
}
