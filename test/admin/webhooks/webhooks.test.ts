// @module-tag slow
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RESOURCES } from '../../../src/db/changes.ts'
import { silenceLog } from '../../http/send.ts'
import {
  ADMIN_TOKEN,
  call,
  expectData,
  expectDone,
  expectError,
  expectInvalid,
  get,
  post,
  put,
  remove,
} from '../../support/api.ts'
import { execute, selectAll, selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { DATE } from '../../support/factories/dates.ts'
import {
  forgetWebhooks,
  receive,
  storedWebhook,
  subscribe,
  URL_OF_RECEIVER,
  writeContact,
} from './receivers.ts'

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
const CURSOR = /^[0-9a-f]{12}-[0-9a-f]{14}$/
const urlRule = 'must be an https URL of a public host, without credentials'

const fresh = {
  id: expect.any(Number),
  url: URL_OF_RECEIVER,
  description: null,
  resources: null,
  enabled: true,
  disabled_reason: null,
  date_disabled: null,
  cursor: expect.stringMatching(CURSOR),
  failures: 0,
  error: null,
  next_attempt: null,
  date_delivered: null,
  old_secret_expires: null,
  date_created: DATE,
}

beforeAll(seedAgency)
beforeEach(async () => {
  await forgetWebhooks()
})

const newest = async () => (await get('/api/changes?limit=1000')).body.next as string
const countWebhooks = async () =>
  (await selectFirst<{ count: number }>('select count(*) as count from webhooks'))?.count

describe('POST /admin/webhooks', () => {
  it('subscribes from now on, and shows the secret once', async () => {
    const reply = await post('/admin/webhooks', { url: URL_OF_RECEIVER })
    await expectDone(reply, { data: { ...fresh, secret: expect.stringMatching(SECRET) } })
    expect(reply.headers.get('Cache-Control')).toBe('private, no-store')
    const { secret, ...shown } = reply.body.data
    expect(shown.cursor).toBe((await newest()).slice(0, shown.cursor.length))
    await expectData(get(`/admin/webhooks/${shown.id}`), shown)
    await expectData(get('/admin/webhooks'), [shown])
    expect(JSON.stringify(await storedWebhook(shown.id))).not.toContain(secret.slice(6))
    expect(JSON.stringify(await storedWebhook(shown.id))).not.toContain(btoa(secret).slice(0, 20))
  })

  it('takes resources, a description, and where to begin', async () => {
    const { body } = await get('/api/changes?resources=contacts&limit=1')
    receive()
    const wanted = { resources: ['offers', 'matches', 'offers'], description: 'Site', after: body.next }
    const { id, secret, ...made } = (await post('/admin/webhooks', { url: URL_OF_RECEIVER, ...wanted })).body
      .data
    expect(made).toMatchObject({ resources: ['offers', 'matches'], description: 'Site', cursor: body.next })
    expect(await storedWebhook(id)).toMatchObject({ resources: '["offers","matches"]', description: 'Site' })
    expect(secret).toMatch(SECRET)
  })

  it.each<[Record<string, unknown>, string]>([
    [{}, 'Missing url'],
    [
      { url: `https://a.example/${'ά'.repeat(400)}` },
      'Invalid url: must be at most 2048 characters once it is escaped',
    ],
    [{ url: 'receiver.example' }, `Invalid url: ${urlRule}`],
    [{ url: 'ftp://receiver.example/' }, `Invalid url: ${urlRule}`],
    [{ url: 'http://receiver.example/' }, `Invalid url: ${urlRule}`],
    [{ url: 'http://192.168.1.4/' }, `Invalid url: ${urlRule}`],
    [{ url: 'https://user@receiver.example/' }, `Invalid url: ${urlRule}`],
    [{ url: 'https://:pass@receiver.example/' }, `Invalid url: ${urlRule}`],
    [{ url: URL_OF_RECEIVER, resources: [] }, 'Invalid resources: must not be empty'],
    [{ url: URL_OF_RECEIVER, resources: { length: { toString: 1 } } }, 'Invalid resources: must be an array'],
    [
      { url: URL_OF_RECEIVER, resources: ['listings', 'castles'] },
      `Invalid resources.1: must be one of ${RESOURCES.join(', ')}`,
    ],
    [{ url: URL_OF_RECEIVER, after: 'x' }, 'Invalid after: must be a cursor of this deployment'],
    [
      { url: URL_OF_RECEIVER, after: '0123456789ab-00000000000001' },
      'Invalid after: must be a cursor of this deployment',
    ],
    [{ url: 'x', resources: ['castles'], after: 'x' }, `Invalid url: ${urlRule}`],
  ])('%j is 400 and subscribes nobody', async (wanted, message) => {
    await expectInvalid(post('/admin/webhooks', wanted), message)
    expect(await countWebhooks()).toBe(0)
  })

  it('refuses a cursor whose tombstones are gone', async () => {
    const { body } = await get('/api/changes?limit=1')
    // The cursor of a reader that did not start at the beginning of the feed.
    const [deployment, position] = body.next.split('-')
    const after = `${deployment}-${position}`
    await env.DB.exec('update change_feed set purged = 3')
    const refused = await post('/admin/webhooks', { url: URL_OF_RECEIVER, after })
    await env.DB.exec('update change_feed set purged = 0')
    await expectError(refused, 410, 'Cursor too old: read everything anew')
    expect(await countWebhooks()).toBe(0)
  })

  it('takes loopback and private hosts on the machine of a developer alone', async () => {
    const make = async (url: string, ALLOW_PRIVATE_PHOTO_URLS: string) =>
      (await post('/admin/webhooks', { url }, { bindings: { ALLOW_PRIVATE_PHOTO_URLS } })).status
    const local = [
      'http://localhost:3000/a',
      'http://127.0.0.1/',
      'http://[::1]:9/',
      'https://10.0.0.1/',
      'https://nas.local/',
    ]
    for (const url of local) expect([url, await make(url, 'true')]).toEqual([url, 200])
    const hostile = [
      ...local,
      'https://0x7f.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/',
      'https://db/',
    ]
    for (const url of hostile) expect([url, await make(url, 'false')]).toEqual([url, 400])
    expect(await make('https://receiver.example:8443/x?token=1', 'false')).toBe(200)
  })

  it('takes at most 100, also when they come at once', async () => {
    const row = 'url, secret, date_created, position, floor, leased_until, failures, enabled'
    await execute(
      `insert into webhooks (${row}) select 'https://a.example', 'x', '2026-01-01 00:00:00', 0, 0, 0, 0, 0
      from json_each(?)`,
      JSON.stringify(Array.from({ length: 99 }, () => 1)),
    )
    const answers = await Promise.all([1, 2, 3].map(() => post('/admin/webhooks', { url: URL_OF_RECEIVER })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.error_message).toBe('Too many webhooks: at most 100 are kept')
    expect(await countWebhooks()).toBe(100)
  })
})

describe('the address of a webhook', () => {
  it.each([
    ['https://Receiver.EXAMPLE', 'https://receiver.example/'],
    ['https:\\\\receiver.example\\hooks', 'https://receiver.example/hooks'],
    ['https://rec\neiver.example:443/hooks', 'https://receiver.example/hooks'],
    [
      'https://παράδειγμα.example/άκου?q=ν',
      'https://xn--hxajbheg2az3al.example/%CE%AC%CE%BA%CE%BF%CF%85?q=%CE%BD',
    ],
  ])('is stored and shown as it is called: %j', async (url, called) => {
    const deliveries = receive()
    const { body } = await post('/admin/webhooks', { url })
    const { id } = body.data
    expect([body.data.url, (await storedWebhook(id)).url]).toEqual([called, called])
    await post(`/admin/webhooks/${id}/test`, {})
    expect(deliveries.map((delivery) => delivery.url)).toEqual([called])
    await put(`/admin/webhooks/${id}`, { url: URL_OF_RECEIVER })
    await put(`/admin/webhooks/${id}`, { url })
    expect((await get(`/admin/webhooks/${id}`)).body.data.url).toBe(called)
  })
})

describe('PUT /admin/webhooks/{id}', () => {
  it('changes what is sent, and nothing else', async () => {
    const { id } = await subscribe({ resources: ['offers'], description: 'Site' })
    const change = async (body: object) => {
      await expectDone(put(`/admin/webhooks/${id}`, body), { updated_id: id })
      return (await get(`/admin/webhooks/${id}`)).body.data
    }
    const made = { ...fresh, id, resources: ['offers'], description: 'Site' }
    expect(await change({})).toEqual(made)
    expect(await change({ url: 'https://other.example/' })).toEqual({
      ...made,
      url: 'https://other.example/',
    })
    expect(await change({ resources: null })).toMatchObject({ resources: null, description: 'Site' })
    expect(await change({ description: null, enabled: false })).toMatchObject({
      url: 'https://other.example/',
      description: null,
      enabled: false,
      disabled_reason: null,
      date_disabled: null,
    })
    expect(await change({ enabled: true })).toMatchObject({ enabled: true })
  })

  it('goes on where it stood when it is enabled again, or elsewhere', async () => {
    const deliveries = receive()
    const { id } = await subscribe({ resources: ['contacts'] })
    await put(`/admin/webhooks/${id}`, { enabled: false })
    const contact = (await post('/api/contacts', { first_name: 'Anna', created_by: 1 })).body.created_id
    expect(deliveries).toEqual([])
    await put(`/admin/webhooks/${id}`, { enabled: true })
    expect(deliveries.map(({ body }) => body.data.map((entry) => entry.id))).toEqual([[contact]])
    const { body } = await get('/api/changes?resources=contacts&limit=2')
    await put(`/admin/webhooks/${id}`, { after: body.next })
    expect(deliveries.at(-1)?.body.data.map((entry) => entry.id)).toEqual([3, contact])
  })

  it('enables none whose tombstones are deleted, unless a cursor is sent', async () => {
    receive()
    const { id } = await subscribe()
    await put(`/admin/webhooks/${id}`, { enabled: false })
    await writeContact()
    await env.DB.exec('update change_feed set purged = (select max(cursor) from changes)')
    const refused = put(`/admin/webhooks/${id}`, { enabled: true })
    await expectError(refused, 410, 'Cursor too old: read everything anew')
    expect(await storedWebhook(id)).toMatchObject({ enabled: 0 })
    expect((await put(`/admin/webhooks/${id}`, { enabled: true, after: await newest() })).status).toBe(200)
    expect(await storedWebhook(id)).toMatchObject({ enabled: 1 })
    await env.DB.exec('update change_feed set purged = 0')
  })

  it.each<[Record<string, unknown>, string]>([
    [{ url: null }, 'Missing url'],
    [{ url: 'http://receiver.example' }, `Invalid url: ${urlRule}`],
    [{ resources: [] }, 'Invalid resources: must not be empty'],
    [{ resources: ['castles'] }, `Invalid resources.0: must be one of ${RESOURCES.join(', ')}`],
    [{ enabled: null }, 'Missing enabled'],
    [{ enabled: true, after: '' }, 'Invalid after: must be a cursor of this deployment'],
    [{ after: 'x', description: 'new' }, 'Invalid after: must be a cursor of this deployment'],
  ])('%j is 400 and changes nothing', async (body, message) => {
    const { id } = await subscribe()
    const before = await storedWebhook(id)
    await expectInvalid(put(`/admin/webhooks/${id}`, body), message)
    expect(await storedWebhook(id)).toEqual(before)
  })
})

describe('DELETE /admin/webhooks/{id}', () => {
  it('deletes it with its attempts, and never reuses its id', async () => {
    receive()
    const { id } = await subscribe()
    await post(`/admin/webhooks/${id}/test`, '')
    await expectDone(remove(`/admin/webhooks/${id}`), { deleted_id: id })
    expect(await countWebhooks()).toBe(0)
    expect(await selectAll('select * from webhook_attempts')).toEqual([])
    expect((await remove(`/admin/webhooks/${id}`)).status).toBe(404)
    expect((await subscribe()).id).toBe(id + 1)
  })
})

describe('POST /admin/webhooks/{id}/rotate', () => {
  const verifies = (secret: string, { text, headers }: { text: string; headers: Record<string, string> }) => {
    try {
      new Webhook(secret).verify(text, headers)
      return true
    } catch {
      return false
    }
  }

  it('returns a new secret; both sign for a day', async () => {
    const deliveries = receive()
    const { id, secret } = await subscribe()
    const reply = await post(`/admin/webhooks/${id}/rotate`, '')
    const { secret: second, old_secret_expires } = reply.body.data
    await expectDone(reply, { data: { ...fresh, id, old_secret_expires, secret: second } })
    expect([second === secret, second]).toEqual([false, expect.stringMatching(SECRET)])
    expect(old_secret_expires).toEqual(DATE)
    const hours = (Date.parse(`${old_secret_expires.replace(' ', 'T')}Z`) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    const third = async () => {
      await post(`/admin/webhooks/${id}/test`, '')
      const [delivery] = deliveries.slice(-1)
      return [secret, second].map((one) => delivery && verifies(one, delivery))
    }
    expect(await third()).toEqual([true, true])
    expect(deliveries.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    await env.DB.exec(`update webhooks set old_secret_expires = ${Date.now()}`)
    expect(await third()).toEqual([false, true])
  })
})

describe('POST /admin/webhooks/{id}/test', () => {
  it('sends a test, returns the attempt, and logs it', async () => {
    const deliveries = receive()
    const { id, secret } = await subscribe()
    const reply = await post(`/admin/webhooks/${id}/test`, '')
    const { body } = reply
    const attempt = {
      date: DATE,
      webhook_id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'test',
      status: 200,
      error: null,
      milliseconds: expect.any(Number),
    }
    await expectDone(reply, { data: attempt })
    expect(deliveries).toHaveLength(1)
    const [sent] = deliveries
    expect(sent?.body).toEqual({ type: 'test', timestamp: expect.any(String), data: [] })
    expect(new Date(sent?.body.timestamp ?? '').getTime()).toBeGreaterThan(Date.now() - 10_000)
    expect(sent?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': body.data.webhook_id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    })
    expect(new Webhook(secret).verify(sent?.text ?? '', sent?.headers ?? {})).toEqual(sent?.body)
    await expectData(get(`/admin/webhooks/${id}/attempts`), [body.data])
  })

  it.each<[number, string]>([
    [404, 'Answer 404'],
    [410, 'Answer 410'],
    [301, 'Redirects are not followed'],
    [304, 'Redirects are not followed'],
    [500, 'Answer 500'],
  ])('tells of the answer %i, and changes nothing', async (answered, error) => {
    const { id } = await subscribe()
    const before = await storedWebhook(id)
    const headers = { Location: 'https://elsewhere.example/' }
    const deliveries = receive(() => new Response(null, { status: answered, headers }))
    const { body } = await post(`/admin/webhooks/${id}/test`, '')
    expect(body.data).toMatchObject({ status: answered, error })
    expect(deliveries).toHaveLength(1)
    expect(await storedWebhook(id)).toEqual(before)
  })

  it('reports a missing response without the error of the runtime', async () => {
    const { id } = await subscribe()
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('10.0.0.1 refused'))
    const { body } = await post(`/admin/webhooks/${id}/test`, '')
    expect(body.data).toMatchObject({ status: null, error: 'No connection, or it broke off' })
  })

  it('goes to a disabled one, and never where it may not', async () => {
    const deliveries = receive()
    const { id } = await subscribe()
    await put(`/admin/webhooks/${id}`, { enabled: false })
    expect((await post(`/admin/webhooks/${id}/test`, '')).body.data).toMatchObject({ status: 200 })
    await env.DB.exec("update webhooks set url = 'http://10.0.0.1/'")
    const { body } = await post(`/admin/webhooks/${id}/test`, '')
    expect(body.data).toMatchObject({ status: null, error: 'The address is not allowed' })
    expect(deliveries).toHaveLength(1)
  })
})

describe('GET /admin/webhooks/{id}/attempts', () => {
  it('keeps the last 50, newest first', async () => {
    const { id } = await subscribe()
    receive()
    const names: string[] = []
    for (let attempt = 0; attempt < 53; attempt++)
      names.push((await post(`/admin/webhooks/${id}/test`, '')).body.data.webhook_id)
    const { body } = await get(`/admin/webhooks/${id}/attempts`)
    const listed = body.data.map(({ webhook_id }: { webhook_id: string }) => webhook_id)
    expect(listed).toEqual(names.slice(3).toReversed())
    expect(await selectFirst('select count(*) as count from webhook_attempts')).toEqual({ count: 50 })
  })
})

describe('secrets', () => {
  const testWith = async (changes: Partial<Env>, id: number) => {
    const key = changes.ADMIN_TOKEN ?? ADMIN_TOKEN
    return (await call('POST', `/admin/webhooks/${id}/test`, { key, bindings: changes })).body.data.error
  }
  const unreadable = 'The secret cannot be read, as the secrets of the deployment were changed: rotate it'

  it('cannot be read once the admin token is another one, unless its former value is kept', async () => {
    receive()
    const { id } = await subscribe()
    expect(await testWith({ ADMIN_TOKEN: 'another' }, id)).toBe(unreadable)
    expect(await testWith({ ADMIN_TOKEN: 'another', WEBHOOK_SECRET_KEY: 'new' }, id)).toBe(unreadable)
    expect(await testWith({ ADMIN_TOKEN: 'another', WEBHOOK_SECRET_KEY: ADMIN_TOKEN }, id)).toBeNull()
    expect(await testWith({ WEBHOOK_SECRET_KEY: 'new' }, id)).toBeNull()
  })

  it('are readable again once rotated', async () => {
    const deliveries = receive()
    const { id } = await subscribe()
    const changes = { ADMIN_TOKEN: 'another' }
    const options = { key: 'another', bindings: changes }
    const { data } = (await call('POST', `/admin/webhooks/${id}/rotate`, options)).body
    expect(await testWith(changes, id)).toBeNull()
    const { text = '', headers: sent = {} } = deliveries[0] ?? {}
    expect(sent['webhook-signature']).toMatch(/^v1,\S{44}$/)
    expect(new Webhook(data.secret).verify(text, sent)).toBeTruthy()
  })

  it('are in no log, error or export', async () => {
    const lines = silenceLog()
    receive(() => new Response('no', { status: 500 }))
    const { id, secret } = await subscribe()
    const second = (await post(`/admin/webhooks/${id}/rotate`, '')).body.data.secret
    const exported = await call('GET', '/admin/export')
    const told = [
      exported,
      await post('/api/contacts', { first_name: 'A', created_by: 1 }),
      await post(`/admin/webhooks/${id}/test`, ''),
      await get(`/admin/webhooks/${id}`),
      await get(`/admin/webhooks/${id}/attempts`),
      await get('/admin/webhooks'),
      await put(`/admin/webhooks/${id}`, { url: 'x' }),
    ]
    const text = JSON.stringify([told.map(({ body }) => body), lines])
    for (const hidden of [secret, second]) expect(text).not.toContain(hidden)
    expect(exported.body).not.toContain('webhook')
    expect(lines.join()).not.toContain('receiver.example')
  })
})
