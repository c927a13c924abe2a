/** Rules between the fields of a line. What a field alone may be is tested with all bodies: `http/request/declared.test.ts`. */
import { beforeAll, expect, it } from 'vitest'
import { commission } from '../../resources/incomes/seed.ts'
import { type Data, importRecords } from '../../support/api.ts'
import { selectFirst } from '../../support/database.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { importLine } from '../../support/transfer.ts'

const FILE = { id: 900, original_name: 'a', size: 1, url: 'https://files.example/a' }
const ROUND = { id: 900, type: 'note', created_by: 1 }
const EXTERNAL = { external: true }

beforeAll(async () => {
  await seedLines()
  await importRecords([
    ['incomes', { ...SMALLEST.incomes, id: 70, commissions: [commission(70)] }],
    ['incomes', { ...SMALLEST.incomes, id: 71 }],
  ])
})

it.each<[entity: string, changes: Data, message: string]>([
  ['knowledge_base_articles', { files: [FILE, FILE] }, 'Invalid files: id 900 stands twice'],
  ['knowledge_base_categories', { color: 'red' }, 'Invalid color: must be a hex colour, #rrggbb'],
  ['contacts', { first_name: ' ' }, 'Missing first_name'],
  ['contacts', { custom_fields: { 99: 1 } }, 'Unknown custom_fields 99'],
  ['listings', { users: [] }, 'Missing users'],
  ['listings', { location: { area_level2: 11 } }, 'Invalid location.area_level2: requires area_level1'],
  [
    'listings',
    { features: ['has_castle'] },
    'Invalid features: has_castle is not in the list that /api/listings/features serves',
  ],
  ['external_listings', { subcategory: 'plot' }, 'Invalid subcategory: requires category'],
  [
    'external_listings',
    { location: { area_level1: 2, area_level2: 11 } },
    'Invalid location.area_level2: is not part of area_level1 2',
  ],
  [
    'external_listings',
    { photo_sources: { a: 1 } },
    'Invalid photo_sources: must be an object of texts of at most 64 characters',
  ],
  ['requests', { contacts: [] }, 'Missing contacts'],
  ['requests', { price_min: 2, price_max: 1 }, 'Invalid price_min: must not be above price_max'],
  [
    'requests',
    { extra_fields: { features: ['buildable'] } },
    'Invalid extra_fields.features: is_buildable does not apply to residential',
  ],
  ['requests', { extra_fields: { 99: 1 } }, 'Unknown extra_fields 99'],
  ['requests', { availability: 'shortterm' }, 'Missing extra_fields.shortterm_unit'],
  ['offers', { listing: { external: false } }, 'Missing listing.listing_id'],
  [
    'offers',
    { listing: { external: false, listing_id: 1, address: 'A' } },
    'Invalid listing.address: only an off-system property has it',
  ],
  [
    'offers',
    { listing: { ...EXTERNAL, listing_id: 1 } },
    'Invalid listing.listing_id: an off-system property has none',
  ],
  [
    'offers',
    { listing: { ...EXTERNAL, category: 'land', subcategory: 'loft' } },
    'Invalid listing.subcategory: must be one of plot, parcel, island',
  ],
  [
    'offers',
    { listing: { ...EXTERNAL, area_level2: 1 } },
    'Invalid listing.area_level2: must be a location of level 2',
  ],
  ['offers', { rounds: [ROUND, ROUND] }, 'Invalid rounds: id 900 stands twice'],
  ['contracts', { listing: { external: false } }, 'Missing listing.listing_id'],
  [
    'contracts',
    { listing: { ...EXTERNAL, area_level1: 11 } },
    'Invalid listing.area_level1: must be a location of level 1',
  ],
  ['incomes', { other_category_id: undefined }, 'Missing other_category_id'],
  ['incomes', { category: 'valuation' }, 'Invalid other_category_id: only when category is other'],
  ['incomes', { category: 'contract', other_category_id: undefined }, 'Missing contract_id'],
  ['incomes', { contract_id: 1 }, 'Invalid contract_id: only when category is contract'],
  ['incomes', { total_amount: '' }, 'Missing total_amount'],
  ['incomes', { commissions: [commission(10), commission(10)] }, 'Invalid commissions: id 10 stands twice'],
  [
    'expenses',
    { linked_income_id: 71, linked_income_commission_id: 70 },
    'Invalid linked_income_commission_id: commission 70 is not part of income 71',
  ],
])('a line of %s is refused alone for a rule between its fields: %j', async (entity, changes, message) => {
  expect(await importLine(entity, { id: 900, ...SMALLEST[entity], ...changes })).toBe(message)
  expect(await selectFirst(`select id from ${entity} where id = 900`)).toBeNull()
})
