/** Where properties are: the point, the country, and the points that geocoders give for want of a better one. */
import { quote } from './report.ts'
import { childOf, type Node } from './xml.ts'

/** The properties at a point, by its text. */
export type SharedPoints = Map<string, { properties: number; towns: Set<string> }>

const MAX_LENGTH = 15
/** The country of a property that names none. */
const DEFAULT_COUNTRY = 'Spain'

/** Countries of feeds: south, north, west and east end, in degrees. */
const COUNTRIES: Record<string, [south: number, north: number, west: number, east: number]> = {
  spain: [27, 44, -19, 5],
  portugal: [30, 43, -32, -6],
  france: [41, 52, -6, 10],
  italy: [35, 48, 6, 19],
  greece: [34, 42, 19, 30],
  cyprus: [34, 36, 32, 35],
}

/** The middles of countries, which geocoders answer for an address that they do not know. */
const MIDDLES: [latitude: number, longitude: number][] = [
  [39.074208, 21.824312],
  [40.463667, -3.74922],
  [39.399872, -8.224454],
  [46.227638, 2.213749],
  [41.87194, 12.56738],
]

/** Checks the place of a property. `expected` is the country that all must have. */
export function checkPlace(
  property: Node,
  places: SharedPoints,
  expected: string | undefined,
  refuse: (element: string, problem: string) => void,
): void {
  const named = childOf(property, 'country')?.text.trim()
  const country = named || DEFAULT_COUNTRY
  if (expected && country.toLowerCase() !== expected.toLowerCase())
    refuse(
      'country',
      named ? `must be ${expected}, not ${quote(named)}` : `is missing, which means ${DEFAULT_COUNTRY}`,
    )
  const location = childOf(property, 'location')
  const texts = ['latitude', 'longitude'].map(
    (name) => (location && childOf(location, name)?.text.trim()) || '',
  )
  for (const [index, text] of texts.entries()) {
    const name = index === 0 ? 'latitude' : 'longitude'
    if (text === '') continue
    if (text.length > MAX_LENGTH)
      refuse(`location.${name}`, `must have at most ${MAX_LENGTH} characters, not ${text.length}`)
    if (!/^-?\d+(\.\d+)?$/.test(text) || Math.abs(Number(text)) > (index === 0 ? 90 : 180))
      refuse(`location.${name}`, `must be degrees, not ${quote(text)}`)
  }
  const [latitude = Number.NaN, longitude = Number.NaN] = texts.map((text) =>
    text === '' ? Number.NaN : Number(text),
  )
  // 0 stands for an unknown point.
  if (Number.isNaN(latitude + longitude) || latitude === 0 || longitude === 0) return
  if (MIDDLES.some(([y, x]) => Math.abs(y - latitude) < 1e-5 && Math.abs(x - longitude) < 1e-5))
    refuse(
      'location',
      `is the middle of a country, which geocoders answer for want of a better point: ${texts.join(', ')}`,
    )
  const box = COUNTRIES[country.toLowerCase()]
  if (box && (latitude < box[0] || latitude > box[1] || longitude < box[2] || longitude > box[3]))
    refuse(
      'location',
      `is not in ${country}${named ? '' : ', the country of a property that names none'}: ${texts.join(', ')}`,
    )
  const place = places.get(texts.join(', ')) ?? { properties: 0, towns: new Set<string>() }
  places.set(texts.join(', '), place)
  place.properties++
  place.towns.add(childOf(property, 'town')?.text.trim().toLowerCase() ?? '')
}
