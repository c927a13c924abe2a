import { beforeAll, expect, it } from 'vitest'
import agency from '../../../examples/data/agency.ndjson?raw'
import places from '../../../examples/data/places-of-greece.ndjson?raw'
import readme from '../../../examples/data/README.md?raw'
import { transliterate } from '../../../src/resources/listings/address/elot743.ts'
import { get, post } from '../../support/api.ts'
import { emptyService } from '../../support/storage.ts'
import { clean, importText } from '../../support/transfer.ts'

interface Place {
  id: number
  name_el: string
  name_en: string
  parent_id: number
}

const known: Place[] = places
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).data)

beforeAll(emptyService)

it('The README of the first files counts the English names that are not transliterated', () => {
  const others = known.filter(({ name_el, name_en }) => transliterate(name_el) !== name_en)
  expect(readme.replaceAll('\n', ' ')).toContain(`The ${others.length} of ${known.length} that differ`)
})

it('The first files of a new agency make it searchable by area', async () => {
  expect(await importText(agency)).toEqual(clean(6))
  expect(await importText(places)).toEqual(clean(13 + 332))
  expect(await importText(places), 'twice').toEqual(clean(13 + 332))
  const { data: regions } = (await get('/api/locations?level=1')).body
  expect(regions).toHaveLength(13)
  const [attica, kifisia] = ['Attica', 'Kifisia'].map((name) => known.find(({ name_en }) => name_en === name))
  if (!attica || !kifisia) throw new Error('Places are missing')
  expect(kifisia).toEqual({
    id: kifisia.id,
    level: 2,
    parent_id: attica.id,
    ...{ name_el: 'Κηφισιά', name_en: 'Kifisia' },
    ...{ full_name_el: 'Κηφισιά, Αττική', full_name_en: 'Kifisia, Attica' },
  })
  const location = { area_level1: kifisia.parent_id, area_level2: kifisia.id }
  const listing = { category: 'residential', availability: 'sale', store_id: 1, created_by: 1, users: [1] }
  const { created_id } = (await post('/api/listings', { ...listing, title: 'Μεζονέτα', location })).body
  await post('/api/listings', { ...listing, title: 'Αλλού' })
  for (const area of [kifisia.id, kifisia.parent_id]) {
    const { data } = (await get(`/api/listings?areas=${area}&fields=id`)).body
    expect(data).toEqual([{ id: created_id }])
  }
})
