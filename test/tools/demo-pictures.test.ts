/** The files of the demo agency: small pictures, and records in any number. */
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { articleFiles, demoLines } from '../../demo/agency.ts'
import { type DemoSize, lineAround } from '../../demo/lines.ts'
import { NAMES, readPhoto } from '../../demo/pictures.ts'
import { formatDateTime } from '../../src/fields/values.ts'

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

/** What a line says, with the names of fields above it. */
const leavesOf = (value: unknown, name: string): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, Array.isArray(value) ? name : key))
    : [[name, value]]

it.each([1, 2, 3, 4, 5, 6, 7])('has no date of a record after the day on which it is loaded: %i', (day) => {
  const now = new Date(Date.UTC(2027, 1, day))
  const leaves = demoLines().flatMap((line) => leavesOf(JSON.parse(lineAround(now, line)), ''))
  const dates = leaves.filter(
    ([name, value]) => /^((status_|done_)?date|date_(created|updated))$/.test(name) && value,
  )
  expect(dates.length).toBeGreaterThan(1000)
  expect(dates.filter(([, value]) => String(value) > formatDateTime(now))).toEqual([])
})

describe('fewer and more records', () => {
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
    const codes = lines.flatMap(({ entity, data }) => (entity === 'listings' ? (data.code ?? []) : []))
    expect(new Set(codes).size).toBe(codes.length)
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
