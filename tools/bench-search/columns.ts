/** What is searched by, as SQL over a row of `listings`: for visitors what is shown, for the agency what is stored. */
import type { AskedCircle } from './filters.ts'
import type { View } from './service.ts'

/** Mean radius of the earth, in metres. */
const EARTH_RADIUS = 6_371_000

/** Values that have no column of their own. */
const STORED: Record<string, string> = {
  date_listed: 'status_date',
  land_size: `details ->> '$.land_size'`,
  energy_class: `extra ->> '$.energy_class'`,
  is_negotiable: `coalesce(extra ->> '$.is_negotiable', 0)`,
  video_url: `coalesce(extra ->> '$.video_url', '')`,
  virtual_tour_url: `coalesce(extra ->> '$.virtual_tour_url', '')`,
}

const priceOf = (name: string) => `case when not coalesce(extra ->> '$.has_hidden_price', 0) then ${name} end`
const pointOf = (name: string) =>
  `case display_address when 'real' then ${name} when 'fake' then fake_${name} end`

const SHOWN: Record<string, string> = {
  ...STORED,
  price: priceOf('price'),
  price_per_sqm: priceOf('price_per_sqm'),
  latitude: pointOf('latitude'),
  longitude: pointOf('longitude'),
}

export interface ViewColumns {
  of: (name: string) => string
  /** The distance of a listing in metres (haversine formula). */
  distanceTo: (circle: AskedCircle) => { sql: string; params: unknown[]; reads: string[] }
}

/** The columns and expressions of a view. An index can have any of them. */
export function columnsFor(view: View): ViewColumns {
  const names = view === 'visitors' ? SHOWN : STORED
  const of = (name: string) => names[name] ?? name
  const [latitude, longitude] = [of('latitude'), of('longitude')]
  return {
    of,
    distanceTo: (circle) => ({
      sql: `2 * ${EARTH_RADIUS} * asin(min(1, sqrt(pow(sin(radians((${latitude}) - ?) / 2), 2)
        + cos(radians(${latitude})) * cos(radians(?)) * pow(sin(radians((${longitude}) - ?) / 2), 2))))`,
      params: [circle.latitude, circle.latitude, circle.longitude],
      reads: [latitude, longitude],
    }),
  }
}

/** Metres of a degree of latitude. */
export const METRES_OF_DEGREE = (EARTH_RADIUS * Math.PI) / 180
