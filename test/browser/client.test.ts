/** The typed client in a page of another origin, bundled as an integrator does it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildClient } from '../../scripts/build/client.ts'
import { importRecords, startService } from '../node/service.ts'
import { hasBrowser, openBrowser } from './browser.ts'

/** What the page does with the client. */
const PROGRAM = `import { createClient } from './index.js'
globalThis.use = async (options) => {
  const estia = createClient(options)
  const created = await estia.post('/api/contacts', { body: { first_name: 'Browser' } })
  const refused = await estia.post('/api/contacts', { body: { first_name: 5 } })
  const seen = { created: created.response.status, refused: refused.error.status, changes: 0 }
  for await (const { changes } of estia.changes({ resources: ['contacts'] })) seen.changes += changes.length
  return seen
}`

/** What it saw. */
interface Seen {
  created: number
  refused: number
  changes: number
}

let service: Awaited<ReturnType<typeof startService>>
let browser: Browser
let page: Server

beforeAll(async () => {
  if (!hasBrowser) return
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  await importRecords(service.url, [
    ['stores', { id: 1, name: 'Center' }],
    ['users', { id: 1, name: 'User', store_id: 1 }],
  ])
  const script = await bundle()
  page = createServer((request, answer) => {
    answer.setHeader('Content-Type', request.url === '/app.js' ? 'text/javascript' : 'text/html')
    answer.end(request.url === '/app.js' ? script : '<!doctype html><script src="/app.js"></script>')
  }).listen(0)
})

afterAll(() => Promise.all([service?.close(), browser?.close(), page?.close()]))

/** The script of the page. */
async function bundle(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-bundle-'))
  try {
    await buildClient(folder)
    const made = await build({
      stdin: { contents: PROGRAM, resolveDir: folder },
      bundle: true,
      write: false,
      platform: 'browser',
    })
    return made.outputFiles[0]?.text ?? ''
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.runIf(hasBrowser)('the client in a browser', () => {
  it('creates with a key of its own, follows changes and tells errors', async () => {
    const tab = await browser.newPage()
    const posted: (string | undefined)[] = []
    tab.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.headers()['idempotency-key'])
    })
    await tab.goto(`http://127.0.0.1:${(page.address() as AddressInfo).port}/`)
    const options = { baseUrl: service.url.origin, key: service.key }
    const seen = await tab.evaluate<Seen>(`use(${JSON.stringify(options)})`)
    expect(seen).toEqual({ created: 200, refused: 400, changes: 1 })
    expect(posted).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)])
  })
})
