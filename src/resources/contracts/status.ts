/** Changes the status of a contract. The offer follows it in the same transaction: what it decides about the contract, and back. */
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { contract } from '../../catalogue/contract.ts'
import type { Database, Results } from '../../db/client.ts'
import { mergeRecord } from '../../db/merge.ts'
import { selectMissing } from '../../db/references.ts'
import { allOf, updateRecord } from '../../db/rows.ts'
import { fragmentOf, type SqlFragment, type Statement, sqlStatement } from '../../db/statements.ts'
import { contracts as table } from '../../db/tables/offers.ts'
import { enterChangesWhere } from '../../db/trail.ts'
import { inputs } from '../../fields/derive.ts'
import { formatDateTime, named } from '../../fields/values.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import { ApiError } from '../../http/errors.ts'
import { updatedReply } from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import { changeStatus } from '../listings/write.ts'
import { finishBegunMatching } from '../matching/run.ts'
import type { Permissions } from '../offers/negotiate.ts'
import { listingStatus } from '../offers/negotiate.ts'
import {
  contractsOf,
  requireOnlyAccepted,
  selectDealDefaults,
  selectOtherAccepted,
  selectProperty,
} from '../offers/property.ts'
import { offers } from '../offers/resource.ts'
import { endOffers, MAX_ROUNDS, requireRoom } from '../offers/rounds.ts'
import { ENDED } from '../offers/transitions.ts'
import { type ContractRow, contracts } from './resource.ts'

const { status_id, status_date } = inputs(contract)

export const contractStatusChange = named('ContractStatusChange', 'The new status of a contract', {
  to: status_id.describe('The new status: an id from the statuses lookup'),
  status_date: status_date.describe('Since when; now by default'),
  listing_status: listingStatus,
  ends_offer_as: z
    .enum(ENDED)
    .nullish()
    .describe('What becomes of an accepted offer whose contract is cancelled; `withdrawn` by default'),
})

type Body = z.output<typeof contractStatusChange>

/** The keys that mean nothing where the status, its listing or its offer stays. */
const OPTIONAL = ['status_date', 'listing_status', 'ends_offer_as'] as const

function lookupsOf(db: Database, { to }: Partial<Body>, id: number) {
  const offer = sql`(select offer_id from contracts where id = ${id})`
  const listing = sql`(select listing_id from offers where id = ${offer})`
  return {
    missing: selectMissing(to === undefined ? [] : [{ field: 'to', table: 'contract_statuses', ids: [to] }]),
    from: selectStatus(sql`(select status_id from contracts where id = ${id})`),
    to: selectStatus(sql`${to ?? null}`),
    offer: offers.selectWhole(sql`where id = ${offer}`),
    other: selectOtherContract(offer, id),
    property: selectProperty(listing),
    accepted: selectOtherAccepted(listing, offer),
    // The listing of the contract, which another system may have given another one than its offer.
    listing: selectProperty(sql`(select listing_id from contracts where id = ${id})`),
    defaults: selectDealDefaults(db, null),
  }
}

/** Sets the status of a contract. Throws 404, 412, 400, 403, and 409 where its offer does not allow it. */
export async function setContractStatus(
  db: Database,
  record: RecordRef,
  draft: Draft<Body>,
  permissions: Permissions,
): Promise<void> {
  const { id } = record
  const reading = { current: contracts.select({ id }), lookups: lookupsOf(db, draft.values, id) }
  const decide = (current: ContractRow, found: Results<ReturnType<typeof lookupsOf>>) => {
    const [from, to, offer] = [found.from[0], found.to[0], found.offer[0]]
    const [listing] = found.listing
    const isMoved = from && to && from.id !== to.id
    const isCancelled = isMoved && from.is_cancelled === 0 && to.is_cancelled === 1
    const endsOffer = isCancelled && offer?.status === 'accepted'
    const taken = { status_date: isMoved, listing_status: isMoved && listing, ends_offer_as: endsOffer }
    permissions.ignore(OPTIONAL.filter((key) => !taken[key] && draft.values[key] != null))
    if (taken.listing_status && draft.values.listing_status) permissions.requireListings()
    draft.refuseAll(found.missing)
    const { status_date, listing_status, ends_offer_as } = draft.complete()
    if (!isMoved || !offer) return null
    const isFreed = from.is_cancelled === 1 && to.is_cancelled === 0
    const isReactivated = from.is_completed === 1 && to.is_completed === 0 && !isCancelled
    const free = isFreed ? requireFreeOffer(offer, found.other, offer.status, id) : null
    if (endsOffer) requireRoom(`Offer ${offer.id}`, offer.rounds.length < MAX_ROUNDS)
    // An offer that stays inactive, or was never accepted, competes with none.
    const competes = isReactivated && offer.status === 'accepted'
    const only = competes ? requireOnlyAccepted(found.property[0], offer.id, found.accepted) : null
    const columns = { status_id: to.id, status_date: status_date ?? formatDateTime(new Date()) }
    return {
      ...updateRecord(
        table,
        {},
        current,
        { columns },
        { guard: allOf(dealUnchanged(offer, from, to), free, only) },
      ),
      ended: endsOffer
        ? endOffers([offer.id], {
            as: ends_offer_as ?? 'withdrawn',
            notes: `Contract ${id} was cancelled`,
            created_by: found.defaults[0]?.creator ?? current.created_by,
          })
        : null,
      // After that, as an offer that has ended stays inactive.
      active: from.is_completed === to.is_completed ? null : setActive(offer.id, to.is_completed === 0, id),
      listing: listing_status && listing ? changeStatus(listing.id, listing_status) : null,
    }
  }
  const answer = { text: '?', params: [JSON.stringify(updatedReply(id))] }
  const written = await mergeRecord(db, record, reading, decide, { answer, isQueued: false })
  const { listing } = written?.results ?? {}
  if (listing) await finishBegunMatching(db, listing.matching)
}

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
    trail: enterChangesWhere(offers.table, changing, { changed: sql`json('{"is_active":${pair}}')` }),
    row: sqlStatement(sql`update offers set is_active = ${isActive ? 1 : 0}, version = version + 1,
      date_updated = ${formatDateTime(new Date())} where ${changing}`),
  }
}
