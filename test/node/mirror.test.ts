/** The examples that keep a copy, run as somebody does who has nothing but the guide. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepCopy } from '../../tools/mirror/keep.ts'
import { startNewcomer } from '../../tools/mirror/newcomer.ts'
import { RandomWrites, type Target } from '../../tools/mirror/random-writes.ts'
import { ADMIN_TOKEN, startService } from './service.ts'

let service: Awaited<ReturnType<typeof startService>>
let newcomer: Awaited<ReturnType<typeof startNewcomer>>
let target: Target

beforeAll(async () => {
  service = await startService()
  target = { url: service.url, key: service.key, adminToken: ADMIN_TOKEN }
  newcomer = await startNewcomer(new URL('/client.tgz', service.url).href)
})

afterAll(() => Promise.all([service?.close(), newcomer?.remove()]))

describe('examples/sync-listings.ts', () => {
  it.each([1, 2, 3])(
    'keeps an exact copy through writes, deletes, imports and kills (seed %i)',
    async (seed) => {
      const writes = new RandomWrites(target, seed)
      await writes.begin(10)
      const { differences, killed } = await keepCopy(newcomer, target, writes, { operations: 200, seed })
      expect(differences).toEqual([])
      expect(killed).toBeGreaterThan(0)
      const kinds = [...writes.counts.keys()]
      expect(kinds).toEqual(
        expect.arrayContaining([
          'POST /api/listings 200',
          'PUT /api/listings/… 200',
          'POST /api/listings/…/photos 200',
          'DELETE /api/listings/…/photos/… 200',
          'POST /api/listings/…/status 200',
          'POST /admin/import 200',
        ]),
      )
    },
  )
})
