/** Calls of the operator of the service. */
import { watermark } from '../../demo/pictures.ts'
import type { Calls } from './calls.ts'

const text = () => Buffer.from('1. Υπογραφή εντολής\n2. Φωτογράφιση\n')

/** Of the manifest of the backup that is being restored. */
export const BACKUP_DIGEST = 'e3b0c442'.repeat(8)

/** Runs before photos are added, so that they carry the watermark. */
export const PREPARATION: Calls = {
  // The service is marked as being restored when recording begins.
  beginRestore: {
    again: {
      call: 'PUT /admin/restore',
      summary: 'Goes on',
      body: { backup: '2026-11-16', digest: BACKUP_DIGEST, above: [{ resource: 'contacts', id: 212 }] },
    },
    other: {
      call: 'PUT /admin/restore',
      summary: 'Not from another backup',
      body: { backup: '2026-11-15', digest: BACKUP_DIGEST },
    },
  },
  endRestore: { whole: { call: 'DELETE /admin/restore', summary: 'All of it is stored' } },
  setStoreWatermark: {
    image: { call: 'PUT /admin/stores/1/watermark', summary: 'A PNG', bytes: watermark },
    text: { call: 'PUT /admin/stores/1/watermark', summary: 'No picture', bytes: text },
  },
  uploadArticleFile: {
    text: { call: 'PUT /admin/knowledge-base/files/1', summary: 'A text file', bytes: text },
    empty: { call: 'PUT /admin/knowledge-base/files/1', summary: 'Nothing', bytes: () => new Uint8Array() },
  },
}

const CRM = 'https://crm.example/hooks/estia'

const PAGE = 'https://www.agency.example/{language}/listings/{id}'

const LINES = [
  { entity: 'languages', data: { id: 3, code: 'de', name: 'Deutsch' } },
  { entity: 'expense_categories', data: { id: 7, name: '' } },
]

export const ADMIN: Calls = {
  createApiKey: {
    website: {
      call: 'POST /admin/keys',
      summary: 'A publishable key for the pages of a website',
      body: {
        name: 'Website',
        scopes: ['listings:public'],
        origins: ['https://www.agency.example'],
        stores: [1],
        expires: '2027-12-31 23:59:59',
      },
    },
    noScopes: { call: 'POST /admin/keys', summary: 'Without scopes', body: { name: 'Website' } },
    wrongScope: {
      call: 'POST /admin/keys',
      summary: 'Unknown scope',
      body: { name: 'Website', scopes: ['all'] },
    },
  },
  listApiKeys: {
    all: { call: 'GET /admin/keys', summary: 'A secret key, which is not shown, and publishable ones' },
  },
  updateApiKey: {
    origins: {
      call: 'PUT /admin/keys/{created}',
      summary: 'Another page, and all stores',
      body: { origins: ['https://www.agency.example', 'https://agency.example'], stores: null },
    },
    path: {
      call: 'PUT /admin/keys/{created}',
      summary: 'An origin has no path',
      body: { origins: ['https://agency.example/search'] },
    },
  },
  readSelf: { token: { call: 'GET /admin/self', summary: 'The admin token' } },
  revokeApiKey: { one: { call: 'DELETE /admin/keys/{created}', summary: 'Revoked' } },
  createWebhook: {
    crm: {
      call: 'POST /admin/webhooks',
      summary: 'For a CRM that holds listings and contacts',
      body: { url: CRM, resources: ['listings', 'contacts'], description: 'CRM' },
    },
    unencrypted: { call: 'POST /admin/webhooks', summary: 'No https', body: { url: 'http://crm.example/' } },
    castles: {
      call: 'POST /admin/webhooks',
      summary: 'No such resource',
      body: { url: CRM, resources: ['castles'] },
    },
  },
  listWebhooks: { one: { call: 'GET /admin/webhooks', summary: 'One that is well' } },
  getWebhook: { one: { call: 'GET /admin/webhooks/{created}', summary: 'All is well' } },
  updateWebhook: {
    all: {
      call: 'PUT /admin/webhooks/{created}',
      summary: 'All resources from now on',
      body: { resources: null },
    },
    stop: {
      call: 'PUT /admin/webhooks/{created}',
      summary: 'No more until further notice',
      body: { enabled: false },
    },
    nobody: { call: 'PUT /admin/webhooks/99', summary: 'There is no such webhook', body: { enabled: true } },
  },
  testWebhook: { one: { call: 'POST /admin/webhooks/{created}/test', summary: 'It arrived' } },
  listWebhookAttempts: { one: { call: 'GET /admin/webhooks/{created}/attempts', summary: 'A test' } },
  rotateWebhookSecret: { one: { call: 'POST /admin/webhooks/{created}/rotate', summary: 'Another secret' } },
  deleteWebhook: { one: { call: 'DELETE /admin/webhooks/{created}', summary: 'Ended' } },
  createFeed: {
    portal: {
      call: 'POST /admin/feeds',
      summary: 'Homes for sale, for a portal',
      body: {
        name: 'Portal',
        format: 'kyero',
        filters: { category: 'residential', availability: 'sale' },
        languages: ['en'],
        page_url: PAGE,
      },
    },
    noPage: {
      call: 'POST /admin/feeds',
      summary: 'A sitemap without addresses',
      body: { name: 'Search engines', format: 'sitemap' },
    },
    klingon: {
      call: 'POST /admin/feeds',
      summary: 'No such language',
      body: { name: 'Portal', format: 'kyero', languages: ['tlh'] },
    },
  },
  listFeeds: { one: { call: 'GET /admin/feeds', summary: 'One for a portal' } },
  getFeed: { one: { call: 'GET /admin/feeds/{created}', summary: 'One for a portal' } },
  updateFeed: {
    all: { call: 'PUT /admin/feeds/{created}', summary: 'All listings', body: { filters: null } },
    nobody: { call: 'PUT /admin/feeds/99', summary: 'There is no such feed', body: { filters: null } },
  },
  listLeftOutListings: {
    first: { call: 'GET /admin/feeds/{created}/left-out', summary: 'The first of them', keep: 3 },
  },
  rotateFeedUrl: { one: { call: 'POST /admin/feeds/{created}/rotate', summary: 'Another URL' } },
  deleteFeed: { one: { call: 'DELETE /admin/feeds/{created}', summary: 'Gone' } },
  importRecords: {
    lines: {
      call: 'POST /admin/import',
      summary: 'A good line and a bad one',
      body: `${LINES.map((line) => JSON.stringify(line)).join('\n')}\n`,
    },
    long: { call: 'POST /admin/import', summary: 'Too many lines', body: '{}\n'.repeat(1001) },
  },
  exportRecords: {
    first: { call: 'GET /admin/export', summary: 'The first lines', keep: 3 },
    nowhere: { call: 'GET /admin/export?after=end', summary: 'No cursor' },
  },
  listBackups: { latest: { call: 'GET /admin/backups', summary: 'The latest' } },
  listErasedContacts: { one: { call: 'GET /admin/backups/erased', summary: 'One was erased' } },
  eraseListedContact: {
    missing: {
      call: 'POST /admin/backups/erased',
      summary: 'One that the database no longer has',
      body: { id: 900, date: '2026-11-15 09:00:00' },
    },
  },
  noteRestoredBackup: {
    tried: { call: 'POST /admin/backups/2026-11-16/tried', summary: 'The latest was tried' },
  },
  holdPerson: {
    lawsuit: {
      call: 'POST /admin/contacts/12/hold',
      summary: 'A lawsuit',
      body: { reason: 'A lawsuit until May' },
    },
    blank: { call: 'POST /admin/contacts/12/hold', summary: 'Without a reason', body: {} },
  },
  readPerson: { held: { call: 'GET /admin/contacts/12/person', summary: 'A buyer, who is on hold' } },
  releasePerson: { one: { call: 'DELETE /admin/contacts/12/hold', summary: 'No longer on hold' } },
  erasePerson: {
    one: {
      call: 'POST /admin/contacts/12/erase',
      summary: 'As the person asked for',
      body: { reason: 'Asked for it' },
    },
    nobody: {
      call: 'POST /admin/contacts/999999/erase',
      summary: 'No such contact',
      body: { reason: 'Asked for it' },
    },
  },
  removeStoreWatermark: { one: { call: 'DELETE /admin/stores/1/watermark', summary: 'Removed' } },
  readTrail: {
    keys: {
      call: 'GET /admin/trail?resource=keys&per_page=2',
      summary: 'The keys that were made and changed',
    },
    noStatus: { call: 'GET /admin/trail?status=refused', summary: 'A status that cannot be' },
    noJson: { call: 'GET /admin/trail', summary: 'A body that is no JSON', body: '{' },
  },
  readStats: { demo: { call: 'GET /admin/stats', summary: 'The demo agency, before cron has run' } },
  listDefinitions: {
    tags: { call: 'GET /admin/definitions/contact_tags', summary: 'The tags of contacts', keep: 3 },
    none: { call: 'GET /admin/definitions/tags', summary: 'No such lookup' },
  },
  createDefinition: {
    tag: {
      call: 'POST /admin/definitions/contact_tags',
      summary: 'A tag',
      body: { name: 'Investor abroad' },
    },
    blank: { call: 'POST /admin/definitions/contact_tags', summary: 'Without a name', body: {} },
  },
  readDefinition: { store: { call: 'GET /admin/definitions/stores/1', summary: 'An office' } },
  updateDefinition: {
    renamed: {
      call: 'PUT /admin/definitions/expense_categories/1',
      summary: 'Another name',
      body: { name: 'Advertising and photos' },
    },
  },
  deleteDefinition: {
    unused: { call: 'DELETE /admin/definitions/contact_tags/{created}', summary: 'Deleted' },
    used: { call: 'DELETE /admin/definitions/users/1', summary: 'In use' },
  },
  readSettings: { all: { call: 'GET /admin/settings', summary: 'All that are set' } },
  updateSettings: {
    zone: { call: 'PUT /admin/settings', summary: 'The time zone', body: { time_zone: 'Europe/Athens' } },
  },
  checkHealth: { well: { call: 'GET /health', summary: 'All is well' } },
}
