/** What the public may see of where a listing is: a point nearby, a street without its number. */

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

/**
 * The street of a Greek address: `Ερμού 15` → `Ερμού`, `28ης Οκτωβρίου 3Α-5` → `28ης Οκτωβρίου`. Null when
 * nothing is left.
 */
export function withoutNumber(address: string): string | null {
  const street = address
    .split(',')
    .map((part) => withoutHouseNumber(part.trim()))
    .filter((part) => part !== '')
    .join(', ')
  return street === '' ? null : street
}

/** `15`, `15Α`, `15-17`, `15 & 17`, `αρ. 15`, and whatever follows the number (a floor, a bell). */
const HOUSE_NUMBER = /\s+(?:αρ\.?\s*|no\.?\s*|#\s*)?\d+\s?\p{L}?(?:\s*[-–/&+]\s*\d+\s?\p{L}?)*$/iu
const NUMBER_WITHIN = /(?<=\p{L}\.?)\s+\d+\p{L}?(?:\s*[-–/&+]\s*\d+\p{L}?)*(?=\s).*$/u

/** `15 Ερμού`, but not the day of `28 Οκτωβρίου`. */
const LEADING_NUMBER =
  /^\d+[α-δa-d]?(?:\s*[-–/]\s*\d+[α-δa-d]?)?\s+(?!ιαν|φεβ|μ[αά]ρτ|απρ|μα[ιίϊΐ]ου|ιουν|ιουλ|αυγ|σεπ|οκτ|νο[εέ]|δεκ)(?=\p{L})/iu
/** The first number of `Ερμού 3 & Βουλής 8`. */
const CORNER_NUMBER = /\s+\d+\p{L}?(?=\s*(?:[&+]|και\s)\s*\p{L})/giu

function withoutHouseNumber(part: string): string {
  const last = part.replace(CORNER_NUMBER, '')
  const street = last.replace(HOUSE_NUMBER, '')
  return (street === last ? last.replace(NUMBER_WITHIN, '') : street)
    .replace(LEADING_NUMBER, '')
    .replace(/^\d+\p{L}?$/u, '')
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
