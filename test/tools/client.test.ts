/** The client as it is installed: what it asks for, what it answers, and the programs of its guides. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PIXEL } from '../../fixtures/pictures.ts'
import { FOR_NODE, startProject } from '../node/integrator.ts'
import { importListings, makePublishableKey, startService } from '../node/service.ts'

const LISTINGS = 120
const OLD = '2026-01-01 00:00:00'

let service: Awaited<ReturnType<typeof startService>>
let project: Awaited<ReturnType<typeof startProject>>
let requests: string[] = []

beforeAll(async () => {
  ;[service, project] = await Promise.all([startService(), startProject()])
  await importListings(
    service.url,
    Array.from({ length: LISTINGS }, (_, index) => listing(index + 1)),
  )
})

afterAll(() => Promise.all([service?.close(), project?.remove()]))

const listing = (id: number) => ({
  ...{ id, availability: id % 2 ? 'sale' : 'rent', status: 'active', price: id },
  ...{ date_created: OLD, date_updated: OLD },
})

/** The built client, without its types; notes what it asks for. */
async function connect(options: Record<string, unknown> = {}) {
  requests = []
  const { createClient, orThrow, EstiaError } = await import(project.entry)
  const estia = createClient({
    baseUrl: service.url.origin,
    key: service.key,
    fetch: (request: Request) => {
      requests.push(decodeURIComponent(new URL(request.url).search))
      return fetch(request)
    },
    ...options,
  })
  return { estia, orThrow, EstiaError }
}

/** The ids that `pages` gives; `each` is called after each record. */
async function idsOf(records: AsyncIterable<{ id: number }>, each: (id: number) => unknown = () => null) {
  const ids: number[] = []
  for await (const { id } of records) {
    ids.push(id)
    await each(id)
  }
  return ids
}

const countdown = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((from - to) / step) + 1 }, (_, index) => from - index * step)

const environment = (more: Record<string, string> = {}) => ({
  ESTIA_URL: service.url.origin,
  ESTIA_KEY: service.key,
  ...more,
})

/** A form with two pictures. */
function formWith(pixel: Buffer<ArrayBuffer>): FormData {
  const form = new FormData()
  for (const name of ['a.png', 'b.png']) form.append('photos', new Blob([pixel]), name)
  return form
}

const ordinalsOf = (photos: { ordernum: number }[]) => photos.map(({ ordernum }) => ordernum)

describe('pictures', () => {
  it('go as they are, and come back with their numbers', async () => {
    const { estia, orThrow } = await connect()
    const path = { id: 1 }
    const pixel = Buffer.from(PIXEL, 'base64')
    const bodies = [new Uint8Array(pixel), new Blob([pixel]), new Uint8Array(pixel).buffer, formWith(pixel)]
    const numbers: number[] = []
    for (const body of bodies) {
      const { data } = await orThrow(estia.post('/api/listings/{id}/photos', { path, body }))
      numbers.push(...ordinalsOf(data))
    }
    expect(numbers).toEqual([1, 2, 3, 4, 5])
    await orThrow(estia.delete('/api/listings/{id}/photos/{ordernum}', { path: { id: 1, ordernum: 2 } }))
    await orThrow(estia.put('/api/listings/{id}/photos', { path, body: { order: [5, 4, 3, 1] } }))
    const { data } = await orThrow(estia.get('/api/listings/{id}/photos', { path }))
    expect(ordinalsOf(data)).toEqual([1, 2, 3, 4])
  })
})

describe('a call', () => {
  it('lists with every kind of filter', async () => {
    const { estia } = await connect()
    const { data, error, response } = await estia.get('/api/listings', {
      query: {
        availability: ['rent', 'auction'],
        status: 'active',
        search: null,
        subtype: [],
        date_created: { min: '2026-01-01', max: OLD },
        page: 2,
      },
    })
    expect(requests).toEqual([
      `?availability=rent&availability=auction&status=active&date_created[min]=2026-01-01&date_created[max]=${OLD}&page=2`,
    ])
    expect(error).toBeUndefined()
    expect(response.headers.get('X-Total-Count')).toBe('60')
    expect(data).toMatchObject({ status: 200, page: 2, total_pages: 2, total_results: 60 })
    expect(data.data.map(({ id }: { id: number }) => id)).toEqual(countdown(20, 2, 2))
  })

  it('writes only over what it has seen, and reads only what is new', async () => {
    const { estia, orThrow } = await connect()
    const path = { id: 3 }
    const { response } = await estia.get('/api/listings/{id}', { path })
    const tag = response.headers.get('ETag') ?? ''
    const read = () => estia.get('/api/listings/{id}', { path, headers: { 'If-None-Match': tag } })
    const known = await read()
    expect([known.data, known.error.status, known.response.status]).toEqual([undefined, 304, 304])
    const edit = { path, body: { notes: 'Seen' }, headers: { 'If-Match': tag } }
    await orThrow(estia.put('/api/listings/{id}', edit))
    const changed = { status: 412, message: 'The record has changed' }
    expect((await estia.put('/api/listings/{id}', edit)).error).toMatchObject(changed)
    expect((await read()).data).toBeDefined()
  })
})

describe('the client for websites', () => {
  const ACCEPT = { accept: 'application/json, application/problem+json' }

  /** The client with this key, and what it sends. */
  async function visit(key: string) {
    const sent: { query: string; headers: Record<string, string> }[] = []
    const { createVisitorClient, orThrow } = await import(project.entry)
    const note = (request: Request) => {
      const query = decodeURIComponent(new URL(request.url).search)
      sent.push({ query, headers: Object.fromEntries(request.headers) })
      return fetch(request)
    }
    return { website: createVisitorClient({ baseUrl: service.url.origin, key, fetch: note }), orThrow, sent }
  }

  it('sends a publishable key in the query, and no header that costs a preflight', async () => {
    const key = await makePublishableKey(service.url)
    const { website, orThrow, sent } = await visit(key)
    const query = { price: { min: 101 }, availability: ['sale', 'rent'], sort: '-price', per_page: 2 }
    const page = await orThrow(website.get('/api/listings', { query }))
    expect([page.total_results, page.data.map(({ id }: { id: number }) => id)]).toEqual([20, [120, 119]])
    const { data } = await orThrow(website.get('/api/listings/{id}', { path: { id: 3 } }))
    expect([data.price, data.location.precision]).toEqual([3, 'area'])
    const filters = 'price[min]=101&availability=sale&availability=rent&sort=-price&per_page=2'
    expect(sent).toEqual([
      { query: `?${filters}&key=${key}`, headers: ACCEPT },
      { query: `?key=${key}`, headers: ACCEPT },
    ])
  })

  it('sends a secret key in a header', async () => {
    const { website, sent } = await visit(service.key)
    expect((await website.get('/api/stores')).response.status).toBe(200)
    expect(sent).toEqual([{ query: '', headers: { ...ACCEPT, authorization: `Bearer ${service.key}` } }])
  })
})

describe('a call whose answers are lost', () => {
  /** A `fetch` that loses the answers of the first tries: the service has done what it was asked for. */
  function losing(tries: number) {
    const statuses: number[] = []
    return {
      statuses,
      fetch: async (request: Request) => {
        const response = await fetch(request)
        statuses.push(response.status)
        if (statuses.length <= tries) throw new TypeError('fetch failed')
        return response
      },
    }
  }

  it('updates and deletes', async () => {
    const { estia, orThrow } = await connect()
    const { created_id: id } = await orThrow(estia.post('/api/contacts', { body: { first_name: 'Eleni' } }))
    const [updating, deleting] = [losing(2), losing(2)]
    const path = { id }
    const [updater, deleter] = [await connect(updating), await connect(deleting)]
    const edit = updater.estia.put('/api/contacts/{id}', { path, body: { last_name: 'Lost' } })
    expect(await orThrow(edit)).toEqual({ status: 200, updated_id: id })
    const { data } = await orThrow(estia.get('/api/contacts/{id}', { path }))
    expect(data).toMatchObject({ first_name: 'Eleni', last_name: 'Lost' })
    const deleted = await orThrow(deleter.estia.delete('/api/contacts/{id}', { path }))
    expect(deleted).toEqual({ status: 200, deleted_id: id })
    expect([updating.statuses, deleting.statuses]).toEqual([
      [200, 200, 200],
      [200, 404, 404],
    ])
  })

  it('creates once, and stores pictures once, in whatever form they come', async () => {
    const { estia, orThrow } = await connect()
    const name = `Once ${Date.now()}`
    const creating = losing(3)
    const creator = await connect(creating)
    const call = await creator.estia.post('/api/contacts', { body: { first_name: name } })
    const { created_id } = await orThrow(Promise.resolve(call))
    expect(call.response.headers.get('Idempotent-Replayed')).toBe('true')
    const { data: found } = await orThrow(estia.get('/api/contacts', { query: { search: name } }))
    expect(found.map(({ id }: { id: number }) => id)).toEqual([created_id])

    const path = { id: 4 }
    const pixel = Buffer.from(PIXEL, 'base64')
    for (const body of [formWith(pixel), new Uint8Array(pixel), { photos: [{ data: PIXEL }] }]) {
      const { estia: sender } = await connect(losing(2))
      await orThrow(sender.post('/api/listings/{id}/photos', { path, body }))
    }
    const { data: photos } = await orThrow(estia.get('/api/listings/{id}/photos', { path }))
    expect(ordinalsOf(photos)).toEqual([1, 2, 3, 4])
  })
})

describe('an error', () => {
  it('tells status, message, every problem and the id of the request', async () => {
    const { estia, orThrow, EstiaError } = await connect()
    const call = () => estia.put('/api/listings/{id}', { path: { id: 1 }, body: { price: -1, rooms: 'two' } })
    const { data, error, response } = await call()
    expect([data, response.status]).toEqual([undefined, 400])
    expect(error).toBeInstanceOf(EstiaError)
    expect(error).toBeInstanceOf(Error)
    expect(error.problems.map(({ field }: { field: string }) => field)).toEqual(['price', 'rooms'])
    expect([error.name, error.status, error.message, error.requestId]).toEqual([
      'EstiaError',
      400,
      error.problems[0].message,
      response.headers.get('X-Request-Id'),
    ])
    await expect(orThrow(call())).rejects.toMatchObject({ status: 400, message: error.message })
  })

  it('the client reports a wrong key, from pages() too', async () => {
    const { estia } = await connect({ key: 'estia_wrong' })
    expect((await estia.get('/api/listings')).error).toMatchObject({ status: 401, problems: [] })
    await expect(idsOf(estia.pages('/api/listings'))).rejects.toMatchObject({ status: 401 })
  })
})

describe('the bookmark', () => {
  const OLD = '00000001-00000002-00004e2f-0a83ea2fceebc654de0640c422be4653'
  const NEW = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'

  type Told = [status: number, bookmark: string | null]

  it.each<[string, Record<string, unknown>, Told[], (string | null)[]]>([
    [
      'is that of the newest answer',
      {},
      [
        [200, OLD],
        [200, NEW],
        [200, null],
      ],
      [null, OLD, NEW, NEW],
    ],
    [
      'never goes back',
      {},
      [
        [200, NEW],
        [200, OLD],
      ],
      [null, NEW, NEW],
    ],
    [
      'is dropped once it may have been refused',
      {},
      [
        [200, NEW],
        [400, null],
      ],
      [null, NEW, null],
    ],
    ['may come from before', { bookmark: OLD }, [[200, NEW]], [OLD, NEW]],
    ['is not kept when that is not wanted', { bookmark: false }, [[200, NEW]], [null, null]],
    ['of the caller’s own wins', { headers: { 'x-d1-bookmark': 'any' } }, [[200, NEW]], ['any', 'any']],
  ])('%s', async (_, options, told, expected) => {
    const brought: (string | null)[] = []
    const { estia } = await connect({
      fetch: (request: Request) => {
        const [status, bookmark] = told[brought.length] ?? [200, null]
        brought.push(request.headers.get('X-D1-Bookmark'))
        const headers = bookmark ? { 'X-D1-Bookmark': bookmark } : undefined
        return Promise.resolve(Response.json({ status, data: [] }, { status, headers }))
      },
      ...options,
    })
    for (const _call of expected) await estia.get('/api/stores')
    expect(brought).toEqual(expected)
  })
})

describe('pages', () => {
  it('gives every record once, over as many pages as there are', async () => {
    const { estia } = await connect()
    expect(await idsOf(estia.pages('/api/listings'))).toEqual(countdown(LISTINGS, 1))
    expect(requests).toEqual(['?page=1', '?page=2', '?page=3'])
  })

  it('the client does not read ahead of the page that is used', async () => {
    const { estia } = await connect()
    for await (const { id } of estia.pages('/api/listings')) if (id === LISTINGS - 49) break
    expect(requests).toEqual(['?page=1'])
  })
})

describe('the guide', () => {
  it('compiles and runs as it stands, from its first snippet to its last', async () => {
    await project.write('guide.ts', (await snippetsOf('client')).join('\n'))
    expect(await project.compile('guide.ts', ...FOR_NODE)).toBe('')
    const ESTIA_PUBLISHABLE_KEY = await makePublishableKey(service.url)
    const printed = await project.run('guide.ts', environment({ ESTIA_PUBLISHABLE_KEY }))
    expect(printed.split('\n').filter((line) => !/^(\d+ )?null \d+( area)?$/.test(line))).toEqual([
      `${LISTINGS} listings`,
      '240000 2926.83 b',
      '400',
      expect.stringMatching(/^price: Invalid price/),
      expect.stringMatching(/^rooms: Invalid rooms/),
      'Listing not found',
      '200',
      '304',
      'The record has changed',
      expect.stringMatching(/^\d+ prices, the highest 230000$/),
      `${LISTINGS / 2} homes for sale`,
      `0–50000 €: ${LISTINGS / 2}`,
      'true',
      'false true',
      'true',
      '',
    ])
  })
})

describe('the guide to keeping a copy', () => {
  it('shows the examples as they are', async () => {
    const names = ['sync-listings', 'webhook-receiver']
    const examples = await Promise.all(names.map((name) => readFile(`examples/${name}.ts`, 'utf8')))
    expect(await snippetsOf('keeping-a-copy')).toEqual(
      examples.map((example) => example.slice(example.indexOf('import '))),
    )
  })

  const hasTools = spawnSync('bash', ['-c', 'command -v curl && command -v jq']).status === 0

  it.skipIf(!hasTools && !process.env.CI)(
    'has a loop of curl that copies all, and then only what changed',
    async () => {
      const { estia, orThrow } = await connect()
      const guide = await readFile('docs/keeping-a-copy.md', 'utf8')
      const [loop = ''] = guide.match(/(?<=^```sh\n)after=.*?(?=^```$)/ms) ?? []
      const folder = await mkdtemp(join(tmpdir(), 'estia-curl-'))
      const env = { ...process.env, URL: service.url.origin, KEY: service.key }
      const copy = () => promisify(execFile)('bash', ['-c', loop], { cwd: folder, env })
      const price = async () => JSON.parse(await readFile(join(folder, 'listing-60.json'), 'utf8')).data.price
      await copy()
      expect(await price()).toBe(60)
      const files = await readdir(folder)
      expect(files.length).toBeGreaterThan(LISTINGS)
      await orThrow(estia.put('/api/listings/{id}', { path: { id: 60 }, body: { price: 61 } }))
      await orThrow(estia.post('/api/listings/{id}/status', { path: { id: 59 }, body: { to: 'deleted' } }))
      await copy()
      expect(await price()).toBe(61)
      expect(await readdir(folder)).toEqual(files.filter((name) => name !== 'listing-59.json'))
      await rm(folder, { recursive: true })
    },
  )
})

describe('npm run example', () => {
  it('runs in the repository as the guide says, with whatever Node is there', async () => {
    const guide = await readFile('docs/keeping-a-copy.md', 'utf8')
    const [, command = '', ...words] = /`ESTIA_KEY=estia_… (npm) (run) (example)`/m.exec(guide) ?? []
    const file = join(project.folder, 'example.db')
    const env = { ...process.env, ...environment({ DATABASE: file }) }
    const { stdout } = await promisify(execFile)(command, words, { env })
    expect(stdout).toMatch(/^\d+ listings in .+example\.db\n$/m)
  })
})

/** The TypeScript in a guide. */
async function snippetsOf(guide: string): Promise<string[]> {
  const text = await readFile(`docs/${guide}.md`, 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

describe('types', () => {
  it.each([
    ['Node', FOR_NODE],
    ['Node with exact optional properties', [...FOR_NODE, '--exactOptionalPropertyTypes']],
    [
      'a browser',
      ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom', '--typeRoots', 'none'],
    ],
  ])('know fields, filters and bodies in %s', async (_, options) => {
    await project.write('types.ts', await readFile('test/client/types.ts', 'utf8'))
    expect(await project.compile('types.ts', ...options)).toBe('')
  })
})
