/** The places of the agency, as listings are searched by them and show them. */
import { foldedWords } from '../../../db/fold.ts'
import { type Statement, textStatement } from '../../../db/statements.ts'
import { unique } from '../../../fields/values.ts'
import type { Area } from '../queries.ts'
import { keysOfName, keysSought } from './phonetic.ts'
import { rowsWith, type WordList, wordList } from './word-index.ts'
import { nameWords } from './words.ts'

/** SQL for what changes with every write to places: by triggers with their names, by imports with new ones. */
export const PLACES_VERSION = `(select count from location_renames) || '.' || (select version from agency_versions where name = 'agency')`

/** The statement that reads all places. */
export function selectPlaces(): Statement<Area> {
  return textStatement(
    'select id, level, parent_id, name_el, name_en, full_name_el, full_name_en from locations',
  )
}

export class Places {
  readonly #byId: Map<number, Area>
  readonly #all: readonly Area[]
  #words: WordList | null = null
  /** Their phonetic keys. */
  #keys: WordList | null = null

  constructor(places: readonly Area[]) {
    this.#all = places
    this.#byId = new Map(places.map((place) => [place.id, place]))
  }

  /** The place `id`; null if there is none. */
  get(id: number | null): Area | null {
    return id === null ? null : (this.#byId.get(id) ?? null)
  }

  /** The ids of places that have a word in a name, or one that sounds like it. */
  withWord(word: string): Set<number> {
    this.#words ??= wordList(this.#all.map(nameWords))
    this.#keys ??= wordList(this.#all.map(nameKeys))
    const keys = this.#keys
    const rows = [rowsWith(this.#words, word), ...keysSought(word).map((key) => rowsWith(keys, key))]
    return new Set(rows.flatMap((some) => Array.from(some, (row) => this.#all[row]?.id ?? 0)))
  }
}

/** The phonetic keys of the names of a place. */
export function nameKeys({ name_el, name_en }: Pick<Area, 'name_el' | 'name_en'>): string[] {
  return unique([name_el, name_en].flatMap(foldedWords).flatMap(keysOfName))
}
