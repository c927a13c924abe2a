/** The area `/office/`, where what `/api/` only reads is written: everything that holds for `/api/` holds there. */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { services } from '../../../src/app.ts'
import { RECORD_RESOURCES } from '../../../src/catalogue/resources.ts'
import { createApp, Router, registerRoutes } from '../../../src/http/endpoint/router.ts'
import { createdBody, createdReply } from '../../../src/http/reply/envelope.ts'
import { call, keyWith, ORIGIN, websiteKey } from '../../support/api.ts'
import { bearer, endpoints, send } from '../send.ts'

const office = endpoints.filter(({ path }) => path.startsWith('/office/'))

describe('the door', () => {
  it('has no reads, and everything behind it is read under /api/', () => {
    const reads = new Set(endpoints.filter(({ method }) => method === 'get').map(({ path }) => path))
    for (const { method, path } of office) {
      const collection = path.replace('/office/', '/api/').replace(/\/\{id\}.*/, '')
      expect([path, method, reads.has(collection)]).toEqual([path, expect.not.stringMatching('get'), true])
    }
  })

  it('needs a key, and knows no other paths', async () => {
    const unknown = { status: 404, error_message: 'Not found' }
    for (const path of [
      '/office',
      '/office/',
      '/office/unknown',
      '/office/listings',
      '/office/offers/1/unknown',
    ]) {
      expect((await send('POST', path)).status).toBe(401)
      const key = await keyWith('*:read', '*:write')
      const answer = await send('POST', path, { headers: bearer(key) })
      expect([path, await answer.json()]).toEqual([path, unknown])
    }
  })

  it('takes scopes by the segment behind it, and names the methods that a path has', async () => {
    const router = new Router('Offers', '')
    router.post('/office/offers', { summary: '', reply: createdBody }, (c) => c.json(createdReply(1)))
    const app = createApp()
    registerRoutes(app, [router], services)
    const sendTo = async (method: string, key: string) =>
      app.fetch(
        new Request(`${ORIGIN}/office/offers`, { method, headers: bearer(key) }),
        env,
        createExecutionContext(),
      )
    const writes = await keyWith('offers:write')
    expect((await sendTo('POST', writes)).status).toBe(200)
    const refused = await sendTo('POST', await keyWith('offers:read', 'listings:write'))
    const lacks = { status: 403, error_message: 'This API key lacks the scope offers:write' }
    expect(await refused.json()).toEqual(lacks)
    expect((await sendTo('POST', await websiteKey())).status).toBe(403)
    for (const method of ['GET', 'QUERY', 'PUT', 'DELETE']) {
      const { status, headers } = await sendTo(method, writes)
      expect([method, status, headers.get('Allow')]).toEqual([method, 405, 'POST, OPTIONS'])
    }
  })

  it('leaves /api/ as it was: nothing is written there that was only read', async () => {
    for (const { resource } of RECORD_RESOURCES.filter(({ door }) => door)) {
      const answers = [
        await call('POST', `/api/${resource}`, { body: {} }),
        await call('PUT', `/api/${resource}/1`, { body: {} }),
        await call('DELETE', `/api/${resource}/1`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([405, 405, 405])
    }
  })
})
