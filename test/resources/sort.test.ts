import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { columnFields, RECORD_FIELDS } from '../../src/catalogue/record-fields.ts'
import { SORTS } from '../../src/resources/listings/search/fields.ts'
import { endpoints } from '../http/send.ts'
import { type Data, expectInvalid, get, importRecords, ORIGIN, query } from '../support/api.ts'
import { selectAll } from '../support/database.ts'
import { seedLines } from '../support/factories/lines.ts'
import { SMALLEST } from '../support/factories/samples.ts'

interface List {
  path: string
  /** The table, and its name in an import. */
  table: string
  /** The fields that the list can be sorted by. */
  fields: string[]
  /** What `sort` may be. */
  allowed: string[]
}

/** Orders that are tried in `listings/search/`. */
const SEARCHES: readonly string[] = SORTS.filter((name) => !/^date_(created|updated)$/.test(name))

const isPage = (reply: unknown) => reply instanceof z.ZodObject && Object.hasOwn(reply.shape, 'page')

const LISTS = endpoints.flatMap(({ path, contract }): List[] => {
  const allowed: string[] = contract.filters?.shape.sort?.unwrap().unwrap().options ?? []
  if (!isPage(contract.reply) || allowed.length === 0) return []
  const table = path.replace('/api/', '').replace(/\W/g, '_')
  const fields = allowed.filter((name) => !name.startsWith('-') && !SEARCHES.includes(name))
  return [{ path, table, fields, allowed }]
})

const RECORDS = 23
const FIRST_ID = 1001
/** Few days, so that many records share one, and one of them at midnight. */
const DAYS = ['2024-02-29', '2023-12-31', '2025-06-01', '2024-03-01', '1999-01-01']

type Kind = 'number' | 'day' | 'moment'

/** What the record `index` has in the field number `position`: each field has its values in another order. */
function storedIn(kind: Kind, isOptional: boolean, index: number, position: number): string | number | null {
  const pick = (index * (7 + position) + position * 3) % 11
  if (isOptional && pick % 3 === 0) return null
  if (kind === 'number') return 1 + (pick % DAYS.length)
  const day = DAYS[pick % DAYS.length] ?? ''
  return kind === 'day' ? day : `${day} ${pick % 2 ? '00:00:00' : '10:20:30'}`
}

beforeAll(async () => {
  await seedLines()
  for (const { table, fields } of LISTS) {
    const ids = Array.from({ length: RECORDS }, (_, index) => FIRST_ID + index)
    await importRecords(ids.map((id) => [table, { ...SMALLEST[table], id }]))
    const sorted = fields.filter((name) => name !== 'id')
    const optional = await selectAll<{ name: string }>(
      'select name from pragma_table_info(?) where "notnull" = 0',
      table,
    )
    const isOptional = (name: string) => optional.some((column) => column.name === name)
    const known = columnFields(RECORD_FIELDS.get(table) ?? { columns: {} })
    const takes = (name: string, value: unknown) =>
      known.some(({ column, field }) => column === name && field.stored.safeParse(value).success)
    const kindOf = (name: string) => (takes(name, 1) ? 'number' : takes(name, DAYS[0]) ? 'day' : 'moment')
    const columns = sorted.map((name) => `${name} = ?`).join(', ')
    const update = env.DB.prepare(`update ${table} set ${columns} where id = ?`)
    await env.DB.batch(
      ids.map((id) =>
        update.bind(
          ...sorted.map((name, at) => storedIn(kindOf(name), isOptional(name), id - FIRST_ID, at)),
          id,
        ),
      ),
    )
  }
})

/** The ids of `records` in the order that a caller expects. */
function sortedIds(records: Data[], sort: string): unknown[] {
  const name = sort.replace('-', '')
  const way = sort.startsWith('-') ? -1 : 1
  const compare = (a: Data, b: Data) => {
    const [one, other] = [a[name] as string | number | null, b[name] as string | number | null]
    if (one === other) return Number(b.id) - Number(a.id)
    if (one === null || other === null) return one === null ? 1 : -1
    return one < other ? -way : way
  }
  return records.toSorted(compare).map(({ id }) => id)
}

const idsOf = (records: Data[]) => records.map(({ id }) => id)

/** Every page of a list from `path` on, by the links alone. */
async function follow(path: string): Promise<Awaited<ReturnType<typeof get>>[]> {
  const pages = []
  for (let next: string | undefined = path; next; ) {
    const reply = await get(next)
    expect(reply.status).toBe(200)
    pages.push(reply)
    next = new RegExp(`<${ORIGIN}([^>]*)>; rel="next"`).exec(reply.headers.get('Link') ?? '')?.[1]
  }
  return pages
}

const orders = LISTS.flatMap(({ path, fields }) =>
  fields.flatMap((name) => [name, `-${name}`].map((sort) => ({ path, sort }))),
)

describe('sort', () => {
  it.each(orders)('$path?sort=$sort is that order, on pages of any size', async ({ path, sort }) => {
    const { data, total_results } = (await get(`${path}?per_page=100`)).body
    expect(idsOf(data)).toEqual(sortedIds(data, '-id'))
    expect(data).toHaveLength(total_results)
    const expected = sortedIds(data, sort)
    for (const size of [1, 10, 100]) {
      const pages = await follow(`${path}?sort=${sort}&per_page=${size}${size === 1 ? '&page=20' : ''}`)
      const from = size === 1 ? 19 : 0
      expect(pages.flatMap(({ body }) => idsOf(body.data))).toEqual(expected.slice(from))
      for (const { body, headers } of pages) {
        expect([body.results_per_page, body.total_results]).toEqual([size, total_results])
        expect(body.total_pages).toBe(Math.ceil(total_results / size))
        expect(headers.get('X-Total-Count')).toBe(String(total_results))
      }
    }
    const whole = (await get(`${path}?sort=${sort}&per_page=100&fields=all`)).body.data
    expect(idsOf(whole)).toEqual(expected)
  })

  it.each(LISTS)('$path is newest first by default', async ({ path }) => {
    const expected = (await get(`${path}?sort=-id`)).body
    for (const sort of ['', '?sort=', '?sort=&per_page=', '?per_page=50']) {
      expect((await get(path + sort)).body).toEqual(expected)
    }
    expect((await query(path, { sort: null, per_page: null })).body).toEqual(expected)
  })

  it.each(LISTS)('$path takes it from a body, and repeats it in links', async ({ path, fields }) => {
    const sort = `-${fields.at(-1)}`
    const { body, headers } = await query(`${path}?sort=id&per_page=3`, { sort, per_page: 5, page: 2 })
    const link = (page: number, rel: string) =>
      `<${ORIGIN}${path}?sort=${sort}&per_page=5&page=${page}>; rel="${rel}"`
    const links = `${link(1, 'prev')}, ${link(3, 'next')}`
    expect(headers.get('Link')).toBe(links)
    const plain = await get(`${path}?sort=${sort}&per_page=5&page=2`)
    expect([plain.body, plain.headers.get('Link')]).toEqual([body, links])
  })

  it.each(LISTS)('$path refuses any other', async ({ path, allowed }) => {
    const message = `Invalid sort: must be one of ${allowed.join(', ')}`
    for (const sort of [
      'nope',
      '--id',
      'ID',
      'id,date_created',
      '-',
      '%2Bid',
      'id%20desc',
      'constructor',
      '1',
    ]) {
      await expectInvalid(get(`${path}?sort=${sort}`), message)
    }
    await expectInvalid(get(`${path}?sort=id&sort=date_created`), message)
    for (const sort of [1, true, {}, ['id'], 'date_created '])
      await expectInvalid(query(path, { sort }), message)
  })

  it('is not offered for matches, which are sorted by their score', async () => {
    const { status, headers } = await get('/api/requests/1/matches?sort=-id')
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, 'sort'])
  })
})

describe('per_page', () => {
  const paths = [...LISTS.map(({ path }) => path), '/api/requests/1/matches', '/api/listings/1/matches']

  it.each(paths)('of %s is from 1 to 100', async (path) => {
    for (const size of [1, 2, 99, 100]) {
      const { status, body } = await get(`${path}?per_page=${size}`)
      expect([status, body.results_per_page]).toEqual([200, size])
      expect(body.data.length).toBe(Math.min(size, body.total_results))
    }
    await expectInvalid(get(`${path}?per_page=0`), 'Invalid per_page: must be at least 1')
    await expectInvalid(get(`${path}?per_page=-5`), 'Invalid per_page: must be at least 1')
    await expectInvalid(get(`${path}?per_page=101`), 'Invalid per_page: must be at most 100')
    for (const size of ['x', '1.5', 'true', '5&per_page=6']) {
      await expectInvalid(get(`${path}?per_page=${size}`), 'Invalid per_page: must be an integer')
    }
    for (const size of ['5', [5], { min: 5 }, false]) {
      await expectInvalid(query(path, { per_page: size }), 'Invalid per_page: must be an integer')
    }
    expect((await query(path, { per_page: 7 })).body.results_per_page).toBe(7)
  })

  it.each(LISTS)('of $path leaves pages past the end empty', async ({ path }) => {
    const { total_results } = (await get(path)).body
    for (const page of [1000, Number.MAX_SAFE_INTEGER]) {
      const { status, body, headers } = await get(`${path}?per_page=100&sort=date_created&page=${page}`)
      expect({ status, ...body }).toEqual({
        status: 200,
        page,
        total_pages: 1,
        results_per_page: 100,
        total_results,
        data: [],
      })
      expect(headers.get('Link')).toBe(`<${ORIGIN}${path}?per_page=100&sort=date_created&page=1>; rel="prev"`)
    }
  })
})
