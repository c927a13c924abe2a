/** What `npm run import` does where the service stops within a request. */
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { importLines } from '../../scripts/service/import-lines.ts'
import { listen } from './temporary.ts'

/** A service that looks at `most` lines of a request, and rejects those that `isRejected` names. */
async function serviceOf(most: number, isRejected: (id: number, call: number) => boolean) {
  const calls: number[][] = []
  const url = await listen(async (request, response) => {
    const ids = (await text(request))
      .trim()
      .split('\n')
      .map((line): number => JSON.parse(line).data.id)
    const seen = ids.slice(0, most)
    calls.push(ids)
    const errors = seen.flatMap((id, index) => {
      if (!isRejected(id, calls.length)) return []
      const message = `Unknown contact of ${id}`
      return { line: index + 1, entity: 'contacts', id, message, problems: [{ field: null, message }] }
    })
    const next = ids.length > most ? most + 1 : null
    const warnings = seen.map((id, index) => ({ line: index + 1, message: `Made by the API: ${id}` }))
    const counts = { accepted: seen.length - errors.length, rejected: errors.length }
    response.end(JSON.stringify({ status: 200, data: { ...counts, errors, warnings, ignored: [], next } }))
  })
  return { calls, service: { url, adminToken: 'x' } }
}

const lineOf = (id: number) => JSON.stringify({ entity: 'contacts', data: { id } })

it('goes on from the line where it stopped, under the numbers of the file, and sends rejected lines again', async () => {
  // Until the whole file was sent, 2 and 5 are rejected; 5 also after that.
  const { service, calls } = await serviceOf(2, (id, call) => id === 5 || (id === 2 && call <= 4))
  const file = ['', ...[1, 2, 3, 4, 5, 6, 7].map(lineOf)]
  const totals = await importLines(service, file, () => undefined)
  expect(calls).toEqual([[1, 2, 3, 4, 5, 6, 7], [3, 4, 5, 6, 7], [5, 6, 7], [7], [2, 5], [5]])
  const message = 'Unknown contact of 5'
  expect(totals).toEqual({
    accepted: 6,
    rejected: 1,
    errors: [{ line: 6, entity: 'contacts', id: 5, message, problems: [{ field: null, message }] }],
    warnings: [1, 2, 3, 4, 5, 6, 7].map((id) => ({ line: id + 1, message: `Made by the API: ${id}` })),
    ignored: [],
  })
})

it('stops where a service stops before the first line of a request, instead of leaving it out', async () => {
  const { service, calls } = await serviceOf(0, () => false)
  await expect(importLines(service, [1, 2].map(lineOf), () => undefined)).rejects.toThrow(
    'The service has not looked at line 1.',
  )
  expect(calls).toEqual([[1, 2]])
})
