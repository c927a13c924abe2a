/** The fields of a contract. */
import { count, date, dateTime, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'

export const contract = {
  id: key({ doc: 'Id of the contract' }),
  offer_id: reference({ doc: 'The offer that led to it', to: 'offers', required: true, history: true }),
  request_id: reference({ doc: 'Linked buyer request', to: 'requests', history: true }),
  store_id: reference({ doc: 'Office', to: 'stores', required: true, history: true }),
  status_id: reference({
    doc: 'Id from the statuses lookup',
    to: 'contract_statuses',
    required: true,
    history: true,
  }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true, history: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
  status_date: dateTime({ doc: 'Last change of status; null if it never changed', history: true }),
  currency: text({ doc: 'Currency code', person: false, required: true, history: true }),
  loan_percentage: count({
    doc: 'Share of the price paid by a loan, percent; 0 without a loan',
    none: 0,
    history: true,
  }),
  initial_property_price: count({ doc: 'Asking price, in whole units of currency', history: true }),
  final_property_price: count({ doc: 'Agreed price, in whole units of currency', history: true }),
  deposit_amount: count({ doc: 'Deposit, in whole units of currency', history: true }),
  deposit_date: date({ doc: 'Day of the deposit', history: true }),
  notary_contact_id: reference({ doc: 'Contact who is the notary', to: 'contacts' }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
  external_contact: flag({ doc: 'Whether the buyer is not a stored contact', history: true }),
}
