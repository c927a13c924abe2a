/** What the public may see of where a listing is: a point nearby, a street without its number. */

/** Mean metres of one degree of latitude (WGS 84). */
const METRES_PER_DEGREE = 111_320
const NEAREST = 150
const FARTHEST = 400

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
  const distance = NEAREST + (FARTHEST - NEAREST) * random()
  const bearing = 2 * Math.PI * random()
  const north = (distance * Math.cos(bearing)) / METRES_PER_DEGREE
  // Near a pole the point stays on this side of it, and a degree of longitude has next to no length.
  const latitude = Math.abs(exact.latitude + north) > 90 ? exact.latitude - north : exact.latitude + north
  const metresPerDegree = METRES_PER_DEGREE * Math.max(Math.cos((exact.latitude * Math.PI) / 180), 1e-6)
  const longitude = exact.longitude + (distance * Math.sin(bearing)) / metresPerDegree
  return { latitude: round(latitude), longitude: round(wrap(longitude)) }
}

/**
 * The street of a Greek address: `Ερμού 15` → `Ερμού`, `28ης Οκτωβρίου 3Α-5` → `28ης Οκτωβρίου`. Null when
 * nothing is left.
 */
export function withoutNumber(address: string): string | null {
  const street = address
    .split(',')
    .map((part) => withoutTrailingNumber(part.trim()))
    .filter((part) => part !== '')
    .join(', ')
  return street === '' ? null : street
}

/** `15`, `15Α`, `15-17`, `15 & 17`, `αρ. 15`, and whatever follows the number (a floor, a bell). */
const HOUSE_NUMBER = /\s+(?:αρ\.?\s*|no\.?\s*|#\s*)?\d+\s?\p{L}?(?:\s*[-–/&+]\s*\d+\s?\p{L}?)*$/iu
const NUMBER_WITHIN = /(?<=\p{L}\.?)\s+\d+\p{L}?(?:\s*[-–/&+]\s*\d+\p{L}?)*(?=\s).*$/u

function withoutTrailingNumber(part: string): string {
  const street = part.replace(HOUSE_NUMBER, '')
  return (street === part ? part.replace(NUMBER_WITHIN, '') : street).replace(/^\d+\p{L}?$/u, '')
}

/** A cryptographically random number, 0 ≤ n < 1. */
function random(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

function wrap(longitude: number): number {
  if (longitude > 180) return longitude - 360
  return longitude < -180 ? longitude + 360 : longitude
}

/** Seven decimals: about a centimetre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}
