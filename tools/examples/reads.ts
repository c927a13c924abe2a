/** Calls that read, resource by resource. `recorder.ts` adds the plain lists, which have no pages. */
import { type Calls, type ExampleCall, list, lookup, single, to } from './calls.ts'

const FIELDS = 'id,code,price,size,rooms,availability,date_listed'
const STRICT = { Prefer: 'handling=strict' }

/** A call of visitors. Those whose reply differs from that of other keys have one. */
const visitors = (path: string, summary: string, keep?: number): ExampleCall => ({
  call: `GET ${path}`,
  summary,
  isVisitors: true,
  ...(keep ? { keep } : {}),
})

export const READS: Calls = {
  listListings: {
    ...list('/api/listings', 'search=RES-00089', 'status=sold'),
    backwards: {
      call: 'GET /api/listings?date_created[min]=2026-02-01&date_created[max]=2026-01-01',
      summary: 'A range the wrong way round',
    },
    unknown: { call: 'GET /api/listings?colour=red', summary: 'Strict', headers: STRICT },
    rents: visitors(
      `/api/listings?category=residential&availability=rent&sort=price&per_page=2&fields=${FIELDS}`,
      'Some fields of the homes to rent, the cheapest first',
    ),
    tags: visitors('/api/listings?tags=1', 'By what visitors do not see'),
  },
  countListings: {
    homes: {
      call: 'GET /api/listings/facets?category=residential&availability=sale&facets=subcategory,area_level1,rooms,price',
      summary: 'The homes for sale by subcategory, region, rooms and price',
    },
    wrong: { call: 'GET /api/listings/facets?facets=colour', summary: 'No such facet' },
    noJson: { call: 'GET /api/listings/facets', summary: 'A body that is no JSON', body: '{' },
    shown: visitors(
      '/api/listings/facets?category=residential&availability=rent&facets=rooms,price',
      'The active homes to rent by rooms and shown price',
    ),
  },
  mapListings: {
    bounds: {
      call: `GET /api/listings/map?category=land&zoom=6&${encodeURI('bounds[south]=36&bounds[west]=22&bounds[north]=39&bounds[east]=25')}`,
      summary: 'Plots within a rectangle',
    },
    wrong: { call: 'GET /api/listings/map?zoom=21', summary: 'A zoom that cannot be' },
    noJson: { call: 'GET /api/listings/map', summary: 'A body that is no JSON', body: '{' },
    shown: visitors(
      '/api/listings/map?category=residential&availability=rent&zoom=8',
      'The active homes to rent, where they are shown',
    ),
  },
  getListing: {
    ...single('/api/listings/89', 'An apartment with photos and a tour'),
    shown: visitors('/api/listings/89', 'The same apartment, as its visitors see it'),
  },
  listListingMatches: list('/api/listings/12/matches', 'page=1', 'page=x'),
  listListingCustomFields: {
    some: { call: 'GET /api/listings/custom-fields', summary: 'Those of the demo agency' },
  },

  listExternalListings: list(
    '/api/external-listings',
    'category=residential&price[max]=400',
    'price[min]=cheap',
  ),
  getExternalListing: single('/api/external-listings/5', 'A villa on a portal'),

  listEnquiries: list('/api/enquiries', 'status=new', 'search=stathopoulou'),
  getEnquiry: single('/api/enquiries/2', 'A wish to view a listing'),
  listContacts: list('/api/contacts', 'search=eirini.oikonomou.1', 'date_created[min]=yesterday'),
  getContact: single('/api/contacts/1', 'A lead that is a company'),
  listContactCustomFields: {
    some: { call: 'GET /api/contacts/custom-fields', summary: 'The first entries', keep: 5 },
  },

  listRequests: list('/api/requests', 'contact_id=219', 'category=castle'),
  getRequest: {
    ...single('/api/requests/93', 'A home to rent'),
    all: { call: 'GET /api/requests/93?fields=all', summary: 'With fields=all' },
  },
  listRequestMatches: list('/api/requests/93/matches', 'page=1', 'page=x'),

  listOffers: list('/api/offers', 'request_id=88', 'status=won'),
  getOffer: {
    ...single('/api/offers/48', 'An offer for a listing of the agency'),
    offSystem: { call: 'GET /api/offers/28', summary: 'An offer for a property off the system' },
  },
  listContracts: list('/api/contracts', 'offer_id=48', 'external_contact=perhaps'),
  getContract: single('/api/contracts/1', 'A contract with its notes'),

  listIncomes: list('/api/incomes', 'contract_id=16', 'total_amount[min]=12.345'),
  getIncome: single('/api/incomes/32', 'An income that a partner shares in'),
  listExpenses: list('/api/expenses', 'linked_income_id=32', 'date[min]=2026-02-30'),
  getExpense: single('/api/expenses/112', 'Made from the commission of an income'),

  listAppointments: list('/api/appointments', 'contact_id=231&sort=starts', 'day=tomorrow'),
  listAppointmentConflicts: {
    found: {
      call: 'GET /api/appointments/conflicts?starts=2026-10-28%2009:15:00&users=4&users=5',
      summary: 'Two users who have something else to do',
    },
    wrong: { call: 'GET /api/appointments/conflicts?starts=tomorrow', summary: 'A value that cannot be' },
    noJson: { call: 'GET /api/appointments/conflicts', summary: 'A body that is no JSON', body: '{' },
  },
  getAppointment: single('/api/appointments/1', 'A viewing that was confirmed, with feedback'),

  listActivities: list('/api/activities', 'contact_id=284&sort=-date', 'date[min]=yesterday'),
  listPossibleDuplicates: to(
    'GET /api/contacts/duplicates?phone=%2B30%206900000000&name=Papadopoulos%20Giorgos',
    {
      known: ['Who calls'],
    },
  ),
  readContactTimeline: to('GET /api/contacts/284/timeline', {
    all: ['All that happened with a buyer', undefined, { keep: 3 }],
  }),
  readListingTimeline: to('GET /api/listings/48/timeline?kinds=offer_round,activity&limit=3', {
    some: ['Offers and activities of a listing'],
  }),
  readRequestTimeline: to('GET /api/requests/6/timeline?limit=2', { first: ['The newest entries'] }),
  getActivity: single('/api/activities/6', 'A call that the telephone system entered'),
  listTasks: list('/api/tasks', 'overdue=true&sort=due', 'day=today'),
  getTask: single('/api/tasks/4', 'What is to be done after an appointment'),

  listKnowledgeBaseArticles: list('/api/knowledge-base/articles', 'search=ανάθεση', 'category_id=sales'),
  getKnowledgeBaseArticle: single('/api/knowledge-base/articles/1', 'An article with files'),
  listKnowledgeBaseCategories: {
    ...lookup('/api/knowledge-base/categories'),
    noForm: { call: 'GET /api/knowledge-base/categories?fields=some', summary: 'No such form' },
    noJson: { call: 'GET /api/knowledge-base/categories', summary: 'A body that is no JSON', body: '{' },
  },
  getKnowledgeBaseCategory: single('/api/knowledge-base/categories/1', 'A category'),

  listStores: {
    ...lookup('/api/stores'),
    shown: visitors('/api/stores', 'The first entries, without the watermark', 3),
  },
  getStore: single('/api/stores/1', 'An office'),
  getUser: single('/api/users/1', 'An agent'),
  listLocations: {
    found: { call: 'GET /api/locations?search=voula', summary: '?search=voula' },
    wrong: { call: 'GET /api/locations?level=4', summary: 'A value that cannot be' },
    noJson: { call: 'GET /api/locations', summary: 'A body that is no JSON', body: '{' },
  },

  listChanges: {
    first: { call: 'GET /api/changes?resources=contacts,listings&limit=3', summary: 'From the beginning' },
    noCursor: { call: 'GET /api/changes?after=x', summary: 'What is no cursor' },
    noResource: { call: 'GET /api/changes?resources=castles', summary: 'No such resource' },
    noJson: { call: 'GET /api/changes', summary: 'A body that is no JSON', body: '{' },
  },
}
