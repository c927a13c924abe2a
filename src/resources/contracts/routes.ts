/** `/api/contracts`: list, read, and the statuses of contracts. */
import { z } from 'zod'
import * as agency from '../../catalogue/agency.ts'
import { contract_statuses } from '../../db/tables/lookups.ts'
import { outputs } from '../../fields/derive.ts'
import { Router } from '../../http/endpoint/router.ts'
import { serveTable } from '../lookups/names.ts'
import { serveRecords } from '../records.ts'
import { contracts } from './resource.ts'

export const contractRoutes = new Router(
  'Contracts',
  'The contracts that offers led to. Like an offer, a contract is about a listing of the agency or another property: ' +
    'see `ListingReference`. The flags `is_completed` and `is_cancelled` of a status define its meaning.',
)

serveRecords(contractRoutes, contracts)

serveTable(contractRoutes, '/api/contracts/statuses', {
  summary: 'Contract statuses',
  table: contract_statuses,
  entry: z
    .object(outputs(agency.contractStatus))
    .meta({ id: 'ContractStatus', description: 'A status that contracts can have' }),
})
