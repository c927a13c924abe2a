/** Import and export of contracts: the contract object. */
import { asc, gt } from 'drizzle-orm'
import type { z } from 'zod'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database, type Statement } from '../../db/client.ts'
import { idList } from '../../db/references.ts'
import * as tables from '../../db/tables/offers.ts'
import { formatDateTime } from '../../fields/values.ts'
import { selectContracts } from '../../resources/contracts/queries.ts'
import { importedContract, presentContract } from '../../resources/contracts/schema.ts'
import {
  checkListing,
  referencesOfListing,
  selectLevels,
  storedReference,
} from '../../resources/offers/listing-reference.ts'
import { type Entity, entity } from '../entity.ts'
import { type StoredDates, selectDates } from './stored.ts'

type Imported = z.output<typeof importedContract>

interface Context {
  dates: StoredDates[]
  levels: { id: number; level: number }[]
}

const contracts = entity<typeof importedContract, Context>({
  name: 'contracts',
  schema: importedContract,
  references: (values) => [
    { field: 'offer_id', table: 'offers', ids: idList(values.offer_id) },
    { field: 'request_id', table: 'requests', ids: idList(values.request_id) },
    { field: 'store_id', table: 'stores', ids: idList(values.store_id) },
    { field: 'status_id', table: 'contract_statuses', ids: idList(values.status_id) },
    { field: 'created_by', table: 'users', ids: idList(values.created_by) },
    { field: 'notary_contact_id', table: 'contacts', ids: idList(values.notary_contact_id) },
    ...referencesOfListing(values.listing),
    { field: 'contacts', table: 'contacts', ids: idList(values.contacts) },
  ],
  load: async (db, values) => {
    const [dates, levels] = await batch(db, [
      selectDates(db, tables.contracts, values),
      selectLevels(
        db,
        values.map(({ listing }) => listing),
      ),
    ])
    return { dates, levels }
  },
  check: (draft, { levels }) => checkListing(draft, levels),
  store: storeContracts,
  page: async (db, after, limit) => {
    const rows = await selectContracts(db)
      .where(gt(tables.contracts.id, after))
      .orderBy(asc(tables.contracts.id))
      .limit(limit)
    return rows.map(presentContract)
  },
})

export const contractEntities: Entity[] = [contracts]

function storeContracts(db: Database, lines: Imported[], context: Context): Statement[] {
  const now = formatDateTime(new Date())
  return [
    upsertRows(
      db,
      tables.contracts,
      lines.map((line) => columnsOf(line, context, now)),
    ),
    ...replaceLinkRows(
      db,
      tables.contract_contacts,
      ['contract_id', 'contact_id'],
      lines,
      (line) => line.contacts,
    ),
  ]
}

/** Every column of a contract's row; dates that the line leaves open keep their stored values. */
function columnsOf(line: Imported, { dates }: Context, now: string) {
  const stored = dates.find(({ id }) => id === line.id)
  const created = line.date_created ?? stored?.date_created ?? now
  return {
    id: line.id,
    offer_id: line.offer_id,
    request_id: line.request_id ?? null,
    store_id: line.store_id,
    status_id: line.status_id,
    created_by: line.created_by,
    date_created: created,
    date_updated: line.date_updated ?? stored?.date_updated ?? created,
    status_date: line.status_date ?? null,
    currency: line.currency,
    loan_percentage: line.loan_percentage ?? 0,
    initial_property_price: line.initial_property_price ?? null,
    final_property_price: line.final_property_price ?? null,
    deposit_amount: line.deposit_amount ?? null,
    deposit_date: line.deposit_date ?? null,
    notary_contact_id: line.notary_contact_id ?? null,
    notes: line.notes ?? null,
    external_contact: line.external_contact ?? false,
    ...storedReference(line.listing),
    external_listing: line.listing.external,
  }
}
