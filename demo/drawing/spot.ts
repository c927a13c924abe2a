import { type Colour, darker } from './colour.ts'
import { Panel } from './panel.ts'
import { plus, type Stage, type Vector } from './stage.ts'

/** The sides of a box on which more can be drawn. */
export interface Sides {
  readonly front: Panel
  readonly left: Panel
  readonly right: Panel
  readonly top: Panel
}

const UP: Vector = [0, 0, 1]

/**
 * A place to stand things on: `x` to the right, `y` to the front, `z` up. Someone who looks at the front sees `x` grow to
 * the right.
 */
export class Spot {
  readonly stage: Stage
  readonly origin: Vector
  readonly right: Vector
  readonly front: Vector

  constructor(stage: Stage, origin: Vector, right: Vector = [1, 0, 0], front: Vector = [0, -1, 0]) {
    this.stage = stage
    this.origin = origin
    this.right = right
    this.front = front
  }

  at(x: number, y: number, z = 0): Vector {
    return plus(plus(plus(this.origin, this.right, x), this.front, y), UP, z)
  }

  from(x: number, y: number, z = 0): Spot {
    return new Spot(this.stage, this.at(x, y, z), this.right, this.front)
  }

  /** The same place, facing to its right; with two rotations, to its back. */
  turned(rotations = 1): Spot {
    if (rotations === 0) return this
    const back = scaled(this.front, -1)
    return new Spot(this.stage, this.origin, back, this.right).turned(rotations - 1)
  }

  /** A horizontal surface; its `y` grows to the back. */
  floor(z = 0): Panel {
    return new Panel(this.stage, this.at(0, 0, z), this.right, scaled(this.front, -1))
  }

  /** An upright surface that faces the front. */
  wall(y = 0): Panel {
    return new Panel(this.stage, this.at(0, y), this.right, UP)
  }

  /** An upright surface above a point that always faces the eye. */
  upright(x: number, y: number, z = 0): Panel {
    const origin = this.at(x, y, z)
    const [dx, dy] = [origin[0] - this.stage.eye[0], origin[1] - this.stage.eye[1]]
    const length = Math.sqrt(dx * dx + dy * dy)
    return new Panel(this.stage, origin, [dy / length, -dx / length, 0], UP)
  }

  /** What `draw` draws is one thing within these bounds. */
  thing(
    x: number,
    y: number,
    z: number,
    width: number,
    depth: number,
    height: number,
    draw: () => void,
  ): void {
    const [a, b] = [this.at(x, y, z), this.at(x + width, y + depth, z + height)]
    const corner = (choose: (...values: number[]) => number): Vector => [
      choose(a[0], b[0]),
      choose(a[1], b[1]),
      choose(a[2], b[2]),
    ]
    this.stage.thing(corner(Math.min), corner(Math.max), draw)
  }

  /** A box whose corner next to the origin is given; `draw` adds what is on its sides. */
  box(
    [x, y, z]: Vector,
    [width, depth, height]: Vector,
    colour: Colour,
    draw: (sides: Sides) => void = () => undefined,
  ): void {
    const back = scaled(this.front, -1)
    const panel = (origin: Vector, right: Vector, up = UP) => new Panel(this.stage, origin, right, up)
    const sides = {
      front: panel(this.at(x, y + depth, z), this.right),
      left: panel(this.at(x, y, z), this.front),
      right: panel(this.at(x + width, y + depth, z), back),
      top: panel(this.at(x, y + depth, z + height), this.right, back),
    }
    this.thing(x, y, z, width, depth, height, () => {
      const low = darker(colour, 0.1)
      sides.front.fade(0, 0, width, height, low, colour)
      sides.left.fade(0, 0, depth, height, low, colour)
      sides.right.fade(0, 0, depth, height, low, colour)
      panel(this.at(x + width, y, z), scaled(this.right, -1)).rectangle(0, 0, width, height, colour)
      panel(this.at(x, y, z), this.right, this.front).rectangle(0, 0, width, depth, darker(colour, 0.35))
      sides.top.rectangle(0, 0, width, depth, colour)
      draw(sides)
    })
  }

  /** The soft shadow of something that stands on the ground there. */
  shade(x: number, y: number, width: number, depth: number, opacity = 0.3): void {
    this.floor().soft(x, -y - depth, width, depth, 0.18, 0x1d1830, opacity)
  }
}

function scaled([x, y, z]: Vector, times: number): Vector {
  return [x * times, y * times, z * times]
}
