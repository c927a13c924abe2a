/** From polygons in space to pictures. */
import sharp, { type Sharp } from 'sharp'
import { css } from './colour.ts'
import { cross, dot, minus, plus, type Shape, type Stage, type Vector } from './stage.ts'

/** Where an eye looks, and what its picture measures in pixels. */
export interface Perspective {
  readonly width: number
  readonly height: number
  /** The distance of the picture from the eye. */
  readonly focal: number
  /** The row straight ahead. */
  readonly horizon: number
  readonly forward: Vector
  readonly up: Vector
}

/** What is nearer than this, in metres, is not seen. */
const NEAR = 0.05

/** The shapes of a stage as SVG. */
export function svgOf(stage: Stage, view: Perspective): string {
  const right = cross(view.forward, view.up)
  return stage
    .shapes()
    .map((shape) => path(shape, stage.eye, right, view))
    .join('')
}

function path({ points, colour, opacity }: Shape, eye: Vector, right: Vector, view: Perspective): string {
  const seen = inFront(
    points.map((point): Vector => {
      const ray = minus(point, eye)
      return [dot(ray, right), dot(ray, view.up), dot(ray, view.forward)]
    }),
  )
  if (seen.length < 3) return ''
  const corners = seen.map(([x, y, depth]) => {
    const column = view.width / 2 + (x / depth) * view.focal
    return [bounded(column), bounded(view.horizon - (y / depth) * view.focal)] as const
  })
  const isOutside =
    corners.every(([x]) => x < 0) ||
    corners.every(([x]) => x > view.width) ||
    corners.every(([, y]) => y < 0) ||
    corners.every(([, y]) => y > view.height)
  if (isOutside) return ''
  const veil = opacity < 1 ? ` fill-opacity="${short(opacity)}"` : ''
  return `<path d="M${corners.map(([x, y]) => `${short(x)} ${short(y)}`).join('L')}Z" fill="${css(colour)}"${veil}/>`
}

/** The part of a polygon in front of the eye; the third coordinate is its depth. */
function inFront(points: readonly Vector[]): Vector[] {
  return points.flatMap((point, index): Vector[] => {
    const before = points.at(index - 1) ?? point
    const isCut = before[2] > NEAR !== point[2] > NEAR
    const share = (NEAR - before[2]) / (point[2] - before[2])
    const cut = isCut ? [plus(before, minus(point, before), share)] : []
    return point[2] > NEAR ? [...cut, point] : cut
  })
}

const bounded = (value: number) => Math.max(-50_000, Math.min(50_000, value))
const short = (value: number) => String(Math.round(value * 100) / 100)

/** How PNG files are packed: small enough, in little time. */
export const PNG = { compressionLevel: 6, adaptiveFiltering: false } as const

/** An SVG of these elements. They hold no text, as fonts differ between machines. */
export function render(elements: string, width: number, height: number): Sharp {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${elements}</svg>`
  return sharp(Buffer.from(svg), { unlimited: true })
}
