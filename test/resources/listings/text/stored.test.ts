/** The stored words are those of the titles and codes, whatever is written, and the filter reads them as people would. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { foldText } from '../../../../src/db/fold.ts'
import { transliterate } from '../../../../src/resources/listings/address/elot743.ts'
import { rowsWritten } from '../../../db/plans.ts'
import { bearer, sendTo } from '../../../http/send.ts'
import { get, importRecords, keyWith, ORIGIN, post, put, query, websiteKey } from '../../../support/api.ts'
import { selectAll, selectFirst } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../../support/factories/listing.ts'
import { listedWords, outdatedPlaces, storedWords, wordsMadeAnew } from './stored-words.ts'

let key = ''
let secret = ''

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
  secret = await keyWith('*:read', '*:write')
})

async function expectStored(): Promise<void> {
  const words = await wordsMadeAnew()
  expect(await storedWords()).toEqual(words)
  expect(await listedWords()).toEqual(words)
  expect(await outdatedPlaces()).toEqual([])
}

describe('rows written', () => {
  const written = (method: string, path: string, body: object) =>
    rowsWritten((DB) =>
      sendTo(
        { DB },
        new Request(ORIGIN + path, { method, headers: bearer(secret), body: JSON.stringify(body) }),
      ),
    )
  const wordRows = async () => {
    const row = await selectFirst<{ rows: number }>('select count(*) as rows from listing_words')
    return row?.rows ?? 0
  }

  it('are one for each word that comes or goes, and one for their list', async () => {
    const id = await createListing({ title: 'Μεγάλο σπίτι', description: 'Α' })
    expect(await wordRows()).toBe(4)
    const plain = await written('PUT', `/api/listings/${id}`, { description: 'Β' })
    // One word of two goes, with its ELOT spelling, and another comes.
    expect(await written('PUT', `/api/listings/${id}`, { title: 'Μικρό σπίτι' })).toBe(plain + 2 + 2 + 1)
    expect(await wordRows()).toBe(4)
    // Other texts with the same words.
    expect(await written('PUT', `/api/listings/${id}`, { title: 'μικρο, σπιτι' })).toBe(plain)
    for (const body of [
      { price: 1 },
      { location: { area_level1: 1 } },
      { description: 'Γ' },
      { title: 'μικρο, σπιτι', price: 2 },
    ]) {
      const before = await storedWords()
      // Its row in the search and, if it moved, that row by the old and the new area.
      const search = 'description' in body ? 0 : 'location' in body ? 4 : 2
      expect(await written('PUT', `/api/listings/${id}`, body)).toBeLessThanOrEqual(plain + search)
      expect(await storedWords()).toEqual(before)
    }
  })

  it('for a status are those of a new code, once', async () => {
    const id = await createListing({ title: 'Ένα' })
    const before = await wordRows()
    const first = await written('POST', `/api/listings/${id}/status`, { to: 'pending' })
    expect((await wordRows()) - before).toBe(3)
    const second = await written('POST', `/api/listings/${id}/status`, { to: 'deleted' })
    // Three words, their list, and the code in its index.
    expect(first - second).toBeLessThanOrEqual(5)
    expect(await written('POST', `/api/listings/${id}/status`, { to: 'deleted' })).toBe(0)
    await put(`/api/listings/${id}`, { title: null })
    expect((await storedWords()).get(id)).toEqual([`0000${id}`, 'res', `res0000${id}`].toSorted())
    await expectStored()
  })

  it('for an import are those of changed lines', async () => {
    const line = {
      ...minimalListing,
      id: 500,
      code: 'AB-1',
      translations: [{ language_id: 1, title: 'Ένα' }],
    }
    await importRecords([['listings', line]])
    const before = await wordRows()
    await importRecords([['listings', { ...line, price: 5 }]])
    await importRecords([['listings', { id: 500, notes: 'x' }]])
    expect(await wordRows()).toBe(before)
    await importRecords([['listings', { id: 500, code: null, translations: [] }]])
    expect((await storedWords()).has(500)).toBe(false)
    await expectStored()
  })
})

describe('the most words of a listing', () => {
  const many = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')

  it('are 60; the code and the title in the default language come first', async () => {
    await importRecords([
      [
        'listings',
        {
          ...minimalListing,
          id: 600,
          status: 'active',
          code: many('c', 30),
          translations: [
            { language_id: 1, title: many('δ', 20) },
            { language_id: 2, title: many('second', 25) },
          ],
        },
      ],
    ])
    const words = (await storedWords()).get(600) ?? []
    expect(words).toHaveLength(60)
    for (const word of ['c0', 'δ19', 'd19', 'second9']) expect(words).toContain(word)
    for (const word of ['c9', 'second10']) expect(words).not.toContain(word)
    await importRecords([['settings', { key: 'default_language_id', value: 2 }]])
    await put('/api/listings/600', { title: many('second', 26), language_id: 2 })
    const after = (await storedWords()).get(600) ?? []
    for (const word of ['c0', 'second25', 'δ11', 'd11']) expect(after).toContain(word)
    expect(after).not.toContain('δ12')
    expect(after).toHaveLength(60)
    await importRecords([['settings', { key: 'default_language_id', value: 1 }]])
    await put('/api/listings/600', { title: 'x', language_id: 2 })
    await put('/api/listings/600', { title: 'y' })
    await expectStored()
  })

  it('have any length that fits a title', async () => {
    const title = '한'.repeat(255)
    const id = await createListing({ title })
    await post(`/api/listings/${id}/status`, { to: 'active' })
    const { body } = await query('/api/listings', { text: '한'.repeat(100) }, { key })
    expect(body.data.map((listing: { id: number }) => listing.id)).toEqual([id])
    expect((await query('/api/listings', { text: `${'한'.repeat(99)}글` }, { key })).body.total_results).toBe(
      0,
    )
    await expectStored()
  })
})

const PIECES = [
  ...[
    'Μπαλκόνι',
    'μπαλ',
    'Άγιος',
    'ΑΓΙΟΣ',
    'αϋπνία',
    'Εύα',
    'θέα',
    'Α',
    'sea',
    'SEAside',
    'res',
    '00012',
    '12',
    'é',
    'e\u0301',
  ],
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

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(title, fc.constantFrom(1, 2)).map(
    ([text, language_id]): Step =>
      (at) =>
        put(`/api/listings/${at}`, { title: text, language_id }),
  ),
  fc.constantFrom('active', 'pending', 'active').map(
    (to): Step =>
      (at) =>
        post(`/api/listings/${at}/status`, { to }),
  ),
  fc.tuple(texts, code, areas, fc.constantFrom('merge', 'replace')).map(
    ([translations, own, location, mode]): Step =>
      (at) =>
        importLine(mode, { ...minimalListing, id: at, status: 'active', translations, code: own, location }),
  ),
  fc.tuple(phrase, phrase).map(
    ([el, en]): Step =>
      () =>
        rename(11, `Α${el}`, `A${en}`),
  ),
  title.map(
    (text): Step =>
      () =>
        post('/api/listings', { ...minimalListing, title: text }),
  ),
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
    return area ? [area.name_el, area.name_en] : []
  })
  const whole = (own ?? '').replace(/[^\p{L}\p{Nd}\p{M}]/gu, '')
  const words = [own ?? '', whole, ...translations.map((one) => one.title ?? ''), ...places].flatMap(read)
  const sought = foldText(text)
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter(Boolean)
  return sought.every((word) =>
    words.some((one) => ([...word].length === 1 ? one === word : one.startsWith(word))),
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

it('are what they would be if made anew, and found as a reading by hand finds them', {
  timeout: 120_000,
}, async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(id, steps), { minLength: 1, maxLength: 8 }),
      fc.array(sought, { minLength: 3, maxLength: 6 }),
      async (writes, searches) => {
        for (const [at, write] of writes) await write(at)
        await expectStored()
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
    { numRuns: 60, interruptAfterTimeLimit: 60_000 },
  )
  expect(found).toBeGreaterThan(50)
})

it('are stored once, without a row for the key', async () => {
  const [table] = await selectAll<{ wr: number }>(
    `select wr from pragma_table_list where name = 'listing_words'`,
  )
  expect(table?.wr).toBe(1)
})
