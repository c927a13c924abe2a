/** The pictures of the demo agency: small files, and listings that show what fits them. */
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { demoContacts, livingContactIds } from '../../demo/contacts.ts'
import { listingPictures } from '../../demo/listing-pictures.ts'
import { demoListings } from '../../demo/listings.ts'
import { PHOTOS, type PhotoName, readPhoto, watermark } from '../../demo/pictures.ts'
import { ALL_SUBCATEGORIES } from '../../src/catalogue/enums.ts'
import { FEATURE_GROUPS, FEATURES } from '../../src/catalogue/features.ts'

const LISTINGS = demoListings(livingContactIds(demoContacts(400)), 300)
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

  it('are marked in a corner alone', async () => {
    const mark = sharp(await watermark())
    const { data, info } = await mark
      .ensureAlpha()
      .extractChannel('alpha')
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 1280, height: 960 })
    const marked = Array.from(data, (opacity, at) => (opacity > 0 ? at : -1)).filter((at) => at >= 0)
    expect(marked.length).toBeGreaterThan(1_000)
    expect(marked.every((at) => at % 1280 > 1_000 && at > 900 * 1280)).toBe(true)
  })
})

describe('the pictures of a listing', () => {
  const active = LISTINGS.filter(({ status }) => status === 'active')
  const pictures = listingPictures()
  const english = ({ captions }: { captions: readonly { language_id: number; caption: string }[] }) =>
    captions.find(({ language_id }) => language_id === 2)?.caption ?? ''

  it('are there for nine of ten that are active', () => {
    const ids = new Set(active.map(({ id }) => id))
    expect(pictures.filter(({ listing_id }) => ids.has(listing_id))).toHaveLength(pictures.length)
    expect(pictures.length / active.length).toBeCloseTo(0.9, 2)
  })

  it('begin with the property from outside, another one than its neighbour, and end with its floor plans', () => {
    for (const [index, { photos }] of pictures.entries()) {
      const kinds = photos.map(({ kind }) => kind)
      expect(kinds[0]).toBe('photo')
      expect(kinds).toEqual(kinds.toSorted((a, b) => (a === b ? 0 : a === 'photo' ? -1 : 1)))
      expect(new Set(photos.map(({ name }) => name)).size).toBe(photos.length)
      expect(pictures[index - 1]?.photos[0]?.name).not.toBe(photos[0]?.name)
    }
    expect(pictures.filter(({ photos }) => photos.at(-1)?.kind === 'floor_plan').length).toBeGreaterThan(10)
  })

  it('say in two languages what they show', () => {
    for (const { photos, panoramas } of pictures)
      for (const { captions } of [...photos, ...panoramas]) {
        expect(captions.map(({ language_id }) => language_id)).toEqual([1, 2])
        for (const { caption } of captions) expect(caption).toMatch(/^\p{Lu}[\p{L} ]{3,60}$/u)
      }
  })

  it('show a pool where the listing has one', () => {
    const byId = new Map(active.map((listing) => [listing.id, listing]))
    const houses = pictures.filter(
      ({ photos: [first] }) => first && /house( and its pool)?$/.test(english(first)),
    )
    for (const { listing_id, photos } of houses) {
      const hasPool = byId.get(listing_id)?.features.some((key) => key.endsWith('private_pool'))
      expect(photos.map(english).includes('The house and its pool')).toBe(hasPool)
    }
    expect(new Set(houses.map(({ photos: [first] }) => first && english(first))).size).toBe(2)
  })

  it('show some homes around the eye', () => {
    const counts = pictures.map(({ panoramas }) => panoramas.length).filter((count) => count > 0)
    expect(counts).toEqual([1, 3, 2])
  })
})

describe('the listings', () => {
  it('use every subcategory and key', () => {
    const used = new Set(LISTINGS.flatMap((listing) => FEATURE_GROUPS.flatMap((group) => listing[group])))
    expect(FEATURES.filter(({ key, input }) => !used.has(key) && !used.has(input))).toEqual([])
    expect(new Set(LISTINGS.map(({ subcategory }) => subcategory))).toEqual(new Set(ALL_SUBCATEGORIES))
  })

  it('are let for days only where somebody may stay, and air rights are not let', () => {
    for (const { subcategory, availability } of LISTINGS) {
      if (availability === 'shortterm')
        expect(['warehouse', 'industrial_space', 'air', 'parcel']).not.toContain(subcategory)
      if (availability === 'rent') expect(subcategory).not.toBe('air')
    }
  })
})
