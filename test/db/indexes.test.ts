import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../src/scheduled.ts'
import { bearer, endpoints, sendTo, silenceLog } from '../http/send.ts'
import { ADMIN_TOKEN, importRecords, keyWith, ORIGIN, websiteKey } from '../support/api.ts'
import { execute, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing, minimalListing } from '../support/factories/listing.ts'
import { indexesIn, type Plan, plansOf, rowsRead, rowsWritten } from './plans.ts'

let key = ''

beforeAll(async () => {
  silenceLog()
  await seedAgency()
  key = await keyWith('*:read', '*:write')
  await createListing()
  const photo = { photos: [{ data: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' }] }
  expect((await send('POST', '/api/listings/1/photos', photo)(env.DB)).status).toBe(200)
})

type Work = (DB: D1Database) => Promise<unknown>

const send =
  (method: string, path: string, body?: unknown, token = key) =>
  (DB: D1Database): Promise<Response> =>
    sendTo({ DB }, new Request(ORIGIN + path, { method, headers: bearer(token), body: JSON.stringify(body) }))

/** A query string for every filter that only a search of listings has. */
const SEARCHES = [
  ...[
    'price[min]=1',
    'price_per_sqm[min]=1',
    'size[max]=90',
    'land_size[min]=1',
    'floor[min]=1',
    'rooms[min]=2',
  ],
  ...['bathrooms[min]=1', 'year_built[min]=1990', 'date_listed[min]=2026-01-01', 'property_condition=new'],
  ...[
    'energy_class=a',
    'store_id=1',
    'ids=1',
    'areas=11',
    'area_level1=1',
    'area_level2=11',
    'area_level3=111',
  ],
  ...['features=elevator', 'positioning=corner', 'view=sea_view', 'flooring=marble', 'has_photos=true'],
  ...['has_tour=true', 'has_video=false', 'is_negotiable=true', 'text=flat'],
  'bounds[south]=37&bounds[west]=23&bounds[north]=37.5&bounds[east]=24',
  'near[latitude]=37.9&near[longitude]=23.7&near[radius]=1000',
]

/** A query string for every filter of listings by kind, code and date, which need no search. */
const KINDS = [
  ...[
    'category=land',
    'availability=sale',
    'subcategory=apartment',
    'subtype=1',
    'status=active',
    'search=RES-1',
  ],
  ...['date_created[min]=2026-01-01', 'date_updated[max]=2026-01-01'],
  // Several kinds, whose newest are merged.
  ...['subcategory=apartment&subcategory=villa', 'subtype=1&subtype=2'],
]

/** A query string for every filter of listings. */
const LISTING_FILTERS = [...KINDS, ...SEARCHES, 'tags=1', 'users=1']

/** A query string for every filter of every list, and of what else takes the filters of one. */
const FILTERS: Record<string, string[]> = {
  '/api/listings': LISTING_FILTERS,
  '/api/listings/facets': [...LISTING_FILTERS, 'facets=rooms'],
  '/api/listings/map': [...LISTING_FILTERS, 'zoom=20'],
  '/api/external-listings': [
    ...[
      'category=land',
      'availability=sale',
      'status=1',
      'store_id=1',
      'source_id=1',
      'area_level1=1',
      'area_level2=11',
    ],
    ...['price[min]=1', 'size[max]=90', 'date_created[min]=2026-01-01', 'date_updated[max]=2026-01-01'],
    ...['subcategory=villa', 'price_per_sqm[min]=1', 'floor[min]=1', 'rooms[min]=2', 'bathrooms[max]=1'],
    ...['year_built[min]=1990', 'ids=1', 'ids=1&ids=2', 'tags=1', 'users=1', 'areas=1', 'area_level3=111'],
    ...['has_photos=true', 'bounds[south]=37&bounds[west]=23&bounds[north]=38&bounds[east]=24'],
    'near[latitude]=38&near[longitude]=23&near[radius]=5000',
    ...['rooms[min]=2&availability=sale&category=land', 'rooms[min]=2&price[max]=5', 'rooms[min]=2&ids=1'],
  ],
  '/api/contacts': ['search=anna', 'date_created[min]=2026-01-01', 'date_updated[max]=2026-01-01'],
  '/api/knowledge-base/articles': ['category_id=1', 'search=guide', 'date_created[min]=2026-01-01'],
  '/api/requests': [
    ...['category=land', 'availability=sale', 'status=1', 'store_id=1', 'contact_id=1', 'user_id=1'],
    ...['date_created[min]=2026-01-01', 'date_updated[max]=2026-01-01'],
  ],
  '/api/enquiries': [
    ...['status=new', 'type=offer', 'listing_id=1', 'date_created[min]=2026-01-01', 'search=anna'],
  ],
  '/api/offers': [
    ...['status=submitted', 'is_active=true', 'listing_id=1', 'request_id=1', 'store_id=1', 'created_by=1'],
    ...['contact_id=1', 'date_created[min]=2026-01-01', 'date_updated[max]=2026-01-01'],
  ],
  '/api/contracts': [
    ...['status_id=1', 'store_id=1', 'offer_id=1', 'listing_id=1', 'request_id=1', 'contact_id=1'],
    ...[
      'external_listing=true',
      'external_contact=true',
      'date_created[min]=2026-01-01',
      'status_date[max]=2026-01-01',
    ],
  ],
  '/api/incomes': [
    ...['category=valuation', 'status=pending', 'contract_id=1', 'contact_id=1'],
    ...['date[min]=2026-01-01', 'date_created[max]=2026-01-01', 'total_amount[min]=1'],
  ],
  '/api/expenses': [
    ...[
      'category_id=1',
      'partner_id=1',
      'linked_income_id=1',
      'contact_id=1',
      'status=pending',
      'auto_generated=true',
    ],
    ...['date[min]=2026-01-01', 'date_created[max]=2026-01-01', 'amount[min]=1'],
  ],
  '/api/locations': ['level=1', 'parent_id=1', 'search=ath'],
  '/admin/trail': [
    ...['actor=token', 'resource=listings', 'record_id=1', 'route=/api/listings', 'status=200'],
    'date[min]=2026-01-01',
  ],
  '/api/changes': ['after=', 'resources=contacts,listings', 'limit=1'],
}

/** Filters that choose what is shown of the records, not which. */
const SHOWS = new Set(['page', 'per_page', 'sort', 'fields'])

/** The calls that are not searches of listings, which have tests of their own. */
const cases = Object.entries({ ...FILTERS, '/api/listings': KINDS }).flatMap(([path, filters]) =>
  /listings\/(facets|map)$/.test(path) ? [] : filters.map((filter) => [path, filter]),
)

/** Filters that read a whole table, with the reason why that is acceptable. */
const WITHIN_REASON = [
  // One row for each kind of listing, some hundreds.
  /^SCAN listing_counts/,
  // One row in all.
  /^SCAN (change_feed|location_renames|CONSTANT ROW)$/,
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
  it('is tried here for every list', () => {
    const lists = endpoints.filter(({ contract }) => contract.list)
    const declared = lists.flatMap(({ path, contract }) => {
      const names = Object.keys(contract.filters?.shape ?? {}).filter((name) => !SHOWS.has(name))
      return names.length > 0 ? [[path, new Set(names)]] : []
    })
    const tried = Object.entries(FILTERS).map(([path, filters]) => [
      path,
      new Set(filters.map((filter) => /^\w+/.exec(filter)?.[0])),
    ])
    expect(Object.fromEntries(tried)).toEqual(Object.fromEntries(declared))
  })

  it.each(cases)('%s?%s reads no whole table', async (path, filter) => {
    const plans = await plansOf(async (DB) => {
      const token = path.startsWith('/admin/') ? ADMIN_TOKEN : key
      expect((await send('GET', `${path}?${filter}`, undefined, token)(DB)).status).toBe(200)
    })
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.flatMap(fullScans)).toEqual([])
  })
})

const isPage = (reply: unknown) => reply instanceof z.ZodObject && Object.hasOwn(reply.shape, 'page')

/** Orders of listings that only a search has. */
const SEARCH_ORDERS = ['rooms', 'price', 'price_per_sqm', 'size', 'date_listed', 'distance']

/** The index that each field of `sort` walks, for every list; null is the primary key. */
const SORTS: Record<string, Record<string, string | null>> = {
  '/api/listings': {
    id: null,
    date_created: 'listings_by_date_created',
    date_updated: 'listings_by_date_updated',
    ...Object.fromEntries(SEARCH_ORDERS.map((name) => [name, null])),
  },
  '/api/external-listings': {
    id: 'external_listings_by_deleted',
    date_created: 'external_listings_by_date_created',
    date_updated: 'external_listings_by_date_updated',
  },
  '/api/contacts': {
    id: 'contacts_by_deleted',
    date_created: 'contacts_by_date_created',
    date_updated: 'contacts_by_date_updated',
    date_converted_to_client: 'contacts_by_date_converted',
  },
  '/api/knowledge-base/articles': {
    id: null,
    date_created: 'knowledge_base_articles_by_date_created',
    date_updated: 'knowledge_base_articles_by_date_updated',
  },
  '/api/requests': {
    id: 'requests_by_deleted',
    date_created: 'requests_by_date_created',
    date_updated: 'requests_by_date_updated',
  },
  '/api/enquiries': {
    id: null,
    date_created: 'enquiries_by_date_created',
    date_updated: 'enquiries_by_date_updated',
  },
  '/api/offers': {
    id: null,
    date_created: 'offers_by_date_created',
    date_updated: 'offers_by_date_updated',
  },
  '/api/contracts': {
    id: null,
    date_created: 'contracts_by_date_created',
    date_updated: 'contracts_by_date_updated',
    status_date: 'contracts_by_status_date',
    deposit_date: 'contracts_by_deposit_date',
  },
  '/api/incomes': {
    id: null,
    date: 'incomes_by_date',
    date_created: 'incomes_by_date_created',
    date_updated: 'incomes_by_date_updated',
  },
  '/api/expenses': {
    id: null,
    date: 'expenses_by_date',
    date_created: 'expenses_by_date_created',
    date_updated: 'expenses_by_date_updated',
  },
}

const sorts = Object.entries(SORTS).flatMap(([path, fields]) =>
  Object.entries(fields).flatMap(([field, index]) =>
    [field, `-${field}`].map((sort) => ({ path, sort, index })),
  ),
)

describe('an order', () => {
  it('is tried here for every list', () => {
    const declared = endpoints.flatMap(({ path, contract }) => {
      const sort = isPage(contract.reply) && contract.filters?.shape.sort
      return sort ? [[path, sort.unwrap().unwrap().options]] : []
    })
    const tried = Object.keys(SORTS).map((path) => [
      path,
      sorts.filter((entry) => entry.path === path).map(({ sort }) => sort),
    ])
    expect(Object.fromEntries(tried)).toEqual(Object.fromEntries(declared))
  })

  it.each(sorts.filter(({ sort }) => !SEARCH_ORDERS.includes(sort.replace('-', ''))))(
    '$path?sort=$sort walks an index',
    async ({ path, sort, index }) => {
      const [page] = await plansOf(send('GET', `${path}?sort=${sort}`))
      const { steps } = page ?? { steps: [] }
      if (index) expect([...indexesIn([{ text: '', steps }])]).toContain(index)
      // The records of the page itself may be sorted, once they are found.
      const sorted = steps.filter((step) => step === 'USE TEMP B-TREE FOR ORDER BY')
      expect(sorted.length).toBeLessThanOrEqual(1)
      if (sort === '-id') expect(sorted).toEqual([])
    },
  )

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

/** Other work of the service, by name. */
const WORKS: Record<string, Work> = {
  cron: (DB) => runScheduled({ cron: EVERY_MINUTE }, { ...env, DB }),
  'the sweep of files': (DB) => runScheduled({ cron: DAILY }, { ...env, DB }),
  'a tour': (DB) => send('GET', `/tours/${'0'.repeat(32)}`)(DB),
  'moving a place': (DB) => send('POST', '/admin/import', moved, ADMIN_TOKEN)(DB),
  'changing an active listing': async (DB) => {
    await send('POST', '/api/listings/1/status', { to: 'active' })(DB)
    await send('PUT', '/api/listings/1', { price: Math.round(performance.now() * 1000) })(DB)
  },
  'custom fields': (DB) => send('GET', '/api/contacts/custom-fields')(DB),
  'an article': (DB) => send('GET', '/api/knowledge-base/articles/1')(DB),
  'an offer': (DB) => send('GET', '/api/offers/1')(DB),
  'an income': (DB) => send('GET', '/api/incomes/1')(DB),
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
  'the matches of a request': (DB) => send('GET', '/api/requests/1/matches')(DB),
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

/** The use of every index: a filter of a list, or work named above. An unused index only makes writes slower. */
const USES: Record<string, string> = {
  changes_by_resource: '/api/changes?resources=contacts,listings',
  contacts_by_date_converted: '/api/contacts?sort=date_converted_to_client',
  contacts_by_date_created: '/api/contacts?date_created[min]=2026-01-01',
  contacts_by_date_updated: '/api/contacts?date_updated[min]=2026-01-01',
  contacts_by_deleted: '/api/contacts',
  contacts_by_search: '/api/contacts?search=anna',
  contract_contacts_by_contact: '/api/contracts?contact_id=1',
  contracts_by_date_created: '/api/contracts?date_created[min]=2026-01-01',
  contracts_by_date_updated: '/api/contracts?sort=date_updated',
  contracts_by_deposit_date: '/api/contracts?sort=deposit_date',
  contracts_by_external_contact: '/api/contracts?external_contact=true',
  contracts_by_external_listing: '/api/contracts?external_listing=true',
  contracts_by_listing: '/api/contracts?listing_id=1',
  contracts_by_offer: '/api/contracts?offer_id=1',
  contracts_by_request: '/api/contracts?request_id=1',
  contracts_by_status: '/api/contracts?status_id=1',
  contracts_by_status_date: '/api/contracts?status_date[max]=2026-01-01',
  contracts_by_store: '/api/contracts?store_id=1',
  custom_fields_by_resource: 'custom fields',
  enquiries_by_date_created: '/api/enquiries?date_created[min]=2026-01-01',
  enquiries_by_date_updated: '/api/enquiries?sort=date_updated',
  enquiries_by_listing: '/api/enquiries?listing_id=1',
  enquiries_by_status: '/api/enquiries?status=new',
  enquiries_by_type: '/api/enquiries?type=offer',
  expense_contacts_by_contact: '/api/expenses?contact_id=1',
  expenses_by_amount: '/api/expenses?amount[min]=1',
  expenses_by_auto_generated: '/api/expenses?auto_generated=true',
  expenses_by_category: '/api/expenses?category_id=1',
  expenses_by_commission: 'an income',
  expenses_by_date: '/api/expenses?date[min]=2026-01-01',
  expenses_by_date_created: '/api/expenses?date_created[max]=2026-01-01',
  expenses_by_date_updated: '/api/expenses?sort=date_updated',
  expenses_by_income: '/api/expenses?linked_income_id=1',
  expenses_by_partner: '/api/expenses?partner_id=1',
  expenses_by_status: '/api/expenses?status=pending',
  external_listing_photo_names_by_name: 'the sweep of files',
  external_listings_by_area_level1: '/api/external-listings?area_level1=1',
  external_listings_by_area_level2: '/api/external-listings?area_level2=11',
  external_listings_by_availability: '/api/external-listings?availability=sale',
  external_listings_by_date_created: '/api/external-listings?date_created[min]=2026-01-01',
  external_listings_by_date_updated: '/api/external-listings?date_updated[max]=2026-01-01',
  external_listings_by_deleted: '/api/external-listings',
  external_listings_by_kind: '/api/external-listings?category=land',
  external_listings_by_price: '/api/external-listings?price[min]=1',
  external_listings_by_size: '/api/external-listings?size[max]=90',
  external_listings_by_source: '/api/external-listings?source_id=1',
  external_listings_by_status: '/api/external-listings?status=1',
  external_listings_by_store: '/api/external-listings?store_id=1',
  files_of_knowledge_base_files_url: 'the sweep of files',
  files_of_listing_panoramas_image: 'the sweep of files',
  files_of_listing_panoramas_thumb: 'the sweep of files',
  files_of_listing_photos_original_image: 'the sweep of files',
  files_of_listing_photos_watermark_image: 'the sweep of files',
  files_of_stores_watermark: 'the sweep of files',
  idempotency_keys_by_digest: 'a call with an idempotency key',
  income_commissions_by_income: 'an income',
  income_contacts_by_contact: '/api/incomes?contact_id=1',
  incomes_by_category: '/api/incomes?category=valuation',
  incomes_by_contract: '/api/incomes?contract_id=1',
  incomes_by_date: '/api/incomes?date[min]=2026-01-01',
  incomes_by_date_created: '/api/incomes?date_created[max]=2026-01-01',
  incomes_by_date_updated: '/api/incomes?sort=date_updated',
  incomes_by_status: '/api/incomes?status=pending',
  incomes_by_total: '/api/incomes?total_amount[min]=1',
  knowledge_base_articles_by_category: '/api/knowledge-base/articles?category_id=1',
  knowledge_base_articles_by_date_created: '/api/knowledge-base/articles?date_created[min]=2026-01-01',
  knowledge_base_articles_by_date_updated: '/api/knowledge-base/articles?sort=date_updated',
  knowledge_base_articles_by_title: '/api/knowledge-base/articles?search=guide',
  knowledge_base_files_by_article: 'an article',
  listings_by_category: '/api/listings?category=land',
  listings_by_date_created: '/api/listings?date_created[min]=2026-01-01',
  listings_by_date_updated: '/api/listings?date_updated[max]=2026-01-01',
  listing_panoramas_unmeasured: 'cron',
  listing_photos_unmeasured: 'cron',
  enquiry_mails_by_next_try: 'cron',
  listings_unmatched: 'cron',
  listings_with_unchecked_point: 'cron',
  listings_with_code: '/api/listings?search=RES-1',
  listings_with_subcategory: '/api/listings?subcategory=apartment',
  listings_with_subtype: '/api/listings?subtype=1',
  listings_with_tour: 'a tour',
  locations_by_level: '/api/locations?level=1',
  locations_by_parent: '/api/locations?parent_id=1',
  offer_contacts_by_contact: '/api/offers?contact_id=1',
  offer_rounds_by_offer: 'an offer',
  offers_by_active: '/api/offers?is_active=true',
  offers_by_creator: '/api/offers?created_by=1',
  offers_by_date_created: '/api/offers?date_created[min]=2026-01-01',
  offers_by_date_updated: '/api/offers?date_updated[max]=2026-01-01',
  offers_by_listing: '/api/offers?listing_id=1',
  offers_by_request: '/api/offers?request_id=1',
  offers_by_status: '/api/offers?status=submitted',
  offers_by_store: '/api/offers?store_id=1',
  request_contacts_by_contact: '/api/requests?contact_id=1',
  request_locations_by_place: 'changing an active listing',
  request_matches_by_listing: 'changing an active listing',
  request_matches_by_score: 'the matches of a request',
  request_users_by_user: '/api/requests?user_id=1',
  requests_by_availability: '/api/requests?availability=sale',
  requests_by_category: 'changing an active listing',
  requests_by_date_created: '/api/requests?date_created[min]=2026-01-01',
  requests_by_date_updated: '/api/requests?date_updated[max]=2026-01-01',
  requests_by_deleted: '/api/requests',
  requests_by_status: '/api/requests?status=1',
  requests_by_store: '/api/requests?store_id=1',
  requests_unmatched: 'cron',
  trail_by_record: '/api/listings/1/history',
  trail_by_refusal: 'a call without a key',
}

/** Indexes that no statement uses for a search, with the inconsistency that each prevents. */
const UNIQUE: Record<string, string> = {
  changes_by_record: 'a second entry of a record: triggers move the one there is',
  feeds_with_token: 'a second feed under the same URL',
}

describe('an index', () => {
  it('has a use for each that there is', async () => {
    const results = await selectAll<{ name: string }>(
      `select name from sqlite_master where type = 'index' and sql is not null and tbl_name not like '~_cf%' escape '~'`,
    )
    expect(new Set(Object.keys({ ...USES, ...UNIQUE }))).toEqual(new Set(results.map(({ name }) => name)))
  })

  it.each(Object.entries(USES))('%s is used by %s', async (name, use) => {
    const plans = await plansOf(WORKS[use] ?? send('GET', use))
    expect([...indexesIn(plans)]).toContain(name)
  })
})

describe('a search of listings', () => {
  const LISTINGS = 200
  const PER_PAGE = 5

  /** An active listing that meets most of the filters. */
  const line = (id: number): [string, Record<string, unknown>] => [
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

  const ORDERS = SEARCH_ORDERS.flatMap((name) => [name, `-${name}`]).map((sort) =>
    sort.endsWith('distance') ? `${SEARCHES.at(-1)}&sort=${sort}` : `sort=${sort}`,
  )
  const LISTS = [...SEARCHES, ...ORDERS]
  const CALLS: [what: string, path: string, filters: string[], rows: number][] = [
    ['a list of visitors', '/api/listings', [...KINDS.slice(0, 6), ...LISTS], 2 * PER_PAGE + POSITION],
    ["visitors' facets", '/api/listings/facets', [...KINDS.slice(0, 6), ...SEARCHES], POSITION],
    ["visitors' map", '/api/listings/map', [...KINDS.slice(0, 6), ...SEARCHES], POSITION],
    // A whole record has rows in other tables: pictures, texts, links.
    ['a list of other keys', '/api/listings', [...LISTS, 'tags=1', 'users=1'], 18 * PER_PAGE + POSITION],
    ["other keys' facets", '/api/listings/facets', LISTING_FILTERS, POSITION],
    ["other keys' map", '/api/listings/map', LISTING_FILTERS, POSITION],
  ]

  it.each(CALLS)(
    'for %s reads no table, but the position and what it shows',
    async (what, path, filters, rows) => {
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
            !/^SEARCH (public_)?listings USING (INTEGER PRIMARY KEY|COVERING INDEX listings_with_code) /.test(
              step,
            ),
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

  it('for a changed price are those of the listing, of the index by the date of change, and of its entry', async () => {
    const id = await createListing()
    await execute("update listings set date_updated = '2020-01-01 00:00:00' where id = ?", id)
    const change = send('PUT', `/api/listings/${id}`, { price: 123 })
    expect(await rowsWritten(change)).toBe(2 + ENTRY)
    expect(await rowsWritten(change)).toBe(0)
    await execute("update listings set date_updated = '2020-01-01 00:00:00' where id = ?", id)
    const quiet = rowsWritten((DB) =>
      sendTo(
        { DB, RECORD_TRAIL: 'off' },
        new Request(`${ORIGIN}/api/listings/${id}`, {
          method: 'PUT',
          headers: bearer(key),
          body: '{"price":124}',
        }),
      ),
    )
    expect(await quiet).toBe(2 + CHANGE)
  })

  it('for a listing that becomes visible are its row and the counter of feeds more, and for one that changes, too', async () => {
    const id = await createListing()
    const become = (to: string) => rowsWritten(send('POST', `/api/listings/${id}/status`, { to }))
    await become('pending')
    await become('archived')
    const hidden = await become('pending')
    expect((await become('active')) - hidden).toBe(2)
    const change = (body: object) => rowsWritten(send('PUT', `/api/listings/${id}`, body))
    const unseen = await change({ notes: 'x' })
    expect((await change({ price: 5 })) - unseen).toBe(2)
  })
})
