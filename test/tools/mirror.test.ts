/**
 * The examples that keep a copy, run as somebody does who has nothing but the guide and the client of a deployment.
 *
 * @module-tag slow
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PIXEL } from '../../fixtures/pictures.ts'
import { freePort } from '../../scripts/start/port.ts'
import { ADMIN_TOKEN } from '../../tools/runtime/agency.ts'
import { importListings, importRecords, startService } from '../node/service.ts'
import { temporaryFolder } from './temporary.ts'

/** What the examples need besides the client. */
const LIBRARIES = ['hono', '@hono/node-server', '@types/node', 'undici-types']
const LISTING = { category: 'residential', availability: 'sale', store_id: 1, created_by: 1, users: [1] }

let service: Awaited<ReturnType<typeof startService>>
const folder = temporaryFolder()

beforeAll(async () => {
  service = await startService()
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  // Without any registry.
  const settings = ['--registry', 'http://127.0.0.1:9/', '--no-audit', '--no-fund', '--prefer-offline']
  const client = new URL('/client.tgz', service.url).href
  await promisify(execFile)('npm', ['install', client, ...settings], { cwd: folder })
  for (const library of LIBRARIES) {
    const place = join(folder, 'node_modules', library)
    await mkdir(join(place, '..'), { recursive: true })
    await symlink(resolve('node_modules', library), place, 'junction')
  }
  await cp('examples', folder, { recursive: true })
  await importListings(
    service.url,
    Array.from({ length: 70 }, (_, index) => ({ id: index + 1 })),
  )
})

afterAll(() => service?.close())

const fileOf = (name: string) => join(folder, `${name}.db`)

/** Starts a program of the examples, which keeps the copy of this name. */
function start(program: string, name: string, more: Record<string, string> = {}): ChildProcess {
  const settings = { ESTIA_URL: service.url.origin, ESTIA_KEY: service.key, DATABASE: fileOf(name), ...more }
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr?.pipe(process.stderr)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

const sync = async (name: string) =>
  expect(await once(start('sync-listings.ts', name), 'close')).toEqual([0, null])

async function call(method: string, path: string, body?: unknown) {
  const token = path.startsWith('/admin') ? ADMIN_TOKEN : service.key
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(new URL(path, service.url), { method, headers, body: JSON.stringify(body) })
  expect(answer.status, `${method} ${path}`).toBe(200)
  return (await answer.json()) as { created_id?: number; total_pages?: number; data: unknown }
}

let written = 0

/** Writes to listings in every way. */
async function write(): Promise<void> {
  const price = 1000 * ++written
  const { created_id } = await call('POST', '/api/listings', { ...LISTING, price })
  await call('PUT', `/api/listings/${written}`, { price, notes: 'Seen' })
  await call('POST', `/api/listings/${written}/photos`, { photos: [{ data: PIXEL }, { data: PIXEL }] })
  await call('DELETE', `/api/listings/${written}/photos/1`)
  await call('POST', `/api/listings/${created_id}/status`, { to: 'active' })
  await call('POST', `/api/listings/${70 - written}/status`, { to: 'deleted' })
  await importRecords(service.url, [
    ['listings', { id: 30 + written, price, status: 'deleted' }],
    ['listings', { ...LISTING, id: 1000 + written, date_updated: '2015-04-01 10:00:00' }],
  ])
}

/** Expects every listing that is not deleted in the copy, as a read shows it now, and no other. */
async function expectExact(name: string): Promise<void> {
  const db = new DatabaseSync(fileOf(name), { readOnly: true, timeout: 5000 })
  const copied = db.prepare('select id, code, status, price, record from listings order by id').all()
  db.close()
  const expected: unknown[] = []
  for (let page = 1, last = 1; page <= last; page++) {
    const list = await call('GET', `/api/listings?sort=id&page=${page}`)
    last = list.total_pages ?? 1
    for (const { id, status } of list.data as { id: number; status: string }[])
      if (status !== 'deleted') expected.push((await call('GET', `/api/listings/${id}?fields=all`)).data)
  }
  expect(copied.map(({ record }) => JSON.parse(String(record)))).toEqual(expected)
  const columns = ({ id, code, status, price }: Record<string, unknown>) => ({ id, code, status, price })
  expect(copied.map(columns)).toEqual(expected.map((listing) => columns(listing as Record<string, unknown>)))
}

it('sync-listings.ts keeps an exact copy, also when it was killed', async () => {
  const killed = start('sync-listings.ts', 'synced')
  while (!existsSync(fileOf('synced'))) await wait(5)
  await kill(killed)
  for (let round = 0; round < 3; round++) {
    await write()
    await sync('synced')
    await expectExact('synced')
  }
})

it.each([
  ['a service whose database was brought back to before', 'f00000000000-00000000000001-00000000000001'],
  ['what is no cursor', 'nowhere'],
])('sync-listings.ts begins anew with %s', async (_, cursor) => {
  await sync('anew')
  const db = new DatabaseSync(fileOf('anew'), { timeout: 5000 })
  db.prepare('update feed set cursor = ?').run(cursor)
  db.exec("update listings set record = '{}'; insert into listings (id) values (987654321)")
  db.close()
  await sync('anew')
  await expectExact('anew')
})

it('webhook-receiver.ts follows what is signed, nothing else, and goes on after it was killed', async () => {
  const [secret, other] = [1, 2].map(() => `whsec_${randomBytes(24).toString('base64')}`) as [string, string]
  const PORT = String(await freePort())
  const listen = async () => {
    const receiver = start('webhook-receiver.ts', 'told', { PORT, WEBHOOK_SECRET: `${other} ${secret}` })
    await new Promise((done, fail) => {
      receiver.stdout?.on('data', (chunk) => String(chunk).includes('Listening') && done(receiver))
      receiver.once('close', fail)
    })
    return receiver
  }
  /** What it answers to a delivery that is signed with `signedWith`. */
  async function deliver(signedWith: string): Promise<number> {
    const [id, date] = [`msg_${randomBytes(8).toString('hex')}`, new Date()]
    const body = JSON.stringify({ type: 'changes', timestamp: date.toISOString(), data: [] })
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
      'webhook-signature': new Webhook(signedWith).sign(id, date, body),
    }
    return (await fetch(`http://127.0.0.1:${PORT}/webhooks`, { method: 'POST', body, headers })).status
  }
  let receiver = await listen()
  try {
    await write()
    expect(await deliver(`whsec_${randomBytes(24).toString('base64')}`)).toBe(401)
    await expect(expectExact('told')).rejects.toThrow()
    expect(await Promise.all([deliver(secret), deliver(other)])).toEqual([204, 204])
    await expectExact('told')
    await kill(receiver)
    await write()
    receiver = await listen()
    await expectExact('told')
  } finally {
    await kill(receiver)
  }
})
