/** Pictures of everything around an eye, drawn as the six sides of a cube and unrolled. */
import sharp from 'sharp'
import { type Colour, mix } from './colour.ts'
import { cross, dot, type Stage, type Vector } from './stage.ts'
import { PNG, render, svgOf } from './view.ts'

const WIDTH = 2560
const HEIGHT = WIDTH / 2
/** Of one side of the cube: half a right angle is `FOCAL` pixels wide, and a margin joins the sides smoothly. */
const FOCAL = 416
const SIDE = 2 * FOCAL + 16

/** The colour of what lies far outside: a heading clockwise from north and an elevation, in radians. */
export type Surroundings = (heading: number, elevation: number) => Colour

interface Side {
  readonly right: Vector
  readonly up: Vector
  readonly forward: Vector
}

const SIDES: readonly Side[] = [
  side([0, 1, 0], [0, 0, 1]),
  side([1, 0, 0], [0, 0, 1]),
  side([0, -1, 0], [0, 0, 1]),
  side([-1, 0, 0], [0, 0, 1]),
  side([0, 0, 1], [0, -1, 0]),
  side([0, 0, -1], [0, 1, 0]),
]

function side(forward: Vector, up: Vector): Side {
  return { forward, up, right: cross(forward, up) }
}

/** The stage as an equirectangular PNG file. The middle of the picture is `heading` degrees east of north. */
export async function unroll(
  stage: Stage,
  heading: number,
  surroundings: Surroundings,
): Promise<Uint8Array<ArrayBuffer>> {
  const faces = await Promise.all(SIDES.map((side) => face(stage, side, surroundings)))
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let row = 0; row < HEIGHT; row += 1) {
    const elevation = (0.5 - (row + 0.5) / HEIGHT) * Math.PI
    const [level, rise] = [Math.cos(elevation), Math.sin(elevation)]
    for (let column = 0; column < WIDTH; column += 1) {
      const turn = ((column + 0.5) / WIDTH - 0.5) * 2 * Math.PI + (heading * Math.PI) / 180
      const ray: Vector = [Math.sin(turn) * level, Math.cos(turn) * level, rise]
      const index = sideOf(ray)
      const { right, up, forward } = SIDES[index] as Side
      const depth = dot(ray, forward) / FOCAL
      const x = dot(ray, right) / depth + SIDE / 2 - 0.5
      const y = SIDE / 2 - 0.5 - dot(ray, up) / depth
      sample(faces[index] as Uint8Array, x, y, pixels, (row * WIDTH + column) * 3)
    }
  }
  return new Uint8Array(
    await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .png(PNG)
      .toBuffer(),
  )
}

function sideOf([x, y, z]: Vector): number {
  const [east, north, up] = [Math.abs(x), Math.abs(y), Math.abs(z)]
  if (up > east && up > north) return z > 0 ? 4 : 5
  if (east > north) return x > 0 ? 1 : 3
  return y > 0 ? 0 : 2
}

/** One side of the cube, opaque. */
async function face(
  stage: Stage,
  { right, up, forward }: Side,
  surroundings: Surroundings,
): Promise<Uint8Array> {
  const view = { width: SIDE, height: SIDE, focal: FOCAL, horizon: SIDE / 2, forward, up }
  const pixels = await render(svgOf(stage, view), SIDE, SIDE).ensureAlpha().raw().toBuffer()
  for (let at = 0; at < pixels.length; at += 4) {
    const opacity = (pixels[at + 3] ?? 0) / 255
    if (opacity === 1) continue
    const x = ((at / 4) % SIDE) - SIDE / 2 + 0.5
    const y = SIDE / 2 - 0.5 - Math.floor(at / 4 / SIDE)
    const ray = (axis: 0 | 1 | 2) => forward[axis] * FOCAL + right[axis] * x + up[axis] * y
    const level = Math.sqrt(ray(0) * ray(0) + ray(1) * ray(1))
    const far = surroundings(Math.atan2(ray(0), ray(1)), Math.atan2(ray(2), level))
    for (const [channel, shift] of [
      [0, 16],
      [1, 8],
      [2, 0],
    ] as const)
      pixels[at + channel] = (pixels[at + channel] ?? 0) * opacity + ((far >> shift) & 255) * (1 - opacity)
  }
  return pixels
}

/** Writes the colour between four pixels. */
function sample(face: Uint8Array, x: number, y: number, to: Uint8Array, at: number): void {
  const [column, row] = [Math.floor(x), Math.floor(y)]
  const [right, down] = [x - column, y - row]
  const from = (row * SIDE + column) * 4
  const below = from + SIDE * 4
  for (let channel = 0; channel < 3; channel += 1) {
    const upper = (face[from + channel] ?? 0) * (1 - right) + (face[from + 4 + channel] ?? 0) * right
    const lower = (face[below + channel] ?? 0) * (1 - right) + (face[below + 4 + channel] ?? 0) * right
    to[at + channel] = Math.round(upper * (1 - down) + lower * down)
  }
}

/** Sea in the south and east, hills in the north and west, below a sky. */
export function coast(sky: {
  colours: readonly [Colour, Colour, Colour]
  sea: Colour
  shadow: Colour
}): Surroundings {
  const [top, middle, low] = sky.colours
  const hill = mix(mix(0x7f9d74, sky.shadow, 0.25), low, 0.25)
  return (heading, elevation) => {
    const ridge =
      (Math.sin(heading * 3 + 1) + 0.6 * Math.sin(heading * 7)) * 0.02 - 0.09 * Math.cos(heading - 2.4) - 0.02
    const ground = mix(mix(sky.sea, low, 0.4), sky.sea, Math.min(1, Math.max(0, -elevation * 4)))
    const air =
      elevation < 0.5
        ? mix(low, middle, Math.max(0, elevation) / 0.5)
        : mix(middle, top, Math.min(1, (elevation - 0.5) / 0.9))
    const behind = mix(ground, air, edge(elevation))
    return mix(hill, behind, edge(elevation - Math.max(ridge, -0.3)))
  }
}

/** From 0 to 1 within the width of two pixels. */
function edge(distance: number): number {
  return Math.max(0, Math.min(1, distance * (FOCAL / 2) + 0.5))
}
