/** What subscribers and followers of the feed learn of merges of contacts, and of their undoing. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { deliverByCron } from '../../../src/admin/webhooks/deliver.ts'
import {
  FOURTH,
  merge,
  merged,
  restored,
  seedPersons,
  THIRD,
  unmerge,
} from '../../resources/contacts/merge/merging.ts'
import { get, put } from '../../support/api.ts'
import { OTHER, PERSON } from '../erasure/persona.ts'
import { entriesOf, forgetWebhooks, receive, subscribe, Time } from './receivers.ts'

beforeEach(async () => {
  await seedPersons()
  await forgetWebhooks()
})

/** What names the person: all of it moves, and comes back. */
const MOVED = [
  ...[`changed contacts/${OTHER}`, 'changed listings/1', 'changed requests/1', 'changed requests/2'],
  ...['changed enquiries/1', 'changed offers/1', 'changed contracts/1', 'changed contracts/2'],
  ...['changed incomes/1', 'changed expenses/1', 'changed appointments/1', 'changed activities/1'],
  // A deleted record moves, too.
  'deleted tasks/1',
]

/** What one call sends to subscribers of everything and of contacts alone. Both receive what the feed has. */
async function sentBy(work: () => Promise<unknown>) {
  const all = await subscribe()
  const some = await subscribe({ url: 'https://some.example/', resources: ['contacts', 'offers'] })
  const deliveries = receive()
  await work()
  await deliverByCron(env, new Time())
  const feed = (await get(`/api/changes?after=${all.cursor}`)).body.data
  const sentTo = (isAll: boolean) =>
    entriesOf(deliveries.filter(({ url }) => url.includes('receiver') === isAll))
  expect(deliveries.map(({ body }) => body)).toEqual(
    deliveries.map(({ body }) => ({
      ...{ type: 'changes', timestamp: expect.any(String), data: body.data },
    })),
  )
  expect(sentTo(true)).toEqual(feed)
  expect(sentTo(false)).toEqual(
    feed.filter(({ resource }: { resource: string }) => ['contacts', 'offers'].includes(resource)),
  )
  expect(some.cursor).toBe(all.cursor)
  await forgetWebhooks()
  return sentTo(true).map(({ change, resource, id }) => `${change} ${resource}/${id}`)
}

it('is every record once: who remains and what has moved as changed, who is merged as deleted', async () => {
  const sent = await sentBy(async () => expect(await merge(THIRD, [PERSON])).toMatchObject({ status: 200 }))
  expect(sent).toHaveLength(MOVED.length + 2)
  expect(new Set(sent)).toEqual(
    new Set([`changed contacts/${THIRD}`, `deleted contacts/${PERSON}`, ...MOVED]),
  )
  await put('/office/offers/1', { contacts: [OTHER] })
  const undone = await sentBy(async () =>
    expect(await unmerge(THIRD, PERSON)).toMatchObject(restored(PERSON, [{ resource: 'offers', id: 1 }])),
  )
  // The offer names somebody else since, so it has not changed.
  const back = MOVED.filter((one) => one !== 'changed offers/1')
  expect(undone).toHaveLength(back.length + 2)
  expect(new Set(undone)).toEqual(
    new Set([`changed contacts/${THIRD}`, `changed contacts/${PERSON}`, ...back]),
  )
})

it('is both contacts where nothing names the one that is merged, and nothing of a dry run or a refusal', async () => {
  const both = [`changed contacts/${THIRD}`, `deleted contacts/${FOURTH}`]
  const sent = await sentBy(async () => {
    await merge(THIRD, [99])
    expect(await merge(THIRD, [FOURTH])).toMatchObject(merged(THIRD, {}))
  })
  expect(sent).toEqual(both)
  expect(await sentBy(() => unmerge(THIRD, OTHER))).toEqual([])
})
