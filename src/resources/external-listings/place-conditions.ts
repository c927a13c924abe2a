/** SQL conditions on the point of a row, which has the columns `latitude` and `longitude`. */
import { type SQL, sql } from 'drizzle-orm'
import { type Bounds, boundsAround, type Circle, EARTH_RADIUS, spansOf } from '../listings/search/geometry.ts'

/** Whether the point is within a rectangle. */
export function isInside(bounds: Bounds): SQL {
  const spans = spansOf(bounds).map(([west, east]) => sql`longitude between ${west} and ${east}`)
  return sql`latitude between ${bounds.south} and ${bounds.north} and (${sql.join(spans, sql` or `)})`
}

/** Whether the point is within a circle. */
export function isNear(circle: Circle): SQL {
  const { south, north } = boundsAround(circle)
  return sql`latitude between ${south} and ${north} and ${distanceTo(circle)} <= ${circle.radius}`
}

/** The distance of the point, in metres (haversine formula). */
function distanceTo({ latitude, longitude }: Circle): SQL {
  return sql`2 * ${EARTH_RADIUS} * asin(min(1, sqrt(
    pow(sin(radians(latitude - ${latitude}) / 2), 2) + cos(radians(latitude)) * cos(radians(${latitude}))
    * pow(sin(radians(longitude - ${longitude}) / 2), 2))))`
}
