/** What the samples of all entities refer to. */
import { seedFinances } from '../../resources/incomes/seed.ts'
import { type Data, importRecords } from '../api.ts'
import { SMALLEST } from './samples.ts'

/** A place, as import takes it. */
export const place = (id: number, level: number, parent_id: number | null): Data => ({
  ...{ id, level, parent_id },
  ...{ name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A' },
})

/** What samples refer to: the agency, deals and finances, category 1 of the knowledge base. */
export async function seedLines(): Promise<void> {
  await seedFinances()
  await importRecords([
    ['external_listing_statuses', { id: 1, name: 'New' }],
    ['knowledge_base_categories', { id: 1, ...SMALLEST.knowledge_base_categories }],
  ])
}
