/**
 * Two promises of a restore, over random lives of a service: nobody who was erased comes back, and nobody else is blanked.
 *
 * Each text of a record is a word of its own. A model knows which words live, which each backup has, and which were erased.
 * After a restore from any backup, the service holds exactly the words of that backup that were not erased, and gives no id
 * that an erased record had.
 *
 * @module-tag slow
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Random, seeded } from '../../fixtures/random.ts'
import { ADMIN_TOKEN, type AgencyService, KEY, startAgency } from '../../tools/runtime/agency.ts'
import { run } from '../../tools/runtime/dev-server.ts'
import { AGENCY } from '../admin/people/persona.ts'

const SEED = Number(process.env.SEED ?? 1)
/** Restores, each into a new service, and writes before each. */
const [RESTORES, WRITES] = [4, 30]
/** Dates are in seconds: what a backup has, and what comes after it, must not share one. */
const TICK_MS = 1100

let folder = ''
const services: AgencyService[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'estia-promises-'))
})

afterAll(async () => {
  for (const service of services) await service.stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<AgencyService> {
  const service = await startAgency(null, 0)
  services.push(service)
  return service
}

async function send(service: AgencyService, method: string, path: string, body?: unknown) {
  const answer = await fetch(new URL(path, service.url), {
    method,
    headers: { Authorization: `Bearer ${path.startsWith('/admin') ? ADMIN_TOKEN : KEY}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${text}`)
  return text
}

async function script(name: string, { url }: AgencyService, ...parameters: string[]): Promise<void> {
  const { code, errors } = await run(`scripts/${name}.ts`, [...parameters, '--url', url.origin], ADMIN_TOKEN)
  expect([code, errors]).toEqual([0, ''])
}

type Resource = 'contacts' | 'requests' | 'enquiries' | 'external-listings'

/** How a record of each resource is created and filled anew. Requests belong to a contact. */
const KINDS: Record<Resource, { field: string; body: (contact: number) => object; isRewritten: boolean }> = {
  contacts: {
    field: 'notes',
    body: () => ({ first_name: 'A', last_name: 'B', created_by: 1 }),
    isRewritten: false,
  },
  requests: {
    field: 'notes',
    body: (contact) => ({
      ...{ availability: 'sale', category: 'residential', locations: [11], users: [1] },
      ...{ created_by: 1, store_id: 1, contacts: [contact] },
    }),
    isRewritten: true,
  },
  enquiries: {
    field: 'message',
    body: () => ({
      ...{ type: 'information', last_name: 'B', email: 'b@example.com' },
      consent: { privacy: true, marketing: false },
    }),
    isRewritten: false,
  },
  'external-listings': {
    field: 'description',
    body: () => ({ created_by: 1, store_id: 1 }),
    isRewritten: true,
  },
}
const RESOURCES = Object.keys(KINDS) as Resource[]

/** What a record holds. */
interface Item {
  resource: Resource
  id: number
  /** The contact of a request. */
  contact: number
  /** All words that were written since it was erased last; it has the last one. */
  words: string[]
}

/** The records of a service, or of a backup. */
type World = Item[]

const copyOf = (world: World): World => world.map((item) => ({ ...item, words: [...item.words] }))

/** A service, its model, and what was ever erased, in whichever service. */
class Life {
  readonly erasedWords = new Set<string>()
  /** The erasures that a contact belongs to, by id. */
  erasures = new Map<number, number[]>()
  world: World = []
  backups: { path: string; world: World }[] = []
  private readonly highest = new Map<Resource, number>()
  private written = 0
  service: AgencyService
  private readonly random: Random

  constructor(service: AgencyService, random: Random) {
    this.service = service
    this.random = random
  }

  async write(): Promise<void> {
    const choice = this.random.next()
    if (choice < 0.55) await this.create(this.random.pick(RESOURCES))
    else if (choice < 0.75) await this.rewrite()
    else await this.erase()
  }

  private word(): string {
    return `zq${this.written++}x`
  }

  private async create(resource: Resource): Promise<void> {
    const living = this.world.filter((one) => one.resource === 'contacts' && !this.erasures.has(one.id))
    if (resource === 'requests' && living.length === 0) return
    const contact = resource === 'requests' ? this.random.pick(living).id : 0
    const { field, body } = KINDS[resource]
    const words = [this.word()]
    const sent = { ...body(contact), [field]: words[0] }
    const answer = JSON.parse(await send(this.service, 'POST', `/api/${resource}`, sent))
    const id: number = answer.created_id ?? answer.data.id
    expect(id, `a new id of ${resource}`).toBeGreaterThan(this.highest.get(resource) ?? 0)
    this.world.push({ resource, id, contact, words })
  }

  /** Also of records that were erased: what they hold then is of somebody else. */
  private async rewrite(): Promise<void> {
    const some = this.world.filter(({ resource }) => KINDS[resource].isRewritten)
    if (some.length === 0) return
    const { resource, id, words } = this.random.pick(some)
    words.push(this.word())
    await send(this.service, 'PUT', `/api/${resource}/${id}`, { [KINDS[resource].field]: words.at(-1) })
  }

  /** Also of a person who is erased already. */
  private async erase(): Promise<void> {
    const contacts = this.world.filter(({ resource }) => resource === 'contacts')
    if (contacts.length === 0) return
    const contact = this.random.pick(contacts)
    const also = this.world.filter((one) => one !== contact && this.random.chance(0.15))
    await send(this.service, 'POST', `/admin/contacts/${contact.id}/erase`, {
      reason: 'Asked',
      also: also.map(({ resource, id }) => ({ resource, id })),
    })
    const erasure = Math.min(...(this.erasures.get(contact.id) ?? [contact.id]))
    for (const { resource, id } of [contact, ...also])
      if (resource === 'contacts') this.erasures.set(id, [...(this.erasures.get(id) ?? []), erasure])
    const isPerson = (id: number) => this.erasures.get(id)?.includes(erasure) === true
    for (const item of this.world) {
      const { resource, id, words } = item
      if (!also.includes(item) && !isPerson(resource === 'contacts' ? id : item.contact)) continue
      for (const word of words.splice(0)) this.erasedWords.add(word)
      this.highest.set(resource, Math.max(this.highest.get(resource) ?? 0, id))
    }
  }

  async backUp(path: string): Promise<void> {
    await wait(TICK_MS)
    await script('export', this.service, `${path}/`)
    this.backups.push({ path, world: copyOf(this.world) })
    await wait(TICK_MS)
  }

  /** Goes on in a new service, which is restored from one of the backups with the list of the erased of this one. */
  async restore(place: string): Promise<void> {
    await wait(TICK_MS)
    const list = JSON.parse(await send(this.service, 'GET', '/admin/backups/erased')).data.erased
    const from = this.random.pick(this.backups)
    await cp(from.path, join(place, 'backup'), { recursive: true })
    await writeFile(join(place, 'erased.json'), JSON.stringify(list))
    this.service = await start()
    await script('restore', this.service, '--from', join(place, 'backup'))
    this.backups = this.backups.slice(0, this.backups.indexOf(from) + 1)
    this.world = copyOf(from.world)
    this.erasures = new Map(list.map(({ id }: { id: number }) => [id, [id]]))
    for (const { words } of this.world) if (words.some((word) => this.erasedWords.has(word))) words.length = 0
    const found = new Set((await send(this.service, 'GET', '/admin/export')).match(/zq\d+x/g) ?? [])
    const expected = this.world.flatMap(({ words }) => words.slice(-1))
    expect(
      [...found].filter((word) => this.erasedWords.has(word)),
      'erased, and back',
    ).toEqual([])
    expect(
      expected.filter((word) => !found.has(word)),
      'of others, and blanked',
    ).toEqual([])
    expect(found.size).toBe(expected.length)
  }
}

it(`brings back nobody who was erased, and blanks nobody else (SEED=${SEED})`, {
  timeout: 900_000,
}, async () => {
  const random = seeded(SEED)
  const life = new Life(await start(), random)
  const seeds = AGENCY.map(([entity, data]) => JSON.stringify({ entity, data })).join('\n')
  await send(life.service, 'POST', '/admin/import', seeds)
  await mkdir(join(folder, 'made'))
  for (let round = 0; round < RESTORES; round++) {
    for (let count = 0; count < WRITES; count++) {
      if (count % 10 === 8) await life.backUp(join(folder, 'made', `${round}-${count}`))
      await life.write()
    }
    await life.restore(join(folder, `round-${round}`))
  }
  expect(life.erasedWords.size).toBeGreaterThan(10)
})
