/** Phonetic keys, beside words that are made of sounds: each sound is written in one of its ways. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Places } from '../../../../src/resources/listings/search/places.ts'
import { nameWords } from '../../../../src/resources/listings/search/words.ts'

/** A sound, and how it is written in Greek and in Latin letters. */
const soundsOf = (...lines: string[]) =>
  lines.map((line) => line.split(' = ').map((ways) => ways.split(' ')) as [greek: string[], latin: string[]])

// Consonants and vowels take turns.
const CONSONANTS = soundsOf(
  'β = v b',
  'γ γκ γγ = g gk gg ng nk gh',
  'δ ντ νδ = d nt nd dh',
  'ζ = z',
  'θ = th 8',
  'κ κκ = k c kk',
  'λ λλ = l ll',
  'μ μμ = m mm',
  'ν νν = n nn',
  'ξ κσ = x ks 3',
  'π ππ = p pp',
  'ρ ρρ = r rr',
  'σ σσ = s ss',
  'τ ττ = t tt',
  'φ = f ph',
  'χ = ch h x',
  'ψ = ps',
  'μπ = b mp mb',
)
const VOWELS = soundsOf('α = a', 'ε αι = e ai', 'η ι υ ει οι = i y ei oi h u', 'ο ω = o w', 'ου = ou u oy')

/** Latin letters that stand for several sounds. */
const DOUBTFUL: Record<string, string[]> = { b: ['β', 'μπ'], x: ['ξ', 'χ'], h: ['χ', 'η'], u: ['ου', 'η'] }

interface Part {
  /** The first Greek way to write it, by which it is known. */
  sound: string
  greek: string
  written: string
}

const partsOf = (sounds: typeof VOWELS): fc.Arbitrary<Part> =>
  fc.constantFrom(...sounds).chain(([greek, latin]) =>
    fc.record({
      sound: fc.constant(greek[0] ?? ''),
      greek: fc.constantFrom(...greek),
      written: fc.constantFrom(...latin, ...greek),
    }),
  )

/** Syllables, in Greek and Latin letters. */
const name = fc
  .array(fc.tuple(partsOf(CONSONANTS), partsOf(VOWELS)), { minLength: 2, maxLength: 4 })
  .map((syllables) => syllables.flat())
  // Behind these, an h is no η: with them it is one sound.
  .filter((parts) =>
    parts.every(({ written }, at) => written !== 'h' || !/[cdgpt]$/.test(parts[at - 1]?.written ?? '')),
  )

const written = (parts: readonly Part[]) => parts.map((part) => part.written).join('')
const soundOf = (parts: readonly Part[]) => parts.map(({ sound }) => sound).join(' ')

function placesOf(names: readonly Part[][]): Places {
  return new Places(
    names.map((parts, at) => {
      const name_el = parts.map(({ greek }) => greek).join('')
      const rest = { level: 1, parent_id: null, full_name_el: '', full_name_en: '' } as const
      return { id: at + 1, name_el, name_en: '-', ...rest }
    }),
  )
}

it('a name is found however each of its sounds is written, whole and by the beginning', () => {
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 5 }),
      fc.nat(),
      fc.nat(),
      (names, which, length) => {
        const places = placesOf(names)
        const at = which % names.length
        const parts = names[at] ?? []
        // In one word, a letter stands for one sound.
        fc.pre(
          Object.keys(DOUBTFUL).every((letter) => {
            const meant = parts.filter((part) => part.written === letter).map(({ sound }) => sound)
            return new Set(meant).size <= 1
          }),
        )
        expect(places.withWord(written(parts))).toContain(at + 1)
        expect(places.withWord(written(parts.slice(0, 2 + (length % (parts.length - 1)))))).toContain(at + 1)
      },
    ),
    { numRuns: 500 },
  )
})

it('a name of other sounds is not found', () => {
  /** Every way to read what is written. */
  const readings = (parts: readonly Part[]): string[] =>
    parts.reduce<string[]>(
      (all, part) => {
        const others = DOUBTFUL[part.written] ?? [part.sound]
        return all.flatMap((before) => others.map((sound) => `${before} ${sound}`.trim()))
      },
      [''],
    )
  let missed = 0
  fc.assert(
    fc.property(name, name, (sought, other) => {
      // A word that begins like the other would find it.
      const read = readings(sought)
      fc.pre(!read.some((sounds) => `${soundOf(other)} `.startsWith(`${sounds} `)))
      const word = written(sought)
      const exact = nameWords({ name_el: other.map(({ greek }) => greek).join(''), name_en: '-' })
      fc.pre(!exact.some((one) => one.startsWith(word)))
      expect([word, ...placesOf([other]).withWord(word)]).toEqual([word])
      missed++
    }),
    { numRuns: 800 },
  )
  expect(missed).toBeGreaterThan(250)
})
