/** The places of the agency, as listings are searched by them and show them. */
import { type Statement, textStatement } from '../../../db/statements.ts'
import type { Area } from '../queries.ts'
import { hasWord } from './word-index.ts'
import { placeWords } from './words.ts'

/** SQL for what changes with every write to places: by triggers with their names, by imports with new ones. */
export const PLACES_VERSION = `(select count from location_renames) || '.' || (select version from agency_versions where name = 'agency')`

/** The statement that reads all places. */
export function selectPlaces(): Statement<Area> {
  return textStatement(
    'select id, level, parent_id, name_el, name_en, full_name_el, full_name_en from locations',
  )
}

/** All places. */
export class Places {
  readonly #byId: Map<number, Area>
  #words: Map<number, string[]> | null = null

  constructor(places: readonly Area[]) {
    this.#byId = new Map(places.map((place) => [place.id, place]))
  }

  /** The place `id`; null if there is none. */
  get(id: number | null): Area | null {
    return id === null ? null : (this.#byId.get(id) ?? null)
  }

  /** The ids of places that have a word in a name, and of all places within them. */
  withWord(word: string): Set<number> {
    this.#words ??= new Map([...this.#byId].map(([id, place]) => [id, placeWords(place)]))
    const found = new Set<number>()
    for (const [id, words] of this.#words) if (hasWord(words, word)) found.add(id)
    return found.size === 0 ? found : this.#within(found)
  }

  #within(wanted: ReadonlySet<number>): Set<number> {
    const isWithin = (id: number | null): boolean => {
      // Three levels: region, municipality, neighbourhood.
      for (
        let place = this.get(id), level = 0;
        place && level < 3;
        place = this.get(place.parent_id), level++
      )
        if (wanted.has(place.id)) return true
      return false
    }
    return new Set([...this.#byId.keys()].filter(isWithin))
  }
}
