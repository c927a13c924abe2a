/** Every kind of write, and what it enters into the feed of changes. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, importRecords, post, put, remove } from '../../support/api.ts'
import { selectFirst } from '../../support/database.ts'
import { DATE } from '../../support/factories/dates.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { createRequest, minimalRequest, seedRequests } from '../requests/seed.ts'
import { entered, follow, readFeed } from './feed.ts'

/** Where no request of these tests looks. */
const ELSEWHERE = { location: { area_level1: 2, area_level2: 21 } }
const income = { ...SMALLEST.incomes, id: 1, total_amount: 100 }
const commission = (id: number, expense_id: number | null = null) => ({
  id,
  side: 'owner_side',
  partner_id: 1,
  side_total_commission: 50,
  partner_commission_amount: 10,
  expense_id,
})
const expense = { ...SMALLEST.expenses, id: 50, category_id: 2 }
const article = { ...SMALLEST.knowledge_base_articles, id: 1 }
const file = { id: 1, original_name: 'a.txt', size: 1, url: 'https://files.example.com/a.txt' }

const load = (entity: string, data: Record<string, unknown>) => importRecords([[entity, data]])

beforeAll(async () => {
  await seedRequests()
  await importRecords([
    ['expense_categories', { id: 1, name: 'Commissions' }],
    ['expense_categories', { id: 2, name: 'Rent' }],
    ['income_other_categories', { id: 1, name: 'Valuations' }],
    ['knowledge_base_categories', { id: 1, ...SMALLEST.knowledge_base_categories }],
    ['listings', { ...minimalListing, ...ELSEWHERE, id: 1 }],
    ['contacts', { id: 11, first_name: 'To', last_name: 'Write', created_by: 1 }],
    ['external_listings', { id: 1, store_id: 1, created_by: 1, users: [1] }],
  ])
})

describe('a write enters what it changes', () => {
  const [ARTICLE, CATEGORY] = ['knowledge-base/articles 1 changed', 'knowledge-base/categories 1 changed']

  it.each<[what: string, write: () => Promise<unknown>, ...entries: string[]]>([
    [
      'POST /api/contacts',
      () => post('/api/contacts', { first_name: 'New', last_name: 'One', created_by: 1 }),
      'contacts 12 changed',
    ],
    ['DELETE of a contact', () => remove('/api/contacts/12'), 'contacts 12 deleted'],
    ['a second DELETE', () => remove('/api/contacts/12')],
    ['import over a deleted contact', () => load('contacts', { id: 12, notes: 'y' }), 'contacts 12 deleted'],
    [
      'import that brings a contact back',
      () => load('contacts', { id: 12, is_deleted: false }),
      'contacts 12 changed',
    ],
    ['import of the same line', () => load('contacts', { id: 12, is_deleted: false })],
    [
      'import of a new contact that is deleted',
      () =>
        load('contacts', { id: 13, first_name: 'Old', last_name: 'One', created_by: 1, is_deleted: true }),
      'contacts 13 deleted',
    ],
    ['POST /api/listings', () => createListing(ELSEWHERE), 'listings 2 changed'],
    ['POST of a status', () => post('/api/listings/2/status', { to: 'active' }), 'listings 2 changed'],
    ['the status deleted', () => post('/api/listings/2/status', { to: 'deleted' }), 'listings 2 deleted'],
    ['PUT of a deleted listing', () => put('/api/listings/2', { price: 6 }), 'listings 2 deleted'],
    ['import over a deleted listing', () => load('listings', { id: 2, price: 7 }), 'listings 2 deleted'],
    [
      'import of a new listing that is deleted',
      () => load('listings', { ...minimalListing, ...ELSEWHERE, id: 3, status: 'deleted' }),
      'listings 3 deleted',
    ],
    [
      'POST /api/requests of what nothing meets',
      () => createRequest({ locations: [2] }),
      'requests 1 changed',
    ],
    ['DELETE of a request', () => remove('/api/requests/1'), 'requests 1 deleted'],
    ['import over a deleted request', () => load('requests', { id: 1, notes: 'z' }), 'requests 1 deleted'],
    ['import of an offer', () => load('offers', { ...SMALLEST.offers, id: 1 }), 'offers 1 changed'],
    [
      'import of a round alone',
      () => load('offers', { id: 1, rounds: [{ id: 1, type: 'note', created_by: 1 }] }),
      'offers 1 changed',
    ],
    [
      'import of an income, with the expense of its commission',
      () => load('incomes', { ...income, commissions: [commission(1, 7)] }),
      'incomes 1 changed',
      'expenses 7 changed',
    ],
    [
      'import that gives a generated expense another id',
      () => load('incomes', { id: 1, commissions: [commission(1, 9)] }),
      'incomes 1 changed',
      'expenses 7 deleted',
      'expenses 9 changed',
    ],
    [
      'import without the commission of a pending expense',
      () => load('incomes', { id: 1, commissions: [] }),
      'incomes 1 changed',
      'expenses 9 deleted',
    ],
    ['import of an expense', () => load('expenses', expense), 'expenses 50 changed'],
    [
      'another name of its category',
      () => load('expense_categories', { id: 2, name: 'Rents' }),
      'expenses 50 changed',
      'expenses/categories 2 changed',
    ],
    ['import of an article', () => load('knowledge_base_articles', article), ARTICLE],
    ['import of its files', () => load('knowledge_base_articles', { id: 1, files: [file] }), ARTICLE],
    [
      'upload of a file of an article',
      () => call('PUT', '/admin/knowledge-base/files/1', { body: new Uint8Array([1, 2]) }),
      ARTICLE,
    ],
    ['import over a category', () => load('knowledge_base_categories', { id: 1, color: '#000' }), CATEGORY],
    [
      'another name of a category',
      () => load('knowledge_base_categories', { id: 1, name: 'How to' }),
      ARTICLE,
      CATEGORY,
    ],
  ])('%s', async (_, write, ...entries) => {
    const found = await entered(write)
    expect([found.length, new Set(found)]).toEqual([entries.length, new Set(entries)])
  })
})

describe('matches', () => {
  const here = { location: { area_level1: 1, area_level2: 11 }, price: 100, size: 50 }
  const active = (id: number) => load('listings', { ...minimalListing, ...here, id, status: 'active' })

  it('are entered when they change, and only then', async () => {
    const [request, listing, matches] = ['requests 20 changed', 'listings 20 changed', 'matches 20 changed']
    const changeRequest = (body: object) => () => put('/api/requests/20', body)
    const changeListing = (body: object) => () => put('/api/listings/20', body)
    for (const [write, ...entries] of [
      [() => load('requests', { ...minimalRequest, id: 20 }), request],
      [() => active(20), listing, matches],
      [changeRequest({ notes: 'n' }), request],
      [changeListing({ notes: 'n' }), listing],
      [changeListing({ location: ELSEWHERE.location }), listing, matches],
      [changeListing({ location: here.location }), listing, matches],
      [changeRequest({ locations: [2] }), request, matches],
      [changeRequest({ locations: [11] }), request, matches],
      // Another score of the same pair.
      [changeRequest({ price_max: 95 }), request, matches],
      [changeListing({ price: 94 }), listing, matches],
      [() => post('/api/listings/20/status', { to: 'deleted' }), 'listings 20 deleted', matches],
    ] as const)
      expect(await entered(write)).toEqual(entries)
  })

  it('go with their request, and come back with it', async () => {
    const bothDeleted = ['matches 21 deleted', 'requests 21 deleted']
    await active(21)
    await load('requests', { ...minimalRequest, id: 21 })
    expect(await entered(() => remove('/api/requests/21'))).toEqual(bothDeleted)
    expect(await entered(() => load('requests', { id: 21, is_deleted: false }))).toEqual([
      'requests 21 changed',
      'matches 21 changed',
    ])
    expect(await entered(() => load('requests', { id: 21, is_deleted: true }))).toEqual(bothDeleted)
  })
})

describe('the feed', () => {
  it('has one entry per record, at the place of its latest change', async () => {
    const { found, next } = await follow(undefined, { limit: 7 })
    const records = found.map(({ resource, id }) => `${resource} ${id}`)
    expect(new Set(records).size).toBe(records.length)
    const cursors = found.map(({ cursor }) => cursor)
    expect(cursors).toEqual(cursors.toSorted((a, b) => (a < b ? -1 : 1)))
    await put('/api/contacts/11', { notes: 'again' })
    const { data } = await readFeed({ after: next })
    expect(data).toEqual([
      {
        cursor: expect.stringMatching(/^[0-9a-f]{12}-[0-9a-f]{14}$/),
        resource: 'contacts',
        id: 11,
        change: 'changed',
        date: DATE,
      },
    ])
    expect(data[0]?.cursor.localeCompare(next)).toBe(1)
    const all = await follow(undefined)
    expect(all.found.filter(({ resource, id }) => resource === 'contacts' && id === 11)).toHaveLength(1)
  })

  it('keeps a row out where its write is undone', async () => {
    const before = await selectFirst('select count(*) as n, max(cursor) as top from changes')
    await expect(
      env.DB.batch([
        env.DB.prepare("update contacts set version = version + 1, notes = 'lost' where id = 11"),
        env.DB.prepare('update contacts set version = null where id = 11'),
      ]),
    ).rejects.toThrow('NOT NULL')
    expect(await selectFirst('select count(*) as n, max(cursor) as top from changes')).toEqual(before)
  })
})
