/** What a DELETE leaves of a record whose row is kept: nothing that is read or written. */
import { beforeAll, describe, expect, it } from 'vitest'
import { RECORD_RESOURCES, writePathOf } from '../../src/catalogue/resources.ts'
import type { Endpoint } from '../../src/http/endpoint/contract.ts'
import { endpoints, fill } from '../http/send.ts'
import { call, expectData, expectError, get, importRecords, remove } from '../support/api.ts'
import { selectFirst } from '../support/database.ts'
import { dates, OLD } from '../support/factories/dates.ts'
import { seedLines } from '../support/factories/lines.ts'
import { SMALLEST } from '../support/factories/samples.ts'
import { foundByQuery } from '../support/reads.ts'

const DELETABLE = RECORD_RESOURCES.filter(
  ({ writes, deletedIf }) => writes.includes('delete') && deletedIf === 'is_deleted',
)

beforeAll(seedLines)

describe.each(DELETABLE)('DELETE of $resource', (facts) => {
  const { resource, table, one } = facts
  const [path, written] = [`/api/${resource}/700`, `${writePathOf(facts)}/700`]
  /** Whether it writes a record of the resource, or something of one. Files take bytes; what was merged into a deleted contact can still be given back. */
  const isWriteOf = ({ method, path: of }: Endpoint) =>
    method !== 'get' && of.startsWith(`${writePathOf(facts)}/{id}`) && !/files|photos|unmerge/.test(of)

  it('is done once of ten at once, hides the record, and keeps its row', async () => {
    await importRecords([[table, { ...SMALLEST[table], ...dates, id: 700 }]])
    const stored = () => selectFirst(`select * from ${table} where id = 700`)
    const [before, { body }] = [await stored(), await get(path)]
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove(written)))
    const done = replies.filter(({ status }) => status === 200)
    expect(done.map((reply) => reply.body)).toEqual([{ status: 200, deleted_id: 700 }])
    const others = replies.filter((reply) => !done.includes(reply))
    for (const reply of [...others, remove(written), get(path), get(`${path}?fields=all`)])
      await expectError(reply, 404, `${one} not found`)
    // Before the body is looked at: nor has it a course any more, or parts.
    for (const { method, path: of } of endpoints.filter(isWriteOf))
      await expectError(call(method.toUpperCase(), fill(of, 700), { body: '{}' }), 404, `${one} not found`)
    expect(await foundByQuery(`/api/${resource}`, 'per_page=100')).not.toContain(700)
    const after = await stored()
    // The matches of a request go with it.
    const { match_count, matched_version, date_updated, ...kept } = before ?? {}
    expect(after).toMatchObject({ ...kept, is_deleted: 1, version: Number(before?.version) + 1 })
    expect([date_updated, after?.date_updated]).toEqual([OLD, expect.not.stringContaining(OLD)])
    await importRecords([[table, { id: 700, is_deleted: false, date_updated: body.data.date_updated }]])
    await expectData(get(path), body.data)
  })
})
