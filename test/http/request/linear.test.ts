/**
 * Sends 100 KB of worst-case text to every regular expression and scan that handles untrusted input. Linear code takes
 * milliseconds; code that backtracks at each character exceeds the time limit of the test.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { detectType } from '@estia/photo-codec'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { foldText } from '../../../src/db/fold.ts'
import { amount } from '../../../src/fields/money.ts'
import { date, dateTime, isDate, isDateTime, text } from '../../../src/fields/values.ts'
import { isRefusedHost } from '../../../src/net/address.ts'
import { decodeBase64 } from '../../../src/photos/entry.ts'
import { searchText } from '../../../src/resources/contacts/search.ts'
import { transliterate } from '../../../src/resources/listings/address/elot743.ts'
import { nameWords } from '../../../src/resources/people/keys.ts'
import { contactSearch } from '../../../src/resources/people/search.ts'
import { chooseLanguage } from '../../../src/tours/texts.ts'
import { keyWith } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { bearer, endpoints, fill, send } from '../send.ts'

const SIZE = 100_000

/** Texts that make a careless pattern backtrack: long runs with an end that does not match. */
const WORST = [
  ...' \t0aA.-,;=/:"\\%+[<*',
  '1.',
  ', ',
  ' ;',
  '../',
  '%41',
  '()',
  '[]',
  '<!---->',
  '<!--',
  '<?xml>',
  'W/"',
  'q=0.1,',
  'el;q=1,',
  'handling=',
  'strict,',
  'bytes=',
  'Bearer ',
  'data:image/',
].map((unit) => unit.repeat(Math.ceil(SIZE / unit.length)))

/** Only texts that a header can contain. */
const UNICODE = [...'ά\u0301\u00a0🏠ςµ１\ud800\0\n', 'α\u0301', 'Α\u0301', 'α1', 'aα'].map((unit) =>
  unit.repeat(SIZE / unit.length),
)

const ENDS = ['', '!', ' x']

const HEADERS = [
  'X-API-Key',
  'Prefer',
  'Accept',
  'Accept-Language',
  'Origin',
  'Access-Control-Request-Headers',
  'X-Request-Id',
  'If-None-Match',
  'If-Match',
  'If-Modified-Since',
  'If-Range',
  'Range',
  'Content-Type',
  'Cookie',
  'Idempotency-Key',
]

/** Every text with every end and after each start. */
function worst(texts: string[], beginnings: string[] = ['']): string[] {
  return beginnings.flatMap((beginning) => texts.flatMap((run) => ENDS.map((end) => beginning + run + end)))
}

let headers: Record<string, string> = {}
let listing = 0

beforeAll(async () => {
  await seedAgency()
  listing = await createListing()
  headers = bearer(await keyWith('*:read', '*:write'))
})

/** Expects any answer but that of a failure. */
async function expectAnswer(...call: Parameters<typeof send>): Promise<void> {
  const answer = await send(...call)
  expect(answer.status, call[1].slice(0, 100)).toBeLessThan(500)
  await answer.arrayBuffer()
}

describe('100 KB of the worst input', { timeout: 60_000 }, () => {
  it.each<[string, (input: string) => unknown, string[]?]>([
    [
      'the type of a file',
      (input) => detectType(new TextEncoder().encode(input)),
      ['', '<?xml ', '<!-- ', '<svg'],
    ],
    ['a host', (input) => isRefusedHost(input), ['', 'a.', '1.2.3.4']],
    [
      'base64',
      (input) => ignoreErrors(() => decodeBase64(input)),
      ['', 'data:image/png;base64,', 'data:image/'],
    ],
    ['an address in Greek', (input) => transliterate(input), ['', 'α', 'Α']],
    ['a text that is folded', (input) => foldText(input)],
    ['a search of contacts', (input) => contactSearch().where(input, {}), ['', '+', '1']],
    ['the words of a name', (input) => nameWords(input)],
    ['a contact’s own text', (input) => searchText({ ...contact, phones: [phone(input)], last_name: input })],
    ['an amount', (input) => amount().safeParse(input), ['', '-', '1.']],
    ['a day', (input) => [isDate(input), date().safeParse(input)], ['', '2026-01-01']],
    ['a moment', (input) => [isDateTime(input), dateTime().safeParse(input)], ['', '2026-01-01 ']],
    ['a text', (input) => text(SIZE).safeParse(input)],
    ['languages', (input) => chooseLanguage(input, input), ['', 'el;', 'en,']],
  ])('is no more work for %s than it is long', (_, read, beginnings) => {
    for (const input of worst([...WORST, ...UNICODE], beginnings)) read(input)
  })

  it('may stand in every other header', async () => {
    const path = `/photos/${'0'.repeat(32)}.jpg`
    await env.PHOTOS.put(path.slice(1), 'x')
    for (const value of worst(WORST)) {
      const hostile = Object.fromEntries(HEADERS.map((name) => [name, value]))
      for (const [method, at, own] of [
        ['GET', '/api/contacts?unknown=1', headers],
        ['GET', '/api/contacts', {}],
        ['OPTIONS', '/api/contacts', {}],
        ['GET', path, {}],
      ] as const) {
        await expectAnswer(method, at, { headers: { ...hostile, ...own } })
      }
    }
  })

  it('may stand in a path', async () => {
    for (const run of WORST) {
      for (const path of ['/', '/api/', '/api/listings/', '/photos/', '/tours/', '/admin/keys/']) {
        await expectAnswer('GET', path + encodeURI(run).replaceAll('?', ''), { headers })
      }
    }
  })

  it('may stand in a query string', async () => {
    for (const run of [...WORST, ...UNICODE]) {
      const part = encodeURIComponent(run.slice(0, 6000).toWellFormed())
      for (const query of [
        `search=${part}`,
        `${part}=1`,
        `date_created[${part}]=1`,
        `${part}[min]=1`,
        `page=${part}`,
      ]) {
        await expectAnswer('GET', `/api/contacts?${query.slice(0, 65_000)}`, { headers })
      }
    }
  })

  const withTexts = endpoints.filter(
    ({ contract, path, audience }) => contract.body && audience === 'api' && !path.includes('photos'),
  )

  it.each(withTexts.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'may stand in every text of %s',
    async (_, { method, path, contract }) => {
      const runs = [...WORST, ...UNICODE]
      for (const [index, key] of keysOf(contract.body ?? z.object({})).entries()) {
        const run = runs[index % runs.length] ?? ''
        const [group = '', inner] = key
        const value = inner === undefined ? run : { [inner]: run }
        const body = JSON.stringify({ ...minimalListing, first_name: 'x', [group]: value })
        await expectAnswer(method.toUpperCase(), fill(path, listing), { headers, body })
      }
    },
  )

  it('may stand in an address or a search as long as they may be', async () => {
    for (const run of [...WORST, ...UNICODE]) {
      const address = run.slice(0, 254)
      const body = JSON.stringify({ ...minimalListing, location: { address, display_address: 'fake' } })
      await expectAnswer('POST', '/api/listings', { headers, body })
      const search = JSON.stringify({ search: run.slice(0, 65_000).toWellFormed() })
      for (const path of ['/api/contacts', '/api/listings', '/api/knowledge-base/articles']) {
        await expectAnswer('QUERY', path, { headers, body: search })
      }
    }
  })
})

const contact = { first_name: '', last_name: '', company_name: null, phones: [], emails: [] }
const phone = (number: string) => ({ type: '', number, notes: '' })

function ignoreErrors(act: () => unknown): void {
  try {
    act()
  } catch {
    // It only matters that the call ends.
  }
}

/** The keys of a body and of its groups. */
function keysOf(schema: z.ZodObject): string[][] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    let inner: unknown = field
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
    return inner instanceof z.ZodObject ? Object.keys(inner.shape).map((name) => [key, name]) : [[key]]
  })
}
