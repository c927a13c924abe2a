/** What makes a drawing look photographed: the texture of grass, plaster and hills, and the noise of the sensor. */
import { type Random, seeded } from '../../fixtures/random.ts'

export interface Grain {
  width: number
  height: number
  /** RGB at a quarter of the size: how strong the three textures are at each place, 255 for full. */
  materials: Uint8Array
  mapWidth: number
  /** Standard deviation of the noise in brightness, in levels of 255; that of colour is half of it. */
  noise: number
  random: Random
}

/** Side of a texture in pixels; it repeats, which JPEG cannot exploit. A power of two. */
const TILE = 1024
/** How many values of noise are drawn; each row of the picture starts anywhere among them. A power of two. */
const DRAWN = 1 << 20

/** The same for every picture, and drawn once. */
let textures: Record<'grass' | 'plaster' | 'hills', Int8Array> | undefined

/** Adds texture and noise to raw RGB in place. Whole numbers only: 48 megapixels take about a second. */
export function addGrain(picture: Uint8Array, grain: Grain): void {
  const { width, height, materials, mapWidth, random } = grain
  textures ??= {
    grass: valueNoise(seeded(11), [64, 32, 16, 8, 4, 2], 90),
    plaster: valueNoise(seeded(12), [256, 64, 16, 8, 4, 2], 34),
    hills: valueNoise(seeded(13), [128, 32, 16, 8, 4], 60),
  }
  const { grass, plaster, hills } = textures
  const noise = gaussian(random, grain.noise)
  for (let y = 0; y < height; y += 1) {
    const start = random.int(0, DRAWN - 1)
    // Noise of colour is coarser than that of brightness: two pixels wide and two high.
    const colour = ((y >> 1) * 7919 + 1) & (DRAWN - 1)
    const row = (y & (TILE - 1)) * TILE
    const map = (y >> 2) * mapWidth
    for (let x = 0; x < width; x += 1) {
      const material = (map + (x >> 2)) * 3
      const at = row + (x & (TILE - 1))
      const texture =
        ((materials[material] ?? 0) * (grass[at] ?? 0) +
          (materials[material + 1] ?? 0) * (plaster[at] ?? 0) +
          (materials[material + 2] ?? 0) * (hills[at] ?? 0)) >>
        8
      const light = texture + (noise[(start + x) & (DRAWN - 1)] ?? 0)
      const pair = colour + (x >> 1)
      const pixel = (y * width + x) * 3
      picture[pixel] = clamp((picture[pixel] ?? 0) + light + ((noise[pair & (DRAWN - 1)] ?? 0) >> 1))
      picture[pixel + 1] = clamp((picture[pixel + 1] ?? 0) + light)
      picture[pixel + 2] = clamp(
        (picture[pixel + 2] ?? 0) + light + ((noise[(pair + 4099) & (DRAWN - 1)] ?? 0) >> 1),
      )
    }
  }
}

const clamp = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : value)

/** Noise of several sizes (`cells`, in pixels, divisors of the tile) on top of one another, at most ±`strength`. */
function valueNoise(random: Random, cells: number[], strength: number): Int8Array {
  const sum = new Float32Array(TILE * TILE)
  cells.forEach((cell, octave) => {
    const side = TILE / cell
    const corners = Float32Array.from({ length: side * side }, () => random.next() * 2 - 1)
    const corner = (column: number, row: number) => corners[(row % side) * side + (column % side)] ?? 0
    const weight = 0.95 ** octave
    for (let y = 0; y < TILE; y += 1) {
      const [row, down] = [Math.floor(y / cell), smooth((y % cell) / cell)]
      for (let x = 0; x < TILE; x += 1) {
        const [column, right] = [Math.floor(x / cell), smooth((x % cell) / cell)]
        const top = mix(corner(column, row), corner(column + 1, row), right)
        const bottom = mix(corner(column, row + 1), corner(column + 1, row + 1), right)
        sum[y * TILE + x] = (sum[y * TILE + x] ?? 0) + weight * mix(top, bottom, down)
      }
    }
  })
  const most = cells.reduce((total, _, octave) => total + 0.95 ** octave, 0)
  return Int8Array.from(sum, (value) => Math.round((value / most) * strength))
}

const mix = (from: number, to: number, share: number) => from + (to - from) * share
const smooth = (share: number) => share * share * (3 - 2 * share)

/** Normally distributed whole numbers (Box and Muller). */
function gaussian(random: Random, deviation: number): Int8Array {
  return Int8Array.from({ length: DRAWN }, () =>
    Math.round(
      deviation * Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next()),
    ),
  )
}
