/** What is served and imported of the resources is what their entries say. */
import { describe, expect, it } from 'vitest'
import { ENTITIES } from '../../src/admin/transfer/entities.ts'
import { RECORD_FIELDS } from '../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES } from '../../src/catalogue/resources.ts'
import { endpoints } from '../http/send.ts'

const WRITES = [
  ['create', 'post', '/api/{}'],
  ['update', 'put', '/api/{}/{id}'],
  ['delete', 'delete', '/api/{}/{id}'],
] as const

describe.each(RECORD_RESOURCES)('$resource', ({ resource, table, writes, history }) => {
  it('has the calls that its entry names', () => {
    const served = (method: string, path: string) =>
      endpoints.some((one) => one.method === method && one.path === path.replace('{}', resource))
    const found = WRITES.flatMap(([write, method, path]) => (served(method, path) ? write : []))
    expect([found, served('get', '/api/{}/{id}/history')]).toEqual([writes, history !== undefined])
  })

  it('has fields, and lines of an import', () => {
    expect([...RECORD_FIELDS.keys()]).toContain(table)
    expect(ENTITIES.filter(({ name }) => name === table)).toHaveLength(1)
  })
})
