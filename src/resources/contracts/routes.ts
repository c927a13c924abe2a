/** `/api/contracts`: list, read, and the statuses of contracts. */
import { contract_statuses } from '../../db/tables/lookups.ts'
import { Router } from '../../http/endpoint/router.ts'
import { serveTable } from '../lookups/names.ts'
import { serveRecords } from '../records.ts'
import { contractFilters, findPage } from './list.ts'
import {
  contract,
  contractStatus,
  listedContract,
  presentContract,
  presentListedContract,
} from './present.ts'
import { selectContract } from './queries.ts'

export const contractRoutes = new Router(
  'Contracts',
  'The contracts that offers led to. Like an offer, a contract is about a listing of the agency or another property: ' +
    'see `ListingReference`. The flags `is_completed` and `is_cancelled` of a status define its meaning.',
)

serveRecords(contractRoutes, {
  resource: 'contracts',
  list: {
    description: 'Newest first unless `sort` is set. Records have `notes` only with `fields=all`.',
    filters: contractFilters,
    record: listedContract,
  },
  read: { record: contract },
  findPage,
  select: selectContract,
  present: presentContract,
  presentListed: presentListedContract,
})

serveTable(contractRoutes, '/api/contracts/statuses', {
  summary: 'Contract statuses',
  table: contract_statuses,
  entry: contractStatus,
})
