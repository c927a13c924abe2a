/** The names of values, such as features, by which `text` finds listings. */
import { FIELD_LIST, type FieldName } from './fields.ts'
import { rowsWith, type WordList, wordList } from './word-index.ts'
import { nameWords } from './words.ts'

const NAMED = FIELD_LIST.flatMap(([field, { options }]) =>
  Object.entries(options.names ?? {}).map(([value, [name_el, name_en]]) => ({
    field,
    value,
    name_el,
    name_en,
  })),
)

let words: WordList | null = null

/** The values that have a word in a name, by their fields. */
export function valuesNamed(word: string): Map<FieldName, Set<string>> {
  words ??= wordList(NAMED.map(nameWords))
  const found = new Map<FieldName, Set<string>>()
  for (const row of rowsWith(words, word)) {
    const named = NAMED[row]
    if (named) found.set(named.field, (found.get(named.field) ?? new Set()).add(named.value))
  }
  return found
}
