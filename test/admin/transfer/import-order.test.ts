// @module-tag slow
/** What an import answers, stores and costs, whatever the order of its lines. */
import { env } from 'cloudflare:workers'
import { type Random, seeded } from '@estia/photo-codec/fixtures/random'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { dependencesOf, surveyLines } from '../../../src/admin/transfer/dependences.ts'
import { readLine, splitLines } from '../../../src/admin/transfer/read-lines.ts'
import { database } from '../../../src/db/client.ts'
import { call, type Data, post } from '../../support/api.ts'
import { databaseAround, execute } from '../../support/database.ts'
import { demoLines } from '../../support/demo.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { emptyService } from '../../support/storage.ts'
import { everyRow } from './fresh.ts'

interface Report {
  accepted: number
  rejected: number
  errors: unknown[]
  next: number | null
}
interface Entry {
  entity: string
  data: Data
}

/** Calls to D1 of one call of the service. */
const CALLS_OF_D1 = 1000
const MAX_CALLS = 300
/** Chooses the order of the lines. */
const SEED = 7

beforeEach(async () => {
  await emptyService()
})

const textOf = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n')

/** Imports lines behind a database that refuses more calls than D1 takes. Returns the reply, and how many there were. */
async function importCounted(body: string, query = '', onCall: (texts: string[]) => unknown = () => 0) {
  let calls = 0
  const DB = databaseAround(async (send, texts) => {
    if (++calls > CALLS_OF_D1) throw new Error('D1_ERROR: Too many API requests by single worker invocation.')
    await onCall(texts)
    return send()
  })
  const reply = await post(`/admin/import?errors=all${query}`, body, { bindings: { DB } })
  return { status: reply.status, data: reply.body.data as Report, calls }
}

const ALL = [...demoLines()] as Entry[]

describe('an import costs at most 300 calls to D1', { timeout: 120_000 }, () => {
  it.each<[string, string, boolean, number, (line: Entry) => Entry]>([
    ['an empty database', '', false, 1, (line) => line],
    ['an empty database, as a dry run', '&dry_run=true', false, 1, (line) => line],
    ['all that is stored', '', true, 1, (line) => line],
    ['all that is stored, in replace mode', '&mode=replace', true, 1, (line) => line],
    ['all that is stored, each changed', '', true, 4, changed],
  ])('for 1,000 lines of all entities in random order over %s', async (_, query, isStored, most, change) => {
    for (let from = 0; isStored && from < ALL.length; from += 1000)
      expect((await importCounted(textOf(ALL.slice(from, from + 1000)))).data.errors).toEqual([])
    const lines = seeded(SEED).sample(ALL, 1000).map(change)
    let counted = 0
    for (let from = 0, sent = 0; from < lines.length; sent++) {
      expect(sent).toBeLessThan(most)
      const { status, data, calls } = await importCounted(textOf(lines.slice(from)), query)
      expect(status).toBe(200)
      expect(calls).toBeLessThanOrEqual(MAX_CALLS)
      counted += data.accepted + data.rejected
      from = data.next === null ? lines.length : from + data.next - 1
    }
    expect(counted).toBe(lines.length)
  })

  it('for 1,000 lines that are contacts and listings in turn', async () => {
    await seedLines()
    const lines = Array.from({ length: 500 }, (_, index) => {
      const contact = { id: index + 1, first_name: 'A', created_by: 1 }
      return [
        { entity: 'contacts', data: contact },
        { entity: 'listings', data: { ...minimalListing, id: index + 1, contacts: [contact.id] } },
      ]
    })
    const { data, calls } = await importCounted(textOf(lines.flat()))
    expect(data).toMatchObject({ accepted: 1000, errors: [], next: null })
    expect(calls).toBeLessThanOrEqual(MAX_CALLS)
  })

  it('for 1,000 lines of records that others keep changing', async () => {
    await seedLines()
    const lines = (first_name: string) =>
      textOf(
        Array.from({ length: 1000 }, (_, index) => ({
          entity: 'contacts',
          data: { id: index + 1, first_name, created_by: 1 },
        })),
      )
    expect((await importCounted(lines('Before'))).data).toMatchObject({ accepted: 1000, next: null })
    const { status, data, calls } = await importCounted(lines('After'), '', async (texts) => {
      if (texts.some((text) => /\binto "?contacts"?\b/i.test(text)))
        await execute('update contacts set version = version + 1 where id % 100 = 1')
    })
    expect(status).toBe(200)
    expect(data.errors[0]).toMatchObject({ message: 'Others keep changing the record; send the line again' })
    expect(calls).toBeLessThanOrEqual(MAX_CALLS)
  })
})

it('A line names few others, although its record or its value was named by a thousand lines above', async () => {
  const codes = Array.from({ length: 1000 }, (_, index) => ({
    entity: 'listings',
    data: { id: 1, code: `C${index}` },
  }))
  const owners = codes.map((_, index) => ({ entity: 'listings', data: { id: index + 2, code: 'C0' } }))
  const lines = splitLines(new TextEncoder().encode(textOf(codes))).concat(
    splitLines(new TextEncoder().encode(textOf(owners))),
  )
  const read = lines.flatMap(
    (line) => readLine(line, { mode: 'merge', downloads: null, isStrict: false }).read ?? [],
  )
  const known = await surveyLines(database(env), read)
  const counts = read.map((one) => {
    const { reads, changes, adds } = dependencesOf(one, known, () => true)
    return reads.length + changes.length + adds.length
  })
  expect(counts.length).toBe(2000)
  expect(Math.max(...counts)).toBeLessThan(12)
})

/** The line with another text or amount. */
function changed({ entity, data }: Entry): Entry {
  const key =
    ['notes', 'name', 'title', 'name_en', 'bg_color', 'code', 'value'].find((name) => name in data) ?? 'id'
  const value = data[key]
  return {
    entity,
    data: { ...data, [key]: typeof value === 'string' && key !== 'bg_color' ? `${value}!` : value },
  }
}

/** A contact may name another below it, but only in the same call. */
const WITHOUT_CIRCLES = { custom_fields: undefined }

/** A few records of each entity, in the order of a file. */
const FEW: Entry[] = [...Map.groupBy(ALL, ({ entity }) => entity).values()].flatMap((lines) =>
  lines.slice(0, 6).map(({ entity, data }) => ({ entity, data: { ...data, ...WITHOUT_CIRCLES } })),
)

/** Lines of `FEW`, nearly in their order, many of them damaged, more than once, or changing what others mean. */
function mixedLines(random: Random, count: number): Entry[] {
  const places = Array.from({ length: count }, () => random.int(0, FEW.length - 1))
  const reach = random.pick([0, 20, FEW.length])
  const near = places.map((place) => ({ place, rank: place + random.int(0, reach) }))
  return near
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ place }) => {
      const line = FEW[place]
      return line ? damaged(line, random) : []
    })
}

function damaged({ entity, data }: Entry, random: Random): Entry {
  const key = random.pick(Object.keys(data))
  const others = FEW.filter((line) => line.entity === entity)
  const other = random.pick(others).data
  const chance = random.next()
  if (chance < 0.15) return { entity, data: { ...pickKeys(data, ['id', 'key']), [key]: other[key] } }
  if (chance < 0.2) return { entity, data: { ...data, [key]: null } }
  if (chance < 0.25)
    return {
      entity,
      data: pickKeys(
        data,
        Object.keys(data).filter((name) => name !== key),
      ),
    }
  if (chance < 0.3) return { entity, data: { ...data, [key]: random.int(1, 9), unknown: 1 } }
  if (chance < 0.5) return { entity, data: { ...data, ...twist(entity, random) } }
  return { entity, data }
}

function pickKeys(data: Data, keys: string[]): Data {
  return Object.fromEntries(Object.entries(data).filter(([key]) => keys.includes(key)))
}

/** Changes on which other lines depend, by entity. */
const TWISTS: Record<string, (id: number, random: Random) => Data> = {
  custom_fields: (_, random) => ({ type: random.pick(['text', 'number', 'checkbox']), options: null }),
  locations: (id, random) => ({ level: random.int(1, 3), parent_id: random.pick([0, id]) || null }),
  listing_subtypes: (_, random) => ({ subcategory: random.pick(['apartment', 'villa', 'office']) }),
  settings: (value, random) => ({
    key: random.pick(['default_user_id', 'default_request_status_id', 'default_language_id']),
    value,
  }),
  contacts: (_, random) => ({
    ...{ is_deleted: random.chance(0.5), is_erased: random.chance(0.3), created_by: undefined },
  }),
  listings: (_, random) => ({
    ...{ code: random.pick(['A', 'B', 'C']), created_by: undefined, title: 'T', language_id: undefined },
  }),
  requests: (_, random) => ({ status: undefined, is_deleted: random.chance(0.5) }),
  incomes: (id, random) => ({ commissions: [COMMISSION(id, random.chance(0.5) ? id + 100 : undefined)] }),
  expenses: (id, random) => ({
    ...{ linked_income_commission_id: random.pick([0, id]) || null, linked_income_id: undefined },
  }),
  offers: () => ({ rounds: [] }),
}

function twist(entity: string, random: Random): Data {
  const id = random.int(1, 6)
  return TWISTS[entity]?.(id, random) ?? { id: random.pick([id, 900_000 + id, 3_000_000 + id]) }
}

const COMMISSION = (id: number, expense_id: number | undefined) => ({
  id,
  ...{ side: 'owner_side', partner_id: 1, side_total_commission: 10, partner_commission_amount: 5 },
  expense_id,
})

/** Everything that is stored, but for what is drawn by lot, or depends on the time. */
async function stored() {
  const { search_portions, search_portion_data, ...rows } = await everyRow()
  // The position of an erasure is the database's time.
  const plain = (row: string) =>
    row.replace(/"(reference|tour_token|search)":"[^"]*"|"(position)":\d{13}/g, '"$1$2":""')
  return Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, list.map(plain).toSorted()]))
}

describe('lines in any order', { timeout: 300_000 }, () => {
  it.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'have the effects that they have one by one (seed %i)',
    async (seed) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-01T10:00:00Z') })
      const random = seeded(seed)
      const base = seed % 2 === 0 ? FEW : []
      const lines = mixedLines(random, 200)
      const query = seed % 3 === 0 ? '?errors=all&mode=replace' : '?errors=all'
      const send = async (body: string) => (await call('POST', `/admin/import${query}`, { body })).body.data
      const begin = async () => {
        await emptyService()
        await send(textOf(base))
      }
      await begin()
      const single = []
      for (const [index, line] of lines.entries()) {
        const { errors, warnings, ignored } = await send(textOf([line]))
        single.push(
          ...[...errors, ...warnings, ...ignored].map((found: Data) => ({ ...found, line: index + 1 })),
        )
      }
      const before = await stored()
      await begin()
      const together: Data[] = []
      let accepted = 0
      for (let from = 0; from < lines.length; ) {
        const { errors, warnings, ignored, next, ...counts } = await send(textOf(lines.slice(from)))
        accepted += counts.accepted
        const offset = from
        together.push(
          ...[...errors, ...warnings, ...ignored].map((found) => ({ ...found, line: found.line + offset })),
        )
        from = next === null ? lines.length : from + next - 1
      }
      const order = (found: Data[]) =>
        found.map((one) => JSON.stringify(one)).toSorted((a, b) => (a < b ? -1 : 1))
      expect(order(together)).toEqual(order(single))
      expect(await stored()).toEqual(before)
      expect(accepted).toBeGreaterThan(lines.length / 5)
      expect(accepted).toBeLessThan(lines.length - 10)
    },
  )
})
