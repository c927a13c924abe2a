import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { clearPerson } from '../../src/admin/erasure/clear.ts'
import { PART } from '../../src/admin/transfer/export.ts'
import { database } from '../../src/db/client.ts'
import { SORTS } from '../../src/resources/listings/search/fields.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../src/scheduled.ts'
import { filtersOf } from '../http/filter-samples.ts'
import { bearer, endpoints, fill, sendTo } from '../http/send.ts'
import { ADMIN_TOKEN, importRecords, keyWith, type Line, ORIGIN, websiteKey } from '../support/api.ts'
import { execute, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing, minimalListing } from '../support/factories/listing.ts'
import { indexesIn, type Plan, plansOf, rowsRead, rowsWritten } from './plans.ts'

let key = ''

beforeAll(async () => {
  await seedAgency()
  key = await keyWith('*:read', '*:write')
  await createListing()
  const photo = { photos: [{ data: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' }] }
  expect((await send('POST', '/api/listings/1/photos', photo)(env.DB)).status).toBe(200)
})

type Work = (DB: D1Database) => Promise<unknown>

const send =
  (method: string, path: string, body?: unknown, token = path.startsWith('/admin') ? ADMIN_TOKEN : key) =>
  (DB: D1Database): Promise<Response> =>
    sendTo({ DB }, new Request(ORIGIN + path, { method, headers: bearer(token), body: JSON.stringify(body) }))

/** The lists, but for facets and map: those are searches of listings, which have tests of their own. */
const LISTS = endpoints.filter(
  ({ contract, path }) => contract.list && !/\{|listings\/(facets|map)$/.test(path),
)

const DATES = ['date_created', 'date_updated']
/** The filters of listings that need no search: by kind, code and date. */
const KINDS = new Set(['category', 'availability', 'subcategory', 'subtype', 'status', 'search', ...DATES])
/** Filters that visitors may only send empty. */
const PRIVATE = new Set(['tags', 'users', ...DATES])

/** Filters that are read in another way together, or with several values. */
const TOGETHER: Record<string, string[]> = {
  '/api/listings': ['subcategory=apartment&subcategory=villa', 'subtype=1&subtype=2'],
  '/api/appointments': ['day=2026-01-01&user_id=1'],
  '/api/external-listings': [
    'ids=1&ids=2',
    ...['rooms[min]=2&availability=sale&category=land', 'rooms[min]=2&price[max]=5', 'rooms[min]=2&ids=1'],
  ],
}

/** The filters of each list, but for those of a search. */
const CASES = LISTS.map(({ path }) => {
  const alone = [...filtersOf(path)].filter(([name]) => path !== '/api/listings' || KINDS.has(name))
  // One of these filters is required.
  const none = path === '/api/contacts/duplicates' ? [] : ['']
  return { path, filters: [...none, ...alone.map(([, filter]) => filter), ...(TOGETHER[path] ?? [])] }
})

/** Filters that read a whole table, with the reason why that is acceptable. */
const WITHIN_REASON = [
  // One row for each kind of listing, some hundreds.
  /^SCAN listing_counts/,
  // One row in all.
  /^SCAN (change_feed|location_renames|CONSTANT ROW)$/,
  // Constants of the statement itself.
  /^SCAN \d+-ROW VALUES CLAUSE$/,
  // The changes of listings since the last call.
  /^SCAN changed$/,
  // A list from the call, or the result of another statement.
  /^SCAN \w+ VIRTUAL TABLE INDEX/,
  // No index finds a text within another; this one at least avoids reading the articles themselves.
  /^SCAN knowledge_base_articles USING COVERING INDEX knowledge_base_articles_by_title$/,
  // Only for a text: some thousands a year, and an index on their messages would hold them all once more.
  /^SCAN enquiries$/,
  // Numbers of the external listings, a few dozen bytes each, without the texts that make up the most of a record. An index
  // for each of a dozen filters would be written with every new one. The number of photos comes from the index, too,
  // although the plan does not call an index with an expression covering.
  /^SCAN external_listings USING (COVERING )?INDEX external_listings_by_kind$/,
  // Three ids a row. An index by tag or user would double the rows that a link writes.
  /^SCAN external_listing_(tag_links|users)$/,
  // Read by administrators alone. An index for each filter would be written with every entry.
  /^SCAN trail( USING COVERING INDEX trail_by_record)?$/,
  // A few thousand places at most, which are listed whole without a filter.
  /^SCAN locations$/,
]

/** Steps that read every row of a table of unbounded size. */
function fullScans({ text, steps }: Plan): string[] {
  // The search for a page starts at the newest row and ends when the page is full.
  const isPage = /order by id desc limit/.test(text)
  const tables = steps.filter(
    (step) => /^SCAN \w+/.test(step) && !/^SCAN (json_each|value|kind|made|\(|m$|unique)/.test(step),
  )
  return tables.filter((step) => !isPage && !WITHIN_REASON.some((reason) => reason.test(step)))
}

describe('a filter', () => {
  it.each(CASES)('of $path reads no whole table', async ({ path, filters }) => {
    for (const filter of filters) {
      const plans = await plansOf(async (DB) => {
        expect([filter, (await send('GET', `${path}?${filter}`)(DB)).status]).toEqual([filter, 200])
      })
      expect(plans.length).toBeGreaterThan(0)
      expect(plans.filter(({ text }) => /limit \?/i.test(text))).toEqual([])
      if (filter) expect([filter, plans.flatMap(fullScans)]).toEqual([filter, []])
    }
  })
})

/** Orders of listings that only a search has. */
const SEARCH_ORDERS = SORTS.filter((name) => !DATES.includes(name))

/** The fields by which each list can be sorted from an index. */
const ORDERS = LISTS.flatMap(({ path, contract }) => {
  const options: string[] = contract.filters?.shape.sort?.unwrap().unwrap().options ?? []
  const fields = options.filter((name) => !name.startsWith('-') && !SEARCH_ORDERS.some((one) => one === name))
  return fields.map((field) => ({ path, field }))
})

describe('an order', () => {
  it.each(ORDERS)('of $path by $field walks an index', async ({ path, field }) => {
    for (const sort of [field, `-${field}`]) {
      const [page] = await plansOf(send('GET', `${path}?sort=${sort}`))
      const { steps } = page ?? { steps: [] }
      const columns = await Promise.all(
        [...indexesIn([{ text: '', steps }])].map((index) =>
          selectAll<{ name: string }>('select name from pragma_index_info(?)', index),
        ),
      )
      // Ids are in the order of the table itself.
      if (field !== 'id') expect(columns.flat().map(({ name }) => name)).toContain(field)
      // The records of the page itself may be sorted, once they are found.
      const sorted = steps.filter((step) => step === 'USE TEMP B-TREE FOR ORDER BY')
      expect([sort, sorted.length <= (sort === '-id' ? 0 : 1)]).toEqual([sort, true])
    }
  })

  it.each([
    'category=residential',
    'status=active&status=draft',
    'subtype=1',
    'date_created[min]=2026-01-01',
    'date_created[min]=2026-01-01&category=land&availability=sale&subcategory=apartment',
  ])('of listings is that of a covering index with %s, too', async (filter) => {
    const [page] = await plansOf(send('GET', `/api/listings?sort=date_created&${filter}`))
    const walks =
      page?.steps.filter((step) => /^(SCAN|SEARCH) listings USING COVERING INDEX/.test(step)) ?? []
    expect(walks[0]).toMatch(/^(SCAN|SEARCH) listings USING COVERING INDEX listings_by_date_created/)
  })
})

/** The reads of a record, and of what belongs to one. */
const READS = endpoints.filter(({ method, path }) => method === 'get' && /^\/api\/.*\{id\}/.test(path))

/** Other work of the service, by name. */
const WORKS: Record<string, Work> = {
  cron: (DB) => runScheduled({ cron: EVERY_MINUTE }, { ...env, DB }),
  'the sweep of files': (DB) => runScheduled({ cron: DAILY }, { ...env, DB }),
  'a merge of contacts': async (DB) => {
    const { created_id } = await (await send('POST', '/api/contacts', { last_name: 'B' })(DB)).json<{
      created_id: number
    }>()
    expect((await send('POST', '/api/contacts/1/merge', { contacts: [created_id] })(DB)).status).toBe(200)
  },
  'a tour': (DB) => send('GET', `/tours/${'0'.repeat(32)}`)(DB),
  'a calendar': async (DB) => {
    await execute(
      `insert into calendars (user_id, detail, tasks, token, date_created, date_updated)
        values (1, 'brief', 0, ?, '', '') on conflict do nothing`,
      createHash('sha256').update('0'.repeat(32)).digest('hex'),
    )
    return send('GET', `/calendars/${'0'.repeat(32)}.ics`)(DB)
  },
  'moving a place': (DB) => send('POST', '/admin/import', moved)(DB),
  'changing an active listing': async (DB) => {
    await send('POST', '/api/listings/1/status', { to: 'active' })(DB)
    await send('PUT', '/api/listings/1', { price: Math.round(performance.now() * 1000) })(DB)
  },
  'an activity of a telephone system': (DB) =>
    send('POST', '/api/activities', { type: 'call', text: 'T', contacts: [1], external_id: 'c' })(DB),
  'custom fields': (DB) => send('GET', '/api/contacts/custom-fields')(DB),
  'a call with an idempotency key': (DB) =>
    sendTo(
      { DB },
      new Request(`${ORIGIN}/api/contacts`, {
        method: 'POST',
        headers: { ...bearer(key), 'Idempotency-Key': 'index' },
        body: '{"first_name":"A","last_name":"B"}',
      }),
    ),
  'a call without a key': (DB) => send('GET', '/api/listings', undefined, 'wrong')(DB),
  'a call without the scope': async (DB) =>
    send('GET', '/api/listings', undefined, await keyWith('offers:read'))(DB),
  // The body is read as it is made.
  'what is held about a person': (DB) =>
    send('GET', '/admin/contacts/1/person', undefined, ADMIN_TOKEN)(DB).then((reply) => reply.text()),
  'the list of the erased': (DB) => send('GET', '/admin/backups/erased', undefined, ADMIN_TOKEN)(DB),
  'the list of an erasure': (DB) => clearPerson(env, database({ ...env, DB }), 1).then(() => undefined),
  'an export in parts, while a place is moved': async (DB) => {
    const whole = PART.bytes
    PART.bytes = 1
    const part = (path: string) => send('GET', path)(DB)
    const first = await part('/admin/export?after=start')
    const [, next] = /<(.*)>/.exec(first.headers.get('Link') ?? '') ?? []
    await send('POST', '/admin/import', { ...moved, data: { ...moved.data, name_en: 'B' } })(DB)
    expect(await (await part((next ?? '').replace(ORIGIN, ''))).text()).toContain('"locations"')
    PART.bytes = whole
  },
}

const moved = {
  entity: 'locations',
  data: {
    id: 112,
    level: 3,
    parent_id: 12,
    name_el: 'Α',
    name_en: 'A',
    full_name_el: 'Α',
    full_name_en: 'A',
  },
}

/** Indexes that no statement uses for a search, with the inconsistency that each prevents. */
const UNIQUE: Record<string, string> = {
  appointment_notices_waiting:
    'a second mail to a person that waits: a further change renews the one there is',
  changes_by_record: 'a second entry of a record: triggers move the one there is',
  feeds_with_token: 'a second feed under the same URL',
}

/** What only the release before this one uses. A later one drops it. */
const RETIRED = ['contacts_by_search']

describe('an index', () => {
  it('is used by a filter, an order or other work; an unused one only makes writes slower', async () => {
    const made = await selectAll<{ name: string }>(
      `select name from sqlite_master where type = 'index' and sql is not null and tbl_name not like '~_cf%' escape '~'`,
    )
    const calls = [
      ...CASES.flatMap(({ path, filters }) => filters.map((filter) => `${path}?${filter}`)),
      ...ORDERS.map(({ path, field }) => `${path}?sort=${field}`),
      ...READS.map(({ path }) => fill(path)),
    ]
    const used = new Set([...Object.keys(UNIQUE), ...RETIRED])
    for (const work of [...calls.map((call) => send('GET', call)), ...Object.values(WORKS)])
      for (const index of indexesIn(await plansOf(work))) used.add(index)
    expect(made.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([])
  })
})

describe('a search of listings', () => {
  const LISTINGS = 200
  const PER_PAGE = 5

  /** An active listing that meets most of the filters. */
  const line = (id: number): Line => [
    'listings',
    {
      ...{ ...minimalListing, id, status: 'active', code: `RES-${id}`, subcategory: 'apartment', subtype: 1 },
      ...{ price: 100_000, size: 80, floor: 2, rooms: 3, bathrooms: 1, year_built: 2000 },
      ...{ property_condition: 'new', tags: [1], features: ['elevator'], positioning: ['corner'] },
      ...{ view: ['sea'], flooring: ['marble'] },
      location: {
        ...{ area_level1: 1, area_level2: 11, area_level3: 111, display_address: 'real' },
        ...{ latitude: 37.9, longitude: 23.7 },
      },
      details: { land_size: 500 },
      extra: { is_negotiable: true, energy_class: 'a', virtual_tour_url: 'https://tour.example' },
      photos: [
        { original_image: 'https://photo.example/1.jpg' },
        { original_image: 'https://photo.example/2.jpg' },
      ],
      translations: [1, 2].map((language_id) => ({ language_id, title: 'Flat', description: 'Large' })),
    },
  ]

  beforeAll(() => importRecords(Array.from({ length: LISTINGS }, (_, index) => line(1000 + index))))

  /** The position in the change feed, and the places that are read with it. */
  const POSITION = 20

  const searches = (path: string, leftOut: ReadonlySet<string>) =>
    [...filtersOf(path)].flatMap(([name, filter]) => (leftOut.has(name) ? [] : [filter]))
  const near = filtersOf('/api/listings').get('near')
  const orders = SEARCH_ORDERS.flatMap((name) => [name, `-${name}`]).map((sort) => `${near}&sort=${sort}`)
  const CALLS: [what: string, path: string, leftOut: ReadonlySet<string>, rows: number][] = [
    ['a list of visitors', '/api/listings', PRIVATE, 2 * PER_PAGE + POSITION],
    ["visitors' facets", '/api/listings/facets', PRIVATE, POSITION],
    ["visitors' map", '/api/listings/map', PRIVATE, POSITION],
    // A whole record has rows in other tables: pictures, texts, links.
    ['a list of other keys', '/api/listings', KINDS, 18 * PER_PAGE + POSITION],
    ["other keys' facets", '/api/listings/facets', new Set(), POSITION],
    ["other keys' map", '/api/listings/map', new Set(), POSITION],
  ]

  it.each(CALLS)(
    'for %s reads no table, but the position and what it shows',
    async (what, path, leftOut, rows) => {
      const filters = [...searches(path, leftOut), ...(path === '/api/listings' ? orders : [])]
      const own = what.includes('visitors') ? await websiteKey() : key
      // The first loads the index.
      await send('GET', `${path}?rooms[min]=1`, undefined, own)(env.DB)
      let found = 0
      for (const filter of filters) {
        const per_page = path === '/api/listings' ? `&per_page=${PER_PAGE}` : ''
        const ask = send('GET', `${path}?${filter}${per_page}`, undefined, own)
        const plans = await plansOf(async (DB) => {
          const reply = await ask(DB)
          const body: { total_results: number } = await reply.json()
          expect([filter, reply.status]).toEqual([filter, 200])
          if (body.total_results >= LISTINGS) found++
        })
        expect([filter, plans.flatMap(fullScans)]).toEqual([filter, []])
        const steps = plans.flatMap((plan) => plan.steps).filter((step) => / (public_)?listings\b/.test(step))
        const others = steps.filter(
          (step) =>
            !/^SEARCH (public_)?listings USING (INTEGER PRIMARY KEY|INDEX listings_by_code) /.test(step),
        )
        expect([filter, others]).toEqual([filter, []])
        const read = await rowsRead(ask)
        expect(read, filter).toBeGreaterThan(0)
        expect(read, filter).toBeLessThanOrEqual(rows)
      }
      expect(found).toBeGreaterThan(filters.length / 2)
    },
  )

  it('reads the changes since the last one, whatever else is in the feed', async () => {
    const ask = send('GET', '/api/listings/facets?rooms[min]=1')
    await ask(env.DB)
    const idle = await rowsRead(ask)
    await importRecords([['contacts', { id: 900, first_name: 'A', last_name: 'B', created_by: 1 }]])
    expect(await rowsRead(ask)).toBe(idle)
    await importRecords([1000, 1001].map((id) => ['listings', { id, price: 5 }]))
    const changed = await rowsRead(ask)
    expect(changed).toBeGreaterThan(idle)
    expect(changed).toBeLessThanOrEqual(idle + 2 * 15)
    expect(await rowsRead(ask)).toBe(idle)
  })
})

describe('rows written', () => {
  const written = (body: object) => rowsWritten(send('POST', '/api/listings', { ...minimalListing, ...body }))

  // Its place in the feed of changes, and that place in two indexes: by its record and by its resource.
  const CHANGE = 3
  // Its entry in the trail, and that entry in the index by record.
  const TRAIL = 2
  const ENTRY = CHANGE + TRAIL

  it('for a new listing are its own, one of each index, a count, and two for each link and text', async () => {
    const typed = { price: 100_000, title: 'Flat', subcategory: 'apartment', subtype: 1 }
    // The first of its kind adds a row with its count.
    expect(await written(typed)).toBe(12 + ENTRY)
    // The listing itself; by category, by both dates; the count of its kind; its user, whose key is an index of its own.
    expect(await written({})).toBe(7 + ENTRY)
    // A text: a row and its key.
    expect(await written({ price: 100_000, size: 80, title: 'Διαμέρισμα' })).toBe(9 + ENTRY)
    // By subcategory and by subtype.
    expect(await written(typed)).toBe(11 + ENTRY)
    // Each further user, tag or contact is a row and its key.
    expect(await written({ price: 100_000, title: 'Flat', users: [1, 2], tags: [1] })).toBe(13 + ENTRY)
  })
})
