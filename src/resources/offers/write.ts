/** Creates and updates offers. How they are negotiated is in `negotiate.ts`. */
import { sql } from 'drizzle-orm'
import { round } from '../../catalogue/offer.ts'
import type { Results } from '../../db/client.ts'
import { newestId } from '../../db/rows.ts'
import { offers as table } from '../../db/tables/offers.ts'
import { request_contacts } from '../../db/tables/requests.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { Draft } from '../../http/request/check.ts'
import { selectContactsOf } from '../plain/parts.ts'
import { type Known, type Sent, writesOf } from '../plain/plain-writes.ts'
import type { Reading } from '../plain/writes.ts'
import { checkTerms, selectDealDefaults, selectProperty } from './property.ts'
import { type OfferRow, offers } from './resource.ts'
import { insertRound } from './rounds.ts'

type Body = Sent<typeof offers.fields, typeof offers.parts>
type OfferDraft = Draft<Body & { amount?: number | null | undefined }>

/** What only a draft can change. */
const FIXED = ['listing', 'currency', 'current_listing_price'] as const

const lookups = ({ listing, request_id, created_by }: Body, { db }: Reading) => ({
  property: selectProperty(sql`${listing?.listing_id ?? null}`),
  buyers: selectContactsOf(request_contacts, request_id),
  defaults: selectDealDefaults(db, created_by),
})

export const offerWrites = writesOf(offers, {
  create: {
    takes: [
      ...(['listing', 'contacts', 'request_id', 'store_id', 'created_by', 'currency'] as const),
      ...(['current_listing_price', 'loan_percentage', 'notes', 'external_contact'] as const),
    ],
    optional: ['store_id', 'created_by', 'currency', 'current_listing_price'],
    more: { amount: round.amount.input.optional().describe('What the buyer offers; without it, a draft') },
    description:
      'Without `amount` the offer is a draft without rounds; with it, it is submitted. Defaults: the contacts of the ' +
      'request; the office of the listing, or else of the creator; the price of the property; the setting ' +
      '`default_currency`.',
  },
  update: {
    takes: [
      ...(['listing', 'contacts', 'request_id', 'store_id', 'currency'] as const),
      ...(['current_listing_price', 'loan_percentage', 'notes', 'external_contact'] as const),
    ],
    description:
      'Only the keys sent change. Once an offer is no draft, `listing`, `currency` and `current_listing_price` are fixed: ' +
      'changing one gives 409. What the rounds decide is ignored.',
  },
  lookups,
  decide(draft, found, known) {
    const [property] = found.property
    checkTerms(draft, known.changedKeys)
    if (
      known.changedKeys.has('listing') &&
      (property?.status === 'archived' || property?.status === 'deleted')
    )
      draft.refuse('listing.listing_id', `Invalid listing.listing_id: ${property.id} is ${property.status}`)
    return known.current ? checkUpdate(draft, known.current, known) : complete(draft, found)
  },
})

/** Refuses what a status fixes, and an offer without a buyer. */
function checkUpdate(draft: OfferDraft, current: OfferRow, { changedKeys }: Known<OfferRow>) {
  const { contacts = current.contacts, external_contact = current.external_contact } = draft.values
  const isTouched = changedKeys.has('contacts') || changedKeys.has('external_contact')
  if (isTouched && !contacts?.length && !external_contact) draft.refuse('contacts', 'Missing contacts')
  const fixed = current.status === 'draft' ? undefined : FIXED.find((key) => changedKeys.has(key))
  if (fixed && draft.isComplete) throw new ApiError(409, `Offer is ${current.status}: ${fixed} is fixed`)
  return {}
}

function complete(draft: OfferDraft, found: Results<ReturnType<typeof lookups>>) {
  const { listing, contacts, store_id, external_contact, amount, created_by } = draft.values
  const [property] = found.property
  const [defaults] = found.defaults
  const office = store_id ?? property?.store_id ?? defaults?.store_id ?? undefined
  const price = draft.values.current_listing_price ?? property?.price ?? listing?.price ?? undefined
  const buyers = contacts ?? found.buyers.map(({ id }) => id)
  const required = { store_id: office, current_listing_price: price }
  for (const [key, value] of Object.entries(required))
    if (value === undefined && !draft.isRefused(key) && !draft.isRefused('listing'))
      draft.refuse(key, `Missing ${key}`)
  if (
    buyers.length === 0 &&
    !external_contact &&
    !draft.isRefused('contacts') &&
    !draft.isRefused('request_id')
  )
    draft.refuse('contacts', 'Missing contacts')
  const isSubmitted = amount !== undefined && amount !== null
  const date_created = formatDateTime(new Date())
  const set: Partial<OfferRow> = {
    status: isSubmitted ? 'submitted' : 'draft',
    is_active: true,
    currency: draft.values.currency ?? defaults?.currency,
    contacts: buyers,
    store_id: office,
    current_listing_price: price,
  }
  const current_listing_price = property ? property.price : (listing?.price ?? null)
  const first = { amount, current_listing_price, notes: null, created_by: created_by ?? 0, date_created }
  return {
    set,
    more: isSubmitted ? insertRound(newestId(table), { type: 'offer_submitted', ...first }) : null,
  }
}
