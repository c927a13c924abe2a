/** The fields of an appointment, of the confirmations of its parties, of the feedback of a visitor, and of who was notified. */
import { choice, count, dateTime, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import {
  APPOINTMENT_PARTIES,
  APPOINTMENT_STATUSES,
  APPOINTMENT_TYPES,
  CONFIRMATION_VIAS,
  FEEDBACK_INTERESTS,
  FEEDBACK_PRICES,
  NOTICE_EVENTS,
} from './office-enums.ts'

export const appointment = {
  id: key({ doc: 'Id of the appointment' }),
  type: choice(APPOINTMENT_TYPES, { doc: 'What it is for', required: true, history: true }),
  status: choice(APPOINTMENT_STATUSES, { doc: 'How far it has come', required: true, history: true }),
  status_date: dateTime({ doc: 'When it got its status; null if that is not known' }),
  title: text({ doc: 'What it is called', person: true }),
  starts: dateTime({ doc: 'When it starts', required: true, history: true }),
  ends: dateTime({
    doc: 'When it ends: later than `starts`, by 31 days at most',
    required: true,
    history: true,
  }),
  store_id: reference({ doc: 'Office', to: 'stores', required: true, history: true }),
  listing_id: reference({ doc: 'The listing that it is about', to: 'listings', history: true }),
  external_listing_id: reference({
    doc: 'The external listing that it is about',
    to: 'external_listings',
    history: true,
  }),
  request_id: reference({ doc: 'The request that it is for', to: 'requests' }),
  enquiry_id: reference({ doc: 'The enquiry that it came from', to: 'enquiries' }),
  location: text({ doc: 'Where it is, if not at the property', person: true }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
  sequence: count({ doc: 'How often it was moved', none: 0 }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
}

/** That a party has confirmed. */
export const confirmation = {
  party: choice(APPOINTMENT_PARTIES, { doc: 'Who has confirmed', required: true }),
  via: choice(CONFIRMATION_VIAS, { doc: 'How', required: true }),
  date: dateTime({ doc: 'When', required: true }),
  user_id: reference({ doc: 'User who entered it', to: 'users' }),
}

/** Maximum length of feedback, in characters. */
const MAX_FEEDBACK = 5000

/** What a visitor thinks of the property. The columns are null before: nothing is required of them by itself. */
export const feedback = {
  interest: choice(FEEDBACK_INTERESTS, {
    doc: 'Whether the visitor is interested',
    storedAs: 'feedback_interest',
    history: true,
  }),
  price: choice(FEEDBACK_PRICES, {
    doc: 'What the visitor thinks of the price',
    storedAs: 'feedback_price',
    history: true,
  }),
  text: text({ doc: 'In words', person: true, max: MAX_FEEDBACK, storedAs: 'feedback_text' }),
  date: dateTime({ doc: 'When it was given', storedAs: 'feedback_date', history: true }),
  user_id: reference({
    doc: 'User who entered it',
    to: 'users',
    storedAs: 'feedback_user_id',
    history: true,
  }),
  shared_date: dateTime({
    doc: 'When the owner heard of it',
    storedAs: 'feedback_shared_date',
    history: true,
  }),
  shared_by: reference({
    doc: 'User who passed it on to the owner',
    to: 'users',
    storedAs: 'feedback_shared_by',
    history: true,
  }),
}

/** That somebody was notified of the appointment, or is about to be. */
export const notice = {
  party: choice(APPOINTMENT_PARTIES, { doc: 'As what', required: true }),
  id: count({ doc: 'Id of the user or contact', storedAs: 'recipient_id', required: true }),
  event: choice(NOTICE_EVENTS, { doc: 'Of what', required: true }),
  date: dateTime({ doc: 'When the mail was sent; null until then' }),
}
