/** Import and export of contracts: the contract object. */
import { z } from 'zod'
import type { NamedArea } from '../../db/areas.ts'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { runStatement } from '../../db/client.ts'
import { inIdOrder } from '../../db/page.ts'
import { idList } from '../../db/references.ts'
import * as tables from '../../db/tables/offers.ts'
import { count, date, dateTime, id, ids, LONG_TEXT, optionalText, text } from '../../fields/values.ts'
import { presentContract } from '../../resources/contracts/present.ts'
import { type ContractRow, selectContracts } from '../../resources/contracts/queries.ts'
import { type Entity, type Entry, entity, type Incoming } from '../entity.ts'
import { datesOf } from './dates.ts'
import {
  checkReference,
  importedReference,
  referencesOfListing,
  selectLevels,
  storedReference,
} from './listing-reference.ts'

/** What import takes: the contract object. */
const importedContract = z.object({
  id: id(),
  offer_id: id(),
  request_id: id().nullish(),
  store_id: id(),
  status_id: id(),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  status_date: dateTime().nullish(),
  currency: text(),
  loan_percentage: count().nullish(),
  initial_property_price: count().nullish(),
  final_property_price: count().nullish(),
  deposit_amount: count().nullish(),
  deposit_date: date().nullish(),
  notary_contact_id: id().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
  external_contact: z.boolean().nullish(),
  listing: importedReference,
  contacts: ids().nullish(),
})

type Imported = z.output<typeof importedContract>

const contracts = entity<typeof importedContract, ContractRow, NamedArea[]>({
  name: 'contracts',
  schema: importedContract,
  read: (where, limit) => selectContracts(inIdOrder(tables.contracts.id, where, limit)),
  present: presentContract,
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
  load: (db, lines) => runStatement(db, selectLevels(lines.map(({ values }) => values.listing))),
  check: (draft, levels, { sent }) => {
    if (sent.has('listing')) checkReference(draft, levels)
  },
  resolve: resolveLine,
  usesDefinitions: true,
  store: storeContracts,
})

export const contractEntities: Entity[] = [contracts]

function storeContracts(entries: Entry<ContractRow>[]) {
  const rows = entries.map(({ row }) => row)
  return [
    ...upsertRows(tables.contracts, rows),
    ...replaceLinkRows(tables.contract_contacts, rows, ({ contacts }) => contacts),
  ]
}

function resolveLine(
  values: Imported,
  _: unknown,
  { stored }: Incoming<Imported, ContractRow>,
  now: string,
): ContractRow {
  return {
    id: values.id,
    offer_id: values.offer_id,
    request_id: values.request_id ?? null,
    store_id: values.store_id,
    status_id: values.status_id,
    created_by: values.created_by,
    ...datesOf(values, stored, now),
    status_date: values.status_date ?? null,
    currency: values.currency,
    loan_percentage: values.loan_percentage ?? 0,
    initial_property_price: values.initial_property_price ?? null,
    final_property_price: values.final_property_price ?? null,
    deposit_amount: values.deposit_amount ?? null,
    deposit_date: values.deposit_date ?? null,
    notary_contact_id: values.notary_contact_id ?? null,
    notes: values.notes ?? null,
    external_contact: values.external_contact ?? false,
    ...storedReference(values.listing),
    external_listing: values.listing.external,
    contacts: values.contacts ?? [],
  }
}
