import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ADMIN_TOKEN, keyWith } from '../support/api.ts'
import { bearer, send, silenceLog } from './send.ts'

let lines: string[] = []

beforeEach(() => {
  vi.restoreAllMocks()
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
    ['GET', '/health', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/api/listings', 401],
    ['HEAD', '/health', 200],
    ['POST', '/health', 405],
  ])('also of %s %s', async (method, path, status) => {
    await send(method, path)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'info', request_id: expect.any(String), method, path, status, ms: expect.any(Number) },
    ])
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

  it('tells failures from the rest', async () => {
    await send('GET', '/api/listings', { headers: bearer(await keyWith('*:read')) })
    expect(JSON.parse(lines[0] ?? '').level).toBe('info')
  })
})
