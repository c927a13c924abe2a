import { beforeEach, describe, expect, it } from 'vitest'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { bearer, send, sendTo } from '../../http/send.ts'
import { ADMIN_TOKEN, importRecords, textOf } from '../../support/api.ts'
import { databaseAround } from '../../support/database.ts'
import { importDemo } from '../../support/demo.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { RECORDS, SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { clean, exported, exportText, importFile, importText } from '../../support/transfer.ts'
import { everyRow, expectRoundTrip } from './fresh.ts'

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
    const found = new Set<string>()
    for (const fill of [
      () => importDemo({ contacts: 40, listings: 40 }),
      () => seedLines().then(() => importRecords(RECORDS)),
    ]) {
      await emptyService()
      await fill()
      for (const { entity } of await exportLines()) found.add(entity)
      await expectRoundTrip()
    }
    expect(found).toEqual(new Set(ENTITIES.map(({ name }) => name)))
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

/** Its smallest line with what the service adds to it, and a whole one: `exported.ndjson` is renewed with `-u`. */
it('an export has every key of each entity in its order, and comes back the same', async () => {
  await seedLines()
  await importRecords([
    ...RECORDS,
    ...Object.entries(SMALLEST).map(([entity, data]): [string, object] => [entity, { id: 700, ...data }]),
  ] as typeof RECORDS)
  const lines = await exported()
  const names = new Set(lines.map((line) => JSON.parse(line).entity))
  expect([...names]).toEqual(ENTITIES.map(({ name }) => name).filter((name) => names.has(name)))
  // Of the lists of names there is one, which stands for all.
  const others = ENTITIES.filter(({ name }) => !names.has(name))
  expect(others.filter(({ schema }) => Object.keys(schema.shape).join() !== 'id,name')).toEqual([])
  const now = new Date().toISOString().slice(0, 10)
  const shown = lines.filter((line) => /"id":(50|700)[,}]|"key"/.test(line)).join('\n')
  const fixed = shown.replace(/(?<="(reference|tour_token)":")\w+/g, 'random')
  await expect(`${fixed.replaceAll(new RegExp(`${now} [\\d:]{8}`, 'g'), 'now')}\n`).toMatchFileSnapshot(
    'exported.ndjson',
  )
  const rows = await everyRow()
  for (const mode of ['merge', 'replace']) {
    await emptyService()
    expect({ ...(await importText(lines.join('\n'), { mode })), warnings: [] }).toEqual(clean(lines.length))
    expect(await exported()).toEqual(lines)
    expect(await everyRow()).toEqual(rows)
  }
})
