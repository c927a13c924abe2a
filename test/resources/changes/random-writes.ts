/** Writes of any kind, at random. */
import type { Random } from '@estia/photo-codec/fixtures/random'
import { RECORD_RESOURCES } from '../../../src/catalogue/resources.ts'
import { call, importRecords, post, put, remove } from '../../support/api.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { minimalRequest, seedRequests } from '../requests/seed.ts'

/** Records of each kind that the writers meet at. */
const IDS = 6
const PLACES = [
  { area_level1: 1, area_level2: 11 },
  { area_level1: 2, area_level2: 21 },
]

/** Tables by resource: what a full read is made of. */
export const TABLES = Object.fromEntries(RECORD_RESOURCES.map(({ resource, table }) => [resource, table]))

/** What the writes refer to. */
export async function seedWrites(): Promise<void> {
  await seedRequests()
  await importRecords([
    ['expense_categories', { id: 1, name: 'Commissions' }],
    ['income_other_categories', { id: 1, name: 'Valuations' }],
    ...[1, 2].map((id): [string, Record<string, unknown>] => [
      'knowledge_base_categories',
      { id, name: 'How', icon: 'i', color: '#fff', is_active: true },
    ]),
  ])
}

/** One write of any kind; whether it is taken does not matter, nor whether it changes anything. */
export function write(random: Random): Promise<unknown> {
  const id = random.int(1, IDS)
  const number = random.int(0, 2)
  const location = random.pick(PLACES)
  const line = (entity: string, data: object) =>
    call('POST', '/admin/import', { body: JSON.stringify({ entity, data }) })
  const listing = {
    ...minimalListing,
    location,
    price: 90 + 10 * number,
    status: random.pick(['active', 'draft', 'deleted']),
  }
  const person = { first_name: 'I', last_name: `${number}`, created_by: 1 }
  const external = { store_id: 1, created_by: 1, users: [1], price: number }
  const article = { title: `T${number}`, created_by: 1 }
  const commission = {
    id,
    side: 'owner_side',
    partner_id: 1,
    side_total_commission: 5,
    partner_commission_amount: 1 + number,
  }
  const money = { date: '2026-01-01', status: random.pick(['pending', 'confirmed']), created_by: 1 }
  const kinds: (() => Promise<unknown>)[] = [
    () => post('/api/contacts', { first_name: 'N', last_name: 'N', created_by: 1 }),
    () => put(`/api/contacts/${id}`, { notes: `${number}` }),
    () => remove(`/api/contacts/${id + 3}`),
    () => line('contacts', { ...person, id: id + 3, is_deleted: number === 0 }),
    () => post('/api/listings', { ...minimalListing, location }),
    () => put(`/api/listings/${id}`, { location, price: 100 + number }),
    () => post(`/api/listings/${id}/status`, { to: random.pick(['active', 'draft', 'deleted']) }),
    () => line('listings', { ...listing, id }),
    () => post('/api/requests', { ...minimalRequest, price_max: 90 + 10 * number }),
    () => put(`/api/requests/${id}`, { price_max: 95 + number, locations: [random.pick([11, 2])] }),
    () => remove(`/api/requests/${id}`),
    () => line('requests', { ...minimalRequest, id, is_deleted: number === 0 }),
    () => post('/api/external-listings', { store_id: 1, created_by: 1 }),
    () => put(`/api/external-listings/${id}`, { price: number, users: [1] }),
    () => remove(`/api/external-listings/${id}`),
    () => line('external_listings', { ...external, id, is_deleted: number === 0 }),
    () =>
      line('incomes', {
        ...money,
        id,
        category: 'other',
        other_category_id: 1,
        total_amount: 9,
        commissions: number ? [{ ...commission, expense_id: number === 1 ? id + 3 : null }] : [],
      }),
    () => line('expenses', { ...money, id: id + 2, category_id: 1, amount: number }),
    () => line('expense_categories', { id: 1, name: `Name ${number}` }),
    () => line('knowledge_base_articles', { ...article, id, category_id: random.int(1, 2) }),
    () => line('knowledge_base_categories', { id: random.int(1, 2), name: `C${number}` }),
    () => line('special_locations', { id: 1, name: 'P', latitude: 37 + number / 10, longitude: 23 }),
  ]
  return random.pick(kinds)()
}
