/** A person who is everywhere that one can be, each text of theirs recognisable, as lines of an import. */
import { named } from '../../support/factories/named.ts'

type Line = [entity: string, data: Record<string, unknown>]

/** Contacts: the person, and somebody else. */
export const PERSON = 50
export const OTHER = 51

/** Every text about the person, as it is stored: no letter is folded. */
export const TEXTS: string[] = []

/** A text about the person. */
export function text(place: string): string {
  const made = `zq${place}`
  if (!TEXTS.includes(made)) TEXTS.push(made)
  return made
}

export const EMAIL = `${text('mail')}@example.com`
const PHONE = '6907654321'
TEXTS.push(PHONE)

const place = (id: number, level: number, parent_id: number | null, name: string): Line => [
  'locations',
  { id, level, parent_id, name_el: name, name_en: name, full_name_el: name, full_name_en: name },
]

const CUSTOM = [
  { id: 1, resource: 'contacts', name: 'Job', type: 'text' },
  { id: 2, resource: 'contacts', name: 'Spouse', type: 'contact' },
  { id: 3, resource: 'requests', name: 'Wish', type: 'text' },
  { id: 4, resource: 'requests', name: 'Lawyers', type: 'contact_multi' },
]

/** What the records refer to. */
export const AGENCY: Line[] = [
  ['languages', { id: 1, code: 'en', name: 'English' }],
  ['stores', { id: 1, name: 'Center' }],
  ['users', { id: 1, name: 'Agent', store_id: 1 }],
  place(1, 1, null, 'Attica'),
  place(11, 2, 1, 'Athens'),
  ...named('request_statuses', 'Open'),
  ...named('expense_categories', 'Fees'),
  ...named('income_other_categories', 'Fees'),
  [
    'contract_statuses',
    { id: 1, name: 'Signed', is_completed: true, is_cancelled: false, bg_color: '#000', text_color: '#fff' },
  ],
  ['settings', { key: 'default_user_id', value: 1 }],
  ['settings', { key: 'default_language_id', value: 1 }],
  ...CUSTOM.map((field): Line => ['custom_fields', field]),
]

const request = (id: number, contacts: number[]) => ({
  id,
  availability: 'sale',
  category: 'residential',
  contacts,
  locations: [11],
  users: [1],
  created_by: 1,
  store_id: 1,
  title: text('requesttitle'),
  notes: text('requestnotes'),
  price_max: 300_000,
  extra_fields: { features: ['has_elevator'], 3: text('requestcustom') },
})

const property = (name: string) => ({
  external: true,
  category: 'residential',
  price: 1000,
  address: text(`${name}address`),
  owner_name: text(`${name}owner`),
  listing_code: text(`${name}code`),
  listing_link: text(`${name}link`),
  notes: text(`${name}propertynotes`),
})

const money = {
  date: '2026-01-01',
  title: text('moneytitle'),
  notes: text('moneynotes'),
  status: 'pending',
  created_by: 1,
}

const OFFER = {
  status: 'submitted',
  is_active: true,
  store_id: 1,
  created_by: 1,
  currency: 'EUR',
  current_listing_price: 1000,
  notes: text('offernotes'),
}

const CONTRACT = {
  offer_id: 1,
  store_id: 1,
  status_id: 1,
  created_by: 1,
  currency: 'EUR',
  notes: text('contractnotes'),
}

const APPOINTMENT = {
  type: 'viewing',
  status: 'done',
  status_date: '2026-01-02 11:00:00',
  starts: '2026-01-02 10:00:00',
  ends: '2026-01-02 11:00:00',
  store_id: 1,
  created_by: 1,
  users: [1],
  listing_id: 1,
  notes: text('appointmentnotes'),
}

const ACTIVITY = {
  type: 'call',
  date: '2026-01-01 10:00:00',
  subject: text('activitysubject'),
  text: text('activitytext'),
  external_id: text('activityexternal'),
  created_by: 1,
}

const TASK = {
  title: text('tasktitle'),
  notes: text('tasknotes'),
  user_id: 1,
  status: 'done',
  result: text('taskresult'),
  created_by: 1,
}

/** The same for a listing, which also has the other contact. */
const LISTING = {
  id: 1,
  category: 'residential',
  availability: 'sale',
  subcategory: 'apartment',
  store_id: 1,
  created_by: 1,
  users: [1],
  status: 'active',
  code: 'R-1',
  price: 250_000,
  location: { area_level1: 1, area_level2: 11, address: 'Main 1' },
  notes: text('listingnotes'),
  contacts: [OTHER, PERSON],
  'the service': { tenant_contact_id: PERSON, has_keys: true },
  translations: [{ language_id: 1, title: text('listingtitle'), description: text('listingdescription') }],
}

/** The person, in every resource but those that the tests make records of themselves; ids of records count from 1. */
export const RECORDS: Line[] = [
  [
    'contacts',
    {
      id: PERSON,
      first_name: text('first'),
      last_name: text('last'),
      company_name: text('company'),
      created_by: 1,
      phones: [{ type: 'home', number: PHONE, notes: text('phonenotes') }],
      emails: [{ type: 'work', email_address: EMAIL, notes: text('mailnotes') }],
      notes: text('contactnotes'),
      consents: [{ purpose: 'marketing', given: true, date: '2026-01-01 10:00:00', source: text('consent') }],
      address: { area: text('area'), street: text('street'), postal_code: text('postal') },
      custom_fields: { 1: text('contactcustom') },
      contact_details: [{ first_name: text('relative'), last_name: 'X', notes: text('relativenotes') }],
      users: [1],
    },
  ],
  ['contacts', { id: OTHER, first_name: 'Other', created_by: 1, custom_fields: { 2: PERSON } }],
  ['listings', LISTING],
  [
    'external_listings',
    {
      id: 1,
      store_id: 1,
      created_by: 1,
      description: text('externaldescription'),
      external_url: `https://example.com/${text('externalurl')}`,
      contact_full_name: text('externalname'),
      contact_email: EMAIL,
      contact_phones: `call ${PHONE}`,
      price: 1000,
    },
  ],
  ['requests', request(1, [PERSON])],
  ['requests', { ...request(2, [OTHER]), title: 'Sea', notes: 'View', extra_fields: { 4: [OTHER, PERSON] } }],
  [
    'enquiries',
    {
      id: 1,
      type: 'information',
      first_name: text('sender'),
      last_name: text('senderlast'),
      email: `${text('sendermail')}@example.com`,
      phone: '6901112223',
      message: text('message'),
      page_url: `https://example.com/${text('page')}`,
      notes: text('enquirynotes'),
      consent: { privacy: true, marketing: true },
      contact_id: PERSON,
    },
  ],
  // No id links it.
  [
    'enquiries',
    {
      id: 2,
      type: 'valuation',
      last_name: text('unlinked'),
      phone: `+30 ${PHONE}`,
      message: text('unlinkedmessage'),
      consent: { privacy: true, marketing: false },
    },
  ],
  [
    'offers',
    {
      ...OFFER,
      id: 1,
      listing: property('offer'),
      contacts: [PERSON, OTHER],
      rounds: [{ id: 1, type: 'note', amount: 900, created_by: 1, notes: text('roundnotes') }],
    },
  ],
  // Only its request links it.
  ['offers', { ...OFFER, id: 2, listing: { external: false, listing_id: 1 }, request_id: 1 }],
  [
    'contracts',
    { ...CONTRACT, id: 1, listing: property('contract'), contacts: [PERSON], final_property_price: 950 },
  ],
  [
    'contracts',
    { ...CONTRACT, id: 2, listing: { external: false, listing_id: 1 }, notary_contact_id: PERSON },
  ],
  [
    'incomes',
    { ...money, id: 1, category: 'other', other_category_id: 1, total_amount: '10.00', contacts: [PERSON] },
  ],
  ['expenses', { ...money, id: 1, category_id: 1, amount: '5.00', contacts: [PERSON] }],
  [
    'appointments',
    {
      ...APPOINTMENT,
      id: 1,
      contacts: [OTHER, PERSON],
      title: text('appointmenttitle'),
      location: text('appointmentlocation'),
      confirmations: [{ party: 'visitor', via: 'phone', date: '2026-01-01 10:00:00', user_id: 1 }],
      feedback: { interest: 'interested', text: text('feedback'), date: '2026-01-03 10:00:00' },
    },
  ],
  // Only a request or an enquiry links them.
  ['appointments', { ...APPOINTMENT, id: 2, request_id: 1 }],
  ['appointments', { ...APPOINTMENT, id: 3, enquiry_id: 1 }],
  ['activities', { ...ACTIVITY, id: 1, contacts: [OTHER, PERSON] }],
  // Only its request links it.
  ['activities', { ...ACTIVITY, id: 2, request_id: 1 }],
  ['tasks', { ...TASK, id: 1, contacts: [PERSON], is_deleted: true }],
  ['tasks', { ...TASK, id: 2, request_id: 1 }],
]

/** What the erasure of the person clears: fields by record. */
export const CLEARED = {
  [`contacts ${PERSON}`]: [
    'first_name',
    'last_name',
    'company_name',
    'phones',
    'emails',
    'notes',
    'consents',
    'address.area',
    'address.street',
    'address.postal_code',
    'custom_fields',
    'contact_details',
  ],
  'requests 1': ['title', 'notes', 'custom_fields'],
  'enquiries 1': ['first_name', 'last_name', 'email', 'phone', 'message', 'page_url', 'notes'],
  'listings 1': ['notes', 'the service.tenant_contact_id', 'contacts', 'title', 'description'],
  'offers 1': [
    'notes',
    ...['address', 'owner_name', 'listing_code', 'listing_link', 'notes'].map((key) => `listing.${key}`),
    'rounds.notes',
  ],
  'offers 2': ['notes'],
  'contracts 1': [
    'notes',
    ...['address', 'owner_name', 'listing_code', 'listing_link', 'notes'].map((key) => `listing.${key}`),
  ],
  'contracts 2': ['notes'],
  'incomes 1': ['title', 'notes'],
  'expenses 1': ['title', 'notes'],
  'appointments 1': ['title', 'location', 'notes', 'feedback.text'],
  'appointments 2': ['notes'],
  'appointments 3': ['notes'],
  'activities 1': ['subject', 'text', 'external_id'],
  'activities 2': ['subject', 'text', 'external_id'],
  'tasks 1': ['title', 'notes', 'result'],
  'tasks 2': ['title', 'notes', 'result'],
}
