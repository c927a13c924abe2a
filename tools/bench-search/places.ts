/** Regions, municipalities and neighbourhoods, some of them with many more listings than others. */
import { type Random, seeded } from '../../fixtures/random.ts'
import { foldText } from '../../src/db/fold.ts'

const REGIONS = 10
const MUNICIPALITIES = 300
const NEIGHBOURHOODS = 3_000

/** What names are made of. */
const SYLLABLES = [
  ['κα', 'ka'],
  ['λι', 'li'],
  ['μα', 'ma'],
  ['νε', 'ne'],
  ['ρό', 'ro'],
  ['πο', 'po'],
  ['σα', 'sa'],
  ['τη', 'ti'],
  ['φο', 'fo'],
  ['χώ', 'cho'],
  ['δρα', 'dra'],
  ['γκι', 'gki'],
] as const

/** A neighbourhood, and what it lies in. */
export interface MadeNeighbourhood {
  areas: readonly [region: number, municipality: number, neighbourhood: number]
  name: string
  latitude: number
  longitude: number
}

export interface Places {
  /** Rows of `locations`, parents first. */
  rows: Record<string, unknown>[]
  /** One of the neighbourhoods, as often as listings are in it. */
  pick: (random: Random) => MadeNeighbourhood
}

/** The same places every time. */
export function makePlaces(): Places {
  const random = seeded(11)
  const rows: Record<string, unknown>[] = []
  const addPlace = (id: number, level: number, parent_id: number | null): string => {
    const parts = random.sample(SYLLABLES, random.int(2, 4))
    const [name_el, name_en] = [capitalised(parts.map(([el]) => el)), capitalised(parts.map(([, en]) => en))]
    const search = foldText(`${name_el} ${name_en}`)
    rows.push({
      id,
      level,
      parent_id,
      name_el,
      name_en,
      full_name_el: name_el,
      full_name_en: name_en,
      search,
    })
    return name_el
  }
  for (let id = 1; id <= REGIONS; id++) addPlace(id, 1, null)
  const centres = Array.from({ length: MUNICIPALITIES }, (_, index) => {
    const place = { id: 100 + index, region: 1 + (index % REGIONS) }
    addPlace(place.id, 2, place.region)
    return { ...place, latitude: 35 + random.next() * 6, longitude: 20.5 + random.next() * 6 }
  })
  const neighbourhoods = Array.from({ length: NEIGHBOURHOODS / MUNICIPALITIES }, (_, rank) =>
    centres.map((centre, index) => {
      const id = 1_000 + rank * MUNICIPALITIES + index
      return {
        areas: [centre.region, centre.id, id] as const,
        name: addPlace(id, 3, centre.id),
        latitude: centre.latitude + (random.next() - 0.5) * 0.08,
        longitude: centre.longitude + (random.next() - 0.5) * 0.08,
        // Few places are large.
        weight: 1 / (index + 3) / (rank + 1),
      }
    }),
  ).flat()
  return { rows, pick: weighted(neighbourhoods) }
}

function capitalised(parts: string[]): string {
  const name = parts.join('')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Draws one of `values`, each as often as its weight says. */
function weighted<T extends { weight: number }>(values: T[]): (random: Random) => T {
  let sum = 0
  const sums = values.map(({ weight }) => {
    sum += weight
    return sum
  })
  return (random) => {
    const drawn = random.next() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) <= drawn) low = middle + 1
      else high = middle
    }
    const found = values[low]
    if (!found) throw new Error('Nothing to pick from')
    return found
  }
}
