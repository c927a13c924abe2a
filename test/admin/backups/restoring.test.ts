/** Who may write while a service is being restored: the restore alone. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { routers } from '../../../src/app.ts'
import { waitsForRestore } from '../../../src/http/endpoint/contract.ts'
import { ENQUIRY_MAILS } from '../../../src/resources/enquiries/mail.ts'
import { sendMails } from '../../../src/resources/mails/queue.ts'
import { REPEATABLE } from '../../http/concurrency/repeatable.ts'
import { silenceLog } from '../../http/send.ts'
import { MINIMAL as ENQUIRY } from '../../resources/enquiries/seed.ts'
import { seedRequests } from '../../resources/requests/seed.ts'
import {
  call,
  get,
  importRecords,
  keyWith,
  type Line,
  post,
  put,
  type Reply,
  remove,
  websiteKey,
} from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { exported } from '../../support/transfer.ts'

const MARK = { backup: '2026-11-26', digest: 'a'.repeat(64) }
const REFUSED = {
  status: 503,
  error_message: 'The service is being restored from a backup, so nothing was done; try again later',
}
const answered = ({ status, body, headers }: Reply) => [status, body, headers.get('Retry-After')]

beforeEach(silenceLog)

beforeAll(async () => {
  await emptyService()
  expect((await put('/admin/restore', MARK)).status).toBe(200)
  await seedRequests()
  await importRecords([
    ['listings', { ...minimalListing, id: 1 }],
    ...(['requests', 'enquiries', 'external_listings'] as const).map(
      (entity): Line => [entity, { ...SMALLEST[entity], id: 1 }],
    ),
  ])
  // Makes the key of the calls.
  await get('/api/listings')
})

/** What is stored in both stores: records, the trail, keys. */
const stored = async () => [
  await exported(),
  await selectAll('select method, route, status from trail where method <> ?', 'GET'),
  await selectAll('select * from idempotency_keys'),
  (await env.API_KEYS.list()).keys.filter(({ name }) => !name.includes(':')),
  (await env.PHOTOS.list()).objects.length,
]

const writes = routers
  .flatMap(({ endpoints }) => endpoints)
  .filter(({ audience, method }) => audience !== 'public' && method !== 'get')
const nameOf = ({ method, path }: (typeof writes)[number]) => `${method.toUpperCase()} ${path}`

it.each(writes.filter((one) => waitsForRestore(one, true)).map((one) => [nameOf(one), one] as const))(
  'refuses %s before it has done anything',
  async (_, { method, path, contract }) => {
    const before = await stored()
    const known = REPEATABLE.find(({ pattern }) => pattern === path)?.body
    const body = known ?? (contract.body ? {} : contract.bodyType ? 'picture' : undefined)
    const at = path.replace(/\{(\w+)\}/g, (_, name) =>
      name === 'id' && /keys/.test(path) ? 'a'.repeat(16) : '1',
    )
    for (const headers of [{}, { 'Idempotency-Key': '"x"' }] as Record<string, string>[]) {
      const reply = await call(method.toUpperCase(), at, { ...(body === undefined ? {} : { body }), headers })
      expect(answered(reply)).toEqual([503, REFUSED, '60'])
    }
    expect(await stored()).toEqual(before)
  },
)

it('lets a restore itself import, erase, begin again and end', () => {
  expect(writes.filter((one) => !waitsForRestore(one, true)).map(nameOf)).toEqual([
    'POST /admin/import',
    'POST /admin/backups/erased',
    'PUT /admin/restore',
    'DELETE /admin/restore',
    'POST /admin/contacts/{id}/erase',
  ])
})

it('refuses enquiries of visitors, with a message that their website can wait for, and mails none of the backup', async () => {
  const sent: unknown[] = []
  const MAIL = { send: async (mail: unknown) => sent.push(mail) } as unknown as SendEmail
  const mailing: Env = { ...env, MAIL, MAIL_FROM: 'estia@example.com' }
  await importRecords([
    ['stores', { id: 1, email: 'office@example.com' }],
    ['enquiries', { ...SMALLEST.enquiries, id: 2, listing_id: 1, notified: null }],
    ['settings', { key: 'enquiry_email', value: 'office@example.com' }],
  ])
  const key = await websiteKey({}, ['enquiries:create'])
  const reply = await post('/api/enquiries', ENQUIRY, { key })
  expect(answered(reply)).toEqual([503, REFUSED, '60'])
  await remove('/admin/restore')
  await sendMails(mailing, [ENQUIRY_MAILS], () => Date.now() + 600_000)
  expect([sent, await selectAll('select * from enquiry_mails')]).toEqual([[], []])
  expect((await post('/api/enquiries', ENQUIRY, { key })).status).toBe(200)
})

it('refuses imports of all but ADMIN_TOKEN, and tries none out', async () => {
  expect((await put('/admin/restore', MARK)).status).toBe(409)
  await emptyService()
  const key = await keyWith('admin:import', 'admin:settings')
  expect((await put('/admin/restore', MARK)).status).toBe(200)
  const body = JSON.stringify({ entity: 'stores', data: { id: 1, name: 'Athens' } })
  for (const query of ['', '?dry_run=true'])
    expect(answered(await call('POST', `/admin/import${query}`, { body, key }))).toEqual([503, REFUSED, '60'])
  expect(await selectAll('select * from stores')).toEqual([])
  expect((await call('POST', '/admin/import', { body })).status).toBe(200)
})
