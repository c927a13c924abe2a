/** Long work yields to other calls, even where D1 never waits for the system. */
import { beforeEach, expect, it } from 'vitest'
import { post } from '../../support/api.ts'
import { databaseAround } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { emptyAndSeed } from '../../support/storage.ts'

beforeEach(() => emptyAndSeed(seedAgency))

/** Consecutive lines of different entities, so that each line is a separate transaction. */
const LINES = Array.from({ length: 20 }, (_, index) =>
  JSON.stringify({
    entity: index % 2 ? 'stores' : 'listing_sources',
    data: { id: 10 + index, name: `Name ${index}` },
  }),
)

it('import of many transactions', async () => {
  let asked = 0
  let askedBefore = Number.POSITIVE_INFINITY
  const DB = databaseAround((send) => {
    asked++
    return send()
  })
  setTimeout(() => {
    askedBefore = asked
  }, 0)
  const { body } = await post('/admin/import', LINES.join('\n'), { bindings: { DB } })
  expect(body).toMatchObject({ status: 200, data: { accepted: LINES.length } })
  expect(askedBefore).toBeLessThan(asked / 2)
})
