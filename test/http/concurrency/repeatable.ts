/** Every kind of POST under `/api/` with the rows that it stores, for the tests of idempotency keys. */
import { env } from 'cloudflare:workers'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { createEnquiry, MINIMAL as ENQUIRY } from '../../resources/enquiries/seed.ts'
import { minimalRequest, seedRequests } from '../../resources/requests/seed.ts'
import { importRecords, keyWith, ORIGIN } from '../../support/api.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { bearer, sendTo } from '../send.ts'

const PNG = toPng(paint(4, 4, () => RED))
const DATA = Buffer.from(PNG).toString('base64')

export interface Repeatable {
  /** As the contract has it. */
  pattern: string
  body: object
  /** Makes the record of the call; a listing by default. Returns its id. */
  make?: () => Promise<number>
  /** Counts what the call stores, as SQL; `?` is the record of the call. */
  stored: string
  /** How many of them one call makes. */
  makes: number
  /** Set if a call only claims its key when it records its reply. */
  isUnclaimed?: true
}

export const REPEATABLE: Repeatable[] = [
  {
    pattern: '/api/listings',
    body: { ...minimalListing, title: 'Flat "A"', tags: [1, 2], price: 5, colour: 'red' },
    stored: 'select count(*) from listings where ? is not null',
    makes: 1,
  },
  {
    pattern: '/api/contacts',
    body: { first_name: 'A', last_name: 'B', tags: [], users: [1] },
    stored: 'select count(*) from contacts where ? is not null',
    makes: 1,
  },
  {
    pattern: '/api/requests',
    body: {
      ...minimalRequest,
      locations: [111, 2, 21],
      tags: [2, 1],
      notes: '"Ω"\n',
      price_min: 1,
      extra_fields: { special_locations: [1], distance: 500, features: ['storage'] },
    },
    stored: 'select count(*) from requests where ? is not null',
    makes: 1,
  },
  {
    pattern: '/api/external-listings',
    body: {
      store_id: 1,
      created_by: 1,
      users: [2, 1],
      price: 100,
      size: 30,
      description: 'a "b" \\ ü',
      photos: ['https://a.example/1', 'ftp://a.example/2', 'https://a.example/3'],
    },
    stored: 'select count(*) from external_listings where ? is not null',
    makes: 1,
  },
  {
    pattern: '/api/listings/{id}/status',
    body: { to: 'active' },
    // A second call would change no field, so only the version shows it.
    stored: "select version - 1 from listings where id = ? and status = 'active' union all select 0 limit 1",
    makes: 1,
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
    pattern: '/api/enquiries',
    body: { ...ENQUIRY, search: { locations: [111], extra_fields: { features: ['storage'] } }, notes: '"Ω"' },
    stored: 'select count(*) from enquiries where ? is not null',
    makes: 1,
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
    makes: 1,
    isUnclaimed: true,
  },
]

/** Creates the records that these calls refer to before the tests of a file. `take` gets an API key for all calls. */
export function prepareRepeatable(take: (token: string) => void): void {
  beforeAll(async () => {
    await seedRequests()
    await importRecords([
      ['contact_sources', { id: 1, name: 'Website' }],
      ['external_listing_statuses', { id: 1, name: 'New' }],
    ])
    take(await keyWith('*:read', '*:write'))
  })
  beforeEach(() => {
    // Every URL serves a picture.
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(PNG))
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
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
  private readonly listing: number
  private readonly token: string
  private readonly before: number

  private constructor(kind: Repeatable, token: string, listing: number, before: number) {
    this.kind = kind
    this.token = token
    this.listing = listing
    this.before = before
    this.path = kind.pattern.replace('{id}', String(listing))
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
      body: JSON.stringify(this.kind.body),
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
