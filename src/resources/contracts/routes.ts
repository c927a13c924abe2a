/** `/api/contracts`: list, read, and the statuses of contracts. */
import { database } from '../../db/client.ts'
import { readRecord } from '../../db/merge.ts'
import { contract_statuses } from '../../db/tables/lookups.ts'
import { item, itemBody, list, listBody, lookup, lookupBody } from '../../http/envelope.ts'
import { readOptions } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import {
  contract,
  contractStatus,
  listedContract,
  presentContract,
  presentListedContract,
} from './present.ts'
import { findPage, selectContract } from './queries.ts'
import * as schema from './schema.ts'

export const contractRoutes = new Router(
  'Contracts',
  'The contracts that offers led to. Like an offer, a contract is about a listing of the agency or a property off its ' +
    'system: see `ListingReference`. What a status means, its flags `is_completed` and `is_cancelled` tell.',
)

contractRoutes.get(
  '/api/contracts',
  {
    summary: 'List contracts',
    description: 'Newest first. Records lack `notes`, unless `fields=all` asks for them.',
    filters: schema.contractFilters,
    list: true,
    reply: listBody(listedContract),
  },
  async (c, input) => {
    const filters = await input.filters()
    const { rows, total } = await findPage(database(c.env), filters)
    const present = filters.fields === 'all' ? presentContract : presentListedContract
    return list(c, { page: filters.page ?? 1, total }, rows.map(present))
  },
)

contractRoutes.get(
  '/api/contracts/{id}',
  {
    summary: 'Read a contract',
    resource: 'Contract',
    filters: readOptions,
    reply: itemBody(contract),
  },
  async (c, input) => {
    const db = database(c.env)
    const record = input.record()
    const row = await readRecord(db, record, selectContract({ id: record.id }))
    await input.filters()
    return item(c, presentContract(row))
  },
)

contractRoutes.get(
  '/api/contracts/statuses',
  { summary: 'Contract statuses', reply: lookupBody(contractStatus) },
  async (c) =>
    lookup(c, await database(c.env).select().from(contract_statuses).orderBy(contract_statuses.id)),
)
