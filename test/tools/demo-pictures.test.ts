/** The files of the demo agency: small pictures, listings that show what fits them, and records in any number. */
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { articleFiles, demoLines, listingPictures } from '../../demo/agency.ts'
import type { DemoSize } from '../../demo/lines.ts'
import { PHOTOS, type PhotoName, readPhoto } from '../../demo/pictures.ts'
import { ALL_SUBCATEGORIES } from '../../src/catalogue/enums.ts'
import { FEATURE_GROUPS, FEATURES } from '../../src/catalogue/features.ts'

type Listing = Record<(typeof FEATURE_GROUPS)[number], string[]> & {
  id: number
  code: string | null
  status: string
  subcategory: string
  availability: string
}
const listingsOf = (size?: DemoSize) =>
  demoLines(size).flatMap(({ entity, data }) => (entity === 'listings' ? (data as unknown as Listing) : []))
const LISTINGS = listingsOf()
const NAMES: readonly PhotoName[] = Object.values(PHOTOS).flat()

describe('the files', () => {
  it('are those that are named, each once', async () => {
    const files = await readdir('demo/photos')
    expect(NAMES.map((name) => `${name}.jpg`).toSorted()).toEqual(files.toSorted())
  })

  it.each(NAMES)('are small, and of the size of their kind: %s', async (name) => {
    const bytes = await readPhoto(name)
    const [width, height] = name.startsWith('panorama') ? [2048, 1024] : [1280, 960]
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height })
    expect(bytes.length).toBeLessThanOrEqual(120_000)
  })
})

describe('the pictures of a listing', () => {
  const active = LISTINGS.filter(({ status }) => status === 'active')
  const pictures = listingPictures()

  it('are there for nine of ten that are active', () => {
    const ids = new Set(active.map(({ id }) => id))
    expect(pictures.filter(({ listing_id }) => ids.has(listing_id))).toHaveLength(pictures.length)
    expect(pictures.length / active.length).toBeCloseTo(0.9, 2)
  })

  it('say in two languages what they show', () => {
    for (const { photos, panoramas } of pictures)
      for (const { captions } of [...photos, ...panoramas]) {
        expect(captions.map(({ language_id }) => language_id)).toEqual([1, 2])
        for (const { caption } of captions) expect(caption).toMatch(/^\p{Lu}[\p{L} ]{3,60}$/u)
      }
  })
})

describe('the listings', () => {
  it('use every subcategory and key', () => {
    const used = new Set(LISTINGS.flatMap((listing) => FEATURE_GROUPS.flatMap((group) => listing[group])))
    expect(FEATURES.filter(({ key, input }) => !used.has(key) && !used.has(input))).toEqual([])
    expect(new Set(LISTINGS.map(({ subcategory }) => subcategory))).toEqual(new Set(ALL_SUBCATEGORIES))
  })
})

describe('fewer and more records', () => {
  /** What a line says, with the names of fields above it. */
  const leavesOf = (value: unknown, name: string): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, Array.isArray(value) ? name : key))
      : [[name, value]]

  it.each<DemoSize>([
    { contacts: 0, listings: 0 },
    { listings: 0 },
    { listings: 1 },
    { contacts: 3, listings: 3 },
    { contacts: 900, listings: 700 },
  ])('refer to each other alone: %j', (size) => {
    const lines = demoLines(size)
    const idsOf = (name: string) => lines.flatMap(({ entity, data }) => (entity === name ? data.id : []))
    const [contacts, listings] = [idsOf('contacts'), idsOf('listings')]
    expect([contacts.length, listings.length]).toEqual([size.contacts ?? 400, size.listings ?? 300])
    for (const [name, known] of Object.entries({
      contacts,
      listings,
      tenant_contact_id: contacts,
      notary_contact_id: contacts,
      // A custom field.
      36: contacts,
      listing_id: listings,
      request_id: idsOf('requests'),
      offer_id: idsOf('offers'),
      contract_id: idsOf('contracts'),
      linked_income_id: idsOf('incomes'),
    })) {
      const named = lines.flatMap(({ data }) => leavesOf(data, '')).filter(([key]) => key === name)
      const ids = new Set<unknown>([null, ...known])
      expect(named.filter(([, id]) => typeof id === 'number' && !ids.has(id))).toEqual([])
    }
    const codes = listingsOf(size).flatMap(({ code }) => code ?? [])
    expect(new Set(codes).size).toBe(codes.length)
  })

  it('copies of listings have the pictures of the first', () => {
    const [first] = listingPictures()
    expect(listingPictures({ listings: 700 }).filter(({ listing_id }) => listing_id % 300 === 2)).toEqual(
      [2, 302, 602].map((listing_id) => ({ ...first, listing_id })),
    )
  })
})

it('the files of articles are as large as their records say', () => {
  const files = demoLines().flatMap(({ entity, data }) =>
    entity === 'knowledge_base_articles' ? (data.files as { id: number; size: number }[]) : [],
  )
  expect(files.map(({ id, size }) => [id, size])).toEqual(
    articleFiles().map(({ file_id, bytes }) => [file_id, bytes.length]),
  )
})
