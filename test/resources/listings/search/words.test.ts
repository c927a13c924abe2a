/** The words of listings and places, whatever is written, as people would read them. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { foldText } from '../../../../src/db/fold.ts'
import { transliterate } from '../../../../src/resources/listings/address/elot743.ts'
import { listRows } from '../../../../src/resources/listings/search/bits.ts'
import { keysSought } from '../../../../src/resources/listings/search/phonetic.ts'
import { nameKeys } from '../../../../src/resources/listings/search/places.ts'
import { WordIndex, wordList } from '../../../../src/resources/listings/search/word-index.ts'
import { listingWords, nameWords } from '../../../../src/resources/listings/search/words.ts'
import { get, importRecords, post, put, query, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing } from '../../../support/factories/listing.ts'

describe('the words of a listing', () => {
  const many = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')

  it('are those of its code, whole and in parts, and of its titles, each with its ELOT spelling', () => {
    expect(listingWords({ code: 'RES-00012', titles: ['Μεγάλο σπίτι', 'Big house'] })).toEqual([
      ...['res00012', 'res', '00012', 'μεγαλο', 'megalo', 'σπιτι', 'spiti', 'big', 'house'],
    ])
    expect(listingWords({ code: null, titles: [] })).toEqual([])
    // Each once, and none of what is between them.
    expect(listingWords({ code: 'A', titles: ['a, Á – a!', '…'] })).toEqual(['a'])
  })

  it('are at most 10 of the code and 50 of the titles', () => {
    const words = listingWords({ code: many('c', 30), titles: [many('δ', 20), many('second', 25)] })
    expect(words).toHaveLength(60)
    for (const word of ['c0', 'c8', 'δ19', 'd19', 'second9']) expect(words).toContain(word)
    for (const word of ['c9', 'second10']) expect(words).not.toContain(word)
    // The words of a title that another one has do not count twice.
    const same = listingWords({ code: null, titles: [many('a', 50), many('a', 50), 'b'] })
    expect([same.length, same.includes('a49'), same.includes('b')]).toEqual([50, true, false])
  })

  it('are cut at 300 characters', () => {
    expect(listingWords({ code: null, titles: ['𝒜'.repeat(400)] })).toEqual(['𝒜'.repeat(300)])
  })

  it('of a place are those of both names', () => {
    expect(nameWords({ name_el: 'Νέα Ερυθραία', name_en: 'Nea Erithrea' })).toEqual([
      ...['νεα', 'nea', 'ερυθραια', 'erythraia', 'erithrea'],
    ])
  })
})

describe('the rows of a word', () => {
  const word = fc
    .array(fc.constantFrom('a', 'b', 'ω', '한', '𝒜', '1'), { minLength: 1, maxLength: 4 })
    .map((letters) => letters.join(''))
  const words = fc.uniqueArray(word, { maxLength: 5 })
  const sought = fc.array(word, { minLength: 5, maxLength: 10 })

  function rowsIn(all: string[][], wanted: string): number[] {
    const isWhole = [...wanted].length === 1
    return all.flatMap((list, row) =>
      list.some((one) => (isWhole ? one === wanted : one.startsWith(wanted))) ? row : [],
    )
  }

  it('are found in portions and among those that changed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(words, { maxLength: 20 }), { maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(100), words), { maxLength: 20 }),
        sought,
        (portions, changes, wanted) => {
          const index = new WordIndex()
          const all: string[][] = []
          for (const portion of portions) {
            index.resize(all.length + portion.length)
            index.fill(all.length, portion.length, wordList(portion))
            all.push(...portion)
          }
          index.resize(all.length + changes.length)
          for (const [at, list] of changes) {
            const row = Math.min(at, all.length)
            all[row] = list
            index.set(row, list)
          }
          for (const one of wanted) {
            expect([one, ...listRows(index.find(one))]).toEqual([one, ...rowsIn(all, one)])
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are found however many change, and however often, in memory that stays in bounds', () => {
    const ROWS = 5000
    const index = new WordIndex()
    index.resize(ROWS)
    const all = Array.from({ length: ROWS }, (_, row) => ['all', `first${row % 7}`])
    for (let first = 0; first < ROWS; first += 1000)
      index.fill(first, 1000, wordList(all.slice(first, first + 1000)))
    const sizes: number[] = []
    for (let rounds = 0; rounds < 60; rounds++) {
      for (let row = 0; row < 2600; row++) {
        all[row] = ['all', `w${(row * 31 + rounds) % 11}`, `round${rounds}`]
        index.set(row, all[row] ?? [])
      }
      for (const one of ['all', 'first3', 'w3', `round${rounds}`, `round${rounds - 1}`, 'w', 'wo'])
        expect([one, ...listRows(index.find(one))]).toEqual([one, ...rowsIn(all, one)])
      sizes.push(index.bytes)
    }
    // What is left over of earlier rounds goes.
    expect(Math.max(...sizes.slice(30))).toBeLessThan(1.1 * Math.max(...sizes.slice(0, 30)))
    const before = index.bytes
    index.resize(2 * ROWS)
    expect(index.bytes).toBe(before + 4 * ROWS)
    expect([...listRows(index.find('all'))]).toHaveLength(ROWS)
  })

  it('are found in more than 65,536 portions', () => {
    const PORTIONS = 0x1_0000 + 2
    const index = new WordIndex()
    index.resize(PORTIONS)
    const list = wordList([['all']])
    for (let row = 0; row < PORTIONS; row++) index.fill(row, 1, list)
    expect([...listRows(index.find('all'))]).toHaveLength(PORTIONS)
    index.set(0, ['other'])
    expect([...listRows(index.find('all'))]).toHaveLength(PORTIONS - 1)
    expect([...listRows(index.find('other'))]).toEqual([0])
  })
})

let key = ''

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
})

const PIECES = [
  ...'Μπαλκόνι μπαλ Άγιος ΑΓΙΟΣ αϋπνία Εύα θέα Α sea SEAside res 00012 12 é e\u0301'.split(' '),
  ...['-', '_', '%', '𝒜', '한국', 'ß', 'İ', '²', "'", '"', '\\', 'ς', 'Αθήνα', 'athens', 'kriti'],
]
const phraseOf = (maxLength: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', ' ', '-', ' ')), { maxLength })
    .map((parts) => parts.flat().join(''))
const phrase = phraseOf(6)
const title = fc.option(phrase)
// Of a code, ten words are kept.
const code = fc.option(fc.tuple(phraseOf(2), fc.nat(10_000)).map(([text, number]) => `${text}/${number}`))
const areas = fc.constantFrom({ area_level1: 1, area_level2: 11, area_level3: 111 }, { area_level1: 2 }, null)
const id = fc.integer({ min: 1000, max: 1012 })
const texts = fc
  .subarray([1, 2])
  .chain((languages) =>
    fc.tuple(...languages.map((language_id) => fc.record({ language_id: fc.constant(language_id), title }))),
  )

type Step = (id: number) => Promise<unknown>

const does = <T>(arbitrary: fc.Arbitrary<T>, act: (value: T, at: number) => Promise<unknown>) =>
  arbitrary.map(
    (value): Step =>
      (at) =>
        act(value, at),
  )

const steps = fc.oneof(
  does(fc.tuple(title, fc.constantFrom(1, 2)), ([text, language_id], at) =>
    put(`/api/listings/${at}`, { title: text, language_id }),
  ),
  does(fc.constantFrom('active', 'pending', 'active'), (to, at) =>
    post(`/api/listings/${at}/status`, { to }),
  ),
  does(
    fc.tuple(texts, code, areas, fc.constantFrom('merge', 'replace')),
    ([translations, own, location, mode], at) =>
      importLine(mode, { ...minimalListing, id: at, status: 'active', translations, code: own, location }),
  ),
  does(fc.tuple(phrase, phrase), ([el, en]) => rename(11, `Α${el}`, `A${en}`)),
  does(title, (text) => post('/api/listings', { ...minimalListing, title: text })),
)

/** A code that another listing has is refused. */
const importLine = (mode: string, data: object) =>
  post('/admin/import', JSON.stringify({ entity: 'listings', mode, data }), {
    headers: { 'Content-Type': 'application/x-ndjson' },
  })

const rename = (at: number, name_el: string, name_en: string) =>
  importRecords([['locations', { id: at, name_el, name_en }]])

/** The words of a text as a reader sees them: as they are, and in ELOT spelling. */
function read(text: string): string[] {
  const folded = foldText(text).split(/[^\p{L}\p{Nd}]+/u)
  const latin = text
    .split(/[^\p{L}\p{Nd}\p{M}]+/u)
    .flatMap((word) => foldText(transliterate(word)).split(/[^\p{L}\p{Nd}]+/u))
  return [...folded, ...latin].filter(Boolean)
}

interface Shown {
  id: number
  code: string | null
  translations: { title: string | null }[]
  location: Record<string, unknown>
}

function isFound({ code: own, translations, location }: Shown, text: string): boolean {
  const places = ['area_level1', 'area_level2', 'area_level3'].flatMap((level) => {
    const area = location[level] as { name_el: string; name_en: string } | null
    return area ?? []
  })
  const keys = places.flatMap(nameKeys)
  const whole = (own ?? '').replace(/[^\p{L}\p{Nd}\p{M}]/gu, '')
  const words = [own ?? '', whole, ...translations.map((one) => one.title ?? '')]
    .concat(places.flatMap(({ name_el, name_en }) => [name_el, name_en]))
    .flatMap(read)
  const sought = foldText(text)
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter(Boolean)
  return sought.every(
    (word) =>
      words.some((one) => ([...word].length === 1 ? one === word : one.startsWith(word))) ||
      keysSought(word).some((soughtKey) => keys.some((one) => one.startsWith(soughtKey))),
  )
}

const sought = fc
  .array(
    fc
      .tuple(fc.constantFrom(...PIECES, 'balkoni', 'agios', 'aypnia', 'eva', 'thea'), fc.nat(6))
      .map(([piece, length]) => [...piece].slice(0, length + 1).join('')),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' '))

it('listings are found as a reading by hand finds them, after any writes', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(id, steps), { minLength: 1, maxLength: 8 }),
      fc.array(sought, { minLength: 3, maxLength: 6 }),
      async (writes, searches) => {
        for (const [at, write] of writes) await write(at)
        const all: Shown[] = (await get('/api/listings?per_page=100', { key })).body.data
        for (const text of searches) {
          const { status, body } = await query('/api/listings', { text, per_page: 100 }, { key })
          expect(status).toBe(200)
          const ids = body.data.map((listing: Shown) => listing.id)
          expect({ text, ids }).toEqual({
            text,
            ids: all.filter((listing) => isFound(listing, text)).map((listing) => listing.id),
          })
          found += ids.length
        }
      },
    ),
    { numRuns: 40, interruptAfterTimeLimit: 60_000 },
  )
  expect(found).toBeGreaterThan(50)
})
