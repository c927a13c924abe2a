/** Creates and updates contracts. Their statuses are in `status.ts`. */
import { sql } from 'drizzle-orm'
import type { Results } from '../../db/client.ts'
import { isNotDeleted } from '../../db/references.ts'
import { allOf } from '../../db/rows.ts'
import { sqlStatement } from '../../db/statements.ts'
import { offer_contacts } from '../../db/tables/offers.ts'
import { ApiError } from '../../http/errors.ts'
import type { Draft } from '../../http/request/check.ts'
import { acceptedAmount } from '../offers/negotiate.ts'
import { checkTerms } from '../offers/property.ts'
import { offers } from '../offers/resource.ts'
import { selectContactsOf } from '../plain/parts.ts'
import { type Known, type Sent, writesOf } from '../plain/plain-writes.ts'
import type { Reading } from '../plain/writes.ts'
import { type ContractRow, contracts } from './resource.ts'
import { dealUnchanged, requireFreeOffer, selectOtherContract, selectStatus, setActive } from './status.ts'

type Body = Sent<typeof contracts.fields, typeof contracts.parts>

const UPDATED = [
  ...(['request_id', 'store_id', 'contacts', 'external_contact', 'currency', 'loan_percentage'] as const),
  ...(['initial_property_price', 'final_property_price', 'deposit_amount', 'deposit_date'] as const),
  ...(['notary_contact_id', 'notes', 'created_by'] as const),
]

/** SQL for the status of a new contract: the setting, otherwise the lowest id that neither completes nor cancels. */
const DEFAULT_STATUS = sql`coalesce(
  (select cast(value as integer) from settings where key = 'default_contract_status_id'),
  (select min(id) from contract_statuses where is_completed = 0 and is_cancelled = 0))`

const lookups = ({ offer_id, status_id }: Body, { id }: Reading) => ({
  // Of an update, the status that the contract has.
  status: selectStatus(
    id === null
      ? sql`coalesce(${status_id ?? null}, ${DEFAULT_STATUS})`
      : sql`(select status_id from contracts where id = ${id})`,
  ),
  offer: offers.select({ id: offer_id ?? 0 }),
  buyers: selectContactsOf(offer_contacts, offer_id),
  request: sqlStatement<{ id: number }>(sql`select id from requests where ${isNotDeleted}
    and id = (select request_id from offers where id = ${offer_id ?? null})`),
  other: selectOtherContract(sql`${offer_id ?? null}`),
})

export const contractWrites = writesOf(contracts, {
  create: {
    takes: ['offer_id', 'listing', ...UPDATED, 'status_id'],
    optional: ['listing', 'store_id', 'created_by', 'currency', 'status_id'],
    description:
      'The offer has to be accepted, and to have no other contract but cancelled ones. Its request, office, property, ' +
      'buyers, currency and loan are the defaults, as are its asking price and the amount that was accepted.',
  },
  update: {
    takes: UPDATED,
    description:
      'Only the keys sent change. Offer, property and status are ignored: see `POST /office/contracts/{id}/status`. Of a ' +
      'completed contract only the notes can change; anything else gives 409.',
  },
  lookups,
  decide(draft, found, known) {
    checkTerms(draft, known.changedKeys)
    return known.current ? checkUpdate(draft, found, known) : complete(draft, found)
  },
})

type Found = Results<ReturnType<typeof lookups>>

/** Throws 409 for a completed contract of which more than the notes would change. */
function checkUpdate(draft: Draft<Body>, { status: [status] }: Found, { changedKeys }: Known<ContractRow>) {
  const isMore = [...changedKeys].some((key) => key !== 'notes')
  if (status?.is_completed && isMore && draft.isComplete) throw new ApiError(409, 'Contract is completed')
  return {}
}

/** Completes a new contract by its offer. */
function complete(draft: Draft<Body>, found: Found) {
  const {
    offer: [offer],
    status: [status],
    request: [request],
    buyers,
    other,
  } = found
  const { values } = draft
  if (!status && !draft.isRefused('status_id')) draft.refuse('status_id', 'Missing status_id')
  if (status?.is_cancelled) draft.refuse('status_id', `Invalid status_id: ${status.id} cancels contracts`)
  draft.complete()
  if (!offer || !status) return {}
  const free = requireFreeOffer(offer, other, 'not accepted')
  const set: Partial<ContractRow> = {
    request_id: values.request_id === undefined ? (request?.id ?? null) : values.request_id,
    store_id: values.store_id ?? offer.store_id,
    currency: values.currency ?? offer.currency,
    loan_percentage: values.loan_percentage ?? offer.loan_percentage,
    external_contact: values.external_contact ?? offer.external_contact,
    contacts: values.contacts ?? buyers.map(({ id }) => id),
    initial_property_price: values.initial_property_price ?? offer.current_listing_price,
    final_property_price: values.final_property_price ?? acceptedAmount(offer),
    status_id: status.id,
    status_date: null,
    ...(values.listing
      ? {}
      : {
          listing_id: offer.listing_id,
          external_property: offer.external_property,
          external_listing: offer.external_property !== null,
        }),
  }
  return {
    set,
    guard: allOf(dealUnchanged(offer, status), free),
    more: status.is_completed ? setActive(offer.id, false, 0) : null,
  }
}
