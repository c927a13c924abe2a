/** How visitors may try to find the place of a listing that hides it, over HTTP alone. */
import type { Random } from '../../fixtures/random.ts'

export interface Point {
  latitude: number
  longitude: number
}

/** A running service with its credentials. */
export interface AttackedService {
  url: URL
  key: string
  visitorKey: string
  adminToken: string
}

/** What visitors have seen of a listing. */
interface Sighting {
  point: Point
  /** Every answer as text, without what names the listing. */
  answers: string
}

type Answer = Record<string, unknown>

const LISTING = {
  category: 'residential',
  availability: 'sale',
  store_id: 1,
  created_by: 1,
  users: [1],
  price: 100_000,
}
const FLATS = 12
const ROUNDS = 6
/** Places are within some 15 km of it. */
const CENTRE = { latitude: 37.98, longitude: 23.73 }
const SPREAD = 0.1
const FAR = { latitude: 40.6401, longitude: 22.9444 }
const UNKNOWN = { latitude: 0, longitude: 0 }
/** Half the height of a cell, in degrees. */
const HALF = 0.0025
const METRES_OF_DEGREE = 111_195

/** A random place. */
export function anyPlace(random: Random): Point {
  return pointBeside(CENTRE, () => SPREAD * (2 * random.next() - 1))
}

/** A random place of the cell that shows `point`. */
export function placeWithin(point: Point, random: Random): Point {
  const across = (2 * random.next() - 1) / Math.cos((point.latitude * Math.PI) / 180)
  return pointBeside(point, (isLatitude) => 0.99 * HALF * (isLatitude ? 2 * random.next() - 1 : across))
}

function pointBeside({ latitude, longitude }: Point, offset: (isLatitude: boolean) => number): Point {
  return {
    latitude: Number((latitude + offset(true)).toFixed(6)),
    longitude: Number((longitude + offset(false)).toFixed(6)),
  }
}

/** Metres between two points that are near each other. */
export function metresBetween(a: Point, b: Point): number {
  const east = (b.longitude - a.longitude) * Math.cos((a.latitude * Math.PI) / 180)
  return METRES_OF_DEGREE * Math.hypot(b.latitude - a.latitude, east)
}

/** The mean of points: the best guess of a place that each of them is drawn around. */
export function meanOf(points: Point[]): Point {
  const sum = (name: keyof Point) => points.reduce((total, point) => total + point[name], 0)
  return { latitude: sum('latitude') / points.length, longitude: sum('longitude') / points.length }
}

/** Attacks a service. Each attack takes a place and returns what visitors see on the way. */
export class Attacker {
  readonly #service: AttackedService
  #calls = 0

  constructor(service: AttackedService) {
    this.#service = service
  }

  /** Imports the agency that the listings belong to. */
  async begin(): Promise<void> {
    await this.#import('stores', { id: 1, name: 'Center' })
    await this.#import('users', { id: 1, name: 'User', store_id: 1 })
  }

  /** Each attack by its name. */
  readonly attacks = {
    'twelve listings of a building': (place: Point) =>
      this.#repeat(FLATS, async () => this.#show(await this.#create(place))),

    'a listing made anew': (place: Point) =>
      this.#repeat(ROUNDS, async () => {
        const id = await this.#create(place)
        const seen = await this.#show(id)
        await this.#setStatus(id, 'deleted')
        return seen
      }),

    'A, B, the middle and A while inactive': async (place: Point) => {
      const id = await this.#create(place)
      return this.#repeat(ROUNDS, async (round) => {
        await this.#setStatus(id, 'inactive')
        // Less than 500 m and more than 500 m away.
        const [near, beyond] = [0.0007, 0.006].map((step) => ({
          ...place,
          latitude: place.latitude + (step * (round + 1)) / ROUNDS,
        }))
        for (const stop of [FAR, near, UNKNOWN, beyond, near, place]) await this.#move(id, { ...stop })
        return this.#show(id)
      })
    },

    'real, fake and none': async (place: Point) => {
      const id = await this.#create(place)
      return this.#repeat(ROUNDS, async (round) => {
        const isActive = round % 2 === 1
        if (!isActive) await this.#setStatus(id, 'inactive')
        // While it is active, real would show the place itself.
        for (const display_address of isActive ? ['none', 'fake'] : ['real', 'none', 'real', 'fake'])
          await this.#move(id, { display_address })
        return this.#show(id)
      })
    },

    'searches around three points': async (place: Point) => {
      const id = await this.#create(place)
      const { point, answers } = await this.#show(id)
      const radii: number[] = []
      for (const east of [0, 0.07, -0.07])
        radii.push(await this.#distanceOf(id, { ...CENTRE, longitude: CENTRE.longitude + east }))
      return [{ point, answers: `${answers} ${radii.join()}` }]
    },

    imports: async (place: Point) => {
      const id = await this.#create(place)
      return this.#repeat(ROUNDS, async (round) => {
        const location = { ...place, display_address: 'fake' }
        await this.#import('listings', { ...LISTING, id, location }, round % 2 === 0 ? 'merge' : 'replace')
        return this.#show(id)
      })
    },
  }

  async #repeat(times: number, see: (round: number) => Promise<Sighting>): Promise<Sighting[]> {
    const seen: Sighting[] = []
    for (let round = 0; round < times; round++) seen.push(await see(round))
    return seen
  }

  async #create(place: Point): Promise<number> {
    const body = { ...LISTING, location: { ...place, display_address: 'fake' } }
    return Number((await this.#call('POST', '/api/listings', body)).created_id)
  }

  async #move(id: number, location: object): Promise<void> {
    await this.#call('PUT', `/api/listings/${id}`, { location })
  }

  async #setStatus(id: number, to: string): Promise<void> {
    await this.#call('POST', `/api/listings/${id}/status`, { to })
  }

  /** Makes a listing active, and sees everything that a visitor can ask about its place. */
  async #show(id: number): Promise<Sighting> {
    await this.#setStatus(id, 'active')
    const location = await this.#locationOf(id)
    const { latitude, longitude, precision } = location
    if (precision !== 'circle') throw new Error(`Listing ${id} shows ${JSON.stringify(location)}`)
    const { mainEntity } = await this.#visit(`/api/listings/${id}?format=schema.org`)
    const map = await this.#search('/api/listings/map', id, '&zoom=20')
    const facets = await this.#search('/api/listings/facets', id, around(CENTRE, 30_000))
    const answers = JSON.stringify([location, mainEntity, map.data, facets.data])
    return { point: { latitude, longitude }, answers: withoutNames(answers, id) }
  }

  async #locationOf(id: number): Promise<Point & { precision: string }> {
    const { data } = await this.#search('/api/listings', id)
    return (
      (data as { location: Point & { precision: string } }[])[0]?.location ?? { ...UNKNOWN, precision: '' }
    )
  }

  /** The least radius, to a metre, within which a search around `centre` finds the listing. */
  async #distanceOf(id: number, centre: Point): Promise<number> {
    let [low, high] = [0, 32_768]
    while (high - low > 1) {
      const middle = (low + high) / 2
      const { total_results } = await this.#search('/api/listings', id, around(centre, middle))
      if (total_results === 1) high = middle
      else low = middle
    }
    return high
  }

  /** A search for one listing. Answers to visitors are kept for a while: another bound makes each of them new. */
  #search(path: string, id: number, rest = ''): Promise<Answer> {
    return this.#visit(`${path}?ids=${id}&price[max]=${1_000_000 + ++this.#calls}${rest}`)
  }

  #visit(path: string): Promise<Answer> {
    return this.#call('GET', path, undefined, this.#service.visitorKey)
  }

  async #import(entity: string, data: object, mode = 'merge'): Promise<void> {
    const line = { entity, data, mode }
    const answer = await this.#call('POST', '/admin/import', line, this.#service.adminToken)
    const { rejected } = answer.data as { rejected: number }
    if (rejected > 0) throw new Error(JSON.stringify(answer))
  }

  async #call(method: string, path: string, body?: object, key = this.#service.key): Promise<Answer> {
    const response = await fetch(new URL(path, this.#service.url), {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = (await response.json()) as Answer
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}

const withoutNames = (text: string, id: number) =>
  text.replaceAll(`"id":${id},`, '').replace(/"RES-\d+"/g, '""')

const around = ({ latitude, longitude }: Point, radius: number) =>
  `&near[latitude]=${latitude}&near[longitude]=${longitude}&near[radius]=${radius}`
