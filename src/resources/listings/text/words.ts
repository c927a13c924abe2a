/**
 * The words that the filter `text` looks for: those of titles, codes and names of places, folded, and their ELOT 743
 * spellings. They are stored, so other code needs other rows: `form.json` is a hash of this file and what it imports.
 */
import { foldText } from '../../../db/fold.ts'
import { transliterate } from '../address/elot743.ts'

/** Maximum words of all titles of a listing; Greek words count twice. */
const MAX_TITLE_WORDS = 50
/** Maximum words of a code. */
const MAX_CODE_WORDS = 10
/** Maximum length of a stored word, in characters. No text of 100 characters folds to a longer one. */
const MAX_LENGTH = 300

/** What the stored words of a listing are made of. */
export interface WordSource {
  code: string | null
  translations: readonly { language_id: number; title: string | null }[]
}

/** The words of `text`, folded: runs of letters and digits. */
export function foldedWords(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{Nd}]+/gu) ?? []
}

/** The words of a listing: those of its code, then those of its titles, the title in the default language first. */
export function listingWords({ code, translations }: WordSource, defaultLanguage: number | null): string[] {
  const rank = (language: number) => (language === defaultLanguage ? 0 : language)
  const titles = translations
    .toSorted((a, b) => rank(a.language_id) - rank(b.language_id))
    .flatMap(({ title }) => spellings(title ?? ''))
  return unique([...codeWords(code ?? ''), ...unique(titles).slice(0, MAX_TITLE_WORDS)])
}

/** The words of a code: the whole of it without what is between its parts, and its parts. */
export function codeWords(code: string): string[] {
  const whole = foldText(code).replace(/[^\p{L}\p{Nd}]/gu, '')
  return unique([...spellings(whole), ...spellings(code)]).slice(0, MAX_CODE_WORDS)
}

/** The words of the names of a place in one text, each with a space before and behind it. */
export function placeWords({ name_el, name_en }: { name_el: string; name_en: string }): string {
  return ` ${unique([name_el, name_en].flatMap(spellings)).join(' ')} `
}

/** Each word of `text` folded, and its ELOT spelling. Accents matter for the spelling, so it comes before folding. */
function spellings(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? []
  return words.flatMap((word) => [word, transliterate(word)].flatMap(foldedWords)).map(cut)
}

function cut(word: string): string {
  return word.length <= MAX_LENGTH ? word : [...word].slice(0, MAX_LENGTH).join('')
}

/** Not that of `fields/values.ts`: the hash would change with that file. */
function unique(words: string[]): string[] {
  return [...new Set(words)]
}
