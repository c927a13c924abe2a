/** What the property of an offer or a contract decides: its price, and which other offers for it stand. */
import { type SQL, sql } from 'drizzle-orm'
import type { Availability, ListingStatus } from '../../catalogue/property-enums.ts'
import type { Database } from '../../db/client.ts'
import { defaultCreator } from '../../db/default-creator.ts'
import { fragmentOf, type SqlFragment, type Statement, sqlStatement } from '../../db/statements.ts'
import { isCurrency } from '../../fields/money.ts'
import { ApiError } from '../../http/errors.ts'
import type { Draft } from '../../http/request/check.ts'

/** A listing as a deal needs it. */
export interface Property {
  id: number
  status: ListingStatus
  availability: Availability
  price: number | null
  store_id: number | null
}

/** The statement that reads the listing of a deal. `id` is SQL. */
export function selectProperty(id: SQL): Statement<Property> {
  return sqlStatement(sql`select id, status, availability, price, store_id from listings where id = ${id}`)
}

/** What a new deal has where its body says nothing. */
interface DealDefaults {
  creator: number | null
  /** The office of the creator that the body names, or of the default one. */
  store_id: number | null
  currency: string
}

/** The statement that reads them. */
export function selectDealDefaults(
  db: Database,
  created_by: number | null | undefined,
): Statement<DealDefaults> {
  return sqlStatement(sql`select creator, (select store_id from users where id = creator) as store_id,
      ifnull((select value ->> '$' from settings where key = 'default_currency'), 'EUR') as currency
    from (select coalesce(${created_by ?? null}, ${defaultCreator(db)}) as creator)`)
}

/** Of the active offers for a listing of these, one may be accepted. */
const ACCEPTED_ONCE: readonly string[] = ['sale', 'rent', 'auction'] satisfies Availability[]

const otherAccepted = (listing: SQL, offer: SQL) =>
  sql`select id from offers where listing_id = ${listing} and status = 'accepted' and is_active = 1 and id <> ${offer} limit 1`

/** The statement that finds another offer that is accepted for a listing. Both ids are SQL. */
export function selectOtherAccepted(listing: SQL, offer: SQL): Statement<{ id: number }> {
  return sqlStatement(otherAccepted(listing, offer))
}

/** The guard that no other offer for a listing is accepted; null where several may be. Throws 409 if `other` is. */
export function requireOnlyAccepted(
  property: Property | undefined,
  offer: number,
  [other]: readonly { id: number }[],
): SqlFragment | null {
  if (!property || !ACCEPTED_ONCE.includes(property.availability)) return null
  if (other) throw new ApiError(409, `Offer ${other.id} of this listing is accepted`)
  return fragmentOf(sql`not exists (${otherAccepted(sql`${property.id}`, sql`${offer}`)})`)
}

/** SQL for the contracts of an offer with a status of one kind, but for the contract `id`. */
export const contractsOf = (offer: SQL, kind: 'is_completed = 1' | 'is_cancelled = 0', id = 0) =>
  sql`select contracts.id from contracts join contract_statuses on contract_statuses.id = contracts.status_id
    where contracts.offer_id = ${offer} and contracts.id <> ${id} and ${sql.raw(kind)}`

/** Refuses what imports may hold and new values may not. */
export function checkTerms(
  draft: Pick<Draft<{ currency?: string | null; loan_percentage?: number | null }>, 'values' | 'refuse'>,
  changedKeys: ReadonlySet<string>,
): void {
  const { currency, loan_percentage } = draft.values
  if (changedKeys.has('currency') && currency && !isCurrency(currency))
    draft.refuse('currency', 'Invalid currency: must be three capital letters')
  if (changedKeys.has('loan_percentage') && (loan_percentage ?? 0) > 100)
    draft.refuse('loan_percentage', 'Invalid loan_percentage: must be at most 100')
}
