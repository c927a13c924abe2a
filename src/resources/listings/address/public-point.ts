/**
 * The point that the public sees instead of the exact one. The earth is cut into cells of about 550 m, and every listing
 * in a cell shows the same point of it. So nothing is learned from several listings of a building, from listings made
 * anew, from moving there and back, or from hiding and showing the address.
 */
import type { AddressDisplay } from '../../../catalogue/property-enums.ts'

/** Metres. */
const EARTH_RADIUS = 6_371_000
/** How far from the exact point an imported public point may lie, in metres. */
const IMPORTED = { min: 100, max: 2000 }
/** Where earlier versions drew the public point at random, in metres from the exact one. */
const DRAWN = { min: 150, max: 400 }

/** Rows of cells in a degree of latitude, which are 556 m high. */
const ROWS_PER_DEGREE = 200
const ROWS = 180 * ROWS_PER_DEGREE
/** Coordinates count to seven decimals, about a centimetre. In these units they are integers, and borders are exact. */
const UNITS = 1e7
const UNITS_PER_ROW = UNITS / ROWS_PER_DEGREE

interface Point {
  latitude: number
  longitude: number
}

/** What decides about the public point of a listing. */
export interface Place {
  display_address: AddressDisplay
  latitude: number | null
  longitude: number | null
}

/** The columns of the public point, and of the same as it was last checked: see `UNCHECKED_POINT`. */
export interface PublicPoint {
  fake_latitude: number | null
  fake_longitude: number | null
  checked_latitude: number | null
  checked_longitude: number | null
}

/** The point; null if it is unknown: a missing coordinate, or the default 0/0. */
function knownPoint(latitude: number | null, longitude: number | null): Point | null {
  if (latitude === null || longitude === null) return null
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude }
}

/**
 * The public point of a listing at `place`; null where it shows the exact point, or has none. It is that of the cell.
 * Only an imported one is kept until the exact point moves.
 */
export function publicPoint(
  { display_address, latitude, longitude }: Place,
  stored: (Place & PublicPoint) | null,
): PublicPoint {
  const exact = display_address === 'real' ? null : knownPoint(latitude, longitude)
  const isUnmoved = stored?.latitude === latitude && stored.longitude === longitude
  const imported = exact && isUnmoved ? importedPoint(exact, stored) : null
  const point = imported ?? (exact && pointOfCell(exact))
  const [fake_latitude, fake_longitude] = [point?.latitude ?? null, point?.longitude ?? null]
  return { fake_latitude, fake_longitude, checked_latitude: fake_latitude, checked_longitude: fake_longitude }
}

/** The stored public point if it came by import and may stay. One that was never checked may be a drawn one. */
function importedPoint(exact: Point, stored: PublicPoint): Point | null {
  const point = knownPoint(stored.fake_latitude, stored.fake_longitude)
  if (!point) return null
  // The point of a cell is that of another exact point, which was corrected in an exported line.
  const ofCell = pointOfCell(point)
  if (ofCell.latitude === point.latitude && ofCell.longitude === point.longitude) return null
  const isChecked = stored.checked_latitude === point.latitude && stored.checked_longitude === point.longitude
  const metres = distanceBetween(exact, point)
  const isDrawn = !isChecked && metres >= DRAWN.min && metres <= DRAWN.max
  return metres >= IMPORTED.min && metres <= IMPORTED.max && !isDrawn ? point : null
}

/**
 * The middle of the cell of `point`, at most 400 m from any point of the cell. A row has as many cells as its longer
 * edge has room for; they begin at the date line.
 */
export function pointOfCell({ latitude, longitude }: Point): Point {
  const north = Math.round((latitude + 90) * UNITS)
  const row = Math.min(Math.floor(north / UNITS_PER_ROW), ROWS - 1)
  const edge = Math.min(Math.abs(row - ROWS / 2), Math.abs(row + 1 - ROWS / 2)) / ROWS_PER_DEGREE
  const columns = Math.round(360 * ROWS_PER_DEGREE * Math.cos(toRadians(edge)))
  const east = Math.round((longitude + 180) * UNITS)
  // 180° and −180° are the same meridian.
  const column = Math.floor((east * columns) / (360 * UNITS)) % columns
  return {
    latitude: round((row + 0.5) / ROWS_PER_DEGREE - 90),
    longitude: round(((column + 0.5) / columns) * 360 - 180),
  }
}

/** The distance between two points, in metres (haversine formula). */
function distanceBetween(a: Point, b: Point): number {
  const haversine = (degrees: number) => Math.sin(toRadians(degrees) / 2) ** 2
  const shrink = Math.cos(toRadians(a.latitude)) * Math.cos(toRadians(b.latitude))
  const chord = haversine(b.latitude - a.latitude) + shrink * haversine(b.longitude - a.longitude)
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

function round(degrees: number): number {
  return Math.round(degrees * UNITS) / UNITS
}
