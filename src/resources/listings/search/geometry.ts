/** Points, rectangles and circles on the earth. Points of the index are integers of a ten-millionth of a degree. */
import type { SearchFilters } from './filters.ts'

/** Units of a coordinate in a degree: about a centimetre. */
export const PER_DEGREE = 10_000_000

/** Mean radius of the earth, in metres. */
export const EARTH_RADIUS = 6_371_000
/** Metres of a degree of latitude. */
const DEGREE = (EARTH_RADIUS * Math.PI) / 180

/** A point and a distance in metres. */
export type Circle = NonNullable<SearchFilters['near']>
export type Bounds = NonNullable<SearchFilters['bounds']>

/** A rectangle that contains the circle. */
export function boundsAround({ latitude, longitude, radius }: Circle): Bounds {
  // A little more, as the distance itself is rounded.
  const height = radius / DEGREE + 1e-6
  const [south, north] = [latitude - height, latitude + height]
  // The meridians meet at a pole, which leaves no longitude out.
  if (south <= -90 || north >= 90)
    return { south: Math.max(south, -90), north: Math.min(north, 90), west: -180, east: 180 }
  const width = degrees(Math.asin(Math.sin(radians(height)) / Math.cos(radians(latitude))))
  const [west, east] = [longitude - width, longitude + width]
  return { south, north, west: west < -180 ? west + 360 : west, east: east > 180 ? east - 360 : east }
}

/** The spans of longitudes between two meridians. 180° and −180° are the same meridian. */
export function spansOf({ west, east }: Bounds): [west: number, east: number][] {
  if (west > east)
    return [
      [west, 180],
      [-180, east],
    ]
  const spans: [number, number][] = [[west, east]]
  if (east === 180 && west > -180) spans.push([-180, -180])
  if (west === -180 && east < 180) spans.push([180, 180])
  return spans
}

/** Makes the function for the distance of a point, in metres (haversine formula). Its coordinates are in degrees. */
export function distanceTo(to: Pick<Circle, 'latitude' | 'longitude'>) {
  const cosine = Math.cos(radians(to.latitude))
  return (latitude: number, longitude: number) => {
    const north = Math.sin(radians(latitude - to.latitude) / 2)
    const east = Math.sin(radians(longitude - to.longitude) / 2)
    const square = north * north + Math.cos(radians(latitude)) * cosine * east * east
    return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(square)))
  }
}

const radians = (angle: number) => (angle * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI
