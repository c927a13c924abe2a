/** The enumerations of what an office does: offers, incomes, enquiries, appointments and custom fields. */
import { valuesIn } from './enumeration.ts'

const CUSTOM_FIELD_TYPE = {
  text: ['Κείμενο', 'Text'],
  textarea: ['Μεγάλο κείμενο', 'Long text'],
  wysiwyg: ['Μορφοποιημένο κείμενο', 'Formatted text'],
  number: ['Αριθμός', 'Number'],
  formatted_number: ['Μορφοποιημένος αριθμός', 'Formatted number'],
  select: ['Επιλογή', 'Choice'],
  select_multi: ['Πολλαπλή επιλογή', 'Several choices'],
  checkbox: ['Ναι ή όχι', 'Yes or no'],
  file: ['Αρχείο', 'File'],
  image: ['Εικόνα', 'Image'],
  file_multi: ['Αρχεία', 'Files'],
  image_multi: ['Εικόνες', 'Images'],
  address: ['Διεύθυνση', 'Address'],
  url: ['Σύνδεσμος', 'Link'],
  date: ['Ημερομηνία', 'Date'],
  datetime: ['Ημερομηνία και ώρα', 'Date and time'],
  currency: ['Ποσό', 'Amount of money'],
  user: ['Συνεργάτης', 'User'],
  user_multi: ['Συνεργάτες', 'Users'],
  contact: ['Επαφή', 'Contact'],
  contact_multi: ['Επαφές', 'Contacts'],
  phone: ['Τηλέφωνο', 'Phone'],
} as const
export const CUSTOM_FIELD_TYPES = valuesIn(CUSTOM_FIELD_TYPE)

const OFFER_STATUS = {
  draft: ['Πρόχειρη', 'Draft'],
  submitted: ['Υποβλήθηκε', 'Submitted'],
  under_negotiation: ['Υπό διαπραγμάτευση', 'Under negotiation'],
  accepted: ['Έγινε δεκτή', 'Accepted'],
  rejected: ['Απορρίφθηκε', 'Rejected'],
  withdrawn: ['Αποσύρθηκε', 'Withdrawn'],
} as const
export const OFFER_STATUSES = valuesIn(OFFER_STATUS)

const ROUND_TYPE = {
  offer_submitted: ['Υποβολή προσφοράς', 'Offer submitted'],
  counter_offer: ['Αντιπροσφορά', 'Counter-offer'],
  buyer_revision: ['Αναθεώρηση από τον αγοραστή', 'Revised by the buyer'],
  accepted: ['Αποδοχή', 'Accepted'],
  rejected: ['Απόρριψη', 'Rejected'],
  withdrawn: ['Απόσυρση', 'Withdrawn'],
  note: ['Σημείωση', 'Note'],
} as const
export const ROUND_TYPES = valuesIn(ROUND_TYPE)

export const INCOME_CATEGORY = {
  contract: ['Συμβόλαιο', 'Contract'],
  valuation: ['Εκτίμηση', 'Valuation'],
  referral: ['Σύσταση', 'Referral'],
  other: ['Άλλο', 'Other'],
} as const
export const INCOME_CATEGORIES = valuesIn(INCOME_CATEGORY)

const COMMISSION_SIDE = {
  owner_side: ['Πλευρά ιδιοκτήτη', 'Owner side'],
  client_side: ['Πλευρά πελάτη', 'Client side'],
} as const
export const COMMISSION_SIDES = valuesIn(COMMISSION_SIDE)

/** The statuses of incomes and expenses. */
export const PAYMENT_STATUS = {
  pending: ['Εκκρεμεί', 'Pending'],
  confirmed: ['Επιβεβαιώθηκε', 'Confirmed'],
} as const
export const PAYMENT_STATUSES = valuesIn(PAYMENT_STATUS)

/** What visitors of a website ask for. */
export const ENQUIRY_TYPE = {
  information: ['Πληροφορίες', 'Information'],
  viewing: ['Επίσκεψη στο ακίνητο', 'Viewing'],
  offer: ['Προσφορά', 'Offer'],
  valuation: ['Εκτίμηση ακινήτου', 'Valuation'],
  search: ['Αναζήτηση ακινήτου', 'Property search'],
} as const
export const ENQUIRY_TYPES = valuesIn(ENQUIRY_TYPE)

/** What a contact may agree to. */
const CONSENT_PURPOSE = { marketing: ['Ενημερώσεις και προσφορές', 'Marketing'] } as const
export const CONSENT_PURPOSES = valuesIn(CONSENT_PURPOSE)

const ENQUIRY_STATUS = {
  new: ['Νέο', 'New'],
  open: ['Σε εξέλιξη', 'Open'],
  closed: ['Κλειστό', 'Closed'],
  spam: ['Ανεπιθύμητο', 'Spam'],
} as const
export const ENQUIRY_STATUSES = valuesIn(ENQUIRY_STATUS)

export const APPOINTMENT_TYPE = {
  viewing: ['Υπόδειξη', 'Viewing'],
  valuation: ['Εκτίμηση', 'Valuation'],
  meeting: ['Συνάντηση', 'Meeting'],
  signing: ['Υπογραφή', 'Signing'],
  absence: ['Απουσία', 'Absence'],
  other: ['Άλλο', 'Other'],
} as const
export const APPOINTMENT_TYPES = valuesIn(APPOINTMENT_TYPE)

const APPOINTMENT_STATUS = {
  proposed: ['Προτάθηκε', 'Proposed'],
  confirmed: ['Επιβεβαιώθηκε', 'Confirmed'],
  done: ['Έγινε', 'Done'],
  no_show: ['Δεν προσήλθαν', 'No-show'],
  cancelled: ['Ακυρώθηκε', 'Cancelled'],
} as const
export const APPOINTMENT_STATUSES = valuesIn(APPOINTMENT_STATUS)

/** The sides of an appointment, who confirm it and are notified of it. */
const APPOINTMENT_PARTY = {
  agent: ['Συνεργάτης', 'Agent'],
  visitor: ['Επισκέπτης', 'Visitor'],
  owner: ['Ιδιοκτήτης', 'Owner'],
} as const
export const APPOINTMENT_PARTIES = valuesIn(APPOINTMENT_PARTY)

const CONFIRMATION_VIA = {
  phone: ['Τηλέφωνο', 'Phone'],
  email: ['Ηλεκτρονικό ταχυδρομείο', 'E-mail'],
  message: ['Μήνυμα', 'Message'],
  in_person: ['Από κοντά', 'In person'],
} as const
export const CONFIRMATION_VIAS = valuesIn(CONFIRMATION_VIA)

const FEEDBACK_INTEREST = {
  interested: ['Ενδιαφέρεται', 'Interested'],
  undecided: ['Το σκέφτεται', 'Undecided'],
  not_interested: ['Δεν ενδιαφέρεται', 'Not interested'],
  not_required: ['Δεν χρειάζεται', 'Not required'],
} as const
export const FEEDBACK_INTERESTS = valuesIn(FEEDBACK_INTEREST)

const FEEDBACK_PRICE = {
  low: ['Χαμηλή', 'Low'],
  fair: ['Λογική', 'Fair'],
  high: ['Υψηλή', 'High'],
} as const
export const FEEDBACK_PRICES = valuesIn(FEEDBACK_PRICE)

const NOTICE_EVENT = {
  booked: ['Κλείστηκε', 'Booked'],
  moved: ['Μετακινήθηκε', 'Moved'],
  cancelled: ['Ακυρώθηκε', 'Cancelled'],
} as const
export const NOTICE_EVENTS = valuesIn(NOTICE_EVENT)

const ACTIVITY_TYPE = {
  note: ['Σημείωση', 'Note'],
  call: ['Κλήση', 'Call'],
  email: ['Ηλεκτρονικό ταχυδρομείο', 'E-mail'],
  message: ['Μήνυμα', 'Message'],
  letter: ['Επιστολή', 'Letter'],
  meeting: ['Συνάντηση', 'Meeting'],
} as const
export const ACTIVITY_TYPES = valuesIn(ACTIVITY_TYPE)

const ACTIVITY_DIRECTION = { in: ['Εισερχόμενη', 'Incoming'], out: ['Εξερχόμενη', 'Outgoing'] } as const
export const ACTIVITY_DIRECTIONS = valuesIn(ACTIVITY_DIRECTION)

const TASK_STATUS = {
  open: ['Ανοιχτή', 'Open'],
  done: ['Ολοκληρώθηκε', 'Done'],
  cancelled: ['Ακυρώθηκε', 'Cancelled'],
} as const
export const TASK_STATUSES = valuesIn(TASK_STATUS)

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]

/** By the name of the enumeration: that of the field, with its resource where several have one. */
export const OFFICE_ENUMERATIONS = {
  offer_status: OFFER_STATUS,
  round_type: ROUND_TYPE,
  income_category: INCOME_CATEGORY,
  income_status: PAYMENT_STATUS,
  commission_side: COMMISSION_SIDE,
  expense_status: PAYMENT_STATUS,
  enquiry_type: ENQUIRY_TYPE,
  enquiry_status: ENQUIRY_STATUS,
  consent_purpose: CONSENT_PURPOSE,
  custom_field_type: CUSTOM_FIELD_TYPE,
  appointment_type: APPOINTMENT_TYPE,
  appointment_status: APPOINTMENT_STATUS,
  appointment_party: APPOINTMENT_PARTY,
  confirmation_via: CONFIRMATION_VIA,
  feedback_interest: FEEDBACK_INTEREST,
  feedback_price: FEEDBACK_PRICE,
  notice_event: NOTICE_EVENT,
  activity_type: ACTIVITY_TYPE,
  activity_direction: ACTIVITY_DIRECTION,
  task_status: TASK_STATUS,
} as const
