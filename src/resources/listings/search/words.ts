/**
 * The words that the filter `text` looks for: those of titles, codes and names of places, folded, and their ELOT 743
 * spellings.
 */
import { foldedWords, foldText } from '../../../db/fold.ts'
import { unique } from '../../../fields/values.ts'
import { transliterate } from '../address/elot743.ts'

/** Maximum words of all titles of a listing; Greek words count twice. */
const MAX_TITLE_WORDS = 50
const MAX_CODE_WORDS = 10
/** Maximum length of a word, in characters. No text of 100 characters folds to a longer one. */
const MAX_LENGTH = 300

export interface WordSource {
  code: string | null
  titles: readonly string[]
}

/** The words of a listing: those of its code, then those of its titles. */
export function listingWords({ code, titles }: WordSource): string[] {
  const ofTitles = unique(titles.flatMap(spellings))
  return unique([...codeWords(code ?? ''), ...ofTitles.slice(0, MAX_TITLE_WORDS)])
}

/** The words of a code: the whole of it without what is between its parts, and its parts. */
function codeWords(code: string): string[] {
  const whole = foldText(code).replace(/[^\p{L}\p{Nd}]/gu, '')
  return unique([...spellings(whole), ...spellings(code)]).slice(0, MAX_CODE_WORDS)
}

/** The words of the names of a place or a value. */
export function nameWords({ name_el, name_en }: { name_el: string; name_en: string }): string[] {
  return unique([name_el, name_en].flatMap(spellings))
}

/** Words whose spellings are remembered, as most titles have the same words. */
const MAX_KNOWN = 10_000
const known = new Map<string, string[]>()

/** Each word of `text` folded, and its ELOT spelling. Accents matter for the spelling, so it comes before folding. */
function spellings(text: string): string[] {
  return (text.match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? []).flatMap((word) => {
    const before = known.get(word)
    if (before) return before
    if (known.size >= MAX_KNOWN) known.clear()
    const folded = [word, transliterate(word)].flatMap(foldedWords).map(cut)
    known.set(word, folded)
    return folded
  })
}

function cut(word: string): string {
  return word.length <= MAX_LENGTH ? word : [...word].slice(0, MAX_LENGTH).join('')
}
