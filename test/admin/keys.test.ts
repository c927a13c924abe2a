import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { silenceLog } from '../http/send.ts'
import { call, expectInvalid, get, keyWith, post, remove } from '../support/api.ts'

const scopeMessage = 'must be <resource>:read, <resource>:write, *:read, *:write or listings:public'

beforeAll(() => void silenceLog())

const make = async (wanted: Record<string, unknown>) => (await post('/admin/keys', wanted)).body.data

async function countKeys(): Promise<number> {
  return (await env.API_KEYS.list()).keys.length
}

describe('POST /admin/keys', () => {
  it('makes a key and shows it', async () => {
    const { status, body, headers } = await post('/admin/keys', {
      name: 'Website',
      scopes: ['listings:read'],
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 200,
        data: {
          id: expect.stringMatching(/^[0-9a-f]{16}$/),
          name: 'Website',
          scopes: ['listings:read'],
          expires: null,
          date_created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          key: expect.stringMatching(/^estia_[0-9a-f]{48}$/),
        },
      },
    })
    expect(headers.get('Cache-Control')).toBe('private, no-store')
    expect((await get('/api/listings', { key: body.data.key })).status).toBe(200)
  })

  it('takes the moment at which it expires', async () => {
    const { expires } = await make({ name: 'Trial', scopes: ['*:read'], expires: '2099-12-31 23:59:59' })
    expect(expires).toBe('2099-12-31 23:59:59')
    expect((await make({ name: 'Trial', scopes: ['*:read'], expires: null })).expires).toBeNull()
  })

  it.each([['*:read'], ['*:write'], ['listings:write'], ['external-listings:read'], ['knowledge-base:read']])(
    'knows the scope %s',
    async (scope) => {
      expect((await make({ name: 'x', scopes: [scope] })).scopes).toEqual([scope])
    },
  )

  it.each<[Record<string, unknown>, string]>([
    [{}, 'Missing name'],
    [{ name: 'x' }, 'Missing scopes'],
    [{ scopes: ['*:read'] }, 'Missing name'],
    [{ name: ' ', scopes: ['*:read'] }, 'Missing name'],
    [
      { name: 'x', scopes: ['listings:read', 'castles:read'] },
      'Invalid scopes: there is no castles; resources are contacts, contracts, expenses, external-listings, incomes, ' +
        'knowledge-base, languages, listings, locations, offers, requests, special-locations, stores, users',
    ],
    [
      { name: 'x', scopes: Array.from({ length: 101 }, () => '*:read') },
      'Invalid scopes: must have at most 100 entries',
    ],
    [{ name: { length: { toString: 1 } }, scopes: ['*:read'] }, 'Invalid name: must be text'],
    [{ name: 'x', scopes: { length: { toString: 1 } } }, 'Invalid scopes: must be an array'],
    [{ name: null, scopes: ['*:read'] }, 'Missing name'],
    [{ name: 5, scopes: ['*:read'] }, 'Invalid name: must be text'],
    [{ name: 'x'.repeat(256), scopes: ['*:read'] }, 'Invalid name: must be at most 255 characters'],
    [{ name: 'x', scopes: [] }, 'Missing scopes'],
    [{ name: 'x', scopes: '*:read' }, 'Invalid scopes: must be an array'],
    [{ name: 'x', scopes: ['*'] }, `Invalid scopes.0: ${scopeMessage}`],
    [{ name: 'x', scopes: ['*:*'] }, `Invalid scopes.0: ${scopeMessage}`],
    [{ name: 'x', scopes: ['listings:delete'] }, `Invalid scopes.0: ${scopeMessage}`],
    [{ name: 'x', scopes: ['Listings:read'] }, `Invalid scopes.0: ${scopeMessage}`],
    [{ name: 'x', scopes: ['listings:read '] }, `Invalid scopes.0: ${scopeMessage}`],
    [{ name: 'x', scopes: ['*:read', 'x'] }, `Invalid scopes.1: ${scopeMessage}`],
    [{ name: 'x', scopes: [null] }, 'Invalid scopes.0: must be text'],
    [
      { name: 'x', scopes: ['*:read'], expires: '2099-02-30 00:00:00' },
      'Invalid expires: must be a date-time, YYYY-MM-DD HH:MM:SS',
    ],
    [
      { name: 'x', scopes: ['*:read'], expires: '2099-01-01' },
      'Invalid expires: must be a date-time, YYYY-MM-DD HH:MM:SS',
    ],
    [{ name: 'x', scopes: ['*:read'], expires: 5 }, 'Invalid expires: must be text'],
  ])('%j is 400 and makes nothing', async (wanted, message) => {
    const before = await countKeys()
    await expectInvalid(post('/admin/keys', wanted), message)
    expect(await countKeys()).toBe(before)
  })

  it('names the fields that it ignores', async () => {
    const { headers } = await post('/admin/keys', { name: 'x', scopes: ['*:read'], key: 'mine' })
    expect(headers.get('X-Ignored-Fields')).toBe('key')
  })
})

describe('GET /admin/keys', () => {
  it('lists every key without its secret', async () => {
    const { key, ...made } = await make({ name: 'Listed', scopes: ['*:read'] })
    const { status, body } = await get('/admin/keys')
    expect(status).toBe(200)
    expect(body.data).toContainEqual(made)
    expect(JSON.stringify(body)).not.toContain(key)
    expect(JSON.stringify(body)).not.toContain('estia_')
  })

  it('lists more than one page of the store', async () => {
    const before = (await get('/admin/keys')).body.data.length
    for (let made = 0; made < 250; made += 50) {
      await Promise.all(Array.from({ length: 50 }, () => keyWith('*:read')))
    }
    const { data } = (await get('/admin/keys')).body
    expect(data).toHaveLength(before + 250)
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(before + 250)
    const dates: string[] = data.map(({ date_created }: { date_created: string }) => date_created)
    expect(dates).toEqual(dates.toSorted((a, b) => a.localeCompare(b)))
  })
})

describe('DELETE /admin/keys/{id}', () => {
  it('revokes one key', async () => {
    const [gone, kept] = [
      await make({ name: 'a', scopes: ['*:read'] }),
      await make({ name: 'b', scopes: ['*:read'] }),
    ]
    const { status, body } = await remove(`/admin/keys/${gone.id}`)
    expect({ status, body }).toEqual({ status: 200, body: { status: 200, deleted_id: gone.id } })
    expect((await get('/api/listings', { key: gone.key })).status).toBe(401)
    expect((await get('/api/listings', { key: kept.key })).status).toBe(200)
    expect((await remove(`/admin/keys/${gone.id}`)).status).toBe(404)
  })

  it.each(['unknown', '0000000000000000', '1', '%20', '..', 'ffff', 'FFFFFFFFFFFFFFFF'])(
    '%s is 404 and revokes nothing',
    async (id) => {
      const before = await countKeys()
      const { status, body } = await call('DELETE', `/admin/keys/${id}`)
      expect(status).toBe(404)
      expect(body.status).toBe(404)
      expect(await countKeys()).toBe(before)
    },
  )
})
