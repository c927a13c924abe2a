/** No call with a website key depends on what visitors may not see. */

import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { FIELD_LIST, FIELDS } from '../../../../src/resources/listings/search/fields.ts'
import { searchFilters } from '../../../../src/resources/listings/search/filters.ts'
import { bearer, send } from '../../../http/send.ts'
import { get, importRecords, keyWith, query, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import {
  exactPoint,
  hiddenFields,
  hiddenLocation,
  IN_CIRCLE,
  linesOf,
  linesOfStore,
  STATES,
  sentinelsOf,
  WITHOUT_POINT,
} from './hidden.ts'
import { PROBES, type Probe } from './probes.ts'

const MIN_CALLS = 1200
/** Calls at a time: as many as are answered at once. */
const AT_ONCE = 32

interface Answer {
  /** Status, headers but for request id and date, and body. */
  digest: string
  isMatch: boolean
  /** Hidden values in it that its call does not name itself. */
  leaked: string[]
}

beforeAll(seedAgency)

/** Empties the tables of listings and stores these lines. */
async function become(lines: ReturnType<typeof linesOf>): Promise<void> {
  const parts = ['tag_links', 'users', 'contacts', 'documents', 'photos', 'translations']
  for (const table of [...parts.map((part) => `listing_${part}`), 'listings'])
    await env.DB.prepare(`delete from ${table}`).run()
  await importRecords(lines)
}

async function textsOf(key: string, { method, path, body }: Probe) {
  const response = await send(method, path, { headers: bearer(key), body: body ?? null })
  const headers = [...response.headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
  return { status: response.status, headers, body: await response.text() }
}

const SENTINELS = STATES.flatMap(sentinelsOf)

async function answerOf(key: string, probe: Probe): Promise<Answer> {
  const { status, headers, body } = await textsOf(key, probe)
  const sent = decodeURIComponent(`${probe.path} ${probe.body ?? ''}`)
  // Only links and errors may repeat what was sent. A hash may have any digits.
  const links = JSON.stringify(headers.filter(([name]) => name !== 'etag'))
  return {
    digest: createHash('sha256')
      .update(JSON.stringify([status, headers, body]))
      .digest('hex'),
    isMatch: status === 200 && body !== '' && !body.includes('"total_results":0'),
    leaked: SENTINELS.filter(
      (one) =>
        (status === 200 && body.includes(one)) ||
        (!sent.includes(one) && (links.includes(one) || body.includes(one))),
    ),
  }
}

async function answersOf(key: string, probes: readonly Probe[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let from = 0; from < probes.length; from += AT_ONCE)
    answers.push(
      ...(await Promise.all(probes.slice(from, from + AT_ONCE).map((probe) => answerOf(key, probe)))),
    )
  return answers
}

/** Expects the same answers in both states, most of them with something in them, and no hidden value. */
async function expectAlike(key: string, probes: readonly Probe[], lines: typeof linesOf): Promise<void> {
  const [one, other] = STATES
  await become(lines(one))
  const first = await answersOf(key, probes)
  await become(lines(other))
  const second = await answersOf(key, probes)
  expect(probes.filter((_, index) => first[index]?.digest !== second[index]?.digest)).toEqual([])
  const leaks = [...first, ...second].flatMap(({ leaked }, index) =>
    leaked.length > 0 ? [{ ...probes[index % probes.length], leaked }] : [],
  )
  expect(leaks).toEqual([])
  expect(first.filter(({ isMatch }) => isMatch).length).toBeGreaterThanOrEqual(probes.length / 3)
}

describe('visitors', () => {
  it('are asked for by every filter', () => {
    expect(PROBES.length).toBeGreaterThanOrEqual(MIN_CALLS)
    const asked = new Set(PROBES.flatMap(({ path }) => path.match(/(?<=[?&])\w+/g) ?? []))
    expect(Object.keys(searchFilters).filter((name) => !asked.has(name))).toEqual([])
  })

  it('are refused every filter and order by what they do not see', async () => {
    const isHidden = ([name]: (typeof FIELD_LIST)[number]) => FIELDS[name].options.isPrivate
    const hidden = FIELD_LIST.filter(isHidden).flatMap(([name]) => (name === 'status' ? [] : name))
    expect(hidden).toContain('tags')
    const key = await websiteKey()
    for (const name of hidden) {
      const replies = [1, { min: '2026-01-01' }].map((value) =>
        query('/api/listings', { [name]: value }, { key }),
      )
      for (const { status, body } of await Promise.all(replies))
        expect([status, body.error_message]).toEqual([
          400,
          `Invalid ${name}: is not available to keys of websites`,
        ])
    }
    for (const [name, { options }] of FIELD_LIST)
      if (options.sort !== 'all')
        expect([name, (await query('/api/listings', { sort: name }, { key })).status]).toEqual([name, 400])
  })

  it('get the same answers, whatever is hidden', { tags: 'slow', timeout: 120_000 }, async () => {
    await expectAlike(await websiteKey(), PROBES, linesOf)
  })

  it('of one store get the same answers, whatever others have', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    const some = PROBES.filter((_, index) => index % 5 === 0)
    await expectAlike(await websiteKey({ stores: [1] }), some, linesOfStore)
  })
})

/** Each private edit by itself: fields of the form and of its groups. */
function editsOf(): Record<string, unknown>[] {
  const [, other] = STATES
  const { details, extra, ...fields } = hiddenFields(other)
  const alone = (values: object) => Object.entries(values).map(([name, value]) => ({ [name]: value }))
  return [
    ...alone({ ...fields, price: other.price, price_per_sqm: other.amount }),
    ...alone(details).map((one) => ({ details: one })),
    ...alone(extra).map((one) => ({ extra: one })),
  ]
}

describe('a private edit', () => {
  const [before, after] = STATES
  const calls = [
    ...['/api/listings', '/api/listings?sort=-date_updated&fields=id', '/api/listings/facets'],
    ...['/api/listings/map?zoom=20', `/api/listings/${IN_CIRCLE}`, `/api/listings/${WITHOUT_POINT}`],
  ].map((path): Probe => ({ method: 'GET', path }))

  it('moves no byte, no tag and no time', { timeout: 60_000 }, async () => {
    await become(linesOf(before))
    const [key, secret] = [await websiteKey(), await keyWith('*:write')]
    const read = () => Promise.all(calls.map((one) => textsOf(key, one)))
    const shown = await read()
    const edit = async (id: number, values: object) => {
      const body = JSON.stringify(values)
      const reply = await send('PUT', `/api/listings/${id}`, { headers: bearer(secret), body })
      expect([body, reply.status]).toEqual([body, 200])
    }
    for (const values of editsOf()) {
      await edit(IN_CIRCLE, values)
      expect(await read()).toEqual(shown)
    }
    const { address, postal_code } = hiddenLocation(after, WITHOUT_POINT, 'none')
    const exact = exactPoint(after, WITHOUT_POINT)
    await edit(WITHOUT_POINT, { location: { ...exact, address, postal_code } })
    await edit(IN_CIRCLE, { location: { postal_code } })
    expect(await read()).toEqual(shown)
    for (const id of [IN_CIRCLE, WITHOUT_POINT])
      expect((await get(`/api/listings/${id}`)).body.data.date_updated).not.toBe('2026-01-03 00:00:00')
    await edit(IN_CIRCLE, { rooms: 9 })
    const now = await read()
    expect(now.filter(({ headers }, index) => headers.join() !== shown[index]?.headers.join())).toHaveLength(
      4,
    )
  })
})
