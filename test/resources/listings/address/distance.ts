export interface Point {
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

/** The point `metres` away in the direction `bearing`, in degrees clockwise from north, along a great circle. */
export function pointFrom({ latitude, longitude }: Point, metres: number, bearing: number): Point {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const degrees = (angle: number) => (angle * 180) / Math.PI
  const [from, angle, turn] = [radians(latitude), metres / 6_371_000, radians(bearing)]
  const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(turn))
  const east = Math.atan2(
    Math.sin(turn) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  )
  const turned = longitude + degrees(east)
  return { latitude: degrees(to), longitude: ((turned + 540) % 360) - 180 }
}
