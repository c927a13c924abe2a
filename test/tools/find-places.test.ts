// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findPlaces } from '../../tools/find-places/find.ts'
import { ADMIN_TOKEN, makePublishableKey, startService } from '../node/service.ts'

let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service?.close())

// `npm run find-places` tries more of them.
it('gives attackers the cell of a place, and no more', { timeout: 300_000 }, async () => {
  const visitorKey = await makePublishableKey(service.url)
  const { url, key } = service
  const findings = await findPlaces({ url, key, visitorKey, adminToken: ADMIN_TOKEN }, 1, 7)
  expect(findings).toHaveLength(6)
  for (const { attack, points, metres, told } of findings) {
    expect([attack, points, told]).toEqual([attack, 1, 0])
    expect(metres).toBeLessThanOrEqual(400)
  }
})
