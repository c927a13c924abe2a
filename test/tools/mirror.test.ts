/**
 * The examples that keep a copy, run as somebody does who has nothing but the guide.
 *
 * @module-tag slow
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDifferences } from '../../tools/mirror/difference.ts'
import { keepCopy } from '../../tools/mirror/keep.ts'
import { startNewcomer } from '../../tools/mirror/newcomer.ts'
import { type MirrorTarget, RandomWrites } from '../../tools/mirror/random-writes.ts'
import { type MirrorReceiver, startReceiver } from '../../tools/mirror/receiver.ts'
import { ADMIN_TOKEN, startService } from '../node/service.ts'

/** Chooses the writes, and when the program is killed: `SEED=7 OPERATIONS=1000 npm run test:tools -- mirror`. */
const [SEED, OPERATIONS] = [Number(process.env.SEED ?? 1), Number(process.env.OPERATIONS ?? 200)]

let service: Awaited<ReturnType<typeof startService>>
let newcomer: Awaited<ReturnType<typeof startNewcomer>>
let target: MirrorTarget

beforeAll(async () => {
  service = await startService()
  target = { url: service.url, key: service.key, adminToken: ADMIN_TOKEN }
  newcomer = await startNewcomer(new URL('/client.tgz', service.url).href)
})

afterAll(() => Promise.all([service?.close(), newcomer?.remove()]))

describe('examples/sync-listings.ts', () => {
  it('keeps an exact copy through writes, deletes, imports and kills', async () => {
    const writes = new RandomWrites(target, SEED)
    await writes.begin(10)
    const options = { operations: OPERATIONS, seed: SEED }
    const { differences, killed } = await keepCopy(newcomer, target, writes, options)
    expect(differences).toEqual([])
    expect(killed).toBeGreaterThan(0)
    expect([...writes.counts.keys()]).toEqual(
      expect.arrayContaining([
        'POST /api/listings 200',
        'PUT /api/listings/… 200',
        'POST /api/listings/…/photos 200',
        'DELETE /api/listings/…/photos/… 200',
        'POST /api/listings/…/status 200',
        'POST /admin/import 200',
      ]),
    )
  })

  it.each([
    ['a service whose database was brought back to before', 'f00000000000-00000000000001-00000000000001'],
    ['what is no cursor', 'nowhere'],
  ])('begins anew with %s', async (_, cursor) => {
    await new RandomWrites(target, 6).begin(5)
    const environment = {
      ESTIA_URL: service.url.origin,
      ESTIA_KEY: service.key,
      DATABASE: join(newcomer.folder, 'anew.db'),
    }
    await newcomer.run('sync-listings.ts', environment)
    const db = new DatabaseSync(environment.DATABASE, { timeout: 5000 })
    db.prepare('update feed set cursor = ?').run(cursor)
    db.exec("update listings set record = '{}'; insert into listings (id) values (987654321)")
    db.close()
    await newcomer.run('sync-listings.ts', environment)
    expect(await findDifferences(environment.DATABASE, target)).toEqual([])
  })
})

describe('examples/webhook-receiver.ts', () => {
  /** What the receiver answers to a delivery that is signed with `secret`. */
  async function deliver({ url }: MirrorReceiver, secret: string): Promise<number> {
    const [id, date] = [`msg_${randomBytes(8).toString('hex')}`, new Date()]
    const body = JSON.stringify({ type: 'changes', timestamp: date.toISOString(), data: [] })
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, date, body),
    }
    return (await fetch(url, { method: 'POST', body, headers })).status
  }

  const makeSecret = () => `whsec_${randomBytes(24).toString('base64')}`

  it('is in step when it answers, and does nothing for others', async () => {
    const secret = makeSecret()
    const writes = new RandomWrites(target, 4)
    await writes.begin(10)
    const receiver = await startReceiver(newcomer, target, {
      name: 'told',
      secret: `${makeSecret()} ${secret}`,
    })
    try {
      for (let round = 0; round < 4; round++) {
        for (let done = 0; done < 25; done++) await writes.write()
        expect(await deliver(receiver, makeSecret())).toBe(401)
        expect((await fetch(receiver.url, { method: 'POST', body: '{}' })).status).toBe(401)
        expect(await findDifferences(receiver.file, target)).not.toEqual([])
        const told = await Promise.all([deliver(receiver, secret), deliver(receiver, secret)])
        expect(told).toEqual([204, 204])
        expect(await findDifferences(receiver.file, target)).toEqual([])
      }
    } finally {
      await receiver.kill()
    }
  })

  it('goes on after somebody has held its copy up', async () => {
    const secret = makeSecret()
    const writes = new RandomWrites(target, 7)
    await writes.begin(5)
    const receiver = await startReceiver(newcomer, target, { name: 'held', secret })
    const db = new DatabaseSync(receiver.file, { timeout: 5000 })
    try {
      await writes.begin(5)
      const reader = db.prepare('select * from listings').iterate()
      reader.next()
      expect(await deliver(receiver, secret)).toBe(500)
      reader.return?.()
      expect(await deliver(receiver, secret)).toBe(204)
      expect(await findDifferences(receiver.file, target)).toEqual([])
    } finally {
      db.close()
      await receiver.kill()
    }
  })

  it('keeps an exact copy of what the service delivers, killed and started again', async () => {
    const admin = { Authorization: `Bearer ${ADMIN_TOKEN}` }
    const writes = new RandomWrites(target, 5)
    await writes.begin(10)
    // The secret is known once the address is.
    const former = await startReceiver(newcomer, target, { name: 'delivered', secret: makeSecret() })
    const subscribed = await fetch(new URL('/admin/webhooks', service.url), {
      method: 'POST',
      headers: admin,
      body: JSON.stringify({ url: former.url, resources: ['listings'] }),
    })
    const { data } = (await subscribed.json()) as { data: { secret: string } }
    await former.kill()
    const { secret } = data
    const receiver = await startReceiver(newcomer, target, { name: 'delivered', secret, url: former.url })
    try {
      for (let round = 0; round < 4; round++) {
        for (let done = 0; done < 25; done++) {
          if (round === 1 && done === 5) await receiver.kill()
          await writes.write()
        }
        if (round === 1) await receiver.restart()
      }
      let differences = ['not yet']
      for (let looks = 0; looks < 100 && differences.length > 0; looks++) {
        await wait(500)
        await fetch(new URL('/cdn-cgi/handler/scheduled?cron=*+*+*+*+*', service.url))
        differences = await findDifferences(receiver.file, target)
      }
      expect(differences).toEqual([])
    } finally {
      await receiver.kill()
    }
  })
})
