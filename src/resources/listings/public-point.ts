/** The point that the public may see instead of the exact one. */

/** Metres; the distances stay clear of 150 and 400 by what the earth's shape differs from a sphere. */
const EARTH_RADIUS = 6_371_000
const NEAREST = 152
const FARTHEST = 397

export interface Point {
  latitude: number
  longitude: number
}

/** The point, unless it is unknown: a missing coordinate, or the default 0/0. */
export function knownPoint(latitude: number | null, longitude: number | null): Point | null {
  if (latitude === null || longitude === null) return null
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude }
}

/** A random point 150–400 m from `exact`. Drawn once and stored: drawing again and again would give the exact one away. */
export function drawNearby(exact: Point): Point {
  const angle = (NEAREST + (FARTHEST - NEAREST) * random()) / EARTH_RADIUS
  const bearing = 2 * Math.PI * random()
  const from = toRadians(exact.latitude)
  // The destination on a great circle; right at the poles and across the date line, too.
  const to = Math.asin(
    Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(bearing),
  )
  const east = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  )
  return { latitude: round(toDegrees(to)), longitude: round(wrap(exact.longitude + toDegrees(east))) }
}

/** A cryptographically random number, 0 ≤ n < 1. */
function random(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

function wrap(longitude: number): number {
  if (longitude > 180) return longitude - 360
  return longitude < -180 ? longitude + 360 : longitude
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

function toDegrees(radians: number): number {
  return (radians * 180) / Math.PI
}

/** Seven decimals: about a centimetre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}
