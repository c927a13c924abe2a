/** `/api/contracts`: list, read, and the statuses of contracts. */
import { contract_statuses } from '../../db/tables/lookups.ts'
import { contracts } from '../../db/tables/offers.ts'
import { Router } from '../../http/endpoint/router.ts'
import { serveHistory } from '../history/serve.ts'
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
  path: '/api/contracts',
  resource: 'Contract',
  list: {
    summary: 'List contracts',
    description: 'Newest first unless `sort` is set. Records have `notes` only with `fields=all`.',
    filters: contractFilters,
    record: listedContract,
  },
  read: { summary: 'Read a contract', record: contract },
  findPage,
  select: selectContract,
  present: presentContract,
  presentListed: presentListedContract,
})

serveHistory(contractRoutes, { path: '/api/contracts', resource: 'Contract', table: contracts })

serveTable(contractRoutes, '/api/contracts/statuses', {
  summary: 'Contract statuses',
  table: contract_statuses,
  entry: contractStatus,
})
