/** A website: static pages of another origin that list, filter, sort and count with a publishable key. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildClient } from '../../scripts/build/client.ts'
import { importRecords, makePublishableKey, startService } from '../node/service.ts'
import { readGuides } from '../tools/guides/blocks.ts'
import { hasBrowser, openBrowser } from './browser.ts'

const HEAD = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Homes</title>
<p id="count"></p><ol id="list"></ol><p id="error"></p>
<script type="module">
const sent = new URLSearchParams(location.search)
const [service, key] = [sent.get('service'), sent.get('key')]
const say = (id, text) => { document.getElementById(id).textContent = text }
const show = ({ total_results, data }) => {
  say('count', total_results + ' homes')
  document.getElementById('list').append(...data.map(({ code, price }) => {
    const item = document.createElement('li')
    item.textContent = code + ': ' + (price ?? 'on request')
    return item
  }))
}
`

/** The pages by path. The first two show the second page of the homes for sale up to 250,000, the dearest first. */
const PAGES: Record<string, string> = {
  '/fetch': `${HEAD}
const query = new URLSearchParams({
  key, category: 'residential', availability: 'sale', 'price[max]': 250000, sort: '-price', per_page: 3, page: 2,
})
const response = await fetch(service + '/api/listings?' + query)
const body = await response.json()
if (response.ok) show(body)
else say('error', body.error_message)
document.title = 'done'
</script>`,
  '/client': `${HEAD}
const { createVisitorClient } = await import('/estia.js')
const website = createVisitorClient({ baseUrl: service, key })
const { data, error } = await website.get('/api/listings', {
  query: {
    category: 'residential', availability: 'sale', price: { max: 250000 }, sort: '-price', per_page: 3, page: 2,
  },
})
if (data) show(data)
else say('error', error.message)
document.title = 'done'
</script>`,
  '/pages': `${HEAD}
const { createVisitorClient } = await import('/estia.js')
const all = []
const query = { availability: 'sale', sort: 'price', per_page: 4 }
for await (const home of createVisitorClient({ baseUrl: service, key }).pages('/api/listings', { query })) all.push(home)
show({ total_results: all.length, data: all })
document.title = 'done'
</script>`,
  '/header': `${HEAD}
const response = await fetch(service + '/api/listings?per_page=1', { headers: { Authorization: 'Bearer ' + key } })
say('count', (await response.json()).total_results + ' homes')
document.title = 'done'
</script>`,
}

/** The page of the guide, with the address and key that a reader fills in. */
function guidePage(key: string): string {
  const blocks = readGuides().get('docs/website.md') ?? []
  const page = blocks.find(({ language }) => language === 'html')?.text ?? ''
  return page.replace('http://localhost:8787', originOf(gate)).replace('estia_pub_…', key)
}

let service: Awaited<ReturnType<typeof startService>>
let browser: Browser
/** The website. */
let site: Server
/** In front of the service: notes the method of every call that reaches it. */
let gate: Server
const methods: string[] = []

beforeAll(async () => {
  if (!hasBrowser) return
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  await importRecords(service.url, [
    ['stores', { id: 1, name: 'Center' }],
    ['users', { id: 1, name: 'User', store_id: 1 }],
    ...Array.from({ length: 12 }, (_, index) => home(index + 1)),
    home(13, { status: 'draft' }),
    home(14, { availability: 'rent' }),
    home(15, { extra: { has_hidden_price: true } }),
  ])
  const script = await bundledClient()
  site = createServer(({ url = '' }, answer) => {
    const { pathname } = new URL(url, 'http://site')
    const text = pathname === '/estia.js' ? script : PAGES[pathname]
    answer.setHeader('Content-Type', pathname === '/estia.js' ? 'text/javascript' : 'text/html')
    answer.writeHead(text === undefined ? 404 : 200).end(text)
  }).listen(0)
  gate = createServer((call, answer) => {
    methods.push(call.method ?? '')
    const target = new URL(call.url ?? '', service.url)
    const forwarded = httpRequest(target.href, { method: call.method, headers: call.headers }, (came) => {
      answer.writeHead(came.statusCode ?? 0, came.headers)
      came.pipe(answer)
    })
    call.pipe(forwarded)
  }).listen(0)
}, 120_000)

beforeEach(() => {
  methods.length = 0
})

afterAll(() => Promise.all([service?.close(), browser?.close(), site?.close(), gate?.close()]))

/** A home whose price is 50,000 times its id. */
function home(id: number, values: object = {}): [string, Record<string, unknown>] {
  const kind = { category: 'residential', availability: 'sale', status: 'active', code: `RES-${id}` }
  return ['listings', { id, ...kind, store_id: 1, created_by: 1, users: [1], price: 50_000 * id, ...values }]
}

/** The file that a page without a bundler imports. */
async function bundledClient(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-website-'))
  try {
    await buildClient(folder)
    return await readFile(join(folder, 'index.js'), 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const makeKey = (origins: string[] | null) => makePublishableKey(service.url, origins)

/** Opens a page of the website, and gives what it shows. */
async function open(path: string, key: string) {
  const tab = await browser.newPage()
  try {
    await tab.goto(`${originOf(site)}${path}?${new URLSearchParams({ service: originOf(gate), key })}`)
    await tab.waitForFunction(`document.title === 'done'`)
    const [count, error] = [await tab.textContent('#count'), await tab.textContent('#error')]
    return { count, homes: await tab.locator('li').allTextContents(), error }
  } finally {
    await tab.close()
  }
}

describe.runIf(hasBrowser)('a page of another origin', () => {
  const found = { count: '5 homes', homes: ['RES-2: 100000', 'RES-1: 50000'], error: '' }

  it.each(['/fetch', '/client'])('lists, filters, sorts and counts without a preflight: %s', async (path) => {
    expect(await open(path, await makeKey(null))).toEqual(found)
    expect(methods).toEqual(['GET'])
  })

  it('reads a whole list by the client without a preflight', async () => {
    const homes = Array.from({ length: 12 }, (_, index) => `RES-${index + 1}: ${50_000 * (index + 1)}`)
    homes.push('RES-15: on request')
    expect(await open('/pages', await makeKey(null))).toEqual({ count: '13 homes', homes, error: '' })
    expect(methods).toEqual(['GET', 'GET', 'GET', 'GET'])
  })

  it.each(['/fetch', '/client'])('may be one of the origins of the key: %s', async (path) => {
    expect(await open(path, await makeKey([originOf(site)]))).toEqual(found)
    expect(methods).toEqual(['GET'])
  })

  it.each(['/fetch', '/client'])('can read that its origin is not one of them: %s', async (path) => {
    const key = await makeKey(['https://www.agency.example'])
    expect(await open(path, key)).toEqual({ count: '', homes: [], error: 'Origin not allowed' })
    expect(methods).toEqual(['GET'])
  })

  it('may be the one of the guide, which searches, sorts and loads more', async () => {
    PAGES['/guide'] = guidePage(await makeKey(null))
    const tab = await browser.newPage()
    const homes = () => tab.locator('li').allTextContents()
    await tab.goto(`${originOf(site)}/guide`)
    await tab.getByText('More').click()
    await tab.locator('li').nth(12).waitFor()
    expect(await tab.textContent('#count')).toBe('13 homes')
    expect(await tab.locator('#more').isHidden()).toBe(true)
    await tab.getByLabel('Up to').fill('140000')
    await tab.getByLabel('Order').selectOption('cheapest')
    await tab.getByText('Search').click()
    await tab.getByText('2 homes', { exact: true }).waitFor()
    expect(await homes()).toEqual(['RES-1: 50000 €, ? m²', 'RES-2: 100000 €, ? m²'])
    expect(methods).toEqual(['GET', 'GET', 'GET'])
    await tab.close()
  })

  it('makes a preflight for a key in a header', async () => {
    expect((await open('/header', await makeKey(null))).count).toBe('14 homes')
    expect(methods).toEqual(['OPTIONS', 'GET'])
  })
})
