/** Drawings in three dimensions: flat polygons in metres, drawn from the farthest to the nearest. */
import { type Colour, lit, mix } from './colour.ts'

/** East, north and up, in metres. */
export type Vector = readonly [x: number, y: number, z: number]

export const plus = (a: Vector, b: Vector, times = 1): Vector => [
  a[0] + b[0] * times,
  a[1] + b[1] * times,
  a[2] + b[2] * times,
]
export const minus = (a: Vector, b: Vector): Vector => plus(a, b, -1)
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** The light that falls on what is drawn. */
export interface Light {
  /** Towards the sun; a vector of length one. */
  readonly towards: Vector
  /** The tint of what faces the sun, and of what turns away from it. */
  readonly sun: Colour
  readonly shadow: Colour
}

/** A polygon with its final colour. */
export interface Shape {
  readonly points: readonly Vector[]
  readonly colour: Colour
  readonly opacity: number
}

/** A group of shapes within a box that overlaps no other. */
interface Thing {
  readonly least: Vector
  readonly most: Vector
  readonly shapes: Shape[]
}

/** All that is drawn as seen by an eye. */
export class Stage {
  readonly #background: Shape[] = []
  readonly #things: Thing[] = []
  #target = this.#background

  readonly eye: Vector
  readonly light: Light

  constructor(eye: Vector, light: Light) {
    this.eye = eye
    this.light = light
  }

  /** A polygon that is lit by a share of the sun from 0 to 1; without a share it shines by itself. */
  polygon(points: readonly Vector[], colour: Colour, opacity = 1, sun?: number): void {
    const tint = sun === undefined ? 0xffffff : mix(this.light.shadow, this.light.sun, sun)
    this.#target.push({ points, colour: lit(colour, tint), opacity })
  }

  /** How much of the sun falls on a surface. */
  sunOn(normal: Vector): number {
    return 0.2 + 0.8 * Math.max(0, dot(normal, this.light.towards))
  }

  /** What `draw` draws is one thing between two corners; things hide each other by where they stand. */
  thing(least: Vector, most: Vector, draw: () => void): void {
    const outer = this.#target
    const shapes: Shape[] = []
    this.#target = shapes
    draw()
    this.#target = outer
    // A part of a thing that is being drawn belongs to it.
    if (outer === this.#background) this.#things.push({ least, most, shapes })
    else outer.push(...shapes)
  }

  /** The background in the order in which it was drawn, then the things, nearest last. */
  shapes(): Shape[] {
    const done = new Set<Thing>()
    const ordered: Thing[] = []
    const visit = (thing: Thing) => {
      if (done.has(thing)) return
      done.add(thing)
      for (const other of this.#things) if (this.#hides(thing, other)) visit(other)
      ordered.push(thing)
    }
    for (const thing of this.#things) visit(thing)
    return [...this.#background, ...ordered.flatMap(({ shapes }) => shapes)]
  }

  /** Whether `near` may hide a part of `far`: whatever plane keeps them apart has `near` on the side of the eye. */
  #hides(near: Thing, far: Thing): boolean {
    let hides = false
    for (const axis of [0, 1, 2] as const) {
      const eye = this.eye[axis]
      const isBelow = near.most[axis] <= far.least[axis]
      const isAbove = near.least[axis] >= far.most[axis]
      if (!isBelow && !isAbove) continue
      if (isBelow ? eye >= near.most[axis] : eye <= near.least[axis]) return false
      hides = true
    }
    return hides
  }
}
