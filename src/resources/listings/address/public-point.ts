/** The point that the public sees instead of the exact one. */
import type { AddressDisplay } from '../../../catalogue/enums.ts'
import type { FormerPoint } from '../../../db/tables/listings.ts'

/** Metres. The margins to 150 and 400 allow for the difference between the earth and a sphere. */
const EARTH_RADIUS = 6_371_000
const MIN_DISTANCE = 152
const MAX_DISTANCE = 397
/** A move by fewer metres counts as a correction of the same place. */
const CORRECTION = 500

export interface Point {
  latitude: number
  longitude: number
}

/** Most points of the past that are kept. */
const MAX_FORMER = 20

/** The exact and the public point of a listing, as they are stored. */
export interface StoredPoints {
  latitude: number | null
  longitude: number | null
  fake_latitude: number | null
  fake_longitude: number | null
  former_points: readonly FormerPoint[]
}

/** The point; null if it is unknown: a missing coordinate, or the default 0/0. */
export function knownPoint(latitude: number | null, longitude: number | null): Point | null {
  if (latitude === null || longitude === null) return null
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude }
}

/**
 * The public point for `exact`. If the exact point moves by less than 500 m, or comes back to where it was, the public
 * point keeps its offset. A new random point each time would reveal circles that intersect in the exact point.
 */
export function publicPoint(exact: Point, stored: StoredPoints | null): Point {
  const present = stored && pairOf(stored)
  const before = [...(present ? [present] : []), ...(stored?.former_points ?? [])].find((pair) =>
    isNear(exact, pair),
  )
  if (!before) return drawNearby(exact)
  const fake = { latitude: before.fake_latitude, longitude: before.fake_longitude }
  if (before.latitude === exact.latitude && before.longitude === exact.longitude) return fake
  return pointOf(rotate(vectorOf(fake), vectorOf(before), vectorOf(exact)))
}

/** The former points of a listing that changes from `stored` to `next`. Those behind a public address are no secret. */
export function formerPoints(
  stored: StoredPoints,
  next: { display_address: AddressDisplay; latitude: number | null; longitude: number | null },
): readonly FormerPoint[] {
  const { former_points } = stored
  if (next.display_address === 'real') return []
  const left = pairOf(stored)
  const exact = knownPoint(next.latitude, next.longitude)
  if (!left || (exact && isNear(exact, left))) return former_points
  return [left, ...former_points.filter((pair) => !isNear(left, pair))].slice(0, MAX_FORMER)
}

/** The exact and the public point, if both are known. */
function pairOf({ latitude, longitude, fake_latitude, fake_longitude }: StoredPoints): FormerPoint | null {
  const exact = knownPoint(latitude, longitude)
  const fake = knownPoint(fake_latitude, fake_longitude)
  return exact && fake && { ...exact, fake_latitude: fake.latitude, fake_longitude: fake.longitude }
}

function isNear(a: Point, b: Point): boolean {
  return distanceBetween(vectorOf(a), vectorOf(b)) < CORRECTION
}

/** A random point 150–400 m from `exact`. */
function drawNearby(exact: Point): Point {
  const angle = (MIN_DISTANCE + (MAX_DISTANCE - MIN_DISTANCE) * random()) / EARTH_RADIUS
  const bearing = 2 * Math.PI * random()
  const from = toRadians(exact.latitude)
  // The destination on a great circle, which is also right at the poles and across the date line.
  const to = Math.asin(
    Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(bearing),
  )
  const east = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  )
  return { latitude: round(toDegrees(to)), longitude: round(wrap(exact.longitude + toDegrees(east))) }
}

/** A point as a unit vector from the centre of the earth. Poles and the date line are no special cases. */
type Vector = readonly [x: number, y: number, z: number]

function vectorOf({ latitude, longitude }: Point): Vector {
  const [north, east] = [toRadians(latitude), toRadians(longitude)]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}

function pointOf([x, y, z]: Vector): Point {
  const latitude = toDegrees(Math.atan2(z, Math.hypot(x, y)))
  return { latitude: round(latitude), longitude: round(toDegrees(Math.atan2(y, x))) }
}

/** Distance between two points, in metres. */
function distanceBetween(a: Vector, b: Vector): number {
  const chord = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
  return 2 * EARTH_RADIUS * Math.asin(chord / 2)
}

/** Rotates `vector` by the smallest rotation that takes `from` to `to` (Rodrigues' formula). */
function rotate(vector: Vector, from: Vector, to: Vector): Vector {
  const axis = cross(from, to)
  const once = cross(axis, vector)
  const twice = cross(axis, once)
  const shrink = 1 / (1 + from[0] * to[0] + from[1] * to[1] + from[2] * to[2])
  return [
    vector[0] + once[0] + shrink * twice[0],
    vector[1] + once[1] + shrink * twice[1],
    vector[2] + once[2] + shrink * twice[2],
  ]
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
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

/** Rounds to seven decimals, about a centimetre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}
