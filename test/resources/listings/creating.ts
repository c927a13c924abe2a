/** Helpers of the tests of POST: bodies beyond the smallest one, what became of them, and what was wrong. */
import { expect } from 'vitest'
import { get, post } from '../../support/api.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'

type Json = Record<string, unknown>

/** Sends the smallest body with `body` over it. */
export const create = (body: Json, headers: Record<string, string> = {}) =>
  post('/api/listings', { ...minimalListing, ...body }, { headers })

/** The listing that `body` makes, with its write-only fields. */
export const readCreated = async (body: Json) =>
  (await get(`/api/listings/${await createListing(body)}?fields=all`)).body.data

/** Every problem of a body, in the order of the answer. */
export async function problemsOf(body: unknown): Promise<{ field: string; message: string }[]> {
  const { body: answer } = await post('/api/listings', body, {
    headers: { Accept: 'application/problem+json' },
  })
  expect(answer.error_message).toBe(answer.errors[0].message)
  return answer.errors
}
