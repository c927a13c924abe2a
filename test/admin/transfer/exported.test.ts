/**
 * Each entity as an export has it: its smallest line with what the service adds to it, and a whole one. `exported.ndjson`
 * is renewed with `-u`.
 */
import { expect, it } from 'vitest'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { importRecords } from '../../support/api.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { RECORDS, SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { clean, exported, importText } from '../../support/transfer.ts'
import { everyRow } from './fresh.ts'

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
