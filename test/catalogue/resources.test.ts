/** What documents and entities say of the resources is what their entries say. */
import { describe, expect, it } from 'vitest'
import copying from '../../docs/keeping-a-copy.md?raw'
import transfer from '../../docs/transfer.md?raw'
import readme from '../../README.md?raw'
import { ENTITIES } from '../../src/admin/transfer/entities.ts'
import { isInChangeFeed } from '../../src/admin/transfer/entity.ts'
import { RECORD_FIELDS } from '../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES } from '../../src/catalogue/resources.ts'
import { RESOURCES } from '../../src/db/changes.ts'
import { endpoints } from '../http/send.ts'

/** What stands in backticks. */
const quoted = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
const lineOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start))

const WRITES = [
  ['create', 'post', '/api/{}'],
  ['update', 'put', '/api/{}/{id}'],
  ['delete', 'delete', '/api/{}/{id}'],
] as const

describe.each(RECORD_RESOURCES)('$resource', ({ resource, table, writes, history }) => {
  it('has the calls that its entry names, and the README names them', () => {
    const served = (method: string, path: string) =>
      endpoints.some((one) => one.method === method && one.path === path.replace('{}', resource))
    const found = WRITES.flatMap(([write, method, path]) => (served(method, path) ? write : []))
    expect([found, served('get', '/api/{}/{id}/history')]).toEqual([writes, history !== undefined])
    const [segment = ''] = resource.split('/')
    const row = readme
      .split('\n')
      .find((line) => line.startsWith('|') && line.includes(`\`/api/${segment}\``))
    const [, , calls = ''] = (row ?? '').split('|')
    expect(WRITES.flatMap(([write]) => (calls.includes(write) ? write : []))).toEqual(found)
  })

  it('has fields, and lines of an import', () => {
    expect([...RECORD_FIELDS.keys()]).toContain(table)
    expect(ENTITIES.filter(({ name }) => name === table)).toHaveLength(1)
  })
})

it('lines of an import come after those that they refer to', () => {
  // Articles refer to users alone, and come first.
  const inOrder = (tables: string[]) => tables.filter((table) => !table.startsWith('knowledge_base'))
  expect(inOrder(ENTITIES.filter(isInChangeFeed).map(({ name }) => name))).toEqual(
    inOrder(RECORD_RESOURCES.map(({ table }) => table)),
  )
})

it('the guides name every resource', () => {
  expect(quoted(lineOf(transfer, '| records |'))).toEqual(
    ENTITIES.filter(isInChangeFeed).map(({ name }) => name),
  )
  expect(quoted(lineOf(copying, '| `resources` |')).slice(1)).toEqual(RESOURCES)
})
