/**
 * Each record as reads show it, to its last byte: a whole one and the smallest of every resource. `shown.ndjson` is
 * renewed with `-u`.
 */
import { expect, it, vi } from 'vitest'
import { RECORD_RESOURCES } from '../../src/catalogue/resources.ts'
import { get, importRecords } from '../support/api.ts'
import { seedLines } from '../support/factories/lines.ts'
import { RECORDS, SMALLEST } from '../support/factories/samples.ts'

const SMALL = 700

it('reads show every key of each resource in its order, alone and in lists', async () => {
  vi.setSystemTime('2030-01-01T10:00:00Z')
  await seedLines()
  await importRecords([
    ...RECORDS,
    ...Object.entries(SMALLEST).map(([entity, data]): [string, object] => [entity, { id: SMALL, ...data }]),
  ] as typeof RECORDS)
  const shown: string[] = []
  for (const { resource, table } of RECORD_RESOURCES) {
    for (const id of [RECORDS.find(([entity]) => entity === table)?.[1].id, SMALL]) {
      for (const fields of ['', '?fields=all']) {
        const { body } = await get(`/api/${resource}/${id}${fields}`)
        const list = await get(`/api/${resource}${fields || '?'}&per_page=100`)
        const listed = list.body.data.find((record: { id: number }) => record.id === id)
        for (const [read, data] of Object.entries({ alone: body.data, listed }))
          shown.push(JSON.stringify({ read: `${resource}${fields} ${read}`, data }))
      }
    }
  }
  const text = shown.join('\n').replace(/(?<="(reference|tour_token)":")\w+|(?<=\/tours\/)\w+/g, 'random')
  await expect(`${text}\n`).toMatchFileSnapshot('shown.ndjson')
})
