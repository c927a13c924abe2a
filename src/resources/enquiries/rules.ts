/** The rules of an enquiry: which records a body refers to, and whether it may be stored. */
import { question } from '../../catalogue/enquiry.ts'
import { idList, idReferences, type MissingReference, type Reference } from '../../db/references.ts'
import type { Draft } from '../../http/request/check.ts'
import type { ContactDefaults } from '../contacts/references.ts'
import { checkSought } from '../requests/rules.ts'
import type { EnquiryConversion, EnquiryInput } from './schema.ts'

export type EnquiryDraft = Draft<EnquiryInput>

/** Which listings an enquiry may be about. */
export interface NamedListings {
  /** Whether only those that visitors may see. */
  public: boolean
  /** The stores whose listings exist for the caller; null: all. */
  stores: readonly number[] | null
}

/** Every listing, as import and keys that read listings may name. */
export const ANY_LISTING: NamedListings = { public: false, stores: null }

/** Why an enquiry is neither converted nor noted. */
export const ERASED = 'The sender of this enquiry was erased'

/** All references of `input`. A listing that the caller cannot see counts as unknown. */
export function referencesOf(
  input: Pick<Partial<EnquiryInput>, 'listing_id' | 'language_id' | 'search'>,
  named: NamedListings,
): Reference[] {
  const where = conditionOf(named)
  return [
    { field: 'listing_id', table: question.listing_id.to, ids: idList(input.listing_id), where },
    ...idReferences(input, { language_id: 'languages' }),
    ...idReferences(input.search, { locations: 'locations', subtypes: 'listing_subtypes' }, 'search.'),
  ]
}

/** SQL that a listing must meet to be named. */
function conditionOf({ public: isPublic, stores }: NamedListings): string {
  const ofStores = stores === null ? '' : ` and store_id in (${stores.map(Number).join(', ')})`
  return isPublic ? `status = 'active'${ofStores}` : 'true'
}

/** Refuses in `draft` a contact that does not exist, and a new one that no call could have created. */
export function validateConversion(
  draft: Draft<EnquiryConversion>,
  missing: MissingReference[],
  { default_user_id }: ContactDefaults,
): void {
  draft.refuseAll(missing)
  if (draft.values.contact_id || default_user_id !== null) return
  draft.refuse('contact_id', 'Missing contact_id: there is no user who could create a contact')
}

/**
 * Requires a way to answer, unless the sender was erased, and criteria that fit each other. Drops what does not belong to
 * the type.
 */
export function checkEnquiry(
  draft: Draft<Omit<EnquiryInput, 'last_name' | 'message'>>,
  { isErased = false } = {},
): void {
  const { type, email, phone, search } = draft.values
  if (type && type !== 'offer') draft.drop('amount')
  if (type && type !== 'viewing') draft.drop('dates')
  if (!isErased && !email && !phone?.trim() && !draft.isRefused('email') && !draft.isRefused('phone')) {
    draft.refuse('email', 'Missing email: an enquiry needs an e-mail address or a phone number')
  }
  if (search) checkSought(draft.within('search'))
}
