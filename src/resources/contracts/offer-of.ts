/** What the offer of a contract decides about it: both stay in step. */
import { type SQL, sql } from 'drizzle-orm'
import { fragmentOf, type SqlFragment, type Statement, sqlStatement } from '../../db/statements.ts'
import { offers } from '../../db/tables/offers.ts'
import { enterChangesWhere } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import { contractsOf } from '../offers/property.ts'

export interface ContractStatus {
  id: number
  /** 0 or 1. */
  is_completed: number
  is_cancelled: number
}

/** The statement that reads a status. `id` is SQL. */
export function selectStatus(id: SQL): Statement<ContractStatus> {
  return sqlStatement(sql`select id, is_completed, is_cancelled from contract_statuses where id = ${id}`)
}

/** The statement that finds another contract of an offer that is not cancelled. */
export function selectOtherContract(offer: SQL, id = 0): Statement<{ id: number }> {
  return sqlStatement(sql`${contractsOf(offer, 'is_cancelled = 0', id)} limit 1`)
}

/**
 * The guard that an offer has no other contract but cancelled ones. Throws 409 if it has `other`, or is not accepted.
 * @param state what the offer is said to be where it is not accepted
 */
export function requireFreeOffer(
  offer: { id: number; status: string },
  [other]: readonly { id: number }[],
  state: string,
  id = 0,
): SqlFragment {
  if (offer.status !== 'accepted') throw new ApiError(409, `Offer ${offer.id} is ${state}`)
  if (other) throw new ApiError(409, `Offer ${offer.id} has contract ${other.id}`)
  return fragmentOf(sql`not exists (${contractsOf(sql`${offer.id}`, 'is_cancelled = 0', id)})`)
}

/** The guard that an offer is as it was read, and that statuses still mean the same. */
export function dealUnchanged(
  { id, version }: { id: number; version: number },
  ...statuses: ContractStatus[]
): SqlFragment {
  const meanings = statuses.map((one) => [one.id, one.is_completed, one.is_cancelled])
  return fragmentOf(sql`exists (select 1 from offers where id = ${id} and version = ${version})
    and not exists (select 1 from json_each(${JSON.stringify(meanings)}) meant join contract_statuses
      on contract_statuses.id = meant.value ->> 0
      where (is_completed, is_cancelled) is not (meant.value ->> 1, meant.value ->> 2))`)
}

/** The statements by which an offer becomes inactive with its contract, or active again unless it ended meanwhile. */
export function setActive(offer: number, isActive: boolean, contract: number) {
  const changing = sql`id = ${offer} and is_active = ${isActive ? 0 : 1} and ${
    isActive
      ? sql`status not in ('rejected', 'withdrawn') and not exists (${contractsOf(sql`${offer}`, 'is_completed = 1', contract)})`
      : sql`true`
  }`
  const pair = sql.raw(isActive ? '[false,true]' : '[true,false]')
  return {
    trail: enterChangesWhere(offers, changing, { changed: sql`json('{"is_active":${pair}}')` }),
    row: sqlStatement(sql`update offers set is_active = ${isActive ? 1 : 0}, version = version + 1,
      date_updated = ${formatDateTime(new Date())} where ${changing}`),
  }
}
