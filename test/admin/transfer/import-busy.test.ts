// @module-tag slow
/** What an import costs while others keep changing its records. */
import { beforeEach, expect, it } from 'vitest'
import { call, post } from '../../support/api.ts'
import { databaseAround, execute } from '../../support/database.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { emptyService } from '../../support/storage.ts'

const LINES = 1000
const MAX_CALLS = 300

beforeEach(async () => {
  await emptyService()
  await seedLines()
})

const textOf = (first_name: string) =>
  Array.from({ length: LINES }, (_, index) =>
    JSON.stringify({ entity: 'contacts', data: { id: index + 1, first_name, created_by: 1 } }),
  ).join('\n')

it('takes at most 300 calls to D1 for records that others keep changing', { timeout: 120_000 }, async () => {
  const first = await call('POST', '/admin/import', { body: textOf('Before') })
  expect(first.body.data).toMatchObject({ accepted: LINES, next: null })
  let calls = 0
  const DB = databaseAround(async (send, texts) => {
    calls++
    if (texts.some((text) => /\binto "?contacts"?\b/i.test(text)))
      await execute('update contacts set version = version + 1 where id % 100 = 1')
    return send()
  })
  const { status, body } = await post('/admin/import?errors=all', textOf('After'), { bindings: { DB } })
  expect(status).toBe(200)
  expect(body.data.errors[0]?.message).toBe('Others keep changing the record; send the line again')
  expect(calls).toBeLessThanOrEqual(MAX_CALLS)
})
