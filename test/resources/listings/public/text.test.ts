/** The filter `text` of visitors. */
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, importRecords, type Line, query, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { listingLine as line } from '../../../support/factories/listing.ts'
import { idsOf } from '../../../support/reads.ts'

let key = ''

const titles = (...texts: (string | null)[]) => ({
  translations: texts.map((title, index) => ({ language_id: index + 1, title, description: 'Παραθαλάσσιο' })),
})

const place = (id: number, level: number, parent_id: number, name_el: string, name_en: string): Line => [
  'locations',
  { id, level, parent_id, name_el, name_en, full_name_el: 'Άλλο', full_name_en: 'Other' },
]

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
  await importRecords([
    place(13, 2, 1, 'Κηφισιά', 'Kifissia'),
    place(131, 3, 13, 'Νέα Ερυθραία', 'Nea Erithrea'),
    line(1, {
      code: 'RES-00089',
      ...titles('Φωτεινό διαμέρισμα', 'Sunny flat'),
      location: { area_level1: 1, area_level2: 13, area_level3: 131 },
    }),
    line(2, {
      code: 'COM-00002',
      ...titles('ΓΡΑΦΕΊΟ ΣΤΟΝ ΆΓΙΟ ΝΙΚΌΛΑΟ'),
      location: { area_level1: 1, area_level2: 11, area_level3: 111 },
    }),
    line(3, {
      code: 'ΑΘ/7',
      ...titles('Μπανγκαλόου της Αγγελικής με αύρα, Α τύπου', "L'Orée-du-Bois 120m²"),
    }),
    line(4, { ...titles(null, '100% sea_view \\ 𝒜𝓑 Ζωή\u0301ς O\u0308l') }),
    line(5, { ...titles('Οδός Προϋπάρχουσα', 'Straße İstanbul') }),
    // Not for visitors.
    line(6, { ...titles('Φωτεινό διαμέρισμα'), status: 'pending' }),
  ])
})

/** The listings that a text finds. */
const FOUND: [text: string, ids: number[], what: string][] = [
  ['φωτεινό', [1], 'a word'],
  ['φωτεινο', [1], 'without its tonos'],
  ['φως', [], 'no beginning of the word'],
  ['φωτ', [1], 'the beginning of a word'],
  ['foteino', [1], 'the ELOT spelling'],
  ['diamerisma foteino', [1], 'words in any order'],
  ['διαμέρισμα, sunny!', [1], 'words of titles in two languages'],
  ['φωτεινό ψηλό', [], 'all words have to be found'],
  ['αγγελικης', [3], 'a final sigma'],
  ['bangkaloou', [3], 'digraphs: μπ at the start, γκ; an accent separates όυ'],
  ['proyparchousa', [5], 'a diaeresis separates αϋ'],
  ['α', [3], 'one character: the whole of a word'],
  ['7', [3], 'one digit: a part of a code'],
  ['oree bois', [3], 'Latin accents'],
  ['RES-00089', [1], 'a code'],
  ['00089', [1], 'the second part of a code'],
  ['89', [], 'the end of a part'],
  ['ath', [3, 2], 'the ELOT spelling of its part, and Athens'],
  ['Κηφισιά', [1], 'an area of level 2'],
  ['αττικη', [1, 2], 'an area of level 1'],
  ['φωτεινό athens', [], 'an area of another listing'],
  ['παραθαλάσσιο', [], 'a description'],
  ['%', [5, 4, 3, 2, 1], 'no letter or digit: no filter'],
  ['100%', [4], 'a percent sign beside a word'],
  ['s%w', [], 'a percent sign between words'],
  ['\\', [5, 4, 3, 2, 1], 'a backslash'],
  ['𝒜𝓑', [4], 'letters beyond U+FFFF'],
  ['ζωη', [4], 'combining marks in the title'],
  ['öl', [4], 'composed and decomposed umlauts'],
  ['straße', [5], 'a sharp s'],
]

describe('text', () => {
  it.each(FOUND)('%j finds %j: %s', async (text, ids) => {
    const { status, body } = await query('/api/listings', { text }, { key })
    const expected = text.match(/[\p{L}\p{Nd}]/u) ? ids.toSorted((a, b) => b - a) : ids
    expect([status, body.total_results, idsOf(body)]).toEqual([200, ids.length, expected])
  })

  it.each([[''], ['   '], [null], ['\n\t'], ['…—']])('%j is no filter', async (text) => {
    expect((await query('/api/listings', { text }, { key })).body.total_results).toBe(5)
  })

  it('is within its bounds', async () => {
    const send = (text: unknown) => query('/api/listings', { text }, { key })
    const eight = 'α β γ δ ε ζ η θ'
    for (const text of [eight, '𝒜'.repeat(100), '한'.repeat(100)]) expect((await send(text)).status).toBe(200)
    for (const [reason, ...texts] of [
      ['must have at most 8 words', `${eight} ι`, 'a a a a a a a a a'],
      ['must be at most 100 characters', 'a'.repeat(101), ' '.repeat(101)],
      ['must be text', 5, ['a']],
    ])
      for (const text of texts) await expectInvalid(send(text), `Invalid text: ${reason}`)
  })
})
