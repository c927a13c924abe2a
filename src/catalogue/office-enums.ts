/** The enumerations of what an office does: offers, incomes, enquiries, appointments and custom fields. */
import { valuesIn } from './enumeration.ts'

export const INCOME_CATEGORY = {
  contract: ['Συμβόλαιο', 'Contract'],
  valuation: ['Εκτίμηση', 'Valuation'],
  referral: ['Σύσταση', 'Referral'],
  other: ['Άλλο', 'Other'],
} as const
export const INCOME_CATEGORIES = valuesIn(INCOME_CATEGORY)

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

export const APPOINTMENT_TYPE = {
  viewing: ['Υπόδειξη', 'Viewing'],
  valuation: ['Εκτίμηση', 'Valuation'],
  meeting: ['Συνάντηση', 'Meeting'],
  signing: ['Υπογραφή', 'Signing'],
  absence: ['Απουσία', 'Absence'],
  other: ['Άλλο', 'Other'],
} as const
export const APPOINTMENT_TYPES = valuesIn(APPOINTMENT_TYPE)

/** By the name of the enumeration: that of the field, with its resource where several have one. */
export const OFFICE_ENUMERATIONS = {
  offer_status: {
    draft: ['Πρόχειρη', 'Draft'],
    submitted: ['Υποβλήθηκε', 'Submitted'],
    under_negotiation: ['Υπό διαπραγμάτευση', 'Under negotiation'],
    accepted: ['Έγινε δεκτή', 'Accepted'],
    rejected: ['Απορρίφθηκε', 'Rejected'],
    withdrawn: ['Αποσύρθηκε', 'Withdrawn'],
  },
  round_type: {
    offer_submitted: ['Υποβολή προσφοράς', 'Offer submitted'],
    counter_offer: ['Αντιπροσφορά', 'Counter-offer'],
    buyer_revision: ['Αναθεώρηση από τον αγοραστή', 'Revised by the buyer'],
    accepted: ['Αποδοχή', 'Accepted'],
    rejected: ['Απόρριψη', 'Rejected'],
    withdrawn: ['Απόσυρση', 'Withdrawn'],
    note: ['Σημείωση', 'Note'],
  },
  income_category: INCOME_CATEGORY,
  income_status: PAYMENT_STATUS,
  commission_side: {
    owner_side: ['Πλευρά ιδιοκτήτη', 'Owner side'],
    client_side: ['Πλευρά πελάτη', 'Client side'],
  },
  expense_status: PAYMENT_STATUS,
  enquiry_type: ENQUIRY_TYPE,
  enquiry_status: {
    new: ['Νέο', 'New'],
    open: ['Σε εξέλιξη', 'Open'],
    closed: ['Κλειστό', 'Closed'],
    spam: ['Ανεπιθύμητο', 'Spam'],
  },
  /** What a contact may agree to. */
  consent_purpose: { marketing: ['Ενημερώσεις και προσφορές', 'Marketing'] },
  custom_field_type: {
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
  },
  appointment_type: APPOINTMENT_TYPE,
  appointment_status: {
    proposed: ['Προτάθηκε', 'Proposed'],
    confirmed: ['Επιβεβαιώθηκε', 'Confirmed'],
    done: ['Έγινε', 'Done'],
    no_show: ['Δεν προσήλθαν', 'No-show'],
    cancelled: ['Ακυρώθηκε', 'Cancelled'],
  },
  /** The sides of an appointment, who confirm it and are notified of it. */
  appointment_party: {
    agent: ['Συνεργάτης', 'Agent'],
    visitor: ['Επισκέπτης', 'Visitor'],
    owner: ['Ιδιοκτήτης', 'Owner'],
  },
  confirmation_via: {
    phone: ['Τηλέφωνο', 'Phone'],
    email: ['Ηλεκτρονικό ταχυδρομείο', 'E-mail'],
    message: ['Μήνυμα', 'Message'],
    in_person: ['Από κοντά', 'In person'],
  },
  feedback_interest: {
    interested: ['Ενδιαφέρεται', 'Interested'],
    undecided: ['Το σκέφτεται', 'Undecided'],
    not_interested: ['Δεν ενδιαφέρεται', 'Not interested'],
    not_required: ['Δεν χρειάζεται', 'Not required'],
  },
  feedback_price: {
    low: ['Χαμηλή', 'Low'],
    fair: ['Λογική', 'Fair'],
    high: ['Υψηλή', 'High'],
  },
  notice_event: {
    booked: ['Κλείστηκε', 'Booked'],
    moved: ['Μετακινήθηκε', 'Moved'],
    cancelled: ['Ακυρώθηκε', 'Cancelled'],
  },
  activity_type: {
    note: ['Σημείωση', 'Note'],
    call: ['Κλήση', 'Call'],
    email: ['Ηλεκτρονικό ταχυδρομείο', 'E-mail'],
    message: ['Μήνυμα', 'Message'],
    letter: ['Επιστολή', 'Letter'],
    meeting: ['Συνάντηση', 'Meeting'],
  },
  activity_direction: { in: ['Εισερχόμενη', 'Incoming'], out: ['Εξερχόμενη', 'Outgoing'] },
  task_status: {
    open: ['Ανοιχτή', 'Open'],
    done: ['Ολοκληρώθηκε', 'Done'],
    cancelled: ['Ακυρώθηκε', 'Cancelled'],
  },
} as const

export const OFFER_STATUSES = valuesIn(OFFICE_ENUMERATIONS.offer_status)
export const ROUND_TYPES = valuesIn(OFFICE_ENUMERATIONS.round_type)
export const COMMISSION_SIDES = valuesIn(OFFICE_ENUMERATIONS.commission_side)
export const ENQUIRY_STATUSES = valuesIn(OFFICE_ENUMERATIONS.enquiry_status)
export const CONSENT_PURPOSES = valuesIn(OFFICE_ENUMERATIONS.consent_purpose)
export const CUSTOM_FIELD_TYPES = valuesIn(OFFICE_ENUMERATIONS.custom_field_type)
export const APPOINTMENT_STATUSES = valuesIn(OFFICE_ENUMERATIONS.appointment_status)
export const APPOINTMENT_PARTIES = valuesIn(OFFICE_ENUMERATIONS.appointment_party)
export const CONFIRMATION_VIAS = valuesIn(OFFICE_ENUMERATIONS.confirmation_via)
export const FEEDBACK_INTERESTS = valuesIn(OFFICE_ENUMERATIONS.feedback_interest)
export const FEEDBACK_PRICES = valuesIn(OFFICE_ENUMERATIONS.feedback_price)
export const NOTICE_EVENTS = valuesIn(OFFICE_ENUMERATIONS.notice_event)
export const ACTIVITY_TYPES = valuesIn(OFFICE_ENUMERATIONS.activity_type)
export const ACTIVITY_DIRECTIONS = valuesIn(OFFICE_ENUMERATIONS.activity_direction)
export const TASK_STATUSES = valuesIn(OFFICE_ENUMERATIONS.task_status)

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]
