/** Random writes of every kind to listings. */
import { PIXEL } from '../../fixtures/pictures.ts'
import { type Random, seeded } from '../../fixtures/random.ts'

/** A running service with its credentials. */
export interface MirrorTarget {
  url: URL
  key: string
  adminToken: string
}

const PICTURE = Buffer.from(PIXEL, 'base64')
const LISTING = {
  category: 'residential',
  availability: 'sale',
  store_id: 1,
  created_by: 1,
  users: [1],
}
/** Records that listings refer to. */
const AGENCY = [
  ['stores', { id: 1, name: 'Center' }],
  ['users', { id: 1, name: 'User', store_id: 1 }],
  ['languages', { id: 1, code: 'el', name: 'Ελληνικά' }],
  ['listing_tags', { id: 1, name: 'New' }],
  ['listing_tags', { id: 2, name: 'View' }],
] as const
/** Statuses; a deleted listing may come back. */
const STATUSES = ['active', 'inactive', 'pending', 'archived'] as const

export class RandomWrites {
  /** Replies by `method path status`, the path without its ids. */
  readonly counts = new Map<string, number>()
  readonly #random: Random
  readonly #target: MirrorTarget
  /** Ids of all listings, including deleted ones. */
  readonly #ids: number[] = []
  /** Paths of listings with photos. */
  readonly #pictured: string[] = []
  #nextImport: number

  constructor(target: MirrorTarget, seed: number) {
    this.#target = target
    this.#random = seeded(seed)
    // Above all others.
    this.#nextImport = 100_000 * (seed + 1)
  }

  /** Creates an agency and a few listings. */
  async begin(listings: number): Promise<void> {
    await this.#import(AGENCY.map(([entity, data]) => ({ entity, data })))
    for (let made = 0; made < listings; made++) await this.#create()
  }

  /** Makes one write. Throws when it is refused, unless the picture to remove no longer exists. */
  async write(): Promise<void> {
    const random = this.#random
    const draw = random.int(1, 100)
    const path = `/api/listings/${random.pick(this.#ids)}`
    if (draw <= 15) await this.#create()
    else if (draw <= 45) await this.#call('PUT', path, this.#change())
    else if (draw <= 52) await this.#addPhoto(path)
    else if (draw <= 60) await this.#removePhoto()
    else if (draw <= 68) await this.#call('POST', `${path}/status`, { to: 'deleted' })
    else if (draw <= 80) await this.#call('POST', `${path}/status`, { to: random.pick(STATUSES) })
    else await this.#importLines()
  }

  async #addPhoto(path: string): Promise<void> {
    await this.#send('POST', `${path}/photos`, PICTURE, 'image/png')
    this.#pictured.push(path)
  }

  async #removePhoto(): Promise<void> {
    const path = this.#pictured.pop()
    if (path) await this.#call('DELETE', `${path}/photos/1`, undefined, 404)
  }

  async #create(): Promise<void> {
    const { created_id } = await this.#call('POST', '/api/listings', { ...LISTING, ...this.#change() })
    if (created_id) this.#ids.push(created_id)
  }

  #change(): Record<string, unknown> {
    const random = this.#random
    return {
      price: random.int(1, 1_000_000),
      language_id: 1,
      title: `Τίτλος ${random.int(1, 9)}`,
      tags: random.sample([1, 2], random.int(0, 2)),
      details: { kitchens: random.int(1, 3) },
      notes: random.chance(0.3) ? null : 'Seen',
    }
  }

  /** Imports new, changed, deleted and repeated listings, and some with their own dates. */
  #importLines(): Promise<void> {
    const random = this.#random
    const lines = Array.from({ length: random.int(1, 8) }, () => {
      const isNew = random.chance(0.3)
      const id = isNew ? this.#nextImport++ : random.pick(this.#ids)
      if (isNew) this.#ids.push(id)
      const year = random.int(2010, 2025)
      const dates = random.chance(0.3)
        ? { date_created: `${year}-03-01 10:00:00`, date_updated: `${year}-04-01 10:00:00` }
        : {}
      const status = random.chance(0.3) ? { status: random.pick(['active', 'deleted']) } : {}
      return {
        entity: 'listings',
        data: { id, ...(isNew ? LISTING : {}), ...this.#change(), ...dates, ...status },
      }
    })
    return this.#import(random.chance(0.2) ? [...lines, ...lines] : lines)
  }

  async #import(lines: object[]): Promise<void> {
    const body = lines.map((line) => JSON.stringify(line)).join('\n')
    const { data } = await this.#send('POST', '/admin/import', body, 'application/x-ndjson')
    if (data?.rejected !== 0) throw new Error(`An import was refused: ${JSON.stringify(data)}`)
  }

  #call(method: string, path: string, body: unknown, mayFailWith?: number) {
    return this.#send(method, path, JSON.stringify(body), 'application/json', mayFailWith)
  }

  async #send(method: string, path: string, body: BodyInit | undefined, type: string, mayFailWith?: number) {
    const { url, key, adminToken } = this.#target
    const token = path.startsWith('/admin') ? adminToken : key
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
    const answer = await fetch(new URL(path, url), { method, headers, ...(body ? { body } : {}) })
    const result = (await answer.json()) as { created_id?: number; data?: { rejected?: number } }
    if (!answer.ok && answer.status !== mayFailWith) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(result)}`)
    }
    const kind = `${method} ${path.replace(/\/\d+/g, '/…')} ${answer.status}`
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    return result
  }
}
