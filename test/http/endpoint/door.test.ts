/**
 * The area `/office/`, where what `/api/` only reads is written. All that holds for `/api/` holds there: see
 * `test/conventions.test.ts`.
 */
import { expect, it } from 'vitest'
import { RECORD_RESOURCES } from '../../../src/catalogue/resources.ts'
import { endpoints } from '../send.ts'

it('the door has no reads, and everything behind it is read under /api/', () => {
  const reads = new Set(endpoints.filter(({ method }) => method === 'get').map(({ path }) => path))
  for (const { method, path } of endpoints.filter((endpoint) => endpoint.path.startsWith('/office/'))) {
    const collection = path.replace('/office/', '/api/').replace(/\/\{id\}.*/, '')
    expect([path, method, reads.has(collection)]).toEqual([path, expect.not.stringMatching('get'), true])
  }
})

it('leaves /api/ as it was: nothing is written there that was only read', () => {
  for (const { resource } of RECORD_RESOURCES.filter(({ door }) => door)) {
    const ofRecords = endpoints.filter(({ path }) =>
      [`/api/${resource}`, `/api/${resource}/{id}`].includes(path),
    )
    expect(ofRecords.map(({ method }) => method)).toEqual(['get', 'get'])
  }
})
