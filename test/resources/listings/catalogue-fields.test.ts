// @module-tag slow
import { getTableColumns } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { core, details, extra, location } from '../../../src/catalogue/listing.ts'
import { listings } from '../../../src/db/tables/listings.ts'
import { blankRecord } from '../../../src/fields/derive.ts'
import type { Field, Fields } from '../../../src/fields/field.ts'
import { call, expectInvalid, get, importRecords, post, put } from '../../support/api.ts'
import { execute, selectAll, selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { emptyService } from '../../support/storage.ts'
import { clean, exported, importReply } from '../../support/transfer.ts'

type Json = Record<string, unknown>
type Place = 'core' | 'location' | 'details' | 'the service'

// The service was loaded before this file: it is loaded anew, of the catalogue below.
vi.hoisted(() => vi.resetModules())

// The catalogue as it may be tomorrow: in each group one more field of each kind, and of each fact. What holds for
// these holds for any line that is added.
vi.mock('../../../src/catalogue/listing.ts', async (importOriginal) => {
  const { core, location, details, extra } =
    await importOriginal<typeof import('../../../src/catalogue/listing.ts')>()
  const kinds = await import('../../../src/fields/kinds.ts')
  const doc = 'One more field'
  const more = (group: string): Fields => ({
    [`${group}_count`]: kinds.count({ doc }),
    [`${group}_number`]: kinds.number({ doc }),
    [`${group}_measure`]: kinds.measure({ doc }),
    [`${group}_reference`]: kinds.reference({ doc, to: 'stores' }),
    [`${group}_contact`]: kinds.reference({ doc, to: 'contacts' }),
    [`${group}_text`]: kinds.text({ doc, person: false }),
    [`${group}_url`]: kinds.longUrl({ doc, person: false }),
    [`${group}_date`]: kinds.date({ doc }),
    [`${group}_moment`]: kinds.dateTime({ doc }),
    [`${group}_choice`]: kinds.choice(['left', 'right'], { doc }),
    [`${group}_flag`]: kinds.flag({ doc }),
    [`${group}_count_of_buildings`]: kinds.count({ doc, landNull: true }),
    [`${group}_flag_of_buildings`]: kinds.flag({ doc, landNull: true }),
    [`${group}_written_text`]: kinds.text({ doc, person: false, writeOnly: true }),
    [`${group}_written_flag`]: kinds.flag({ doc, writeOnly: true }),
  })
  return {
    core: { ...core, ...more('core') },
    location: { ...location, ...more('location') },
    details: { ...details, ...more('details') },
    extra: { ...extra, ...more('extra') },
  }
})

const GROUPS: Record<Place, Fields> = { core, location, details, 'the service': extra }
const AREAS = ['area_level1', 'area_level2', 'area_level3']

const FIELDS = (Object.entries(GROUPS) as [Place, Fields][]).flatMap(([group, fields]) =>
  Object.entries(fields).map(([name, field]) => ({
    group,
    name,
    field,
    /** As errors call it. */
    path: group === 'core' ? name : `${group}.${name}`,
  })),
)

/** Values of fields that have to fit each other. */
const FITTING: Record<string, [first: unknown, second: unknown]> = {
  subcategory: ['apartment', 'villa'],
  subtype: [1, null],
  area_level1: [1, 2],
  area_level2: [11, null],
  area_level3: [111, null],
}

/** Two values that a field takes. */
function valuesOf(name: string, field: Field): [first: unknown, second: unknown] {
  const fitting = FITTING[name]
  if (fitting) return fitting
  const { anyOf = [] } = z.toJSONSchema(field.input, { io: 'input', unrepresentable: 'any' })
  const choices = anyOf.flatMap((schema) => (schema as { enum?: unknown[] }).enum ?? [])
  const moments = ['2026-01-02 03:04:05', '2027-01-02 03:04:05', '2026-01-02', '2027-01-02']
  const good = [...choices, 2, 1, true, false, ...moments].filter(
    (value) => field.input.safeParse(value).success,
  )
  expect([name, good.length >= 2]).toEqual([name, true])
  return [good[0], good[1]]
}

const values = (turn: 0 | 1): Json =>
  Object.fromEntries(FIELDS.map(({ name, field }) => [name, valuesOf(name, field)[turn]]))

const nothing: Json = Object.fromEntries(FIELDS.map(({ name }) => [name, null]))
const none: Json = Object.assign({}, ...Object.values(GROUPS).map(blankRecord))

/** The part of a body that sends `sent`. */
function bodyOf(sent: Json): Json {
  const partOf = (fields: Fields) =>
    Object.fromEntries(Object.keys(fields).flatMap((name) => (name in sent ? [[name, sent[name]]] : [])))
  const groups = Object.entries(GROUPS).filter(([group]) => group !== 'core')
  return {
    ...partOf(core),
    ...Object.fromEntries(groups.map(([group, fields]) => [group, partOf(fields)])),
  }
}

/** The fields of the catalogue as a listing shows them, a place by its id. */
async function shownOf(id: number, form = '?fields=all'): Promise<Json> {
  const { data } = (await get(`/api/listings/${id}${form}`)).body
  const shown = { ...data, ...data.location }
  for (const area of AREAS) shown[area] = shown[area]?.id ?? null
  return Object.fromEntries(FIELDS.flatMap(({ name }) => (name in shown ? [[name, shown[name]]] : [])))
}

/** Gives the stored table the columns of the fields that were added. */
async function addColumns(): Promise<void> {
  const results = await selectAll('select name from pragma_table_info(?)', 'listings')
  const stored = new Set(results.map(({ name }) => name))
  for (const column of Object.values(getTableColumns(listings))) {
    if (stored.has(column.name)) continue
    const constraint = column.notNull ? 'not null default 0' : ''
    await execute(`alter table listings add column ${column.name} ${column.getSQLType()} ${constraint}`)
  }
}

const exportedLines = async () =>
  (await exported()).map((line): { entity: string; data: Json } => JSON.parse(line))

async function exportedListing(id: number): Promise<Json> {
  const lines = await exportedLines()
  return lines.find(({ entity, data }) => entity === 'listings' && data.id === id)?.data ?? {}
}

async function importListing(data: Json, mode: string): Promise<void> {
  // The API has created it, which an import warns of.
  const warnings = [{ line: 1, message: expect.stringContaining('created by POST') }]
  expect(await importReply('listings', [data], mode)).toEqual({ ...clean(1), warnings })
}

beforeAll(async () => {
  await addColumns()
  await seedAgency()
})

describe('every line of the catalogue', { timeout: 60_000 }, () => {
  it('is a field that a body takes, stores and shows', async () => {
    const id = await createListing(bodyOf(values(0)))
    expect(await shownOf(id)).toEqual(values(0))
    const standard = FIELDS.filter(({ field }) => !field.writeOnly).map(({ name }) => name)
    expect(Object.keys(await shownOf(id, ''))).toEqual(standard)
  })

  it('takes another value, and none', async () => {
    const id = await createListing(bodyOf(values(0)))
    await put(`/api/listings/${id}`, bodyOf(values(1)))
    expect(await shownOf(id)).toEqual(values(1))
    await put(`/api/listings/${id}`, bodyOf(nothing))
    expect(await shownOf(id)).toEqual(none)
    await put(`/api/listings/${id}`, bodyOf(values(0)))
    await put(`/api/listings/${id}`, { location: null, details: null, 'the service': null })
    const cleared = Object.keys(core)
    expect(await shownOf(id)).toEqual({
      ...none,
      ...Object.fromEntries(cleared.map((name) => [name, values(0)[name]])),
    })
    expect(await shownOf(await createListing())).toEqual(none)
    expect(await shownOf(await createListing(bodyOf(nothing)))).toEqual(none)
  })

  it.each(FIELDS)('changes alone: $path', async ({ name, field }) => {
    const id = await createListing(
      bodyOf({ ...values(0), subtype: null, area_level2: null, area_level3: null }),
    )
    const before = await shownOf(id)
    const [, sent] = valuesOf(name, field)
    await put(`/api/listings/${id}`, bodyOf({ [name]: sent }))
    const changed = { [name]: sent }
    // Of the price a price per square metre follows.
    const after = await shownOf(id)
    if (name === 'price' || name === 'size') changed.price_per_sqm = after.price_per_sqm
    expect(after).toEqual({ ...before, ...changed })
  })

  it('comes back unchanged when what was read is sent', async () => {
    const id = await createListing(bodyOf(values(0)))
    const stored = () => selectFirst('select * from listings where id = ?', id)
    const before = await stored()
    const { data } = (await get(`/api/listings/${id}?fields=all`)).body
    expect((await put(`/api/listings/${id}`, data, { headers: { Prefer: 'handling=lenient' } })).status).toBe(
      200,
    )
    expect(await stored()).toEqual(before)
  })

  it('of a building is none of land', async () => {
    const id = await createListing({
      ...bodyOf({ ...values(0), subcategory: 'plot', subtype: null }),
      category: 'land',
    })
    const ofBuildings = FIELDS.filter(({ field }) => field.landNull).map(({ name }) => [name, none[name]])
    const expected = { ...values(0), subcategory: 'plot', subtype: null, ...Object.fromEntries(ofBuildings) }
    expect(ofBuildings.length).toBeGreaterThan(8)
    expect(await shownOf(id)).toEqual(expected)
    await put(`/api/listings/${id}`, bodyOf({ ...values(0), subcategory: 'plot', subtype: null }))
    expect(await shownOf(id)).toEqual(expected)
  })

  it('is exported in its group and imported again', async () => {
    await emptyService()
    await addColumns()
    await seedAgency()
    const whole = await createListing(bodyOf(values(0)))
    const empty = await createListing()
    // Land that was a building.
    const land = await createListing(bodyOf(values(0)))
    await put(`/api/listings/${land}`, { category: 'land', subtype: null, subcategory: 'plot' })
    expect(await exportedListing(whole)).toMatchObject(bodyOf(values(0)))
    const lines = await exportedLines()
    const shown = await Promise.all([whole, empty, land].map((id) => shownOf(id)))

    await emptyService()
    await addColumns()
    await importRecords(lines.map(({ entity, data }) => [entity, data]))
    expect(await exportedLines()).toEqual(lines)
    expect(await Promise.all([whole, empty, land].map((id) => shownOf(id)))).toEqual(shown)
  })

  it('is merged by an import, and replaced', async () => {
    const id = await createListing(bodyOf(values(0)))
    const line = await exportedListing(id)
    await importListing({ id, ...bodyOf(values(1)) }, 'merge')
    expect(await shownOf(id)).toEqual(values(1))
    await importListing({ id, ...bodyOf(nothing) }, 'merge')
    expect(await shownOf(id)).toEqual(none)
    await importListing(line, 'replace')
    expect(await shownOf(id)).toEqual(values(0))
    await importListing({ ...minimalListing, id }, 'replace')
    expect(await shownOf(id)).toEqual(none)
  })
})

describe('a line of the catalogue that refers to a record', { timeout: 60_000 }, () => {
  const references = FIELDS.filter(({ field }) => field.to)

  it.each(references)('refuses one that there is not: $path', async ({ name, path, field }) => {
    const id = await createListing()
    const body = bodyOf({ subcategory: 'apartment', area_level1: 1, area_level2: 11, [name]: 99 })
    await expectInvalid(post('/api/listings', { ...minimalListing, ...body }), `Unknown ${path} 99`)
    await expectInvalid(put(`/api/listings/${id}`, body), `Unknown ${path} 99`)
    const line = JSON.stringify({ entity: 'listings', data: { ...minimalListing, ...body, id: 900 } })
    const { errors } = (await call('POST', '/admin/import', { body: line })).body.data
    expect(errors).toEqual([expect.objectContaining({ message: `Unknown ${path} 99` })])
    if (field.to !== 'contacts') return
    await expectInvalid(put(`/api/listings/${id}`, bodyOf({ [name]: 3 })), `Unknown ${path} 3`)
  })
})
