/** What is served and imported of the resources is what their entries say. */
import { describe, expect, it } from 'vitest'
import { ENTITIES } from '../../src/admin/transfer/entities.ts'
import { place } from '../../src/catalogue/agency.ts'
import { lookupIn } from '../../src/catalogue/lookups.ts'
import { RECORD_FIELDS } from '../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES, writePathOf } from '../../src/catalogue/resources.ts'
import { endpoints } from '../http/send.ts'

const WRITES = [
  ['create', 'post', ''],
  ['update', 'put', '/{id}'],
  ['delete', 'delete', '/{id}'],
] as const

describe.each(RECORD_RESOURCES)('$resource', (facts) => {
  const { resource, table, writes, history } = facts
  it('has the calls that its entry names', () => {
    const served = (method: string, path: string) =>
      endpoints.some((one) => one.method === method && one.path === path)
    const found = WRITES.flatMap(([write, method, rest]) =>
      served(method, writePathOf(facts) + rest) ? write : [],
    )
    expect([found, served('get', `/api/${resource}/{id}/history`)]).toEqual([writes, history !== undefined])
  })

  it('has fields, and lines of an import', () => {
    expect([...RECORD_FIELDS.keys()]).toContain(table)
    expect(ENTITIES.filter(({ name }) => name === table)).toHaveLength(1)
  })
})

it('a place changes with each of its fields', () => {
  const { id, ...fields } = place
  expect(lookupIn('locations')?.sets?.split(', ')).toEqual(Object.keys(fields))
})
