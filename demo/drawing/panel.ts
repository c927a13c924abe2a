import { type Colour, distance, mix } from './colour.ts'
import { cross, dot, minus, plus, type Stage, type Vector } from './stage.ts'

type Point = readonly [x: number, y: number]

/** How an area of a panel is filled. */
interface Fill {
  opacity?: number
  /** The radius of the corners. */
  radius?: number
}

/** A flat surface to draw on, in metres to the right of and above its origin; its back is not seen. */
export class Panel {
  readonly #isSeen: boolean
  readonly #sun: number | undefined

  readonly stage: Stage
  readonly origin: Vector
  readonly right: Vector
  readonly up: Vector

  constructor(
    stage: Stage,
    origin: Vector,
    right: Vector,
    up: Vector,
    /** Whether it shines by itself. */
    shines = false,
  ) {
    this.stage = stage
    this.origin = origin
    this.right = right
    this.up = up
    const normal = cross(right, up)
    this.#isSeen = dot(minus(stage.eye, origin), normal) > 0
    this.#sun = shines ? undefined : stage.sunOn(normal)
  }

  /** The same surface from another origin. */
  from(x: number, y: number): Panel {
    return new Panel(this.stage, this.at(x, y), this.right, this.up, this.#sun === undefined)
  }

  /** The same surface, shining by itself. */
  shining(): Panel {
    return new Panel(this.stage, this.origin, this.right, this.up, true)
  }

  at(x: number, y: number): Vector {
    return plus(plus(this.origin, this.right, x), this.up, y)
  }

  polygon(points: readonly Point[], colour: Colour, opacity = 1): void {
    if (!this.#isSeen) return
    this.stage.polygon(
      points.map(([x, y]) => this.at(x, y)),
      colour,
      opacity,
      this.#sun,
    )
  }

  rectangle(x: number, y: number, width: number, height: number, colour: Colour, fill: Fill = {}): void {
    this.polygon(rounded(x, y, width, height, fill.radius ?? 0), colour, fill.opacity)
  }

  /** A rectangle whose colour changes from its bottom to its top. */
  fade(x: number, y: number, width: number, height: number, from: Colour, to: Colour): void {
    const steps = Math.max(2, Math.min(24, Math.round(distance(from, to) / 3)))
    // Each step covers the rest, so that no gap shows between two.
    for (let step = 0; step < steps; step += 1) {
      const bottom = (height * step) / steps
      this.rectangle(x, y + bottom, width, height - bottom, mix(from, to, step / (steps - 1)))
    }
  }

  /** A rectangle with soft edges, `spread` wide on the inside and outside. */
  soft(x: number, y: number, width: number, height: number, spread: number, colour: Colour, opacity: number) {
    const steps = 8
    for (let step = 0; step < steps; step += 1) {
      const grown = spread * (1 - (2 * step) / (steps - 1))
      const [wide, high] = [width + 2 * grown, height + 2 * grown]
      if (wide <= 0 || high <= 0) return
      const radius = Math.min(spread * 0.6 + Math.max(0, grown), wide / 2, high / 2)
      this.rectangle(x - grown, y - grown, wide, high, colour, { opacity: opacity / steps, radius })
    }
  }

  disc(x: number, y: number, radiusX: number, radiusY: number, colour: Colour, opacity = 1): void {
    this.polygon(
      CIRCLE.map(([cos, sin]): Point => [x + cos * radiusX, y + sin * radiusY]),
      colour,
      opacity,
    )
  }

  /** A disc that fades out towards its edge. */
  glow(x: number, y: number, radius: number, colour: Colour, opacity: number): void {
    for (let step = 1; step <= 10; step += 1)
      this.disc(x, y, (radius * step) / 10, (radius * step) / 10, colour, opacity / 10)
  }
}

const CIRCLE: readonly Point[] = Array.from({ length: 24 }, (_, step) => {
  const angle = (step / 24) * 2 * Math.PI
  return [Math.cos(angle), Math.sin(angle)]
})

function rounded(x: number, y: number, width: number, height: number, radius: number): Point[] {
  const [right, top] = [x + width, y + height]
  if (radius <= 0)
    return [
      [x, y],
      [right, y],
      [right, top],
      [x, top],
    ]
  return CIRCLE.map(
    ([cos, sin]): Point => [
      (cos >= 0 ? right - radius : x + radius) + cos * radius,
      (sin >= 0 ? top - radius : y + radius) + sin * radius,
    ],
  )
}
