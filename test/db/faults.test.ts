/**
 * Changes and deletions of every resource when D1 fails at any call: a record is changed whole, with its entries in feed and
 * trail, or not at all. Creations: `idempotency-store.test.ts`; pictures: `../files/faults.test.ts`.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { RECORD_RESOURCES, writePathOf } from '../../src/catalogue/resources.ts'
import { type Fault, Faults, withFaults } from '../../tools/faults/bindings.ts'
import { bearer, send } from '../http/send.ts'
import { seedRequests } from '../resources/requests/seed.ts'
import { importRecords, keyWith, post } from '../support/api.ts'
import { selectAll } from '../support/database.ts'
import { seedLines } from '../support/factories/lines.ts'
import { bodyFor, SMALLEST, shownChange } from '../support/factories/samples.ts'

const WRITES = RECORD_RESOURCES.flatMap((facts) =>
  facts.writes
    .filter((write) => write !== 'create')
    .map((write) => ({ ...facts, method: write === 'update' ? 'PUT' : 'DELETE' })),
)

let key = ''

beforeAll(async () => {
  await seedRequests()
  await seedLines()
  await importRecords(RECORD_RESOURCES.map(({ table }) => [table, { ...SMALLEST[table], id: 1 }]))
  key = await keyWith('*:read', '*:write')
})

describe.each(WRITES)('$method of $resource', (facts) => {
  const { resource, table, method } = facts
  const body = method === 'PUT' ? shownChange(table, 77) : undefined

  it.each<Fault['when']>(['before', 'after'])('is whole when any call fails %s its effect', async (when) => {
    for (let at = 1; ; at++) {
      const made = await post(writePathOf(facts), await bodyFor(facts))
      const id = made.body.created_id ?? made.body.data.id
      const state = async () => ({
        row: await selectAll(`select * from ${table} where id = ?`, id),
        feed: await selectAll('select * from changes where resource = ? and id = ?', resource, id),
        trail: await selectAll(
          'select * from trail where resource = ? and record_id = ?',
          resource,
          String(id),
        ),
      })
      const before = await state()
      const faults = new Faults({ at, when })
      const { status } = await send(
        method,
        `${writePathOf(facts)}/${id}`,
        { headers: bearer(key), ...(body && { body: JSON.stringify(body) }) },
        withFaults({ DB: env.DB }, faults),
      )
      expect([at, status]).toEqual([at, expect.toBeOneOf([200, 503])])
      const after = await state()
      const isDone = JSON.stringify(after.row) !== JSON.stringify(before.row)
      if (status === 200) expect([at, isDone]).toEqual([at, true])
      expect([at, after.feed]).toEqual([at, isDone ? expect.not.arrayContaining(before.feed) : before.feed])
      expect([at, after.trail.length]).toEqual([at, before.trail.length + Number(isDone)])
      if (faults.calls < at) {
        expect(at).toBeGreaterThan(1)
        break
      }
    }
  })
})
