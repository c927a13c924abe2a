import { beforeEach, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, keyWith } from '../support/api.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { bearer, send, silenceLog } from './send.ts'

let lines: string[] = []

beforeEach(() => {
  lines = silenceLog()
})

describe('the log', () => {
  it('has one JSON line per request', async () => {
    const key = await keyWith('*:read')
    const answer = await send('GET', '/api/listings?search=Papadopoulos&page=2', { headers: bearer(key) })
    expect(lines).toHaveLength(1)
    const line = JSON.parse(lines[0] ?? '')
    expect(line).toEqual({
      level: 'info',
      request_id: answer.headers.get('X-Request-Id'),
      method: 'GET',
      path: '/api/listings',
      status: 200,
      ms: expect.any(Number),
      key: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  it.each([
    ['GET', '/health', 200, '/health'],
    ['GET', '/nowhere', 404, null],
    ['GET', '/api/listings', 401, '/api/listings'],
    ['GET', '/api/listings/sources', 401, '/api/listings/sources'],
    ['GET', '/api/listings/7/photos', 401, '/api/listings/{id}/photos'],
    ['HEAD', '/health', 200, '/health'],
    ['POST', '/health', 405, '/health'],
  ])('also of %s %s', async (method, address, status, path) => {
    await send(method, address)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'info', request_id: expect.any(String), method, path, status, ms: expect.any(Number) },
    ])
  })

  it('logs the id of a record, and only of one', async () => {
    const headers = bearer(await keyWith('*:read', '*:write'))
    await seedAgency()
    lines.length = 0
    await send('GET', '/api/contacts/1', { headers })
    await send('PUT', '/api/contacts/2/', { headers, body: '{"notes":"x"}' })
    await send('GET', '/api/contacts/987654321', { headers })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { path: '/api/contacts/{id}', id: 1, status: 200 },
      { path: '/api/contacts/{id}', id: 2, status: 200 },
      { path: '/api/contacts/{id}', status: 404 },
    ])
    expect(lines[2]).not.toContain('987654321')
  })

  it.each([
    ['GET', '/api/contacts/6900000123'],
    ['GET', '/api/contacts/6900000123@mail?search=6900000123'],
    ['GET', '/api/contacts/6900000123/x'],
    ['GET', '/api/contacts?search=6900000123'],
    ['GET', '/api/6900000123'],
    ['PUT', '/api/contacts/6900000123'],
    ['GET', '/6900000123'],
    ['GET', '/docs/6900000123'],
    ['GET', '/tours/6900000123'],
    ['POST', '/api/contacts/6900000123'],
    ['OPTIONS', '/api/contacts/6900000123'],
  ])('keeps a phone number out of it: %s %s', async (method, path) => {
    const headers = bearer(await keyWith('*:read', '*:write'))
    await send(method, path, { headers })
    await send(method, path)
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toContain('6900000123')
  })

  it('is no error where a client goes away', async () => {
    const headers = bearer(await keyWith('*:write'))
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('gone')) })
    await send('POST', '/api/contacts', { headers, body })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'info', status: 400 }])
  })

  it('never holds credentials, queries, bodies or the names of pictures', async () => {
    const key = await keyWith('*:read', '*:write')
    const unknown = `estia_${'ab'.repeat(24)}`
    await send('GET', `/api/listings?search=secret-query`, { headers: bearer(key) })
    await send('GET', '/api/listings', { headers: bearer(unknown) })
    await send('GET', '/api/listings', { headers: { 'X-API-Key': unknown } })
    await send('POST', '/api/listings', { headers: bearer(key), body: '{"notes":"secret-body"}' })
    await send('GET', '/admin/keys', { headers: bearer(ADMIN_TOKEN) })
    await send('POST', '/admin/keys', {
      headers: bearer(ADMIN_TOKEN),
      body: '{"name":"secret-body","scopes":["*:read"]}',
    })
    await send('GET', '/photos/secret-picture.jpg')
    await send('GET', '/watermarks/secret-picture.png')
    await send('GET', '/tours/secret-tour')
    expect(lines).toHaveLength(9)
    const log = lines.join('\n')
    for (const secret of [key, unknown, ADMIN_TOKEN, 'secret', 'estia_']) expect(log).not.toContain(secret)
  })

  it('keeps an endless path short', async () => {
    await send('GET', `/${'x'.repeat(5000)}`)
    expect(lines.join('').length).toBeLessThan(500)
  })
})
