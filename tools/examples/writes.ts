/** Calls that write photos, listings, external listings, contacts, requests and deals. Each builds on those above it. */
import { type Calls, one, PICTURES, to } from './calls.ts'

/** A PNG of one pixel, in base64. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVR42mP4//8/AAX+Av4zEpUUAAAAAElFTkSuQmCC'

const STRICT = { Prefer: 'handling=strict' }

export const EXAMPLE_WRITES: Calls = {
  addListingPhotos: to('POST /api/listings/89/photos', {
    several: [
      'By URL, as bytes, and one that fails',
      { photos: [`${PICTURES}/living-room.jpg`, { data: PIXEL }, { url: `${PICTURES}/gone.jpg` }] },
    ],
    none: ['Nothing', {}],
    noList: ['No array', { photos: 'house.jpg' }],
  }),
  addListingPanoramas: to('POST /api/listings/89/panorama-photos', {
    one: ['The first panorama of a listing', { photos: [`${PICTURES}/360.jpg`] }],
    another: ['One more', { photos: [`${PICTURES}/360-terrace.jpg`] }],
    none: ['Nothing', {}],
  }),
  listListingPhotos: to('GET /api/listings/89/photos', { all: ['In their order', undefined, { keep: 3 }] }),
  listListingPanoramas: to('GET /api/listings/89/panorama-photos', {
    all: ['In their order', undefined, { keep: 3 }],
  }),
  orderListingPhotos: to('PUT /api/listings/89/photos', {
    swapped: ['The second first', { order: [2, 1] }],
    missing: ['Not all of them', { order: [2] }],
  }),
  orderListingPanoramas: to('PUT /api/listings/89/panorama-photos', {
    swapped: ['The second first', { order: [2, 1] }],
  }),
  describeListingPhoto: {
    plan: one('PUT /api/listings/89/photos/2', 'A floor plan with its caption in two languages', {
      kind: 'floor_plan',
      captions: [
        { language_id: 1, caption: 'Κάτοψη ισογείου' },
        { language_id: 2, caption: 'Ground floor' },
      ],
    }),
    gone: { call: 'PUT /api/listings/89/photos/99', summary: 'No such photo', body: {} },
  },
  describeListingPanorama: to('PUT /api/listings/89/panorama-photos/1', {
    one: ['A caption', { captions: [{ language_id: 2, caption: 'Living room' }] }],
  }),
  deleteListingPhoto: to('DELETE /api/listings/89/photos/2', {
    second: ['The others keep their numbers'],
    again: ['Gone'],
  }),
  deleteListingPanorama: to('DELETE /api/listings/89/panorama-photos/2', {
    second: ['The others keep their numbers'],
  }),
  createListing: to('POST /api/listings', {
    minimal: [
      'No more than what is required',
      { category: 'land', availability: 'sale', store_id: 1, created_by: 2, users: [2] },
    ],
    apartment: [
      'An apartment with details',
      {
        category: 'residential',
        subcategory: 'apartment',
        availability: 'sale',
        store_id: 3,
        created_by: 7,
        users: [7, 8],
        contacts: [29],
        price: 265_000,
        size: 87.5,
        floor: 3,
        rooms: 2,
        bathrooms: 1,
        year_built: 2004,
        property_condition: 'good',
        language_id: 2,
        title: 'Apartment with a sea view in Voula',
        features: ['elevator', 'has_storage_room'],
        view: ['sea'],
        location: {
          area_level1: 1,
          area_level2: 103,
          area_level3: 1018,
          postal_code: '16673',
          address: 'Σωκράτους 12',
          latitude: 37.844_6,
          longitude: 23.771_6,
          display_address: 'fake',
        },
        details: { heating_type: 'autonomous', heating_source: 'natural_gas', parking_total: 1 },
        extra: { energy_class: 'b', is_negotiable: true, distance_sea: 450 },
      },
    ],
    missing: ['Nothing', {}],
    unknown: [
      'An office that does not exist',
      { category: 'land', availability: 'sale', store_id: 99, created_by: 2, users: [2] },
    ],
    wrong: [
      'A subcategory of another category',
      {
        category: 'land',
        subcategory: 'villa',
        availability: 'sale',
        store_id: 1,
        created_by: 2,
        users: [2],
      },
    ],
    noJson: ['No JSON', '{'],
  }),
  changeListingStatus: to('POST /api/listings/301/status', {
    activate: ['Put on the market', { to: 'active' }],
    back: ['Back to draft', { to: 'draft' }],
    missing: ['Nothing', {}],
  }),
  updateListing: to('PUT /api/listings/301', {
    price: [
      'A new price, a cleared field and one detail',
      { price: 1_250_000, source_id: null, details: { zoning: 'agricultural' } },
    ],
    negative: ['A negative price', { price: -1 }],
    cleared: ['A field that cannot be cleared', { users: [] }],
    chain: ['A municipality without its region', { location: { area_level2: 103 } }],
    unknown: ['Strict', { colour: 'red' }, { headers: STRICT }],
  }),
  createExternalListing: to('POST /api/external-listings', {
    found: [
      'Found on a portal, with a picture that is gone',
      {
        created_by: 7,
        store_id: 3,
        source_id: 1,
        external_url: 'https://portal.example.com/aggelia/51000',
        availability: 'rent',
        category: 'residential',
        subcategory: 'apartment',
        price: 720,
        size: 58,
        location: { area_level1: 1, area_level2: 102, area_level3: 1014 },
        contact_full_name: 'Άννα Ρήγα',
        contact_phones: '+30 690 000 9100',
        tags: [1],
        users: [7],
        photos: [`${PICTURES}/kitchen.jpg`, `${PICTURES}/gone.jpg`],
      },
    ],
    missing: ['Nothing', {}],
    category: ['A subcategory without its category', { created_by: 7, store_id: 3, subcategory: 'villa' }],
  }),
  updateExternalListing: to('PUT /api/external-listings/81', {
    cheaper: [
      'The price has fallen',
      { price: 690, location: { address: 'Φορμίωνος' }, photos: [`${PICTURES}/kitchen.jpg`] },
    ],
    category: ['A category that its subcategory does not belong to', { category: 'land' }],
  }),
  createContact: to('POST /api/contacts', {
    person: [
      'A buyer',
      {
        first_name: 'Δάφνη',
        last_name: 'Μαυρίδου',
        is_lead: true,
        phones: [{ type: 'mobile', number: '+30 690 000 0401', notes: 'μετά τις 17:00' }],
        emails: [{ type: 'personal', email_address: 'dafni.mavridou@example.com' }],
        address: { area: 'Βούλα', postal_code: '16673' },
        custom_fields: { 44: 1, 45: [1, 3] },
        users: [7],
      },
    ],
    missing: ['Nothing', {}],
    choice: ['No choice of the custom field', { last_name: 'Μαυρίδου', custom_fields: { 44: 9 } }],
  }),
  updateContact: to('PUT /api/contacts/401', {
    client: [
      'The lead became a client',
      { is_lead: false, notes: 'Υπέγραψε εντολή αναζήτησης.', custom_fields: { 45: null } },
    ],
    unknown: ['A tag that does not exist', { tags: [99] }],
  }),
  createRequest: to('POST /api/requests', {
    wanted: [
      'An apartment by the sea',
      {
        availability: 'sale',
        category: 'residential',
        subcategories: ['apartment', 'maisonette'],
        contacts: [401],
        locations: [102, 103],
        users: [7],
        created_by: 7,
        store_id: 3,
        price_max: 350_000,
        size_min: 80,
        rooms_min: 2,
        has_elevator: true,
        extra_fields: { view: ['sea'], features: ['has_balcony'], 33: true },
      },
    ],
    missing: ['Nothing', {}],
  }),
  updateRequest: to('PUT /api/requests/151', {
    more: ['More money, any view', { price_max: 420_000, extra_fields: { view: null } }],
    range: ['The wrong way round', { size_max: 70 }],
  }),
  deleteRequest: to('DELETE /api/requests/151', { one: ['Deleted'] }),
  createEnquiry: to('POST /api/enquiries', {
    viewing: [
      'A visitor would like to see a listing',
      {
        type: 'viewing',
        listing_id: 1,
        first_name: 'Emma',
        last_name: 'Larsen',
        email: 'emma.larsen@example.com',
        message: 'We are in Athens next week.',
        dates: ['2026-12-01 10:00:00'],
        consent: { privacy: true, marketing: false },
      },
    ],
    consent: [
      'No consent',
      {
        type: 'information',
        last_name: 'Larsen',
        phone: '+45 20 00 00 00',
        message: 'Hello',
        consent: { privacy: false, marketing: false },
      },
    ],
    visitor: [
      'A visitor looks for a flat',
      {
        type: 'search',
        last_name: 'Larsen',
        email: 'emma.larsen@example.com',
        message: 'We would like to move in spring.',
        search: { availability: 'rent', category: 'residential', locations: [101], price_max: 900 },
        consent: { privacy: true, marketing: true },
      },
      { isVisitors: true },
    ],
    nobody: [
      'No way to answer',
      {
        type: 'information',
        last_name: 'Larsen',
        message: 'Hello',
        consent: { privacy: true, marketing: false },
      },
    ],
  }),
  updateEnquiry: to('PUT /api/enquiries/25', {
    open: ['Somebody takes it over', { status: 'open', users: [7] }],
    status: ['No such status', { status: 'done' }],
  }),
  convertEnquiry: {
    both: one('POST /api/enquiries/4/convert', 'Into a contact and a request', {
      create_request: { store_id: 3, created_by: 7, users: [7], locations: [102] },
    }),
    incomplete: one('POST /api/enquiries/9/convert', 'A request needs an office', {
      create_request: { created_by: 7, users: [7] },
    }),
  },
  deleteExternalListing: to('DELETE /api/external-listings/81', { one: ['Deleted'] }),
  createOffer: to('POST /office/offers', {
    submitted: [
      'An offer for a listing',
      { listing: { external: false, listing_id: 73 }, contacts: [29], store_id: 1, amount: 170_000 },
    ],
    missing: ['Nothing', {}],
  }),
  updateOffer: to('PUT /office/offers/{created}', {
    loan: ['A loan', { loan_percentage: 60 }],
    fixed: ['Too late', { currency: 'USD' }],
  }),
  createOfferRound: to('POST /office/offers/121/rounds', {
    counter: ['The owner asks for more', { type: 'counter_offer', amount: 175_000 }],
    accepted: ['Accepted, and the others are rejected', { type: 'accepted', reject_others: true }],
    late: ['Too late', { type: 'counter_offer', amount: 1 }],
  }),
  createContract: to('POST /office/contracts', {
    one: ['Of an accepted offer', { offer_id: 121 }],
    another: ['A second one', { offer_id: 121 }],
  }),
  updateContract: to('PUT /office/contracts/{created}', {
    deposit: ['A deposit', { deposit_amount: 17_500, deposit_date: '2026-07-01' }],
  }),
  changeContractStatus: to('POST /office/contracts/{created}/status', {
    cancelled: ['Cancelled, which ends the offer', { to: 5 }],
  }),
  createAppointment: to('POST /api/appointments', {
    viewing: [
      'A viewing of a listing',
      {
        type: 'viewing',
        title: 'Υπόδειξη στη Βούλα',
        starts: '2026-12-01 10:00:00',
        ends: '2026-12-01 10:45:00',
        store_id: 3,
        listing_id: 301,
        contacts: [401],
        users: [7],
      },
    ],
    afterwards: [
      'One that has been',
      {
        type: 'viewing',
        starts: '2026-03-02 10:00:00',
        ends: '2026-03-02 10:45:00',
        store_id: 3,
        listing_id: 301,
        contacts: [401],
        users: [7],
      },
    ],
    conflict: ['At the time of another', { type: 'meeting', starts: '2026-12-01 10:30:00', users: [7] }],
    missing: ['Nothing', {}],
  }),
  updateAppointment: to('PUT /api/appointments/{created}', {
    later: ['An hour later', { starts: '2026-03-02 11:00:00', ends: '2026-03-02 11:45:00' }],
    order: ['The wrong way round', { ends: '2026-03-02 09:00:00' }],
  }),
  changeAppointmentStatus: to('POST /api/appointments/{created}/status', {
    cancelled: ['Cancelled, with the reason in the notes', { to: 'cancelled', reason: 'Has the flu' }],
    done: ['What was cancelled has to be proposed first', { to: 'done' }],
    proposed: ['Proposed again', { to: 'proposed' }],
  }),
  confirmAppointment: to('POST /api/appointments/{created}/confirmations', {
    visitor: ['By telephone', { party: 'visitor', via: 'phone' }],
    missing: ['Nothing', {}],
  }),
  unconfirmAppointment: to('DELETE /api/appointments/{created}/confirmations/visitor', {
    visitor: ['That of the visitor'],
    again: ['Gone'],
  }),
  setAppointmentFeedback: to('PUT /api/appointments/{created}/feedback', {
    interested: [
      'What the visitor thinks, of which the owner was told',
      { interest: 'interested', price: 'high', text: 'Φωτεινό, αλλά ακριβό', shared: true },
    ],
    missing: ['Nothing', {}],
  }),
  listListingFeedback: to('GET /api/listings/301/feedback', { all: ['What its owner may hear'] }),
  deleteAppointment: to('DELETE /api/appointments/{created}', { one: ['Deleted'] }),
  createActivity: to('POST /api/activities', {
    call: [
      'A call, as a telephone system enters it',
      { type: 'call', direction: 'in', text: 'Ρώτησε για τη Βούλα.', contacts: [401], external_id: 'pbx-7' },
    ],
    missing: ['Nothing', {}],
  }),
  updateActivity: to('PUT /api/activities/{created}', {
    pinned: ['Pinned', { is_pinned: true }],
    wordless: ['Without words', { text: null }],
  }),
  deleteActivity: to('DELETE /api/activities/{created}', { one: ['Deleted'] }),
  createTask: to('POST /api/tasks', {
    call: [
      'A call to make',
      { title: 'Να κληθεί', due: '2026-12-02', user_id: 7, contacts: [401], listing_id: 301 },
    ],
    missing: ['Nothing', {}],
  }),
  updateTask: to('PUT /api/tasks/{created}', {
    later: ['A day later', { due: '2026-12-03' }],
    missing: ['Without a title', { title: null }],
  }),
  finishTask: to('POST /api/tasks/{created}/done', {
    next: [
      'Done, and what is next',
      { result: 'Θα το δει.', next: { title: 'Υπόδειξη', due: '2026-12-05' } },
    ],
    missing: ['A next task without a title', { next: {} }],
  }),
  deleteTask: to('DELETE /api/tasks/{created}', { one: ['Deleted'] }),
  mergeContacts: to('POST /api/contacts/398/merge', {
    twice: ['Who was entered twice', { contacts: [389], fields: { is_lead: 389 } }],
    missing: ['Nobody', {}],
    itself: ['The contact itself', { contacts: [398] }],
  }),
  unmergeContact: to('POST /api/contacts/398/unmerge', {
    one: ['As it was before', { contact_id: 389 }],
    again: ['A second time', { contact_id: 389 }],
  }),
  deleteContact: to('DELETE /api/contacts/401', { one: ['Deleted'] }),
  createKnowledgeBaseCategory: to('POST /office/knowledge-base/categories', {
    training: ['A category', { name: 'Εκπαίδευση', color: '#0f766e' }],
    missing: ['Nothing', {}],
  }),
  updateKnowledgeBaseCategory: {
    inactive: one('PUT /office/knowledge-base/categories/{created}', 'No longer in use', {
      is_active: false,
    }),
    wrong: { call: 'PUT /office/knowledge-base/categories/1', summary: 'No colour', body: { color: 'red' } },
  },
  deleteKnowledgeBaseCategory: {
    used: { call: 'DELETE /office/knowledge-base/categories/1', summary: 'Still in use' },
    one: { call: 'DELETE /office/knowledge-base/categories/{created}', summary: 'Deleted' },
  },
  createKnowledgeBaseArticle: to('POST /office/knowledge-base/articles', {
    keys: [
      'An article',
      { title: 'Κλειδιά στο γραφείο', category_id: 1, content: '<p>Ένα αντίγραφο ανά ακίνητο.</p>' },
    ],
    missing: ['Nothing', {}],
  }),
  updateKnowledgeBaseArticle: {
    title: one('PUT /office/knowledge-base/articles/{created}', 'Another title', {
      title: 'Κλειδιά ακινήτων',
    }),
    blank: { call: 'PUT /office/knowledge-base/articles/2', summary: 'No title', body: { title: '' } },
  },
  deleteKnowledgeBaseArticle: to('DELETE /office/knowledge-base/articles/{created}', { one: ['Deleted'] }),
  addArticleFile: to('POST /office/knowledge-base/articles/2/files?name=oroi.txt', {
    text: ['A text file', undefined, { bytes: () => Buffer.from('Όροι') }],
    empty: ['Nothing', undefined, { bytes: () => new Uint8Array() }],
  }),
  deleteArticleFile: to('DELETE /office/knowledge-base/articles/2/files/{created}', { one: ['Deleted'] }),
}
