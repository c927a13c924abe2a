/** Import and export of contracts: the contract object. */
import { z } from 'zod'
import { contract } from '../../../catalogue/contract.ts'
import type { NamedArea } from '../../../db/areas.ts'
import { inIdOrder, replaceLinkRows, upsertRows } from '../../../db/bulk.ts'
import { runStatement } from '../../../db/client.ts'
import { fieldReferences, idList } from '../../../db/references.ts'
import * as tables from '../../../db/tables/offers.ts'
import { inputs, toRow } from '../../../fields/derive.ts'
import { ids } from '../../../fields/values.ts'
import { presentContract } from '../../../resources/contracts/present.ts'
import { type ContractRow, selectContracts } from '../../../resources/contracts/queries.ts'
import { defineEntity, type Entity, type ImportedLine, type StoredLine } from '../entity.ts'
import { datesOf } from './dates.ts'
import {
  checkReference,
  importedReference,
  referencesOfListing,
  selectLevels,
  storedReference,
} from './listing-reference.ts'

/** The fields of an imported contract: the contract object. */
const importedContract = z.object({
  ...inputs(contract),
  listing: importedReference.describe('The property'),
  contacts: ids().nullish().describe('Buyers'),
})

type Imported = z.output<typeof importedContract>

const contracts = defineEntity<typeof importedContract, ContractRow, NamedArea[]>({
  name: 'contracts',
  schema: importedContract,
  read: (where, limit) => selectContracts(inIdOrder(tables.contracts.id, where, limit)),
  present: presentContract,
  references: (values) => [
    ...fieldReferences(contract, values),
    ...referencesOfListing(values.listing),
    { field: 'contacts', table: 'contacts', ids: idList(values.contacts) },
  ],
  load: (db, lines) => runStatement(db, selectLevels(lines.map(({ values }) => values.listing))),
  check: (draft, levels, { changedKeys }) => {
    if (changedKeys.has('listing')) checkReference(draft, levels)
  },
  resolve: resolveLine,
  usesDefinitions: true,
  store: storeContracts,
})

export const contractEntities: Entity[] = [contracts]

function storeContracts(entries: StoredLine<ContractRow>[]) {
  const rows = entries.map(({ row }) => row)
  return [
    ...upsertRows(tables.contracts, rows),
    ...replaceLinkRows(tables.contract_contacts, rows, ({ contacts }) => contacts),
  ]
}

function resolveLine(
  values: Imported,
  _: unknown,
  { stored }: ImportedLine<Imported, ContractRow>,
  now: string,
): ContractRow {
  return {
    ...toRow(contract, values),
    ...datesOf(values, stored, now),
    ...storedReference(values.listing),
    external_listing: values.listing.external,
    contacts: values.contacts ?? [],
  }
}
