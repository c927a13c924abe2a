/** Lines of an export that remove: enquiries that were purged while it ran. */
import { beforeEach, expect, it } from 'vitest'
import { seedRequests } from '../../resources/requests/seed.ts'
import { ADMIN_TOKEN, call, importRecords, keyWith, post } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { clean, importText } from '../../support/transfer.ts'

const [CREATED, REMOVED, LATER] = ['2026-01-01 00:00:00', '2026-02-01 00:00:00', '2026-03-01 00:00:00']

beforeEach(async () => {
  await emptyService()
  await seedRequests()
  await importRecords(
    [CREATED, LATER, CREATED, CREATED].map((date_created, index) => [
      'enquiries',
      { ...SMALLEST.enquiries, id: index + 1, date_created, contact_id: index === 2 ? 1 : null },
    ]),
  )
})

const removal = (data: object, entity = 'enquiries') => JSON.stringify({ entity, data, mode: 'remove' })
const stored = async () =>
  (await selectAll<{ id: number }>('select id from enquiries order by id')).map(({ id }) => id)
const refusal = (
  line: number,
  id: number | null,
  message: string,
  field: string | null,
  entity = 'enquiries',
) => ({
  ...{ line, entity, id, message },
  problems: [{ field, message }],
})

it('removes what was there by then, and leaves an enquiry that was created later', async () => {
  const lines = [1, 2, 9].map((id) => removal({ id, date_updated: REMOVED }))
  expect(await importText(lines.join('\n'))).toEqual(clean(3))
  expect(await stored()).toEqual([2, 3, 4])
  // Exports of older versions say no date.
  expect(await importText(removal({ id: 2 }))).toEqual(clean(1))
  expect(await stored()).toEqual([3, 4])
})

it('rejects the removal of an enquiry that is on hold with its contact', async () => {
  await post('/admin/contacts/1/hold', { reason: 'a lawsuit' })
  const lines = [3, 4].map((id) => removal({ id, date_updated: REMOVED }))
  expect(await importText(lines.join('\n'))).toMatchObject({
    ...{ accepted: 1, rejected: 1 },
    errors: [refusal(1, 3, 'On hold: a lawsuit', null)],
  })
  expect(await stored()).toEqual([1, 2, 3])
})

it('rejects removals of other entities, without an id, and at what is no date', async () => {
  const message = 'Invalid date_updated: must be a date-time, YYYY-MM-DD HH:MM:SS'
  const lines = [
    removal({ id: 1 }, 'contacts'),
    removal({}),
    ...[5, '2026-02-30 00:00:00', {}].map((date_updated) => removal({ id: 1, date_updated })),
  ]
  const { errors } = await importText(lines.join('\n'))
  expect(errors).toEqual([
    refusal(1, 1, 'Invalid mode: remove needs an id, and is not for contacts', 'mode', 'contacts'),
    refusal(2, null, 'Invalid mode: remove needs an id, and is not for enquiries', 'mode'),
    ...[3, 4, 5].map((line) => refusal(line, 1, message, 'date_updated')),
  ])
  expect(await stored()).toEqual([1, 2, 3, 4])
})

it('removes only for ADMIN_TOKEN, whatever scopes a key has', async () => {
  const body = removal({ id: 1, date_updated: REMOVED })
  for (const scopes of [['admin:import'], ['admin:*'], ['admin:import', 'admin:people', 'enquiries:write']]) {
    const reply = await call('POST', '/admin/import', { body, key: await keyWith(...scopes) })
    expect(reply.body.data).toMatchObject({
      ...{ accepted: 0, rejected: 1 },
      errors: [refusal(1, 1, 'Invalid mode: only ADMIN_TOKEN may remove records', 'mode')],
    })
  }
  expect(await stored()).toEqual([1, 2, 3, 4])
  expect((await call('POST', '/admin/import', { body, key: ADMIN_TOKEN })).body.data).toEqual(clean(1))
  expect(await stored()).toEqual([2, 3, 4])
})
