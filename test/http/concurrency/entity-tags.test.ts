/** Entity tags of every single read: what changes them, and which writes they prevent. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import guide from '../../../docs/keeping-a-copy.md?raw'
import { RED } from '../../../fixtures/pictures.ts'
import { oneOf, RECORD_RESOURCES, writePathOf } from '../../../src/catalogue/resources.ts'
import { purgeChanges } from '../../../src/resources/changes/purge.ts'
import { seedRequests } from '../../resources/requests/seed.ts'
import { call, expectInvalid, get, importRecords, post, put } from '../../support/api.ts'
import { counting, execute, selectAll } from '../../support/database.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { createListing } from '../../support/factories/listing.ts'
import { bodyFor, SMALLEST, shownChange } from '../../support/factories/samples.ts'
import { endpoints, fill } from '../send.ts'
import { Attempt, prepareRepeatable, REPEATABLE } from './repeatable.ts'

const STRONG = /^"\d+-[0-9a-f]{12}"$/
const CHANGED = { status: 412, error_message: 'The record has changed' }

/** The resources with single reads. */
const RECORDS = RECORD_RESOURCES.map(({ resource, table }) => [resource, table] as const)

let token = ''

prepareRepeatable((key) => {
  token = key
})

beforeAll(async () => {
  await seedRequests()
  await seedLines()
  await importRecords(RECORDS.map(([, entity]) => [entity, { ...SMALLEST[entity], id: 1 }]))
})

const tagOf = async (path: string) => (await get(path)).headers.get('ETag') ?? ''

/** What reads cannot do without. */
const REQUIRED: Record<string, string> = {
  '/api/contacts/duplicates': '?phone=2101234567',
  '/api/appointments/conflicts': '?starts=2024-01-01%2010:00:00',
}

function takesIfMatch(pattern: string): boolean {
  const found = endpoints.find(({ method, path }) => method === 'post' && path === pattern)
  return found?.contract.headers?.shape['If-Match'] !== undefined
}

/** Only the record version of a tag, which `If-Match` compares. */
const stateOf = (tag: string) => tag.slice(0, tag.indexOf('-'))

it('every single read is looked at here, and nothing else has a tag', async () => {
  const reads = endpoints.filter(({ method, path }) => method === 'get' && path.startsWith('/api/'))
  const single = reads.filter(({ path }) => path.endsWith('/{id}'))
  expect(new Set(single.map(({ path }) => path))).toEqual(
    // Those of lookups: test/admin/definitions.test.ts.
    new Set([...RECORDS.map(([resource]) => resource), 'stores', 'users'].map((name) => `/api/${name}/{id}`)),
  )
  for (const { path } of reads.filter((endpoint) => !single.includes(endpoint))) {
    const { status, headers } = await get(fill(path) + (REQUIRED[path] ?? ''))
    expect([path, status, headers.get('ETag')]).toEqual([path, 200, null])
  }
})

describe.each(RECORDS)('a read of %s', (resource, entity) => {
  const path = `/api/${resource}/1`

  it('has a strong tag, and answers 304 to callers that have it', async () => {
    const tag = await tagOf(path)
    expect(tag).toMatch(STRONG)
    expect(await tagOf(path)).toBe(tag)
    const encoded = ['-gzip', '-br', ';gzip', '-zstd'].map((coding) => tag.replace(/"$/, `${coding}"`))
    const lists = [`"other", ${tag}`, `"other" ,,W/${tag} ,`, '*']
    for (const known of [tag, `W/${tag}`, ...encoded, `W/${encoded[0]}`, ...lists]) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await call(method, path, { headers: { 'If-None-Match': known } })
        expect([known, reply.status, reply.body, reply.headers.get('ETag')]).toEqual([known, 304, '', tag])
        expect(reply.headers.get('Content-Type')).toBeNull()
        expect(reply.headers.get('Cache-Control')).toBe('private, no-store')
        expect(reply.headers.get('X-D1-Bookmark')).not.toBeNull()
      }
    }
    for (const known of ['"other"', tag.replace(/"$/, '-other"'), `"${stateOf(tag).slice(1)}"`]) {
      expect((await get(path, { headers: { 'If-None-Match': known } })).status).toBe(200)
    }
    expect((await get(path)).headers.get('Access-Control-Expose-Headers')).toContain('ETag')
  })

  it('has another tag with fields=all', async () => {
    const [plain, all] = [await tagOf(path), await tagOf(`${path}?fields=all`)]
    expect(all).toMatch(STRONG)
    expect(all).not.toBe(plain)
    expect(stateOf(all)).toBe(stateOf(plain))
    const reply = await get(`${path}?fields=all`, { headers: { 'If-None-Match': plain } })
    expect(reply.status).toBe(200)
  })

  it('has another tag under another public address', async () => {
    const answer = await get(path, { bindings: { PUBLIC_BASE_URL: 'https://elsewhere.example' } })
    expect(answer.headers.get('ETag')).not.toBe(await tagOf(path))
  })

  it('has another tag when it shows something else, and only then', async () => {
    const before = await tagOf(path)
    const line = { id: 1, ...shownChange(entity, 77) }
    await importRecords([[entity, line]])
    const after = await tagOf(path)
    expect(after).not.toBe(before)
    await importRecords([[entity, line]])
    expect(await tagOf(path)).toBe(after)
  })

  it('reports a missing record before problems of the tags', async () => {
    const headers = { 'If-None-Match': '*' }
    expect((await get(`/api/${resource}/999`, { headers })).status).toBe(404)
    expect((await get(`${path}?fields=some`, { headers })).status).toBe(400)
  })
})

describe('what a record shows of others changes its tag', () => {
  it.each([
    ['listings', 'locations', { id: 1, name_en: 'Attiki' }],
    ['expenses', 'expense_categories', { id: 3, name: 'Rents' }],
    ['knowledge-base/articles', 'knowledge_base_categories', { id: 1, name: 'How to' }],
  ])('%s', async (resource, entity, data) => {
    const path = `/api/${resource}/1`
    const before = await tagOf(path)
    await importRecords([[entity, data]])
    expect(await tagOf(path)).not.toBe(before)
  })

  it('and a renamed place does not prevent writes', async () => {
    const headers = { 'If-Match': await tagOf('/api/listings/1') }
    await importRecords([['locations', { id: 1, name_en: 'Attica again' }]])
    expect((await put('/api/listings/1', { notes: 'x' }, { headers })).status).toBe(200)
  })
})

type Edit = [
  what: string,
  make: () => Promise<{ path: string; record: string }>,
  method: string,
  body?: object | undefined,
]

/** Writes that accept `If-Match`, each of a new record, with the path of its tag. */
const EDITS: Edit[] = [
  ...RECORD_RESOURCES.flatMap((facts) =>
    facts.writes
      .filter((write) => write !== 'create')
      .map((write): Edit => {
        const method = write === 'update' ? 'PUT' : 'DELETE'
        const body = write === 'update' ? shownChange(facts.table, 12) : undefined
        return [`${method} of ${oneOf(facts)}`, () => madePath(facts.resource), method, body]
      }),
  ),
  ...(['photos', 'panorama-photos'] as const).flatMap((kind): Edit[] => [
    [`PUT of the order of ${kind}`, () => picturePath(kind), 'PUT', { order: [2, 1] }],
    [
      `PUT of one of ${kind}`,
      () => picturePath(kind, '/1'),
      'PUT',
      { captions: [{ language_id: 1, caption: 'A' }] },
    ],
    [`DELETE of one of ${kind}`, () => picturePath(kind, '/1'), 'DELETE'],
  ]),
  ['DELETE of a file of an article', articleFilePath, 'DELETE'],
  ['PUT of the feedback of a viewing', viewingPath, 'PUT', { interest: 'undecided' }],
  ['DELETE of a confirmation', confirmationPath, 'DELETE'],
]

/** The resource of what is read at a path. */
const factsAt = (path: string) =>
  RECORD_RESOURCES.find(({ resource }) => `${path}/`.startsWith(`/api/${resource}/`))

/** Creates a record over the API. */
async function madePath(resource: string) {
  const collection = `/api/${resource}`
  const facts = factsAt(collection)
  const { body } = await post(writable(collection), facts && (await bodyFor(facts)))
  const record = `${collection}/${body.created_id ?? body.data.id}`
  return { path: writable(record), record }
}

/** Where what is read at a path is written. */
function writable(path: string): string {
  const facts = factsAt(path)
  return facts ? path.replace(`/api/${facts.resource}`, writePathOf(facts)) : path
}

async function picturePath(kind: string, one = '') {
  const { record } = await madePath('listings')
  await post(`${record}/${kind}`, { photos: [{ data: RED }, { data: RED }] })
  return { path: `${record}/${kind}${one}`, record }
}

async function articleFilePath() {
  const { path, record } = await madePath('knowledge-base/articles')
  const { body } = await post(`${path}/files?name=a`, 'x')
  return { path: `${path}/files/${body.created_id}`, record }
}

async function viewingPath() {
  const { record } = await madePath('appointments')
  await put(record, { type: 'viewing', listing_id: 1, allow_conflicts: true })
  return { path: `${record}/feedback`, record }
}

async function confirmationPath() {
  const { record } = await madePath('appointments')
  await post(`${record}/confirmations`, { party: 'owner', via: 'phone' })
  return { path: `${record}/confirmations/owner`, record }
}

it('every PUT and DELETE under /api/ is tried', () => {
  const edits = endpoints.filter(
    ({ method, audience }) => audience === 'api' && ['put', 'delete'].includes(method),
  )
  expect(edits.map(({ contract }) => Object.keys(contract.headers?.shape ?? {}))).toEqual(
    edits.map(() => expect.arrayContaining(['If-Match'])),
  )
  expect(edits).toHaveLength(EDITS.length)
})

describe.each(EDITS)('%s', (_, make, method, body) => {
  const edit = (path: string, ifMatch: string, sent: unknown = body) =>
    call(method, path, { headers: { 'If-Match': ifMatch }, ...(sent === undefined ? {} : { body: sent }) })

  it('is refused for a record that has changed, and changes nothing', async () => {
    const { path, record } = await make()
    const old = await tagOf(record)
    await put(writable(record), shownChange(factsAt(record)?.table ?? '', 99))
    const before = await get(record)
    for (const tags of [old, `W/${old}`, `"other", ${old}`, '""', '"99999999999999999999-x"']) {
      const reply = await edit(path, tags)
      expect([tags, reply.status, reply.body]).toEqual([tags, 412, CHANGED])
      expect(reply.headers.get('ETag')).toBeNull()
    }
    const after = await get(record)
    expect([after.headers.get('ETag'), after.body]).toEqual([before.headers.get('ETag'), before.body])
  })

  it('is done for the tag, and for any', async () => {
    for (const tags of [tagOf, async () => '*']) {
      const { path, record } = await make()
      const { status, headers } = await edit(path, await tags(record))
      expect(status).toBe(200)
      // The tag is that of the next read, where a record is left.
      const read = await get(record)
      if (read.status === 200) expect(headers.get('ETag')).toBe(read.headers.get('ETag'))
    }
  })

  it('is reported in order: body, record, precondition, validation', async () => {
    const { path } = await make()
    const missing = path.replace(/\d+(?=\/|$)/, '999999')
    expect((await edit(missing, '"1-a"')).status).toBe(404)
    expect((await edit(missing, '*')).status).toBe(404)
    if (method === 'DELETE') return
    await expectInvalid(edit(path, '"1-a"', '{'), 'Invalid JSON body')
    const invalid = path.includes('photos')
      ? { order: [7], captions: 7 }
      : Object.fromEntries(Object.keys(body ?? {}).map((name) => [name, []]))
    expect((await edit(path, '"1-a"', invalid)).status).toBe(412)
    expect((await edit(path, '*', invalid)).status).toBe(400)
  })
})

describe('If-Match', () => {
  const edit = (path: string, ifMatch: string) =>
    put(path, { notes: ifMatch.slice(0, 9) }, { headers: { 'If-Match': ifMatch } })

  it.each<[what: string, tags: (record: string) => Promise<string>]>([
    ['a weak tag', async (record) => `W/${await tagOf(record)}`],
    ['one of several tags', async (record) => `"1-a", ${await tagOf(record)} , "x,y"`],
    ['the tag of another form', (record) => tagOf(`${record}?fields=all`)],
    ['a tag that a proxy has added to', async (record) => (await tagOf(record)).replace(/"$/, '-gzip"')],
    ['any tag, with spaces', async () => ' * '],
  ])('takes %s', async (_, tags) => {
    const { path, record } = await madePath('contacts')
    expect((await edit(path, await tags(record))).status).toBe(200)
  })

  it('takes no header that is no list of tags', async () => {
    const { path } = await madePath('contacts')
    for (const tags of ['abc', '"a" "b"', '"a', 'w/"a"', '*, "a"', ',', '"a"b', `"${'a'.repeat(9000)}"`]) {
      const message = tags.length > 8192 ? 'must be at most 8192 characters' : FORM
      await expectInvalid(edit(path, tags), `Invalid If-Match: ${message}`)
    }
  })
})

describe.each(REPEATABLE.filter(({ pattern }) => takesIfMatch(pattern)))('POST $pattern', (kind) => {
  it('is not done for a record that has changed', async () => {
    const attempt = await Attempt.of(kind, token)
    const tag = await tagOf(attempt.record)
    expect(tag).toMatch(STRONG)
    for (const outdated of ['"other"', tag.replace('"', '"9')]) {
      const { status, text } = await attempt.send({}, { 'If-Match': outdated })
      expect([status, JSON.parse(text)]).toEqual([412, CHANGED])
    }
    expect(await attempt.timesDone()).toBe(0)
    expect((await attempt.send({}, { 'If-Match': tag })).status).toBe(200)
    expect(await attempt.timesDone()).toBe(1)
  })
})

const FORM = 'must be * or entity tags in quotes, separated by commas'

it('a deleted listing keeps a tag when its tombstone is gone', async () => {
  const id = await createListing()
  const path = `/api/listings/${id}`
  await post(`${path}/status`, { to: 'deleted' })
  await createListing()
  await purgeChanges(env, new Date(Date.now() + 100 * 24 * 60 * 60 * 1000))
  const purged = await tagOf(path)
  expect(purged).toMatch(/^"-\d+-[0-9a-f]{12}"$/)
  expect((await get(path, { headers: { 'If-None-Match': purged } })).status).toBe(304)
  expect((await put(path, { price: 1 }, { headers: { 'If-Match': '"1-a"' } })).status).toBe(412)
  expect((await put(path, { price: 1 }, { headers: { 'If-Match': purged } })).status).toBe(200)
  expect((await put(path, { price: 2 }, { headers: { 'If-Match': purged } })).status).toBe(412)
})

it('no tag is issued twice after a restore of the database, if the guide is followed', async () => {
  const { path } = await madePath('contacts')
  const entries = await selectAll('select * from changes')
  const lost = (await put(path, { notes: 'lost' })).headers.get('ETag') ?? ''
  // As a restore with D1 Time Travel does.
  const insert = env.DB.prepare(
    'insert into changes (cursor, resource, id, change, date) values (?, ?, ?, ?, ?)',
  )
  await env.DB.batch([
    env.DB.prepare(`update contacts set notes = '', version = version - 1 where notes = 'lost'`),
    env.DB.prepare('delete from changes'),
    ...entries.map(({ cursor, resource, id, change, date }) =>
      insert.bind(cursor, resource, id, change, date),
    ),
  ])
  const [, command = ''] = /--command "([^"]+)"/.exec(guide) ?? []
  for (const statement of command.split(';')) await execute(statement)
  expect((await put(path, { notes: 'other' })).headers.get('ETag')).not.toBe(lost)
  expect((await put(path, { notes: 'x' }, { headers: { 'If-Match': lost } })).status).toBe(412)
  expect((await get(path, { headers: { 'If-None-Match': lost } })).body.data.notes).toBe('other')
})

describe('round trips', () => {
  /** The number of D1 calls of a request. */
  async function trips(method: string, path: string, ifMatch: string, body?: object, counted = counting()) {
    const headers: Record<string, string> = ifMatch ? { 'If-Match': ifMatch } : {}
    const { status } = await call(method, path, { headers, body, bindings: { DB: counted.DB } })
    return { status, count: counted.batches() }
  }

  it('are as many with the header as without', async () => {
    for (const ifMatch of ['', '*']) {
      const { path } = await madePath('contacts')
      expect(await trips('GET', path, ifMatch)).toEqual({ status: 200, count: 1 })
      expect(await trips('PUT', path, ifMatch, { notes: 'x' })).toEqual({ status: 200, count: 2 })
      expect(await trips('DELETE', path, ifMatch)).toEqual({ status: 200, count: 1 })
    }
  })

  it.each([
    ['contacts', () => madePath('contacts'), { first_name: 'Imported' }, { notes: 'edited' }],
    ['requests', () => madePath('requests'), { price_max: 4 }, { price_min: 3 }],
    ['listings', () => madePath('listings'), { price: 4 }, { size: 3 }],
  ])(
    '%s: what an import writes between read and write is not written over',
    async (entity, make, line, body) => {
      const { path } = await make()
      const id = Number(path.split('/').at(-1))
      const database = counting(() => importRecords([[entity, { id, ...line }]]))
      // A read, a write that is rolled back, and a read that finds the reason.
      expect(await trips('PUT', path, await tagOf(path), body, database)).toEqual({ status: 412, count: 3 })
      const { data } = (await get(path)).body
      expect(data).toMatchObject(line)
      expect(data).not.toMatchObject(body)
    },
  )
})
