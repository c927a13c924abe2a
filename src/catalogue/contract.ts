/** The fields of a contract. */
import { count, date, dateTime, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'

export const contract = {
  id: key({ doc: 'Id of the contract' }),
  offer_id: reference({ doc: 'The offer that led to it', to: 'offers', required: true }),
  request_id: reference({ doc: 'Linked buyer request', to: 'requests' }),
  store_id: reference({ doc: 'Office', to: 'stores', required: true }),
  status_id: reference({ doc: 'Id from the statuses lookup', to: 'contract_statuses', required: true }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
  status_date: dateTime({ doc: 'Last change of status; null if it never changed' }),
  currency: text({ doc: 'Currency code', required: true }),
  loan_percentage: count({ doc: 'Share of the price paid by a loan, percent; 0 without a loan', none: 0 }),
  initial_property_price: count({ doc: 'Asking price, in whole units of currency' }),
  final_property_price: count({ doc: 'Agreed price, in whole units of currency' }),
  deposit_amount: count({ doc: 'Deposit, in whole units of currency' }),
  deposit_date: date({ doc: 'Day of the deposit' }),
  notary_contact_id: reference({ doc: 'Contact who is the notary', to: 'contacts' }),
  notes: text({ doc: 'Internal notes', max: LONG_TEXT }),
  external_contact: flag({ doc: 'Whether the buyer is not a stored contact' }),
}
