/** Timelines against a model that goes over all stored rows. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { bearer, sendTo } from '../../http/send.ts'
import {
  expectError,
  expectInvalid,
  get,
  importRecords,
  keyWith,
  ORIGIN,
  put,
  remove,
} from '../../support/api.ts'
import { counting, execute, selectAll } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { OFFER, seedDeals } from '../offers/seed.ts'
import { minimalRequest } from '../requests/seed.ts'

type Data = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: rows of any table
type Row = Record<string, any>

const KINDS = [
  'request',
  'enquiry',
  'offer_round',
  'contract',
  'appointment',
  'feedback',
  'activity',
  'task',
  'change',
]
const SCOPES: Record<string, string> = {
  request: 'requests',
  enquiry: 'enquiries',
  offer_round: 'offers',
  contract: 'contracts',
  appointment: 'appointments',
  feedback: 'appointments',
  activity: 'activities',
  task: 'tasks',
}
const SUBJECTS = [
  'contacts 1',
  'contacts 2',
  'contacts 4',
  'listings 1',
  'listings 2',
  'requests 1',
  'requests 2',
]

/** A few moments, so that many entries share one. */
const moment = (n: number) => `2024-01-${String(1 + (n % 6)).padStart(2, '0')} 10:00:00`

/** Numbers that look random and are the same each time. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

function randomRecords(seed: number, from: number, count: number): [string, Data][] {
  const any = numbers(seed)
  const one = <T>(...values: T[]): T => values[any(values.length)] as T
  const contacts = () => [1, 2, 4].filter(() => any(2) === 0)
  const links = () => ({ listing_id: one(1, 2, 3, null), request_id: one(1, 2, null) })
  const dates = () => ({ date_created: moment(any(6)), date_updated: moment(any(6)) })
  return Array.from({ length: count }, (_, index): [string, Data][] => {
    const id = from + index
    const is_deleted = any(6) === 0
    const by = { created_by: one(1, 2), ...dates() }
    const starts = moment(any(6))
    const property = { external: false, listing_id: one(1, 2, 3) }
    return [
      [
        'activities',
        {
          id,
          type: 'note',
          date: moment(any(6)),
          subject: one('S', null),
          text: `T${id}`,
          contacts: contacts(),
          ...links(),
          is_deleted,
          ...by,
        },
      ],
      [
        'tasks',
        {
          id,
          title: `T${id}`,
          user_id: 1,
          status: 'done',
          done_date: one(moment(any(6)), null),
          contacts: contacts(),
          ...links(),
          is_deleted,
          ...by,
        },
      ],
      [
        'appointments',
        {
          ...{
            id,
            type: one('viewing', 'meeting'),
            status: 'done',
            starts,
            ends: starts.replace('10:00', '11:00'),
          },
          ...{ store_id: 1, users: [1], contacts: contacts(), ...links(), is_deleted, ...by },
          feedback: one(null, {
            interest: 'interested',
            date: moment(any(6)),
            text: one('F', null),
            user_id: one(1, null),
          }),
        },
      ],
      [
        'enquiries',
        {
          ...{
            id,
            type: 'information',
            last_name: 'X',
            email: 'x@example.com',
            message: `M${id}`,
            ...links(),
            ...dates(),
          },
          ...{ consent: { privacy: true, marketing: false }, contact_id: one(1, 2, 4, null) },
        },
      ],
      [
        'offers',
        {
          ...OFFER,
          ...{ id, listing: property, request_id: one(1, 2, null), contacts: contacts(), ...dates() },
          rounds: [0, 1, 2].map((n) => ({
            ...{ id: id * 10 + n, type: 'note', amount: one(5, null), notes: `N${id}` },
            ...{ created_by: 1, date_created: moment(any(6)) },
          })),
        },
      ],
      [
        'contracts',
        {
          ...{ id, offer_id: id, store_id: 1, status_id: 1, currency: 'EUR', listing: property, ...by },
          ...{ request_id: one(1, 2, null), contacts: contacts(), notary_contact_id: one(1, 4, null) },
        },
      ],
    ] as [string, Data][]
  }).flat()
}

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
    ...[1, 2].map((id): [string, Data] => [
      'requests',
      { ...minimalRequest, id, locations: [1], status: 1, contacts: [id, 4], date_created: moment(id) },
    ]),
  ])
  await importRecords(randomRecords(7, 1, 12))
  await execute('delete from trail')
  for (let n = 0; n < 40; n++) {
    const changed = n % 5 === 0 ? '{}' : '{"price":[1,2]}'
    await change(['contacts', 'listings', 'requests'][n % 3] ?? '', 1 + (n % 2), moment(n), changed)
  }
})

interface Entry {
  kind: string
  date: string
  resource: string
  id: number
  role: string | null
  position: number
}

/** All entries of a timeline, by going over everything. */
async function model(subject: string, owned: boolean): Promise<Entry[]> {
  const [resource = '', text] = subject.split(' ')
  const id = Number(text)
  const rows = async (table: string) => (await selectAll<Row>(`select * from ${table}`)) as Row[]
  const links = async (one: string) => {
    const all = await rows(`${one}_contacts`)
    return (record: number) => all.filter((row) => row[`${one}_id`] === record).map((row) => row.contact_id)
  }
  const [ofListing, listings] = [await links('listing'), await rows('listings')]
  const owns = (listing: number | null) => owned && listing !== null && ofListing(listing).includes(id)
  const entries: Entry[] = []
  const add = (
    kind: string,
    of: string,
    date: string | null,
    record: number,
    role: string | null,
    position = record,
  ) => {
    if (date !== null && (resource !== 'contacts' || role !== null))
      entries.push({
        kind,
        date,
        resource: of,
        id: record,
        role: resource === 'contacts' ? role : null,
        position,
      })
  }
  /** What links a record to the subject; the role of a contact in it. */
  const roleIn = (
    row: Row,
    contacts: number[],
    role: string,
    isOwners = false,
  ): string | null | undefined => {
    if (resource === 'listings') return row.listing_id === id ? '' : undefined
    if (resource === 'requests') return row.request_id === id ? '' : undefined
    if (role === 'visitor' && contacts.includes(id)) return owns(row.listing_id) ? 'owner' : 'visitor'
    if (contacts.includes(id)) return role
    if (row.notary_contact_id === id) return 'notary'
    return isOwners && owns(row.listing_id) ? 'owner' : undefined
  }
  for (const [kind, table, one, at, role] of [
    ['activity', 'activities', 'activity', 'date', 'other'],
    ['task', 'tasks', 'task', 'done_date', 'other'],
    ['appointment', 'appointments', 'appointment', 'starts', 'visitor'],
    ['feedback', 'appointments', 'appointment', 'feedback_date', 'visitor'],
    ['contract', 'contracts', 'contract', 'date_created', 'buyer'],
  ] as const) {
    const contacts = await links(one)
    for (const row of await rows(table)) {
      const isOwners = kind === 'feedback' || (kind === 'appointment' && row.type === 'viewing')
      const found = roleIn(row, contacts(row.id), role, isOwners)
      if (found !== undefined && !row.is_deleted) add(kind, table, row[at], row.id, found)
    }
  }
  for (const row of await rows('enquiries')) {
    const found = roleIn(row, [row.contact_id], 'visitor')
    if (found !== undefined) add('enquiry', 'enquiries', row.date_created, row.id, found)
  }
  const [buyers, offers] = [await links('offer'), await rows('offers')]
  for (const round of await rows('offer_rounds')) {
    const offer = offers.find((one) => one.id === round.offer_id)
    const found = offer && roleIn(offer, buyers(offer.id), 'buyer', true)
    if (found !== undefined) add('offer_round', 'offers', round.date_created, round.offer_id, found, round.id)
  }
  const seekers = await links('request')
  for (const row of await rows('requests')) {
    const isIt =
      resource === 'requests' ? row.id === id : resource === 'contacts' && seekers(row.id).includes(id)
    if (isIt && !row.is_deleted) add('request', 'requests', row.date_created, row.id, 'buyer')
  }
  for (const row of await rows('trail')) {
    if (row.changed === null || row.changed === '{}') continue
    const record = Number(row.record_id)
    const isTenant = listings.some(
      (one) => one.id === record && JSON.parse(one.extra).tenant_contact_id === id,
    )
    const role =
      row.resource === resource && record === id
        ? 'other'
        : resource === 'contacts' && row.resource === 'listings' && owned
          ? owns(record)
            ? 'owner'
            : isTenant
              ? 'tenant'
              : undefined
          : undefined
    if (role) add('change', row.resource, row.date, record, role, row.id)
  }
  const order = (entry: Entry) => KINDS.indexOf(entry.kind)
  return entries.toSorted(
    (a, b) =>
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) || order(a) - order(b) || b.position - a.position,
  )
}

const shown = ({ kind, date, resource, id, role }: Entry) => ({ kind, date, resource, id, role })

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

describe('GET …/{id}/timeline', () => {
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

  it('has nothing twice and misses nothing while others write', async () => {
    for (const subject of SUBJECTS) {
      const before = (await model(subject, true)).map(shown)
      let [from, newer] = [1000 * (1 + SUBJECTS.indexOf(subject)), 0]
      const read = await pages(subject, 'limit=5', undefined, async (page) => {
        if (page > 2) return
        // Records at any moment, and changes now.
        await importRecords(randomRecords(page + 100, from, 1))
        from++
        await change('listings', 1, `2025-01-01 00:00:${String(newer++).padStart(2, '0')}`, '{"price":[1,2]}')
      })
      const keys = read.map((entry) => JSON.stringify(shown(entry)))
      const counts = (list: string[]) => {
        const made = new Map<string, number>()
        for (const one of list) made.set(one, (made.get(one) ?? 0) + 1)
        return made
      }
      const [was, is, after] = [
        counts(before.map((one) => JSON.stringify(one))),
        counts(keys),
        counts((await model(subject, true)).map((one) => JSON.stringify(shown(one)))),
      ]
      for (const [one, count] of was) expect([one, (is.get(one) ?? 0) >= count]).toEqual([one, true])
      for (const [one, count] of is) expect([one, count <= (after.get(one) ?? 0)]).toEqual([one, true])
    }
  })
})

describe('an entry', () => {
  const entry = async (subject: string, kind: string) =>
    (await get(`/api/${subject}/timeline?kinds=${kind}&limit=100`)).body.data

  it('has its text, its facts, and who did it', async () => {
    const text = 'Ω'.repeat(300)
    await importRecords([
      ['contacts', { id: 60, first_name: 'Sixty', created_by: 1 }],
      [
        'activities',
        {
          id: 9000,
          type: 'call',
          direction: 'in',
          date: '2024-05-01 10:00:00',
          text,
          minutes: 3,
          author: 'Phone',
          contacts: [60],
          created_by: 1,
        },
      ],
      [
        'tasks',
        {
          id: 9000,
          title: 'Call',
          result: 'Yes',
          user_id: 2,
          status: 'done',
          done_date: '2024-05-02 10:00:00',
          due: '2024-05-03',
          contacts: [60],
          created_by: 2,
        },
      ],
      [
        'offers',
        {
          ...OFFER,
          id: 9000,
          contacts: [60],
          rounds: [
            {
              id: 90_000,
              type: 'offer_submitted',
              amount: 7,
              created_by: 1,
              date_created: '2024-05-03 10:00:00',
            },
          ],
        },
      ],
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

  it('of a change has the key that made it', async () => {
    const { body } = await put('/api/contacts/60', { users: [2] })
    expect(body.status).toBe(200)
    expect(await entry('contacts/60', 'change')).toEqual([
      {
        ...{
          kind: 'change',
          date: expect.any(String),
          resource: 'contacts',
          id: 60,
          role: 'other',
          text: null,
        },
        actor: { type: 'key', id: expect.any(String), name: 'test' },
        data: { changed: { users: [[], [2]] } },
      },
    ])
  })

  it('of a deleted record goes with it', async () => {
    await remove('/api/activities/9000')
    expect(await entry('contacts/60', 'activity')).toEqual([])
  })
})

describe('a call', () => {
  it.each([
    ['before=x', 'Invalid before: must be `next` of an earlier reply'],
    ['before=20240101000000-fax-1', 'Invalid before: must be `next` of an earlier reply'],
    ['limit=0', 'Invalid limit: must be at least 1'],
    ['limit=101', 'Invalid limit: must be at most 100'],
    ['kinds=fax', `Invalid kinds: must be some of ${KINDS.join(', ')}`],
  ])('refuses %s', (query, problem) => expectInvalid(get(`/api/contacts/1/timeline?${query}`), problem))

  it('finds no timeline of what is deleted or unknown', async () => {
    await expectError(get('/api/contacts/3/timeline'), 404, 'Contact not found')
    await expectError(get('/api/listings/999/timeline'), 404, 'Listing not found')
    await expectError(get('/api/requests/3/timeline'), 404, 'Request not found')
  })

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
