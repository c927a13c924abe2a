/**
 * Transliterates Greek into Latin letters by ELOT 743 (second edition 2001, ISO 843:1997), type 2. This is the
 * transcription on Greek passports, identity cards and road signs.
 *
 * This file follows the table of the standard letter by letter:
 *
 * | Greek | Latin | | Greek | Latin | | Greek | Latin |
 * |-------|-------|-|-------|-------|-|-------|-------|
 * | α | a | | ι | i | | ρ | r |
 * | β | v | | κ | k | | σ, ς | s |
 * | γ | g | | λ | l | | τ | t |
 * | δ | d | | μ | m | | υ | y |
 * | ε | e | | ν | n | | φ | f |
 * | ζ | z | | ξ | x | | χ | ch |
 * | η | i | | ο | o | | ψ | ps |
 * | θ | th | | π | p | | ω | o |
 *
 * - αυ, ευ, ηυ → av, ev, iv before vowels and β γ δ ζ λ μ ν ρ
 * - αυ, ευ, ηυ → af, ef, if before θ κ ξ π σ τ φ χ ψ and at the end of a word
 * - ου → ou; γγ → ng, γξ → nx, γχ → nch, γκ → gk
 * - μπ → b at the start or end of a word, mp inside; ντ → nt
 *
 * A diaeresis on the second letter (αϋ) or an accent on the first (άυ) separates a vowel pair: ay. Accents are dropped.
 *
 *     transliterate('Λεωφόρος Συγγρού 12') // 'Leoforos Syngrou 12'
 */
export function transliterate(greek: string): string {
  const allCapitals = /\p{Lu}\p{M}*\p{Lu}/u.test(greek) && !/\p{Ll}/u.test(greek)
  return greek.replace(GREEK_RUN, (run, offset: number) => {
    return transcribe(lettersOf(run), {
      joinedBefore: endsInLetter(greek, offset),
      joinedAfter: /^\p{L}/u.test(characterAt(greek, offset + run.length)),
      allCapitals,
    })
  })
}

/** Whether the text before `end` ends in a letter, with or without marks. */
function endsInLetter(text: string, end: number): boolean {
  let at = end
  for (;;) {
    const isPair = /[\udc00-\udfff]/.test(text[at - 1] ?? '') && at > 1
    at -= isPair ? 2 : 1
    if (at < 0) return false
    const character = characterAt(text, at)
    if (!/^\p{M}/u.test(character)) return /^\p{L}/u.test(character)
  }
}

function characterAt(text: string, at: number): string {
  return text.slice(at, at + 2)
}

/** A lower-case letter without its marks, and what the marks and the case were. */
interface Letter {
  readonly base: string
  readonly upper: boolean
  readonly marked: boolean
  readonly diaeresis: boolean
}

/** What surrounds a run of Greek letters. */
interface Surroundings {
  readonly joinedBefore: boolean
  readonly joinedAfter: boolean
  /** The whole text is in capitals, so a single capital is not the initial of a mixed-case name. */
  readonly allCapitals: boolean
}

const GREEK_RUN = /(?:[\p{Script=Greek}&&\p{L}]\p{M}*)+/gv

const DIAERESIS = '\u0308'

const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s τ:t υ:y φ:f χ:ch ψ:ps ω:o'
    .split(' ')
    .map((pair) => pair.split(':')),
)

function transcribe(letters: readonly Letter[], surroundings: Surroundings): string {
  let latin = ''
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at]
    if (letter === undefined) break
    const sound = isBorderBeta(letters, at, surroundings) ? 'b' : soundAt(letters, at)
    latin += letter.upper ? capitalise(sound, letters, at, surroundings.allCapitals) : sound
    if (sound === 'b') at += 1
  }
  return latin
}

/** Whether μπ is at the start or end of a word, where it is written as one letter. */
function isBorderBeta(letters: readonly Letter[], at: number, around: Surroundings): boolean {
  if (letters[at]?.base !== 'μ' || letters[at + 1]?.base !== 'π') return false
  const starts = at === 0 && !around.joinedBefore
  const ends = at + 2 === letters.length && !around.joinedAfter
  return starts || ends
}

function soundAt(letters: readonly Letter[], at: number): string {
  const letter = letters[at]
  if (letter === undefined) return ''
  const next = letters[at + 1]?.base ?? ''
  if (letter.base === 'γ' && next !== '' && 'γξχ'.includes(next)) return 'n'
  if (letter.base === 'υ' && !letter.diaeresis) {
    const previous = letters[at - 1]
    if (previous !== undefined && !previous.marked) {
      if (previous.base === 'ο') return 'u'
      if ('αεη'.includes(previous.base)) return next === '' || 'θκξπστφχψ'.includes(next) ? 'f' : 'v'
    }
  }
  return LATIN[letter.base] ?? letter.base
}

/** Θ becomes `Th` at the start of a name and `TH` among capitals. */
function capitalise(sound: string, letters: readonly Letter[], at: number, allCapitals: boolean): string {
  const neighbour = letters[at + 1] ?? letters[at - 1]
  const amongCapitals = neighbour === undefined ? allCapitals : neighbour.upper
  return amongCapitals ? sound.toUpperCase() : sound.charAt(0).toUpperCase() + sound.slice(1)
}

/**
 * The letters of a run. Compatibility decomposition handles precomposed, combining, polytonic and variant forms alike.
 */
function lettersOf(run: string): Letter[] {
  return Array.from(run.normalize('NFKD').matchAll(/(\P{M})(\p{M}*)/gu), ([, sign = '', marks = '']) => {
    const lower = sign.toLowerCase()
    return {
      base: lower === 'ς' ? 'σ' : lower,
      upper: lower !== sign,
      marked: marks !== '',
      diaeresis: marks.includes(DIAERESIS),
    }
  })
}
