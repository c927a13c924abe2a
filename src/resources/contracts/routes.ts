/** `/api/contracts`: list, read, and the statuses of contracts. */
import * as agency from '../../catalogue/agency.ts'
import { database } from '../../db/client.ts'
import { contract_statuses } from '../../db/tables/lookups.ts'
import { outputs } from '../../fields/derive.ts'
import { named } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import { updatedBody } from '../../http/reply/envelope.ts'
import { serveTable } from '../lookups/names.ts'
import { permissionsOf } from '../offers/negotiate.ts'
import { serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { contracts } from './resource.ts'
import { contractStatusChange, setContractStatus } from './status.ts'
import { contractWrites } from './write.ts'

export const contractRoutes = new Router(
  'Contracts',
  'The contracts that offers led to. Like an offer, a contract is about a listing of the agency or another property: ' +
    'see `ListingReference`. The flags `is_completed` and `is_cancelled` of a status define its meaning.',
)

serveRecords(contractRoutes, contracts)
serveWrites(contractRoutes, contractWrites)

contractRoutes.post(
  '/office/contracts/{id}/status',
  {
    summary: 'Change the status of a contract',
    operationId: 'changeContractStatus',
    description:
      'A status that cancels ends the accepted offer; one that completes makes it inactive. Out of either, the offer has ' +
      'to be free again. A listing keeps its status unless `listing_status` says otherwise.',
    resource: 'Contract',
    body: contractStatusChange,
    reply: updatedBody,
    errors: { 409: 'Offer 31 has contract 12' },
  },
  async (c, input) => {
    const draft = await input.body()
    const record = input.record()
    await setContractStatus(database(c.env), record, draft, permissionsOf(c, draft))
    return record.id
  },
)

serveTable(contractRoutes, '/api/contracts/statuses', {
  summary: 'Contract statuses',
  table: contract_statuses,
  entry: named('ContractStatus', 'A status that contracts can have', outputs(agency.contractStatus)),
})
