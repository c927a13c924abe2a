/**
 * Two promises of a restore, over random lives of a service: nobody who was erased comes back, and nobody else is blanked.
 *
 * Each text of a record is a word of its own. A model knows which words live, which each backup has, and which were erased.
 * Backups are made part by part, while others write and erase. After a restore from any of them, the service holds exactly the
 * words of that backup that were not erased, and gives no id that an erased record had. The same holds of a database that went
 * back, and is erased again while others write.
 *
 * Only this may go, too: what was written to a record of an erased person before the erasure was closed.
 *
 * @module-tag slow
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Random, seeded } from '@estia/photo-codec/fixtures/random'
import { afterAll, expect, it } from 'vitest'
import { beginBackup, continueBackup } from '../../src/admin/backups/run.ts'
import { CRON } from '../../src/http/caller/provenance.ts'
import { type AgencyService, askAgency, callAgency, startAgency } from '../../tools/runtime/agency.ts'
import { run } from '../../tools/runtime/run.ts'
import { AGENCY } from '../admin/erasure/persona.ts'
import { temporaryFolder } from './temporary.ts'

const SEED = Number(process.env.SEED ?? 1)
/** Restores, each into a new service, and writes before each. */
const [RESTORES, WRITES] = [4, 30]
/** Dates of creation are in seconds: what gets the id of an erased record in a database that went back is of a later one. */
const TICK_MS = 1100

const folder = temporaryFolder()
const services: AgencyService[] = []

afterAll(() => services.at(-1)?.stop())

async function start(): Promise<AgencyService> {
  const service = await startAgency(null, 0)
  services.push(service)
  return service
}

/** What can be created without the records of others. */
const CREATED_MEANWHILE = ['contacts', 'enquiries', 'external-listings'] as const

async function script(name: string, { url }: AgencyService, ...parameters: string[]): Promise<void> {
  const { code, errors } = await run(`scripts/${name}.ts`, [...parameters, '--url', url.origin])
  // What was given an id again, before it was kept, is named.
  expect([
    code,
    errors.replaceAll(/^\w+ \d+ is newer than the erasure of this id, and stays\.\n/gm, ''),
  ]).toEqual([0, ''])
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
  /** Whether an erasure of it is not closed yet: a backup that is begun by now may not have all of it. */
  isOpen: boolean
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

  /** @param isLast false while the ids of erased records are not kept yet */
  private async create(resource: Resource, isLast = true): Promise<void> {
    const living = this.world.filter((one) => one.resource === 'contacts' && !this.erasures.has(one.id))
    if (resource === 'requests' && living.length === 0) return
    const contact = resource === 'requests' ? this.random.pick(living).id : 0
    const { field, body } = KINDS[resource]
    const words = [this.word()]
    const sent = { ...body(contact), [field]: words[0] }
    const answer = await askAgency(this.service, 'POST', `/api/${resource}`, sent)
    const id: number = answer.created_id ?? answer.data.id
    if (isLast) expect(id, `a new id of ${resource}`).toBeGreaterThan(this.highest.get(resource) ?? 0)
    this.world.push({ resource, id, contact, words, isOpen: false })
  }

  /** Also of records that were erased: what they hold then is of somebody else. */
  private async rewrite(): Promise<void> {
    const some = this.world.filter(({ resource }) => KINDS[resource].isRewritten)
    if (some.length === 0) return
    const { resource, id, words } = this.random.pick(some)
    words.push(this.word())
    await callAgency(this.service, 'PUT', `/api/${resource}/${id}`, { [KINDS[resource].field]: words.at(-1) })
  }

  /** Also of a person who is erased already. */
  private async erase(): Promise<void> {
    const contacts = this.world.filter(({ resource }) => resource === 'contacts')
    if (contacts.length === 0) return
    const contact = this.random.pick(contacts)
    const also = this.world.filter((one) => one !== contact && this.random.chance(0.15))
    await callAgency(this.service, 'POST', `/admin/contacts/${contact.id}/erase`, {
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
      item.isOpen = true
      this.highest.set(resource, Math.max(this.highest.get(resource) ?? 0, id))
    }
  }

  /** As if cron had looked again at what is erased. */
  async closeErasures(): Promise<void> {
    const { DB } = await this.bindings()
    await DB.prepare("update erasures set progress = 'closed', progress_date = '2026-01-01 00:00:00'").run()
    for (const item of this.world) item.isOpen = false
  }

  private async bindings(): Promise<Env> {
    return { ...(await this.service.miniflare.getBindings<Env>()), PROVENANCE: CRON }
  }

  /** Makes a backup as cron does, one part a run. Others write between its parts. */
  async backUp(path: string): Promise<void> {
    const env = await this.bindings()
    await env.DB.prepare('delete from backups').run()
    const begun = await beginBackup(env, new Date())
    const name = begun?.begun ?? 'none'
    for (;;) {
      const made = await continueBackup(env, new Date(), { bytes: 1, milliseconds: 0 })
      if (made?.finished) break
      if (this.random.chance(0.5)) await this.write()
    }
    await mkdir(path, { recursive: true })
    for (const { key } of (await env.BACKUPS?.list({ prefix: `${name}/` }))?.objects ?? []) {
      const bytes = await (await env.BACKUPS?.get(key))?.arrayBuffer()
      await writeFile(join(path, key.slice(name.length + 1)), Buffer.from(bytes ?? new ArrayBuffer(0)))
      await env.BACKUPS?.delete(key)
    }
    this.backups.push({ path, world: copyOf(this.world) })
  }

  /** Goes on in a new service, which is restored from one of the backups with the list of the erased of this one. */
  async restore(place: string): Promise<void> {
    const list = (await askAgency(this.service, 'GET', '/admin/backups/erased')).data.erased
    const from = this.random.pick(this.backups)
    await cp(from.path, join(place, 'backup'), { recursive: true })
    await writeFile(join(place, 'erased.json'), JSON.stringify(list))
    const former = this.service
    this.service = await start()
    await former.stop()
    await script('restore', this.service, '--from', join(place, 'backup'))
    this.backups = this.backups.slice(0, this.backups.indexOf(from) + 1)
    this.world = copyOf(from.world)
    this.erasures = new Map(list.map(({ id }: { id: number }) => [id, [id]]))
    await this.check()
  }

  /** The database goes back to an earlier moment, and is erased again while others write. */
  async goBack(): Promise<void> {
    const [database, before] = [join(this.service.folder, 'd1'), join(folder, `before-${this.written}`)]
    await cp(database, before, { recursive: true })
    const [world, erasures] = [copyOf(this.world), structuredClone(this.erasures)]
    for (let count = 0; count < 10; count++) await this.write()
    const { BACKUPS } = await this.bindings()
    const list = (await askAgency(this.service, 'GET', '/admin/backups/erased')).data.erased
    await BACKUPS?.put('erased.json', JSON.stringify(list))
    process.kill(this.service.pid(), 'SIGKILL')
    await rm(database, { recursive: true })
    await cp(before, database, { recursive: true })
    await this.service.crash()
    this.world = world
    this.erasures = erasures
    await wait(TICK_MS)
    const erasing = script('erase-again', this.service)
    for (let count = 0; count < 10; count++) await this.create(this.random.pick(CREATED_MEANWHILE), false)
    await erasing
    for (const { id } of list) if (!this.erasures.has(id)) this.erasures.set(id, [id])
    await this.check()
    for (const resource of RESOURCES) await this.create(resource)
  }

  /** The service holds the words of the model, but for those that were erased. */
  private async check(): Promise<void> {
    for (const { words } of this.world) if (words.some((word) => this.erasedWords.has(word))) words.length = 0
    const found = new Set((await callAgency(this.service, 'GET', '/admin/export')).match(/zq\d+x/g) ?? [])
    expect(
      [...found].filter((word) => this.erasedWords.has(word)),
      'erased, and back',
    ).toEqual([])
    for (const { words, isOpen } of this.world) if (isOpen && !found.has(words.at(-1) ?? '')) words.length = 0
    const expected = this.world.flatMap(({ words }) => words.slice(-1))
    expect(
      expected.filter((word) => !found.has(word)),
      'of others, and blanked',
    ).toEqual([])
    expect(found.size).toBe(expected.length)
    await this.closeErasures()
  }
}

it(`brings back nobody who was erased, and blanks nobody else (SEED=${SEED})`, {
  timeout: 900_000,
}, async () => {
  const random = seeded(SEED)
  const life = new Life(await start(), random)
  const seeds = AGENCY.map(([entity, data]) => JSON.stringify({ entity, data })).join('\n')
  await callAgency(life.service, 'POST', '/admin/import', seeds)
  await mkdir(join(folder, 'made'))
  for (let round = 0; round < RESTORES; round++) {
    for (let count = 0; count < WRITES; count++) {
      if (count % 10 === 8) await life.backUp(join(folder, 'made', `${round}-${count}`))
      if (count % 10 === 4) await life.closeErasures()
      await life.write()
    }
    await life.goBack()
    await life.restore(join(folder, `round-${round}`))
  }
  expect(life.erasedWords.size).toBeGreaterThan(10)
})
