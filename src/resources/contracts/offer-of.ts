/** What the offer of a contract decides about it: both stay in step. */
import { type SQL, sql } from 'drizzle-orm'
import { fragmentOf, type SqlFragment, type Statement, sqlStatement } from '../../db/statements.ts'
import { offers } from '../../db/tables/offers.ts'
import { enterChangesWhere } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'

/** A status as a contract needs it. */
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

/** The contracts of an offer with a status of one kind, but for the contract `id`. */
const othersWith = (flag: 'is_completed = 1' | 'is_cancelled = 0', offer: SQL, id: number) =>
  sql`select contracts.id from contracts join contract_statuses on contract_statuses.id = contracts.status_id
    where contracts.offer_id = ${offer} and contracts.id <> ${id} and ${sql.raw(flag)}`

/** The statement that finds another contract of an offer that is not cancelled. */
export function selectOtherContract(offer: SQL, id = 0): Statement<{ id: number }> {
  return sqlStatement(sql`${othersWith('is_cancelled = 0', offer, id)} limit 1`)
}

/** Throws 409 unless an offer is accepted, and has no other contract but cancelled ones. */
export function requireFreeOffer(
  { id, status }: { id: number; status: string },
  other: { id: number } | undefined,
  sentence: string,
): void {
  if (status !== 'accepted') throw new ApiError(409, `Offer ${id} is ${sentence}`)
  if (other) throw new ApiError(409, `Offer ${id} has contract ${other.id}`)
}

/** The guard that an offer still has none but the contract `id`. */
export function hasNoOtherContract(offer: number, id = 0): SqlFragment {
  return fragmentOf(sql`not exists (${othersWith('is_cancelled = 0', sql`${offer}`, id)})`)
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
      ? sql`status not in ('rejected', 'withdrawn') and not exists (${othersWith('is_completed = 1', sql`${offer}`, contract)})`
      : sql`true`
  }`
  const pair = sql.raw(isActive ? '[false,true]' : '[true,false]')
  return {
    trail: enterChangesWhere(offers, changing, { changed: sql`json('{"is_active":${pair}}')` }),
    row: sqlStatement(sql`update offers set is_active = ${isActive ? 1 : 0}, version = version + 1,
      date_updated = ${formatDateTime(new Date())} where ${changing}`),
  }
}
