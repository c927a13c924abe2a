/**
 * Phonetic keys of words, in Greek or Latin letters: spellings that sound alike have the same key. Beside ELOT 743, people
 * write Γλυφάδα as `glifada`, Κολωνάκι as `kolwnaki`, Θήβα as `8hva`.
 */
import { unique } from '../../../fields/values.ts'
import { isWhole } from './word-index.ts'

/** The sounds of single letters; others stand for themselves. */
const LETTERS = table(
  'α:a β:v γ:g δ:d ε:e ζ:z η:i ι:i κ:k λ:l μ:m ν:n ο:o π:p ρ:r σ:s τ:t υ:i φ:f ω:o',
  'c:k h:χ w:o x:ξ y:i',
)

/** The sounds of two letters. Before some sounds, the v of αυ and ευ is an f. */
const PAIRS = table(
  'αι:e ει:i οι:i ου:u μπ:b ντ:d νδ:d γκ:g γγ:g γχ:nχ κσ:ξ πσ:ψ αυ:av ευ:ev',
  'ai:e ei:i oi:i ou:u oy:u au:av ay:av eu:ev ey:ev mp:b mb:b nt:d nd:d dh:d gk:g gg:g ng:g nk:g gh:g',
  'th:θ ch:χ ph:f ps:ψ ks:ξ',
)

const GREEK_PAIR = /[αεο][ιυ]|μπ|ν[τδ]|γ[κγχ]/g

/** What else a letter stands for in Greek that is written in Latin letters. In one word, it always stands for the same. */
const OTHERWISE = table('b:v h:i u:i x:χ 3:ξ 8:θ')

/** Latin letters of pairs that stand for one Greek letter, as a word may end between them. */
const BEGUN = table('t:th c:ch p:ps')

function table(...lines: string[]): ReadonlyMap<string, string> {
  return new Map(
    lines
      .join(' ')
      .split(' ')
      .map((entry) => entry.split(':') as [string, string]),
  )
}

/** The keys by which a folded word of a place is found: its own, and those of beginnings that sound different. */
export function keysOfName(word: string): string[] {
  const key = keyOf(word)
  // What a pair sounds like is open before its second letter, and behind αυ and ευ.
  const open = Array.from(word.matchAll(GREEK_PAIR), ({ index }) => [index + 1, index + 2]).flat()
  if (open.length === 0) return [key]
  const begun = open.map((end) => keyOf(word.slice(0, end)))
  return unique([key, ...begun.filter((one) => !key.startsWith(one))])
}

/** The keys that a folded word may have that somebody looks for. Keys of one sound would be those of too many words. */
export function keysSought(word: string): string[] {
  const pair = BEGUN.get(word.at(-1) ?? '')
  const spellings = pair ? [word, word.slice(0, -1) + pair] : [word]
  const keys = spellings.flatMap((spelling) => {
    const ambiguous = [...OTHERWISE.keys()].filter((letter) => spelling.includes(letter))
    return Array.from({ length: 2 ** ambiguous.length }, (_, choice) =>
      keyOf(spelling, new Set(ambiguous.filter((_, at) => choice & (1 << at)))),
    )
  })
  return unique(keys).filter((key) => !isWhole(key))
}

/** @param otherwise the letters that stand for what `OTHERWISE` says */
function keyOf(word: string, otherwise: ReadonlySet<string> = new Set()): string {
  let sounds = ''
  for (let at = 0; at < word.length; at++) {
    const pair = PAIRS.get(word.slice(at, at + 2))
    const letter = word.charAt(at)
    sounds += pair ?? (otherwise.has(letter) ? OTHERWISE.get(letter) : LETTERS.get(letter)) ?? letter
    if (pair) at++
  }
  // Digits are no sounds: two of them are another number than one.
  return sounds.replace(/(?<=[ae])v(?=[θkξpstfχψ])/g, 'f').replace(/(\D)\1+/g, '$1')
}
