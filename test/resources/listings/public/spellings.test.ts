/** `text` finds places by how people spell them, and values by their names; titles and codes only as they are written. */
import { beforeAll, describe, expect, it } from 'vitest'
import { FEATURES } from '../../../../src/catalogue/features.ts'
import { get, importRecords, keyWith, type Line, query, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { listingLine } from '../../../support/factories/listing.ts'

const PLACES = [
  ['Γλυφάδα', 'Glyfada'],
  ['Χαλάνδρι', 'Chalandri'],
  ['Πειραιάς', 'Piraeus'],
  ['Κολωνάκι', 'Kolonaki'],
  ['Κηφισιά', 'Kifisia'],
  ['Θεσσαλονίκη', 'Thessaloniki'],
  ['Αμπελόκηποι', 'Ampelokipoi'],
  ['Παγκράτι', 'Pangrati'],
  ['Παλαιό Φάληρο', 'Palaio Faliro'],
  ['Ξάνθη', 'Xanthi'],
  ['Ψυχικό', 'Psychiko'],
  ['Εύβοια', 'Evia'],
  ['Ναύπλιο', 'Nafplio'],
  ['Καβάλα', 'Kavala'],
  ['Αγχίαλος', 'Anchialos'],
  ['Αγία Παρασκευή', 'Agia Paraskevi'],
  ['Ηράκλειο', 'Heraklion'],
  ['Άνδρος', 'Andros'],
  ['25ης Μαρτίου', '25th of March'],
]

/** The id of the place with this Greek name, and of the listing that is there. */
const idOf = (name: string) => 1000 + PLACES.findIndex(([name_el]) => name_el === name)
const [NAMED, TITLED, PENDING] = [1, 2, 3]

/** Spellings, and the places that they find; search/phonetic.test.ts has every sound. */
const SPELLINGS: [text: string, ...places: string[]][] = [
  ['glifada', 'Γλυφάδα'],
  ['χαλάντρι', 'Χαλάνδρι'],
  ['pireas', 'Πειραιάς'],
  ['kolwnaki', 'Κολωνάκι'],
  ['kifissia', 'Κηφισιά'],
  ['8essalonikh', 'Θεσσαλονίκη'],
  ['ambelokipi', 'Αμπελόκηποι'],
  ['pagrati', 'Παγκράτι'],
  ['3an8h', 'Ξάνθη'],
  ['psixiko', 'Ψυχικό'],
  ['navplio', 'Ναύπλιο'],
  ['aghia paraskeui', 'Αγία Παρασκευή'],
  ['25is', '25ης Μαρτίου'],
  // As they are written.
  ['chalandri', 'Χαλάνδρι'],
  // None of these.
  ['kifosia'],
  ['halandra'],
  ['salonica'],
  ['8'],
  ['xx'],
  // Titles and codes are not read by sound.
  ['foteino', 'a title'],
  ['fotino'],
  ['kwd'],
]

let keys: string[] = []

beforeAll(async () => {
  await seedAgency()
  keys = [await websiteKey(), await keyWith('*:read')]
  const there = PLACES.flatMap(([name_el, name_en], index): Line[] => [
    [
      'locations',
      {
        ...{ id: 1000 + index, level: 1, parent_id: null, name_el, name_en },
        ...{ full_name_el: 'Άλλο', full_name_en: 'Other' },
      },
    ],
    listingLine(1000 + index, { location: { area_level1: 1000 + index } }),
  ])
  const translations = [{ language_id: 1, title: 'Φωτεινό', description: 'Πισίνα' }]
  const lists = { features: ['private_pool', 'seafront'], view: ['mountain_view'], flooring: ['marble'] }
  await importRecords([
    ...there,
    listingLine(NAMED, { subcategory: 'villa', ...lists }),
    listingLine(TITLED, { code: 'ΚΩΔ-1', translations }),
    listingLine(PENDING, { status: 'pending', view: ['sea_view'], location: { area_level1: 1 } }),
  ])
})

/** The ids that each key finds, ascending: a visitor's, then those of an agent. */
const find = (text: string) =>
  Promise.all(
    keys.map(async (key) => {
      const { body } = await query('/api/listings', { text, sort: 'id' }, { key })
      return body.data.map(({ id }: { id: number | string }) => Number(id))
    }),
  )

describe('a place', () => {
  it.each(SPELLINGS)('is found by %j: %j', async (text, ...places) => {
    const ids = places.map((name) => (name === 'a title' ? TITLED : idOf(name)))
    expect(await find(text)).toEqual([ids, ids])
  })
})

describe('a value', () => {
  it.each([
    ['ιδιωτική πισίνα', [NAMED], [NAMED]],
    ['Private POOL', [NAMED], [NAMED]],
    ['villa', [NAMED], [NAMED]],
    ['βίλα θέα βουνό', [NAMED], [NAMED]],
    ['sea view', [NAMED], [NAMED, PENDING]],
    ['θέα θάλασσα', [], [PENDING]],
    // Words of other features, of other fields and keys; sounds of names.
    ['shared pool', [], []],
    ['marble', [], []],
    ['private_pool', [NAMED], [NAMED]],
    ['pissina', [], []],
    ['villa glifada', [], []],
  ])('is found by %j', async (text, ...found) => {
    expect(await find(text)).toEqual(found)
  })

  it('is found by all of its names, as the lookup serves them', async () => {
    const { data } = (await get('/api/listings/features')).body
    expect(JSON.stringify(data)).toContain('Ιδιωτική πισίνα')
    const found = FEATURES.filter(({ group }) => group === 'features' || group === 'view')
    for (const { name_el, name_en, key } of found) {
      const isThere = ['private_pool', 'seafront', 'mountain_view'].includes(key)
      for (const name of [name_el, name_en])
        if (isThere) expect([name, ...((await find(name))[0] ?? [])]).toEqual([name, NAMED])
    }
  })
})
