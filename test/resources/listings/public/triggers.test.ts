/**
 * What visitors see of listings is kept by triggers: it equals what would be calculated anew after any write, of which
 * only those move the date that change it.
 */
import { env } from 'cloudflare:workers'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { publicUrlUnder } from '../../../../src/http/urls.ts'
import { presentPublicListing } from '../../../../src/resources/listings/public/present.ts'
import { PublicListings } from '../../../../src/resources/listings/public/queries.ts'
import { PUBLIC_TRIGGERS } from '../../../../src/resources/listings/public/triggers.ts'
import { ORIGIN } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { expectShownAnew, rowsOf, step, take } from '../steps.ts'

beforeAll(seedAgency)

it('are those of the code; a change takes a migration with them', async () => {
  const stored = await rowsOf(
    "select sql from sqlite_master where type = 'trigger' and name like 'public~_%' escape '~'",
  )
  const byText = (a: string, b: string) => (a < b ? -1 : 1)
  expect(stored.map(({ sql }) => `${sql};`.replace(/;;$/, ';')).toSorted(byText)).toEqual(
    PUBLIC_TRIGGERS.toSorted(byText),
  )
})

/** What visitors see, by the id of the listing: the form without names of places, and its date. */
async function readShown(): Promise<Map<number, { form: string; date: string }>> {
  const { rows } = await new PublicListings(database(env), null).findPage({
    per_page: 100,
  } as Parameters<PublicListings['findPage']>[0])
  return new Map(
    rows.map((row) => {
      const { date_updated, location, ...form } = presentPublicListing(row, publicUrlUnder(ORIGIN))
      const { area_level1: region, area_level2: town, area_level3: quarter } = location
      const areas = [region?.id, town?.id, quarter?.id]
      const { area_level1, area_level2, area_level3, ...place } = location
      return [row.id, { form: JSON.stringify([form, place, areas]), date: date_updated }]
    }),
  )
}

const PHOTOS = 'select * from listing_photos order by listing_id, ordernum'

describe('what visitors see', () => {
  it('equals what is calculated anew, and its date moves with it alone', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    let unseen = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        for (const action of steps) {
          // Every later change has another second than the dates before it.
          for (const table of ['listings', 'public_listings'])
            await env.DB.prepare(`update ${table} set date_updated = '2020-01-01 00:00:00'`).run()
          const before = await readShown()
          const photos = await rowsOf(PHOTOS)
          await take(action)
          if (action.does === 'create')
            await take({ does: 'status', pick: action.values.price ?? 0, to: 'active' })
          const after = await readShown()
          for (const [id, { form, date }] of after) {
            const known = before.get(id)
            if (known && known.form === form) expect([id, date]).toEqual([id, '2020-01-01 00:00:00'])
            else expect([id, date]).not.toEqual([id, '2020-01-01 00:00:00'])
          }
          if (action.does === 'originals' && !isDeepStrictEqual(await rowsOf(PHOTOS), photos)) unseen++
          await expectShownAnew()
          expect(await rowsOf('select id from public_listings where pictures_deferred')).toEqual([])
        }
      }),
      { numRuns: 30, interruptAfterTimeLimit: 40_000 },
    )
    expect(unseen).toBeGreaterThan(2)
  })
})
