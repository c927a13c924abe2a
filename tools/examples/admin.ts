/** Calls of the operator of the service. */
import { watermark } from '../../demo/pictures.ts'
import { type Calls, one, to } from './calls.ts'

const text = () => Buffer.from('1. Υπογραφή εντολής\n2. Φωτογράφιση\n')

/** Of the manifest of the backup that is being restored. */
export const BACKUP_DIGEST = 'e3b0c442'.repeat(8)

/** Runs before photos are added, so that they carry the watermark. */
export const PREPARATION: Calls = {
  // The service is marked as being restored when recording begins.
  beginRestore: to('PUT /admin/restore', {
    again: [
      'Goes on',
      { backup: '2026-11-16', digest: BACKUP_DIGEST, above: [{ resource: 'contacts', id: 212 }] },
    ],
    other: ['Not from another backup', { backup: '2026-11-15', digest: BACKUP_DIGEST }],
  }),
  endRestore: to('DELETE /admin/restore', { whole: ['All of it is stored'] }),
  setStoreWatermark: to('PUT /admin/stores/1/watermark', {
    image: ['A PNG', undefined, { bytes: watermark }],
    text: ['No picture', undefined, { bytes: text }],
  }),
  uploadArticleFile: to('PUT /admin/knowledge-base/files/1', {
    text: ['A text file', undefined, { bytes: text }],
    empty: ['Nothing', undefined, { bytes: () => new Uint8Array() }],
  }),
}

const CRM = 'https://crm.example/hooks/estia'

const PAGE = 'https://www.agency.example/{language}/listings/{id}'

const LINES = [
  { entity: 'languages', data: { id: 3, code: 'de', name: 'Deutsch' } },
  { entity: 'expense_categories', data: { id: 7, name: '' } },
]

export const ADMIN: Calls = {
  createApiKey: to('POST /admin/keys', {
    website: [
      'A publishable key for the pages of a website',
      {
        name: 'Website',
        scopes: ['listings:public'],
        origins: ['https://www.agency.example'],
        stores: [1],
        expires: '2027-12-31 23:59:59',
      },
    ],
    noScopes: ['Without scopes', { name: 'Website' }],
    wrongScope: ['Unknown scope', { name: 'Website', scopes: ['all'] }],
  }),
  listApiKeys: to('GET /admin/keys', { all: ['A secret key, which is not shown, and publishable ones'] }),
  updateApiKey: to('PUT /admin/keys/{created}', {
    origins: [
      'Another page, and all stores',
      { origins: ['https://www.agency.example', 'https://agency.example'], stores: null },
    ],
    path: ['An origin has no path', { origins: ['https://agency.example/search'] }],
  }),
  readSelf: to('GET /admin/self', { token: ['The admin token'] }),
  revokeApiKey: to('DELETE /admin/keys/{created}', { one: ['Revoked'] }),
  createWebhook: to('POST /admin/webhooks', {
    crm: [
      'For a CRM that holds listings and contacts',
      { url: CRM, resources: ['listings', 'contacts'], description: 'CRM' },
    ],
    unencrypted: ['No https', { url: 'http://crm.example/' }],
    castles: ['No such resource', { url: CRM, resources: ['castles'] }],
  }),
  listWebhooks: to('GET /admin/webhooks', { one: ['One that is well'] }),
  getWebhook: to('GET /admin/webhooks/{created}', { one: ['All is well'] }),
  updateWebhook: {
    all: one('PUT /admin/webhooks/{created}', 'All resources from now on', { resources: null }),
    stop: one('PUT /admin/webhooks/{created}', 'No more until further notice', { enabled: false }),
    nobody: { call: 'PUT /admin/webhooks/99', summary: 'There is no such webhook', body: { enabled: true } },
  },
  testWebhook: to('POST /admin/webhooks/{created}/test', { one: ['It arrived'] }),
  listWebhookAttempts: to('GET /admin/webhooks/{created}/attempts', { one: ['A test'] }),
  rotateWebhookSecret: to('POST /admin/webhooks/{created}/rotate', { one: ['Another secret'] }),
  deleteWebhook: to('DELETE /admin/webhooks/{created}', { one: ['Ended'] }),
  createFeed: to('POST /admin/feeds', {
    portal: [
      'Homes for sale, for a portal',
      {
        name: 'Portal',
        format: 'kyero',
        filters: { category: 'residential', availability: 'sale' },
        languages: ['en'],
        page_url: PAGE,
      },
    ],
    noPage: ['A sitemap without addresses', { name: 'Search engines', format: 'sitemap' }],
    klingon: ['No such language', { name: 'Portal', format: 'kyero', languages: ['tlh'] }],
  }),
  listFeeds: to('GET /admin/feeds', { one: ['One for a portal'] }),
  getFeed: to('GET /admin/feeds/{created}', { one: ['One for a portal'] }),
  updateFeed: {
    all: { call: 'PUT /admin/feeds/{created}', summary: 'All listings', body: { filters: null } },
    nobody: { call: 'PUT /admin/feeds/99', summary: 'There is no such feed', body: { filters: null } },
  },
  listLeftOutListings: to('GET /admin/feeds/{created}/left-out', {
    first: ['The first of them', undefined, { keep: 3 }],
  }),
  rotateFeedUrl: to('POST /admin/feeds/{created}/rotate', { one: ['Another URL'] }),
  deleteFeed: to('DELETE /admin/feeds/{created}', { one: ['Gone'] }),
  createCalendar: to('POST /admin/calendars', {
    phone: ['For a phone', { user_id: 4, detail: 'full' }],
    nobody: ['No such user', { user_id: 99 }],
  }),
  listCalendars: to('GET /admin/calendars', { one: ['One for a phone'] }),
  getCalendar: to('GET /admin/calendars/{created}', { one: ['One for a phone'] }),
  updateCalendar: {
    brief: { call: 'PUT /admin/calendars/{created}', summary: 'First names only', body: { detail: 'brief' } },
    nobody: { call: 'PUT /admin/calendars/99', summary: 'There is no such calendar', body: { tasks: true } },
  },
  rotateCalendarUrl: to('POST /admin/calendars/{created}/rotate', { one: ['Another URL'] }),
  deleteCalendar: to('DELETE /admin/calendars/{created}', { one: ['Gone'] }),
  importRecords: to('POST /admin/import', {
    lines: ['A good line and a bad one', `${LINES.map((line) => JSON.stringify(line)).join('\n')}\n`],
    long: ['Too many lines', '{}\n'.repeat(1001)],
  }),
  exportRecords: {
    first: { call: 'GET /admin/export', summary: 'The first lines', keep: 3 },
    nowhere: { call: 'GET /admin/export?after=end', summary: 'No cursor' },
  },
  listBackups: to('GET /admin/backups', { latest: ['The latest'] }),
  listErasedContacts: to('GET /admin/backups/erased', { one: ['One was erased'] }),
  eraseListedContact: to('POST /admin/backups/erased', {
    missing: ['One that the database no longer has', { id: 900, date: '2026-11-15 09:00:00' }],
  }),
  noteRestoredBackup: to('POST /admin/backups/2026-11-16/tried', { tried: ['The latest was tried'] }),
  holdPerson: to('POST /admin/contacts/12/hold', {
    lawsuit: ['A lawsuit', { reason: 'A lawsuit until May' }],
    blank: ['Without a reason', {}],
  }),
  readPerson: to('GET /admin/contacts/12/person', { held: ['A buyer, who is on hold'] }),
  releasePerson: to('DELETE /admin/contacts/12/hold', { one: ['No longer on hold'] }),
  erasePerson: {
    one: one('POST /admin/contacts/12/erase', 'As the person asked for', { reason: 'Asked for it' }),
    nobody: one('POST /admin/contacts/999999/erase', 'No such contact', { reason: 'Asked for it' }),
  },
  removeStoreWatermark: to('DELETE /admin/stores/1/watermark', { one: ['Removed'] }),
  readTrail: {
    keys: one('GET /admin/trail?resource=keys&per_page=2', 'The keys that were made and changed'),
    noStatus: { call: 'GET /admin/trail?status=refused', summary: 'A status that cannot be' },
    noJson: { call: 'GET /admin/trail', summary: 'A body that is no JSON', body: '{' },
  },
  readStats: to('GET /admin/stats', { demo: ['The demo agency, before cron has run'] }),
  listDefinitions: {
    tags: { call: 'GET /admin/definitions/contact_tags', summary: 'The tags of contacts', keep: 3 },
    none: { call: 'GET /admin/definitions/tags', summary: 'No such lookup' },
  },
  createDefinition: to('POST /admin/definitions/contact_tags', {
    tag: ['A tag', { name: 'Investor abroad' }],
    blank: ['Without a name', {}],
  }),
  readDefinition: to('GET /admin/definitions/stores/1', { store: ['An office'] }),
  updateDefinition: to('PUT /admin/definitions/expense_categories/1', {
    renamed: ['Another name', { name: 'Advertising and photos' }],
  }),
  deleteDefinition: {
    unused: { call: 'DELETE /admin/definitions/contact_tags/{created}', summary: 'Deleted' },
    used: { call: 'DELETE /admin/definitions/users/1', summary: 'In use' },
  },
  readSettings: to('GET /admin/settings', { all: ['All that are set'] }),
  updateSettings: to('PUT /admin/settings', { zone: ['The time zone', { time_zone: 'Europe/Athens' }] }),
  checkHealth: to('GET /health', { well: ['All is well'] }),
}
