/** Names and comments speak the terms of the field: `docs/glossary.md` has them. */
import { describe, expect, it } from 'vitest'
import { commentsOf, identifiersOf, readSources, wordsOf } from '../../tools/names/scan.ts'

/** Words that no name is made of, each with what the field says instead. */
const WORDS = new Map([
  ['whoever', 'the caller, the client'],
  ['mend', 'fix, repair'],
  ['mended', 'fixed, repaired'],
  ['tells', 'reports, returns'],
  ['bring', 'send'],
  ['brings', 'sends'],
  ['turns', 'queue'],
  ['somebody', 'another caller, a contact'],
  ['lane', 'worker'],
  ['lanes', 'workers'],
  ['tend', 'tidy'],
  ['settled', 'stored, acknowledged'],
  ['spend', 'consume'],
  ['tellings', 'reply metadata'],
  ['wishes', 'criteria'],
  ['wished', 'requested'],
  ['wishing', 'requesting'],
])

/** Phrases that no comment is made of. */
const PHRASES = new Map([
  ['a greatest', 'a maximum'],
  ['a most', 'a maximum'],
  ['behind the answer', 'after the response'],
  ['stands behind', 'follows, runs after the response'],
  ['takes turns', 'waits in a queue'],
])

/** Bindings and columns that are released. */
const ALLOWED = new Set(['KEY_BUDGET', 'ADDRESS_BUDGET', 'told'])

const sources = readSources()

describe('names', () => {
  it('are found', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(sources.flatMap(identifiersOf).length).toBeGreaterThan(10_000)
    expect(wordsOf('readHTTPBody_ofTwo')).toEqual(['read', 'http', 'body', 'of', 'two'])
  })

  it('are made of the terms of the field', () => {
    const found = sources.flatMap((source) =>
      identifiersOf(source).flatMap(({ name, line }) =>
        ALLOWED.has(name)
          ? []
          : wordsOf(name)
              .filter((word) => WORDS.has(word))
              .map((word) => `${source.path}:${line} ${name}: better ${WORDS.get(word)}`),
      ),
    )
    expect(found).toEqual([])
  })
})

describe('comments', () => {
  it('speak the terms of the field', () => {
    const patterns = [...PHRASES].map(
      ([phrase, better]) => [new RegExp(`\\b${phrase}\\b`, 'i'), phrase, better] as const,
    )
    const found = sources.flatMap((source) =>
      commentsOf(source).flatMap(({ text, line }) =>
        patterns
          .filter(([pattern]) => pattern.test(text))
          .map(([, phrase, better]) => `${source.path}:${line} "${phrase}": better ${better}`),
      ),
    )
    expect(found).toEqual([])
  })
})
