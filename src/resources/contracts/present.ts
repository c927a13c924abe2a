/** Presents a contract: the only place where its JSON is made. */
import { z } from 'zod'
import * as agency from '../../catalogue/agency.ts'
import * as catalogue from '../../catalogue/contract.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import { listingReference, presentReference } from '../offers/listing-reference.ts'
import type { ContractRow } from './queries.ts'

/** The schema of a contract in a single read. */
export const contract = z
  .object({
    ...outputs(catalogue.contract),
    listing: listingReference,
    contacts: z.array(z.int()).describe('Buyers: ids of contacts'),
  })
  .meta({ id: 'Contract', description: 'A contract that an offer led to' })

/** The schema of a contract in a list. */
export const listedContract = contract
  .extend({ notes: contract.shape.notes.optional().describe(`Internal notes. ${WITH_ALL}`) })
  .meta({ id: 'ContractSummary', description: 'A contract in a list' })

export const contractStatus = z
  .object(outputs(agency.contractStatus))
  .meta({ id: 'ContractStatus', description: 'A status that contracts can have' })

/** The JSON of a contract in a single read. */
export function presentContract(row: ContractRow): z.output<typeof contract> {
  return {
    ...present(catalogue.contract, row),
    listing: presentReference(row),
    contacts: row.contacts,
  }
}

/** The JSON of a contract in a list, without its notes. */
export function presentListedContract(row: ContractRow): z.output<typeof listedContract> {
  const { notes, ...listed } = presentContract(row)
  return listed
}
