/** Roofs, walls of stone and the shadows of buildings. */
import { type Colour, darker, lighter, mix } from './colour.ts'
import type { WallArea } from './facade.ts'
import type { Panel } from './panel.ts'
import type { Spot } from './spot.ts'
import type { Vector } from './stage.ts'

/** A hipped roof of tiles over a box. */
export function tiledRoof(
  spot: Spot,
  [x, y, z]: Vector,
  [width, depth, height]: Vector,
  colour: Colour,
): void {
  const over = 0.45
  const [left, right, back, front] = [x - over, x + width + over, y - over, y + depth + over]
  const inset = Math.min(width, depth) * 0.46
  spot.thing(left, back, z, right - left, front - back, height, () => {
    const [west, east] = [left + inset, right - inset]
    const middle = (back + front) / 2
    const slope = (low: readonly Vector[], sun: number) => {
      const [a, b, c, d] = low as [Vector, Vector, Vector, Vector]
      spot.stage.polygon(low, colour, 1, sun)
      const between = (from: Vector, to: Vector, share: number): Vector => [
        from[0] + (to[0] - from[0]) * share,
        from[1] + (to[1] - from[1]) * share,
        from[2] + (to[2] - from[2]) * share,
      ]
      for (let row = 0; row < 14; row += 1) {
        const [low, high] = [row / 14, (row + 0.28) / 14]
        spot.stage.polygon(
          [between(a, d, low), between(b, c, low), between(b, c, high), between(a, d, high)],
          darker(colour, 0.2),
          0.6,
          sun,
        )
      }
    }
    const { towards } = spot.stage.light
    const [leftSun, rightSun] = [0.55 - towards[0] * 0.5, 0.55 + towards[0] * 0.5]
    const at = (px: number, py: number, isTop = false) => spot.at(px, py, z + (isTop ? height : 0))
    const isRight = spot.stage.eye[0] > spot.at((left + right) / 2, 0)[0]
    const sides = [
      () => slope([at(left, back), at(left, front), at(west, middle, true), at(west, middle, true)], leftSun),
      () =>
        slope([at(right, front), at(right, back), at(east, middle, true), at(east, middle, true)], rightSun),
    ]
    sides[isRight ? 1 : 0]?.()
    slope([at(left, front), at(right, front), at(east, middle, true), at(west, middle, true)], 0.85)
    spot.stage.polygon(
      [at(left, front), at(right, front), spot.at(right, front, z - 0.14), spot.at(left, front, z - 0.14)],
      lighter(colour, 0.5),
      1,
      0.7,
    )
    const side = isRight ? right : left
    spot.stage.polygon(
      [at(side, back), at(side, front), spot.at(side, front, z - 0.14), spot.at(side, back, z - 0.14)],
      lighter(colour, 0.4),
      1,
      0.4,
    )
  })
}

/** The shadow that a box throws on the ground. */
export function castShadow(
  spot: Spot,
  x: number,
  y: number,
  width: number,
  depth: number,
  height: number,
): void {
  const { towards } = spot.stage.light
  const [dx, dy] = [(-towards[0] / towards[2]) * height, (towards[1] / towards[2]) * height]
  const floor = spot.floor(0.015)
  const [right, front] = [x + width, -(y + depth)]
  const far = dx > 0 ? right : x
  const near = dx > 0 ? x : right
  floor.polygon(
    [
      [near, front],
      [far, front],
      [far + dx, front - dy],
      [far + dx, -y - dy],
      [near + dx, -y - dy],
      [near, -y],
    ],
    0x1b2248,
    0.3,
  )
}

/** Stones in a wall, each a little different. */
export function stones(wall: Panel, [x, y, width, height]: WallArea, colour: Colour): void {
  wall.rectangle(x, y, width, height, darker(colour, 0.16))
  for (let row = 0; row * 0.3 < height - 0.05; row += 1) {
    let left = 0
    for (let stone = 0; left < width - 0.05; stone += 1) {
      const shade = ((row * 17 + stone * 29) % 11) / 10
      const wide = Math.min(0.35 + shade * 0.4, width - left)
      wall.rectangle(
        x + left + 0.02,
        y + row * 0.3 + 0.02,
        wide - 0.04,
        Math.min(0.27, height - row * 0.3 - 0.02),
        mix(darker(colour, 0.12), lighter(colour, 0.2), (shade * 7) % 1),
        { radius: Math.min(0.08, wide / 3) },
      )
      left += wide
    }
  }
}
