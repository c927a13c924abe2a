/** Calls that write photos, listings, external listings, contacts, requests and deals. Each builds on those above it. */
import { type Calls, PICTURES } from './calls.ts'

/** A PNG of one pixel, in base64. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVR42mP4//8/AAX+Av4zEpUUAAAAAElFTkSuQmCC'

const STRICT = { Prefer: 'handling=strict' }

export const EXAMPLE_WRITES: Calls = {
  addListingPhotos: {
    several: {
      call: 'POST /api/listings/89/photos',
      summary: 'By URL, as bytes, and one that fails',
      body: { photos: [`${PICTURES}/living-room.jpg`, { data: PIXEL }, { url: `${PICTURES}/gone.jpg` }] },
    },
    none: { call: 'POST /api/listings/89/photos', summary: 'Nothing', body: {} },
    noList: { call: 'POST /api/listings/89/photos', summary: 'No array', body: { photos: 'house.jpg' } },
  },
  addListingPanoramas: {
    one: {
      call: 'POST /api/listings/89/panorama-photos',
      summary: 'The first panorama of a listing',
      body: { photos: [`${PICTURES}/360.jpg`] },
    },
    another: {
      call: 'POST /api/listings/89/panorama-photos',
      summary: 'One more',
      body: { photos: [`${PICTURES}/360-terrace.jpg`] },
    },
    none: { call: 'POST /api/listings/89/panorama-photos', summary: 'Nothing', body: {} },
  },
  listListingPhotos: {
    all: { call: 'GET /api/listings/89/photos', summary: 'In their order', keep: 3 },
  },
  listListingPanoramas: {
    all: { call: 'GET /api/listings/89/panorama-photos', summary: 'In their order', keep: 3 },
  },
  orderListingPhotos: {
    swapped: { call: 'PUT /api/listings/89/photos', summary: 'The second first', body: { order: [2, 1] } },
    missing: { call: 'PUT /api/listings/89/photos', summary: 'Not all of them', body: { order: [2] } },
  },
  orderListingPanoramas: {
    swapped: {
      call: 'PUT /api/listings/89/panorama-photos',
      summary: 'The second first',
      body: { order: [2, 1] },
    },
  },
  describeListingPhoto: {
    plan: {
      call: 'PUT /api/listings/89/photos/2',
      summary: 'A floor plan with its caption in two languages',
      body: {
        kind: 'floor_plan',
        captions: [
          { language_id: 1, caption: 'Κάτοψη ισογείου' },
          { language_id: 2, caption: 'Ground floor' },
        ],
      },
    },
    gone: { call: 'PUT /api/listings/89/photos/99', summary: 'No such photo', body: {} },
  },
  describeListingPanorama: {
    one: {
      call: 'PUT /api/listings/89/panorama-photos/1',
      summary: 'A caption',
      body: { captions: [{ language_id: 2, caption: 'Living room' }] },
    },
  },
  deleteListingPhoto: {
    second: { call: 'DELETE /api/listings/89/photos/2', summary: 'The others keep their numbers' },
    again: { call: 'DELETE /api/listings/89/photos/2', summary: 'Gone' },
  },
  deleteListingPanorama: {
    second: { call: 'DELETE /api/listings/89/panorama-photos/2', summary: 'The others keep their numbers' },
  },
  createListing: {
    minimal: {
      call: 'POST /api/listings',
      summary: 'No more than what is required',
      body: { category: 'land', availability: 'sale', store_id: 1, created_by: 2, users: [2] },
    },
    apartment: {
      call: 'POST /api/listings',
      summary: 'An apartment with details',
      body: {
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
    },
    missing: { call: 'POST /api/listings', summary: 'Nothing', body: {} },
    unknown: {
      call: 'POST /api/listings',
      summary: 'An office that does not exist',
      body: { category: 'land', availability: 'sale', store_id: 99, created_by: 2, users: [2] },
    },
    wrong: {
      call: 'POST /api/listings',
      summary: 'A subcategory of another category',
      body: {
        category: 'land',
        subcategory: 'villa',
        availability: 'sale',
        store_id: 1,
        created_by: 2,
        users: [2],
      },
    },
    noJson: { call: 'POST /api/listings', summary: 'No JSON', body: '{' },
  },
  changeListingStatus: {
    activate: { call: 'POST /api/listings/301/status', summary: 'Put on the market', body: { to: 'active' } },
    back: { call: 'POST /api/listings/301/status', summary: 'Back to draft', body: { to: 'draft' } },
    missing: { call: 'POST /api/listings/301/status', summary: 'Nothing', body: {} },
  },
  updateListing: {
    price: {
      call: 'PUT /api/listings/301',
      summary: 'A new price, a cleared field and one detail',
      body: { price: 1_250_000, source_id: null, details: { zoning: 'agricultural' } },
    },
    negative: { call: 'PUT /api/listings/301', summary: 'A negative price', body: { price: -1 } },
    cleared: {
      call: 'PUT /api/listings/301',
      summary: 'A field that cannot be cleared',
      body: { users: [] },
    },
    chain: {
      call: 'PUT /api/listings/301',
      summary: 'A municipality without its region',
      body: { location: { area_level2: 103 } },
    },
    unknown: { call: 'PUT /api/listings/301', summary: 'Strict', body: { colour: 'red' }, headers: STRICT },
  },
  createExternalListing: {
    found: {
      call: 'POST /api/external-listings',
      summary: 'Found on a portal, with a picture that is gone',
      body: {
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
    },
    missing: { call: 'POST /api/external-listings', summary: 'Nothing', body: {} },
    category: {
      call: 'POST /api/external-listings',
      summary: 'A subcategory without its category',
      body: { created_by: 7, store_id: 3, subcategory: 'villa' },
    },
  },
  updateExternalListing: {
    cheaper: {
      call: 'PUT /api/external-listings/81',
      summary: 'The price has fallen',
      body: { price: 690, location: { address: 'Φορμίωνος' }, photos: [`${PICTURES}/kitchen.jpg`] },
    },
    category: {
      call: 'PUT /api/external-listings/81',
      summary: 'A category that its subcategory does not belong to',
      body: { category: 'land' },
    },
  },
  createContact: {
    person: {
      call: 'POST /api/contacts',
      summary: 'A buyer',
      body: {
        first_name: 'Δάφνη',
        last_name: 'Μαυρίδου',
        is_lead: true,
        phones: [{ type: 'mobile', number: '+30 690 000 0401', notes: 'μετά τις 17:00' }],
        emails: [{ type: 'personal', email_address: 'dafni.mavridou@example.com' }],
        address: { area: 'Βούλα', postal_code: '16673' },
        custom_fields: { 44: 1, 45: [1, 3] },
        users: [7],
      },
    },
    missing: { call: 'POST /api/contacts', summary: 'Nothing', body: {} },
    choice: {
      call: 'POST /api/contacts',
      summary: 'No choice of the custom field',
      body: { last_name: 'Μαυρίδου', custom_fields: { 44: 9 } },
    },
  },
  updateContact: {
    client: {
      call: 'PUT /api/contacts/401',
      summary: 'The lead became a client',
      body: { is_lead: false, notes: 'Υπέγραψε εντολή αναζήτησης.', custom_fields: { 45: null } },
    },
    unknown: { call: 'PUT /api/contacts/401', summary: 'A tag that does not exist', body: { tags: [99] } },
  },
  createRequest: {
    wanted: {
      call: 'POST /api/requests',
      summary: 'An apartment by the sea',
      body: {
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
    },
    missing: { call: 'POST /api/requests', summary: 'Nothing', body: {} },
  },
  updateRequest: {
    more: {
      call: 'PUT /api/requests/151',
      summary: 'More money, any view',
      body: { price_max: 420_000, extra_fields: { view: null } },
    },
    range: { call: 'PUT /api/requests/151', summary: 'The wrong way round', body: { size_max: 70 } },
  },
  deleteRequest: { one: { call: 'DELETE /api/requests/151', summary: 'Deleted' } },
  createEnquiry: {
    viewing: {
      call: 'POST /api/enquiries',
      summary: 'A visitor would like to see a listing',
      body: {
        type: 'viewing',
        listing_id: 1,
        first_name: 'Emma',
        last_name: 'Larsen',
        email: 'emma.larsen@example.com',
        message: 'We are in Athens next week.',
        dates: ['2026-12-01 10:00:00'],
        consent: { privacy: true, marketing: false },
      },
    },
    consent: {
      call: 'POST /api/enquiries',
      summary: 'No consent',
      body: {
        type: 'information',
        last_name: 'Larsen',
        phone: '+45 20 00 00 00',
        message: 'Hello',
        consent: { privacy: false, marketing: false },
      },
    },
    visitor: {
      call: 'POST /api/enquiries',
      summary: 'A visitor looks for a flat',
      isVisitors: true,
      body: {
        type: 'search',
        last_name: 'Larsen',
        email: 'emma.larsen@example.com',
        message: 'We would like to move in spring.',
        search: { availability: 'rent', category: 'residential', locations: [101], price_max: 900 },
        consent: { privacy: true, marketing: true },
      },
    },
    nobody: {
      call: 'POST /api/enquiries',
      summary: 'No way to answer',
      body: {
        type: 'information',
        last_name: 'Larsen',
        message: 'Hello',
        consent: { privacy: true, marketing: false },
      },
    },
  },
  updateEnquiry: {
    open: {
      call: 'PUT /api/enquiries/25',
      summary: 'Somebody takes it over',
      body: { status: 'open', users: [7] },
    },
    status: { call: 'PUT /api/enquiries/25', summary: 'No such status', body: { status: 'done' } },
  },
  convertEnquiry: {
    both: {
      call: 'POST /api/enquiries/4/convert',
      summary: 'Into a contact and a request',
      body: { create_request: { store_id: 3, created_by: 7, users: [7], locations: [102] } },
    },
    incomplete: {
      call: 'POST /api/enquiries/9/convert',
      summary: 'A request needs an office',
      body: { create_request: { created_by: 7, users: [7] } },
    },
  },
  deleteExternalListing: { one: { call: 'DELETE /api/external-listings/81', summary: 'Deleted' } },
  createOffer: {
    submitted: {
      call: 'POST /office/offers',
      summary: 'An offer for a listing',
      body: { listing: { external: false, listing_id: 73 }, contacts: [29], store_id: 1, amount: 170_000 },
    },
    missing: { call: 'POST /office/offers', summary: 'Nothing', body: {} },
  },
  updateOffer: {
    loan: { call: 'PUT /office/offers/{created}', summary: 'A loan', body: { loan_percentage: 60 } },
    fixed: { call: 'PUT /office/offers/{created}', summary: 'Too late', body: { currency: 'USD' } },
  },
  createOfferRound: {
    counter: {
      call: 'POST /office/offers/121/rounds',
      summary: 'The owner asks for more',
      body: { type: 'counter_offer', amount: 175_000 },
    },
    accepted: {
      call: 'POST /office/offers/121/rounds',
      summary: 'Accepted, and the others are rejected',
      body: { type: 'accepted', reject_others: true },
    },
    late: {
      call: 'POST /office/offers/121/rounds',
      summary: 'Too late',
      body: { type: 'counter_offer', amount: 1 },
    },
  },
  createContract: {
    one: { call: 'POST /office/contracts', summary: 'Of an accepted offer', body: { offer_id: 121 } },
    another: { call: 'POST /office/contracts', summary: 'A second one', body: { offer_id: 121 } },
  },
  updateContract: {
    deposit: {
      call: 'PUT /office/contracts/{created}',
      summary: 'A deposit',
      body: { deposit_amount: 17_500, deposit_date: '2026-07-01' },
    },
  },
  changeContractStatus: {
    cancelled: {
      call: 'POST /office/contracts/{created}/status',
      summary: 'Cancelled, which ends the offer',
      body: { to: 5 },
    },
  },
  deleteContact: { one: { call: 'DELETE /api/contacts/401', summary: 'Deleted' } },
  createKnowledgeBaseCategory: {
    training: {
      call: 'POST /office/knowledge-base/categories',
      summary: 'A category',
      body: { name: 'Εκπαίδευση', color: '#0f766e' },
    },
    missing: { call: 'POST /office/knowledge-base/categories', summary: 'Nothing', body: {} },
  },
  updateKnowledgeBaseCategory: {
    inactive: {
      call: 'PUT /office/knowledge-base/categories/{created}',
      summary: 'No longer in use',
      body: { is_active: false },
    },
    wrong: { call: 'PUT /office/knowledge-base/categories/1', summary: 'No colour', body: { color: 'red' } },
  },
  deleteKnowledgeBaseCategory: {
    used: { call: 'DELETE /office/knowledge-base/categories/1', summary: 'Still in use' },
    one: { call: 'DELETE /office/knowledge-base/categories/{created}', summary: 'Deleted' },
  },
  createKnowledgeBaseArticle: {
    keys: {
      call: 'POST /office/knowledge-base/articles',
      summary: 'An article',
      body: { title: 'Κλειδιά στο γραφείο', category_id: 1, content: '<p>Ένα αντίγραφο ανά ακίνητο.</p>' },
    },
    missing: { call: 'POST /office/knowledge-base/articles', summary: 'Nothing', body: {} },
  },
  updateKnowledgeBaseArticle: {
    title: {
      call: 'PUT /office/knowledge-base/articles/{created}',
      summary: 'Another title',
      body: { title: 'Κλειδιά ακινήτων' },
    },
    blank: { call: 'PUT /office/knowledge-base/articles/2', summary: 'No title', body: { title: '' } },
  },
  deleteKnowledgeBaseArticle: {
    one: { call: 'DELETE /office/knowledge-base/articles/{created}', summary: 'Deleted' },
  },
  addArticleFile: {
    text: {
      call: 'POST /office/knowledge-base/articles/2/files?name=oroi.txt',
      summary: 'A text file',
      bytes: () => Buffer.from('Όροι'),
    },
    empty: {
      call: 'POST /office/knowledge-base/articles/2/files?name=oroi.txt',
      summary: 'Nothing',
      bytes: () => new Uint8Array(),
    },
  },
  deleteArticleFile: {
    one: { call: 'DELETE /office/knowledge-base/articles/2/files/{created}', summary: 'Deleted' },
  },
}
