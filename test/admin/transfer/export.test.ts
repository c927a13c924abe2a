import { beforeEach, describe, expect, it } from 'vitest'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { bearer, send, sendTo } from '../../http/send.ts'
import { ADMIN_TOKEN, importRecords, textOf } from '../../support/api.ts'
import { databaseAround } from '../../support/database.ts'
import { importDemo } from '../../support/demo.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { RECORDS } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { exportText, importFile } from '../../support/transfer.ts'
import { expectRoundTrip } from './fresh.ts'

interface Exported {
  entity: string
  data: Record<string, unknown>
}

beforeEach(emptyService)

async function exportLines(): Promise<Exported[]> {
  const text = await exportText()
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

describe('GET /admin/export', () => {
  it('comes back as it was: every entity there is', { tags: 'slow', timeout: 60_000 }, async () => {
    const exported = new Set<string>()
    for (const fill of [
      () => importDemo({ contacts: 40, listings: 40 }),
      () => seedLines().then(() => importRecords(RECORDS)),
    ]) {
      await emptyService()
      await fill()
      for (const { entity } of await exportLines()) exported.add(entity)
      await expectRoundTrip()
    }
    expect(exported).toEqual(new Set(ENTITIES.map(({ name }) => name)))
  })

  it('has every record, however many, in the order of their ids', async () => {
    const count = 1234
    const stores = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        entity: 'stores',
        data: {
          id: (index + 1) * 3,
          name: `S${index}`,
          watermark_url: null,
          phone: null,
          email: null,
          address: null,
          url: null,
        },
      }),
    )
    await importFile(stores.toReversed(), '', 500)
    expect(await exportText()).toBe(`${stores.join('\n')}\n`)
  })

  it('speaks of stored pictures by their keys, whatever the origin', async () => {
    await seedAgency()
    await importRecords([
      [
        'listings',
        {
          ...minimalListing,
          id: 1,
          photos: [{ original_image: 'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg' }],
        },
      ],
    ])
    const request = new Request('http://other.test/admin/export', { headers: bearer(ADMIN_TOKEN) })
    const elsewhere = await sendTo(
      { PUBLIC_BASE_URL: 'https://cdn.example', PICTURES_BASE_URL: 'https://pictures.example' },
      request,
    )
    expect(await textOf(elsewhere)).toBe(await exportText())
  })

  it('is a stream that ends in an error when the database fails on the way', async () => {
    await seedAgency()
    let reads = 0
    const breaking = databaseAround(async (send) => {
      if (++reads > 3) throw new Error('gone')
      return send()
    })
    const answer = await send('GET', '/admin/export', { headers: bearer(ADMIN_TOKEN) }, { DB: breaking })
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })
})
