interface Point {
  latitude: number
  longitude: number
}

/** Metres between two points, by the haversine formula. */
export function distanceInMetres(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const haversine = (angle: number) => Math.sin(angle / 2) ** 2
  const north = haversine(radians(b.latitude - a.latitude))
  const east = haversine(radians(b.longitude - a.longitude))
  const shrink = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude))
  return 2 * 6_371_000 * Math.asin(Math.sqrt(north + shrink * east))
}
