/** Every kind of POST under `/api/` with the rows that it stores, for the tests of idempotency keys. */
import { env } from 'cloudflare:workers'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, expect, vi } from 'vitest'
import { RECORD_RESOURCES, writePathOf } from '../../../src/catalogue/resources.ts'
import { createEnquiry } from '../../resources/enquiries/seed.ts'
import { newContract, offerIn } from '../../resources/offers/deals.ts'
import { seedDeals } from '../../resources/offers/seed.ts'
import { seedRequests } from '../../resources/requests/seed.ts'
import { importRecords, keyWith, ORIGIN, post } from '../../support/api.ts'
import { createListing } from '../../support/factories/listing.ts'
import { CREATED, CREATED_FOR, naming } from '../../support/factories/samples.ts'
import { bearer, sendTo } from '../send.ts'

const PNG = toPng(paint(4, 4, () => RED))
const DATA = Buffer.from(PNG).toString('base64')

export interface Repeatable {
  /** As the contract has it. */
  pattern: string
  body: Record<string, unknown>
  /** Makes the record of the call; a listing by default. Returns its id. */
  make?: () => Promise<number>
  /** Counts what the call stores, as SQL; `?` is the record of the call. */
  stored: string
  /** How many of them one call makes. */
  makes: number
  /** Set if a call only claims its key when it records its reply. */
  isUnclaimed?: true
}

/** One call makes one unless it says so. */
type Declared = Omit<Repeatable, 'makes'> & { makes?: number }

/** The calls that create a record of a resource. */
const CREATIONS: Declared[] = RECORD_RESOURCES.filter(({ writes }) => writes.includes('create')).map(
  ({ resource, table, door }) => ({
    pattern: writePathOf({ resource, ...(door && { door }) }),
    body: CREATED[table] ?? {},
    ...(CREATED_FOR[table] && { make: CREATED_FOR[table] }),
    stored: `select count(*) from ${table} where ? is not null`,
  }),
)

/** Rounds of an offer, and the status of its contract. */
const DEALS: Declared[] = [
  {
    pattern: '/office/offers/{id}/rounds',
    body: { type: 'counter_offer', amount: 7, notes: '"Ω"' },
    make: () => offerIn('submitted'),
    stored: 'select count(*) from offer_rounds where offer_id = ?',
  },
  {
    pattern: '/office/contracts/{id}/status',
    body: { to: 2 },
    make: async () =>
      Number((await newContract(await offerIn('accepted'), { status_id: 1 })).body.created_id),
    stored: 'select version - 1 from contracts where id = ? and status_id = 2 union all select 0 limit 1',
  },
]

/** The calls that move an income or expense. */
const MOVES: Declared[] = (['incomes', 'expenses'] as const).flatMap((table) =>
  (['confirm', 'reopen'] as const).map((move) => ({
    pattern: `/office/${table}/{id}/${move}`,
    body: { reason: 'A slip' },
    make: async () => {
      const status = move === 'confirm' ? 'pending' : 'confirmed'
      return (await post(`/office/${table}`, { ...CREATED[table], status })).body.created_id
    },
    stored: `select version - 1 from ${table} where id = ?`,
    isUnclaimed: true,
  })),
)

const makeAppointment = async () => (await post('/api/appointments', CREATED.appointments)).body.created_id

/** The calls that carry an appointment on, and finish a task. */
const COURSE: Declared[] = [
  {
    pattern: '/api/appointments/{id}/status',
    body: { to: 'cancelled', reason: '"Ω" \\ ü' },
    make: makeAppointment,
    stored: 'select version - 1 from appointments where id = ?',
  },
  {
    pattern: '/api/appointments/{id}/confirmations',
    body: { party: 'visitor', via: 'phone' },
    make: makeAppointment,
    stored: 'select count(*) from appointment_confirmations where appointment_id = ?',
  },
  {
    pattern: '/api/tasks/{id}/done',
    body: { result: '"Ω" \\ ü', next: { title: 'Ω' } },
    make: async () => (await post('/api/tasks', CREATED.tasks)).body.created_id,
    stored: 'select count(*) from tasks where id > ?',
  },
]

/** Two contacts; the id of the later one. */
async function makeContacts(): Promise<number> {
  await post('/api/contacts', CREATED.contacts)
  return (await post('/api/contacts', CREATED.contacts)).body.created_id
}

/** The calls that merge a contact into the one created after it, and undo that. */
const MERGES: Declared[] = [
  {
    pattern: '/api/contacts/{id}/merge',
    body: { contacts: ['{before}'] },
    make: makeContacts,
    stored: 'select count(*) from contacts where merged_into = ?',
  },
  {
    pattern: '/api/contacts/{id}/unmerge',
    body: { contact_id: '{before}' },
    make: async () => {
      const id = await makeContacts()
      await post(`/api/contacts/${id}/merge`, { contacts: [id - 1] })
      return id
    },
    stored: 'select 1 - count(*) from contacts where merged_into = ?',
  },
]

const ALL: Declared[] = [
  ...CREATIONS,
  ...DEALS,
  ...MOVES,
  ...COURSE,
  ...MERGES,
  {
    pattern: '/api/listings/{id}/status',
    body: { to: 'active' },
    // A second call would change no field, so only the version shows it.
    stored: "select version - 1 from listings where id = ? and status = 'active' union all select 0 limit 1",
  },
  {
    pattern: '/api/listings/{id}/photos',
    body: { photos: [{ data: DATA }, 'https://a.example/1', { data: 'AAAA' }, { data: DATA }] },
    stored: 'select count(*) from listing_photos where listing_id = ?',
    makes: 3,
  },
  {
    pattern: '/api/listings/{id}/panorama-photos',
    body: { photos: [{ data: DATA }, { data: DATA }] },
    stored: 'select count(*) from listing_panoramas where listing_id = ?',
    makes: 2,
  },
  {
    pattern: '/api/enquiries/{id}/convert',
    body: {
      create_request: {
        availability: 'sale',
        category: 'land',
        locations: [11],
        users: [1],
        created_by: 1,
        store_id: 1,
      },
    },
    make: () => createEnquiry(),
    stored: `select count(*) from enquiries join request_contacts on request_contacts.request_id = enquiries.request_id
      where enquiries.id = ?`,
    isUnclaimed: true,
  },
]

export const REPEATABLE: Repeatable[] = ALL.map((kind) => ({ makes: 1, ...kind }))

/** Creates the records that these calls refer to before the tests of a file. `take` gets an API key for all calls. */
export function prepareRepeatable(take: (token: string) => void): void {
  beforeAll(async () => {
    await seedDeals()
    await seedRequests()
    await importRecords([
      ['contact_sources', { id: 1, name: 'Website' }],
      ['external_listing_statuses', { id: 1, name: 'New' }],
      ['income_other_categories', { id: 1, name: 'Fees' }],
      ['expense_categories', { id: 3, name: 'Rent' }],
    ])
    take(await keyWith('*:read', '*:write'))
  })
  beforeEach(() => {
    // Every URL serves a picture.
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(PNG))
  })
}

export interface Answer {
  status: number
  /** The exact text. */
  text: string
  /** Headers of the result. */
  told: (string | null)[]
  isReplayed: boolean
  retryAfter: string | null
}

/** The parts that are equal in all replies to one key. */
export const resultOf = ({ status, text, told }: Answer) => ({ status, text, told })

/** A call of one kind, on its own listing. */
export class Attempt {
  readonly kind: Repeatable
  readonly key: string
  readonly path: string
  /** Where the record of the call is read. */
  readonly record: string
  private readonly listing: number
  private readonly token: string
  private readonly before: number

  private constructor(kind: Repeatable, token: string, listing: number, before: number) {
    this.kind = kind
    this.token = token
    this.listing = listing
    this.before = before
    this.path = kind.pattern.replace('{id}', String(listing))
    this.record = `/api/${kind.pattern.split('/')[2]}/${listing}`
    this.key = crypto.randomUUID()
  }

  static async of(kind: Repeatable, token: string): Promise<Attempt> {
    const listing = await (kind.make ?? createListing)()
    return new Attempt(kind, token, listing, await count(kind, listing))
  }

  request(headers: Record<string, string> = { 'Idempotency-Key': this.key }): Request {
    return new Request(ORIGIN + this.path, {
      method: 'POST',
      headers: { ...bearer(this.token), ...headers },
      body: JSON.stringify(naming(this.kind.body, this.listing)),
    })
  }

  async send(changes: Partial<Env> = {}, headers?: Record<string, string>): Promise<Answer> {
    const answer = await sendTo(changes, this.request(headers))
    const told = ['ETag', 'X-Ignored-Fields', 'X-Photo-Errors'].map((name) => answer.headers.get(name))
    return {
      status: answer.status,
      text: await answer.text(),
      told,
      isReplayed: answer.headers.get('Idempotent-Replayed') === 'true',
      retryAfter: answer.headers.get('Retry-After'),
    }
  }

  /** Repeats the call while another one with the key is in progress, as clients do. */
  async insist(): Promise<Answer> {
    for (;;) {
      const answer = await this.send()
      if (answer.status !== 409) return answer
      expect(answer.retryAfter).toBe('1')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  /** How often the call took effect, according to the tables. */
  async timesDone(): Promise<number> {
    return ((await count(this.kind, this.listing)) - this.before) / this.kind.makes
  }
}

async function count({ stored }: Repeatable, listing: number): Promise<number> {
  const [row = []] = await env.DB.prepare(stored).bind(listing).raw<[number]>()
  return Number(row[0])
}

/** Lets time pass, so that claims of calls in progress expire, or stored replies do. */
export function passTime(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds)
}
