import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { bearer, send, sendTo } from '../../http/send.ts'
import { ADMIN_TOKEN, call, importRecords, textOf } from '../../support/api.ts'
import { databaseOf } from '../../support/database.ts'
import { demoLines } from '../../support/demo.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { RECORDS } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { clean } from '../../support/transfer.ts'
import { everyRow } from './fresh.ts'

interface Exported {
  entity: string
  data: Record<string, unknown>
}

beforeEach(emptyService)

async function exportText(): Promise<string> {
  const answer = await send('GET', '/admin/export', { headers: bearer(ADMIN_TOKEN) })
  expect(answer.status).toBe(200)
  return textOf(answer)
}

async function exportLines(): Promise<Exported[]> {
  const text = await exportText()
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Imports a file of any length, in calls of `size` lines. */
async function importText(text: string, size = 1000): Promise<void> {
  const lines = text.split('\n').filter(Boolean)
  for (let start = 0; start < lines.length; start += size) {
    const part = lines.slice(start, start + size)
    const { body } = await call('POST', '/admin/import', { body: part.join('\n') })
    // What later changes leave behind is named in warnings.
    expect({ ...body.data, warnings: [] }).toEqual(clean(part.length))
  }
}

/** Export → import into an empty service → export gives the same bytes, and the same rows. */
async function expectRoundTrip(): Promise<string> {
  const first = await exportText()
  const rows = await everyRow()
  await emptyService()
  expect(await exportText()).toBe('')
  await importText(first)
  expect(await exportText()).toBe(first)
  expect(await everyRow()).toEqual(rows)
  return first
}

describe('GET /admin/export', () => {
  it('comes back as it was: every entity there is', { timeout: 60_000 }, async () => {
    const demo = Array.from(demoLines({ contacts: 40, listings: 40 }), (line) => JSON.stringify(line))
    const exported = new Set<string>()
    for (const fill of [
      () => importText(demo.join('\n')),
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
    await importText(stores.toReversed().join('\n'), 500)
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
    const breaking = databaseOf({
      prepare: (text: string) => {
        if (++reads > 40) throw new Error('gone')
        return env.DB.prepare(text)
      },
    })
    const answer = await send('GET', '/admin/export', { headers: bearer(ADMIN_TOKEN) }, { DB: breaking })
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })
})
