/** What stands in the rooms of a floor plan, seen from above, as SVG in metres. */
/** The kinds of rooms on a plan. */
export type RoomKind = 'living' | 'kitchen' | 'bedroom' | 'bathroom' | 'wc' | 'hall'

const box = (x: number, y: number, width: number, depth: number, radius = 0.05) =>
  `<rect x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${width.toFixed(2)}" height="${depth.toFixed(2)}" rx="${radius}"/>`
const disc = (x: number, y: number, radius: number) =>
  `<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${radius}"/>`

/** The furniture of a room; `isNorth` has its outer wall above. */
export function fittingsOf(kind: RoomKind, width: number, depth: number, isNorth: boolean): string {
  const outer = (deep: number, gap = 0) => (isNorth ? gap : depth - deep - gap)
  if (kind === 'bedroom') {
    if (width < 2.3) return ''
    const x = (width - 1.6) / 2
    const [low, pillows] = [outer(2), isNorth ? 0.1 : depth - 0.5]
    return (
      box(x, low, 1.6, 2) +
      box(x + 0.1, pillows, 0.62, 0.4) +
      box(x + 0.88, pillows, 0.62, 0.4) +
      box(x - 0.5, outer(0.42), 0.42, 0.42) +
      box(x + 1.68, outer(0.42), 0.42, 0.42)
    )
  }
  if (kind === 'living') {
    const table = Math.min(width - 1.2, width * 0.8)
    return (
      box(width - 0.95, depth * 0.2, 0.9, Math.min(2.3, depth * 0.6), 0.15) +
      box(width - 0.32, depth * 0.2, 0.27, Math.min(2.3, depth * 0.6), 0.1) +
      box(table - 1.35, depth * 0.36, 0.6, Math.min(1.1, depth * 0.28)) +
      box(0.05, depth * 0.25, 0.4, Math.min(1.8, depth * 0.5))
    )
  }
  if (kind === 'kitchen') {
    const burners = [0.18, 0.44].flatMap((x) => [0.18, 0.42].map((y) => disc(x + 0.9, outer(0.6) + y, 0.1)))
    return (
      box(0, outer(0.6), width, 0.6, 0) +
      box(0.15, outer(0.6) + 0.12, 0.6, 0.38) +
      burners.join('') +
      box(width - 0.65, outer(0.6), 0.65, 0.6, 0)
    )
  }
  if (kind === 'bathroom')
    return (
      box(
        width - 0.75,
        isNorth ? 0.03 : depth - Math.min(1.7, depth - 0.9) - 0.03,
        0.72,
        Math.min(1.7, depth - 0.9),
        0.06,
      ) +
      box(
        width - 0.68,
        isNorth ? 0.1 : depth - Math.min(1.7, depth - 0.9) + 0.04,
        0.58,
        Math.min(1.7, depth - 0.9) - 0.14,
        0.25,
      ) +
      toilet(0.1, isNorth, depth)
    )
  if (kind === 'wc') return toilet(Math.max(0.05, width / 2 - 0.2), isNorth, depth)
  return ''
}

function toilet(x: number, isNorth: boolean, depth: number): string {
  const y = isNorth ? 0.03 : depth - 0.2
  return (
    box(x, y, 0.4, 0.17) +
    `<ellipse cx="${(x + 0.2).toFixed(2)}" cy="${(isNorth ? 0.42 : depth - 0.42).toFixed(2)}" rx=".18" ry=".24"/>`
  )
}
