/** Timelines against a model that goes over all stored rows. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import guide from '../../../docs/who-is-calling.md?raw'
import { KIND_NAMES } from '../../../src/resources/timelines/read.ts'
import { bearer, sendTo } from '../../http/send.ts'
import { get, importRecords, keyWith, type Line, ORIGIN } from '../../support/api.ts'
import { counting, execute } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { OFFER, seedDeals } from '../offers/seed.ts'
import { minimalRequest } from '../requests/seed.ts'
import { type Entry, KINDS, model, moment, numbers, randomRecords, SCOPES, SUBJECTS, shown } from './model.ts'

const change = (resource: string, id: number, date: string, changed: string) =>
  execute(
    `insert into trail (date, actor_type, status, resource, record_id, changed, others) values (?, 'cron', 200, ?, ?, ?, '[]')`,
    date,
    resource,
    String(id),
    changed,
  )

beforeAll(async () => {
  await seedDeals()
  await importRecords([
    ['contacts', { id: 4, first_name: 'Four', created_by: 1 }],
    ['listings', { ...minimalListing, id: 1, contacts: [1, 2] }],
    ['listings', { ...minimalListing, id: 2, contacts: [1], 'the service': { tenant_contact_id: 4 } }],
    ...[1, 2].map(
      (id): Line => [
        'requests',
        { ...minimalRequest, id, locations: [1], status: 1, contacts: [id, 4], date_created: moment(id) },
      ],
    ),
  ])
  await importRecords(randomRecords(7, 1, 12))
  await execute('delete from trail')
  for (let n = 0; n < 40; n++) {
    const changed = n % 5 === 0 ? '{}' : '{"price":[1,2]}'
    await change(['contacts', 'listings', 'requests'][n % 3] ?? '', 1 + (n % 2), moment(n), changed)
  }
})

/** The pages of a timeline, until the end. */
async function pages(
  subject: string,
  query: string,
  key?: string,
  meanwhile?: (page: number) => Promise<unknown>,
) {
  const path = `/api/${subject.replace(' ', '/')}/timeline?${query}`
  const entries: Entry[] = []
  let [before, count]: [string | null, number] = ['', 0]
  while (before !== null) {
    const { status, body } = await get(`${path}&before=${before}`, key ? { key } : {})
    expect(status).toBe(200)
    entries.push(...body.data)
    before = body.next
    await meanwhile?.(count++)
  }
  return entries
}

/** How often each of `entries` is there. */
function countsOf(entries: object[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const entry of entries.map((one) => JSON.stringify(one)))
    counts.set(entry, (counts.get(entry) ?? 0) + 1)
  return counts
}

describe('GET …/{id}/timeline', () => {
  it('has the kinds of the model, to which `model.ts` adds new ones', () => {
    expect(KINDS).toEqual(KIND_NAMES)
  })

  it('has kinds that `docs/who-is-calling.md` explains', () => {
    expect(KIND_NAMES.filter((kind) => !guide.includes(`\`${kind}\``))).toEqual([])
  })

  it.each(SUBJECTS)('of %s has what the model has, in pages of any size', async (subject) => {
    const all = (await model(subject, true)).map(shown)
    expect(all.length).toBeGreaterThan(10)
    for (const limit of [1, 7, 30, 100]) {
      expect((await pages(subject, `limit=${limit}`)).map(shown)).toEqual(all)
    }
  })

  it('has the kinds that are asked for and that the key may read, and names the others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SUBJECTS),
        fc.subarray(KINDS),
        fc.subarray([...new Set([...Object.values(SCOPES), 'listings'])]),
        fc.integer({ min: 1, max: 40 }),
        async (subject, kinds, readable, limit) => {
          const [resource = ''] = subject.split(' ')
          const scopes = [...new Set([resource, ...readable])]
          const key = await keyWith(...scopes.map((scope) => `${scope}:read`))
          const query = `limit=${limit}&kinds=${kinds}`
          const asked = kinds.length > 0 ? kinds : KINDS
          const may = (kind: string) => kind === 'change' || scopes.includes(SCOPES[kind] ?? '')
          const all = await model(subject, scopes.includes('listings'))
          const expected = all.filter(({ kind }) => asked.includes(kind) && may(kind))
          expect((await pages(subject, query, key)).map(shown)).toEqual(expected.map(shown))
          const { headers } = await get(`/api/${subject.replace(' ', '/')}/timeline?${query}`, { key })
          const leftOut = KINDS.filter((kind) => asked.includes(kind) && !may(kind)).join(', ')
          expect(headers.get('X-Left-Out')).toBe(leftOut || null)
        },
      ),
      { numRuns: 40, seed: 1 },
    )
  })

  it('has nothing twice and misses nothing while others write, in pages of any size, kinds and scopes', async () => {
    for (const [index, subject] of SUBJECTS.entries()) {
      const any = numbers(index + 1)
      const some = <T>(values: readonly T[]) => values.filter(() => any(4) > 0)
      const [kinds, scopes] = [some(KINDS), some([...Object.values(SCOPES), 'listings'])]
      const own = [...new Set([...scopes, subject.split(' ')[0] ?? ''])]
      const key = await keyWith(...own.map((scope) => `${scope}:read`))
      const may = (kind: string) => kind === 'change' || own.includes(SCOPES[kind] ?? '')
      const seen = async () => {
        const all = await model(subject, own.includes('listings'))
        return all.filter(({ kind }) => kinds.includes(kind) && may(kind)).map(shown)
      }
      const before = await seen()
      const read = await pages(subject, `limit=${1 + any(9)}&kinds=${kinds}`, key, async (page) => {
        if (page > 2) return
        // Records at any moment, and changes now.
        await importRecords(randomRecords(page + 100, 1000 * (1 + index) + page, 1))
        await change('listings', 1, `2025-01-01 00:00:0${page}`, '{"price":[1,2]}')
      })
      const [was, is, after] = [before, read.map(shown), await seen()].map(countsOf)
      for (const [one, count] of was ?? []) expect([one, (is?.get(one) ?? 0) >= count]).toEqual([one, true])
      for (const [one, count] of is ?? []) expect([one, count <= (after?.get(one) ?? 0)]).toEqual([one, true])
    }
  })
})

describe('an entry', () => {
  const entry = async (subject: string, kind: string) =>
    (await get(`/api/${subject}/timeline?kinds=${kind}&limit=100`)).body.data

  it('has its text, its facts, and who did it', async () => {
    const text = 'Ω'.repeat(300)
    const of60 = (created_by: number) => ({ id: 9000, contacts: [60], created_by })
    const call = { type: 'call', direction: 'in', date: '2024-05-01 10:00:00', minutes: 3, author: 'Phone' }
    const done = { status: 'done', done_date: '2024-05-02 10:00:00', due: '2024-05-03' }
    const submitted = { type: 'offer_submitted', amount: 7, date_created: '2024-05-03 10:00:00' }
    await importRecords([
      ['contacts', { id: 60, first_name: 'Sixty', created_by: 1 }],
      ['activities', { ...of60(1), ...call, text }],
      ['tasks', { ...of60(2), ...done, title: 'Call', result: 'Yes', user_id: 2 }],
      ['offers', { ...OFFER, ...of60(2), rounds: [{ id: 90_000, created_by: 1, ...submitted }] }],
    ])
    const user = (id: number, name: string) => ({ type: 'user', id, name })
    expect(await entry('contacts/60', 'activity')).toEqual([
      {
        ...{ kind: 'activity', date: '2024-05-01 10:00:00', resource: 'activities', id: 9000, role: 'other' },
        actor: { type: 'key', id: null, name: 'Phone' },
        text: text.slice(0, 200),
        data: { type: 'call', direction: 'in', minutes: 3, listing_id: null },
      },
    ])
    expect(await entry('contacts/60', 'task,offer_round')).toEqual([
      {
        ...{ kind: 'offer_round', date: '2024-05-03 10:00:00', resource: 'offers', id: 9000, role: 'buyer' },
        ...{ actor: user(1, 'User One'), text: null },
        data: {
          offer_id: 9000,
          type: 'offer_submitted',
          amount: 7,
          offer_status: 'under_negotiation',
          listing_id: 1,
        },
      },
      {
        ...{ kind: 'task', date: '2024-05-02 10:00:00', resource: 'tasks', id: 9000, role: 'other' },
        ...{ actor: user(2, 'User Two'), text: 'Call\nYes' },
        data: { due: '2024-05-03', user_id: 2, listing_id: null },
      },
    ])
  })
})

describe('a call', () => {
  it('is one round trip', async () => {
    const key = await keyWith('*:read')
    for (const subject of SUBJECTS) {
      const { DB, batches } = counting()
      const path = `${ORIGIN}/api/${subject.replace(' ', '/')}/timeline`
      expect((await sendTo({ DB }, new Request(path, { headers: bearer(key) }))).status).toBe(200)
      expect(batches()).toBe(1)
    }
  })
})
