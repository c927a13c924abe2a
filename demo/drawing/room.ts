/** Rooms as boxes: a floor, walls with windows and doors, a ceiling. */
import { type Colour, darker, lighter, mix } from './colour.ts'
import { Panel } from './panel.ts'
import { Spot } from './spot.ts'
import type { Stage, Vector } from './stage.ts'
import type { Flooring, Style } from './style.ts'

/** A room; its walls are spots whose origin is the left corner at the floor. */
export interface Room {
  readonly width: number
  readonly depth: number
  readonly height: number
  readonly floor: Panel
  readonly north: Spot
  readonly east: Spot
  readonly south: Spot
  readonly west: Spot
}

/** Floor, walls and ceiling of a room; `walls` are the colours in the order north, east, south, west. */
export function buildRoom(
  stage: Stage,
  [width, depth, height]: Vector,
  walls: readonly [Colour, Colour, Colour, Colour],
  flooring: Flooring,
  style: Style,
): Room {
  const spot = (origin: Vector, right: Vector, front: Vector) => new Spot(stage, origin, right, front)
  const room = {
    width,
    depth,
    height,
    floor: new Panel(stage, [0, 0, 0], [1, 0, 0], [0, 1, 0]),
    north: spot([0, depth, 0], [1, 0, 0], [0, -1, 0]),
    east: spot([width, depth, 0], [0, -1, 0], [-1, 0, 0]),
    south: spot([width, 0, 0], [-1, 0, 0], [0, 1, 0]),
    west: spot([0, 0, 0], [0, 1, 0], [1, 0, 0]),
  }
  layFloor(room.floor, width, depth, flooring, style)
  const ceiling = new Panel(stage, [width, 0, height], [-1, 0, 0], [0, 1, 0], true)
  const white = style.sky.isEvening ? 0xf3e3cf : 0xf6f3ee
  ceiling.fade(0, 0, width, depth, white, darker(white, 0.07))
  const sides = [room.north, room.east, room.south, room.west] as const
  for (const [index, side] of sides.entries()) {
    const length = index % 2 === 0 ? width : depth
    const colour = walls[index] ?? style.wall
    const wall = side.wall()
    wall.fade(0, 0, length, height, darker(colour, 0.07), colour)
    for (let step = 1; step <= 6; step += 1) {
      const reach = 0.07 * step
      wall.rectangle(0, 0, reach, height, 0x2a1f3a, { opacity: 0.012 })
      wall.rectangle(length - reach, 0, reach, height, 0x2a1f3a, { opacity: 0.012 })
      wall.rectangle(0, height - reach, length, reach, 0x2a1f3a, { opacity: 0.012 })
    }
    wall.rectangle(0, 0, length, 0.09, lighter(style.wall, 0.6))
    wall.rectangle(0, 0.09, length, 0.012, 0x2a1f3a, { opacity: 0.15 })
  }
  return room
}

function layFloor(floor: Panel, width: number, depth: number, flooring: Flooring, style: Style): void {
  if (flooring === 'planks') {
    floor.rectangle(0, 0, width, depth, style.floor)
    for (let row = 0; row * 0.2 < depth; row += 1) {
      const high = Math.min(0.2, depth - row * 0.2)
      for (let board = -1; board * 1.6 < width; board += 1) {
        const from = Math.max(0, board * 1.6 + ((row * 7) % 5) * 0.32)
        const to = Math.min(width, (board + 1) * 1.6 + ((row * 7) % 5) * 0.32)
        const shade = ((row * 13 + board * 7 + 70) % 6) / 5
        if (to > from)
          floor.rectangle(
            from,
            row * 0.2,
            to - from,
            high,
            mix(darker(style.floor, 0.08), lighter(style.floor, 0.12), shade),
          )
        if (to > from && to < width)
          floor.rectangle(to - 0.006, row * 0.2, 0.012, high, darker(style.floor, 0.3))
      }
      floor.rectangle(0, row * 0.2, width, 0.009, darker(style.floor, 0.28))
    }
  } else {
    const isTiled = flooring === 'tiles'
    const colour = isTiled ? mix(style.feature, 0xf2efe9, 0.75) : 0xe9e4da
    const size = isTiled ? 0.4 : 0.9
    floor.rectangle(0, 0, width, depth, colour)
    for (let x = 0; x < width; x += size)
      for (let y = 0; y < depth; y += size)
        if (isTiled && Math.round((x + y) / size) % 2 === 0)
          floor.rectangle(
            x,
            y,
            Math.min(size, width - x),
            Math.min(size, depth - y),
            mix(colour, style.feature, 0.35),
          )
    for (let x = size; x < width; x += size) floor.rectangle(x, 0, 0.008, depth, darker(colour, 0.14))
    for (let y = size; y < depth; y += size) floor.rectangle(0, y, width, 0.008, darker(colour, 0.14))
  }
  floor.soft(0.5, 0.5, width - 1, depth - 1, 0.5, 0xffffff, 0.14)
}

/** A door in a wall. */
export function door(spot: Spot, x: number, style: Style, colour: Colour = style.wood): void {
  const wall = spot.wall()
  wall.rectangle(x - 0.07, 0, 1.04, 2.17, lighter(style.wall, 0.6))
  wall.fade(x, 0, 0.9, 2.1, darker(colour, 0.12), colour)
  for (const [low, high] of [
    [0.15, 0.75],
    [1.05, 0.9],
  ] as const) {
    wall.rectangle(x + 0.14, low, 0.62, high, darker(colour, 0.16))
    wall.rectangle(x + 0.155, low, 0.605, high - 0.015, lighter(colour, 0.05))
  }
  wall.disc(x + 0.81, 1, 0.03, 0.03, 0xe7c76a)
}
