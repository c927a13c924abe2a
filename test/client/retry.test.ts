import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call } from '../../src/client/call.ts'
import { EstiaError } from '../../src/client/error.ts'
import type { CallHeaders } from '../../src/client/headers.ts'
import { converse, LOST, type Reply, toHex } from './conversation.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

type Make = (call: Call) => Promise<unknown>

const body = { first_name: 'Anna' }
const read: Make = (call) => call('get', '/api/contacts')
const create: Make = (call) => call('post', '/api/contacts', { body })
const merge: Make = (call) => call('put', '/api/contacts/{id}', { path: { id: 7 }, body })
const remove: Make = (call) => call('delete', '/api/contacts/{id}', { path: { id: 7 } })
const PHOTO = { path: { id: 7, ordernum: 2 } }
const order =
  (headers?: Record<string, string>): Make =>
  (call) =>
    call('put', '/api/listings/{id}/photos', { path: { id: 7 }, body: { order: [2, 1] }, headers })
const removePhoto =
  (headers?: Record<string, string>): Make =>
  (call) =>
    call('delete', '/api/listings/{id}/photos/{ordernum}', { ...PHOTO, headers })

const NO_ROOM = {
  status: 429,
  headers: { 'Retry-After': '3600' },
  body: { status: 429, error_message: 'Too many idempotency keys' },
}
const AT_WORK = { status: 409, headers: { 'Retry-After': '1' } }

describe('a call', () => {
  it.each<[string, Make, Reply[], number | 'lost']>([
    ['is sent once when it is answered', read, [200], 200],
    ['is sent again after no answer', read, ['lost', 200], 200],
    ['is sent again after half an answer', read, ['cut', 200], 200],
    ['is sent again after each in turn', read, ['lost', 429, 503, 'cut', 200], 200],
    ['is sent five times at most, for an error', read, ['lost', 'lost', 'lost', 'lost', 'lost'], 'lost'],
    ['is sent five times at most, for an answer', read, [503, 503, 503, 503, 503], 503],
    ['is not sent again where its API key has too many idempotency keys', create, [NO_ROOM], 429],
    ['gives the last answer', read, ['lost', 'lost', 'lost', 'lost', 429], 429],
    ['waits for itself without using up its tries', create, ['lost', ...Array(12).fill(AT_WORK), 200], 200],
    ['creates after no answer', create, ['lost', 200], 200],
    ['deletes after no answer', remove, ['lost', 200], 200],
    ['is sent again after an error of a proxy', read, [500, 502, 504, 522, 200], 200],
    ['that counts on numbers of pictures is not repeated after an error of a proxy', order(), [502], 502],
    [
      'stands when the service itself answers 500',
      read,
      [{ status: 500, headers: { 'X-Request-Id': 'a' } }],
      500,
    ],
    ...[400, 401, 403, 404, 405, 410, 412, 413, 422].map((status): [string, Make, Reply[], number] => [
      `stands when it is answered ${status}`,
      read,
      [status],
      status,
    ]),
    ['that counts on numbers of pictures is not repeated after no answer', order(), ['lost'], 'lost'],
    ['that counts on numbers of pictures is not repeated after 503', removePhoto(), [503], 503],
    ['that did nothing is repeated whatever it is', order(), [409, 429, 200], 200],
    ['that names its numbers’ version is repeated', order({ 'If-Match': '"a"' }), ['lost', 200], 200],
    ['that names its numbers’ version is repeated', removePhoto({ 'if-match': '"a"' }), [503, 200], 200],
    ['that takes any version is not repeated', removePhoto({ 'If-Match': ' * ' }), ['lost'], 'lost'],
  ])('%s', async (_, make, replies, expected) => {
    const { tries, result, error } = await converse(make, replies)
    expect(tries).toHaveLength(replies.length)
    if (expected === 'lost') expect(error).toBe(LOST)
    else expect(result?.response.status).toBe(expected)
    if (expected !== 200 && expected !== 'lost') expect(result?.error).toBeInstanceOf(EstiaError)
  })

  it.each<[string, Parameters<typeof converse>[2], Reply[]]>([
    ['not at all', { retries: false }, ['lost']],
    ['not at all, though it is at work', { retries: false }, [AT_WORK]],
    ['not at all', { retries: { tries: 1 } }, [429]],
    ['as often as it is told', { retries: { tries: 3 } }, ['lost', 503, 'lost']],
    ['no longer than it is told', { retries: { seconds: 0 } }, ['lost']],
  ])('is repeated %s', async (_, options, replies) => {
    expect((await converse(read, replies, options)).tries).toHaveLength(replies.length)
  })
})

describe('pauses', () => {
  /** When the tries were sent, in milliseconds since the first, with the shortest or the longest pauses. */
  async function timesOf(random: number, replies: Reply[]) {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    return (await converse(read, replies)).tries.map(({ after }) => Math.round(after))
  }

  it('double, and differ by half', async () => {
    const replies: Reply[] = ['lost', 503, 429, 409, 200]
    expect(await timesOf(0, replies)).toEqual([0, 125, 375, 875, 1875])
    expect(await timesOf(1, replies)).toEqual([0, 250, 750, 1750, 3750])
  })

  it('are ten seconds at most', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const replies: Reply[] = [...Array(11).fill('lost'), 200]
    const { tries } = await converse(read, replies, { retries: { tries: 12, seconds: 1000 } })
    const last = tries.slice(-3).map(({ after }) => after)
    expect(last.map((time) => time - (last[0] ?? 0))).toEqual([0, 10_000, 20_000])
  })

  it('are as long as the answer asks, and a little longer', async () => {
    const asking = (seconds: string) => ({ status: 429, headers: { 'Retry-After': seconds } })
    expect(await timesOf(0, [asking('60'), 200])).toEqual([0, 60_125])
    expect(await timesOf(1, [asking('60'), 200])).toEqual([0, 66_250])
    vi.setSystemTime('2026-11-21T10:00:00Z')
    expect(await timesOf(0, [asking('Sat, 21 Nov 2026 10:00:30 GMT'), 200])).toEqual([0, 30_125])
    for (const senseless of ['-5', 'soon', '1e3', '0', 'Sat, 21 Nov 2020 10:00:30 GMT']) {
      expect([senseless, await timesOf(0, [asking(senseless), 200])]).toEqual([senseless, [0, 125]])
    }
  })

  it('the client does not begin a pause that is too long', async () => {
    const late = { status: 429, headers: { 'Retry-After': '91' } }
    expect(await timesOf(0, [late])).toEqual([0])
    const endless = { status: 503, headers: { 'Retry-After': '99999999999999999999' } }
    expect(await timesOf(0, [endless])).toEqual([0])
    const patient = { retries: { seconds: 86_400 } }
    expect((await converse(create, [NO_ROOM], patient)).tries).toHaveLength(1)
  })

  it('in which the machine slept for longer than the call may take are its end', async () => {
    const sleepIn =
      (make: Make): Make =>
      (call) => {
        setTimeout(() => vi.setSystemTime(Date.now() + 2 * 86_400_000), 10)
        return make(call)
      }
    const lost = await converse(sleepIn(create), ['lost'])
    expect([lost.tries.length, lost.error]).toEqual([1, LOST])
    const refused = await converse(sleepIn(create), [429])
    expect([refused.tries.length, refused.result?.error?.status]).toEqual([1, 429])
  })

  it('do not begin once the call is given up', async () => {
    const giveUp = new AbortController()
    const make: Make = (call) => call('get', '/api/contacts', { signal: giveUp.signal })
    const outcome = converse(make, ['lost'])
    giveUp.abort()
    expect((await outcome).tries.length).toBeLessThanOrEqual(1)
  })
})

describe('headers', () => {
  const TAG = '"a"'

  it.each<[string, CallHeaders]>([
    ['a record', { 'If-Match': TAG, 'X-One': 'call' }],
    ['Headers', new Headers({ 'If-Match': TAG, 'X-One': 'call' })],
    [
      'pairs',
      [
        ['if-match', TAG],
        ['x-one', 'call'],
      ],
    ],
    [
      'a map',
      new Map([
        ['IF-MATCH', TAG],
        ['x-one', 'call'],
      ]),
    ],
  ])('may be %s, and those of a call win', async (_, headers) => {
    const make: Make = (call) => call('put', '/api/contacts/{id}', { path: { id: 7 }, body, headers })
    const ofAll = new Headers({ 'X-One': 'all', 'X-Other': 'all' })
    const { tries } = await converse(make, ['lost', 200], { headers: ofAll })
    const sent = tries.map(({ headers: all }) =>
      ['If-Match', 'X-One', 'X-Other'].map((name) => all.get(name)),
    )
    expect(sent).toEqual(Array(2).fill([TAG, 'call', 'all']))
  })
})

describe('Idempotency-Key', () => {
  const keysOf = ({ tries }: Awaited<ReturnType<typeof converse>>) =>
    tries.map(({ headers }) => headers.get('Idempotency-Key'))

  it('is one for all tries of a POST, and another for the next', async () => {
    const [first, second] = [await converse(create, ['lost', 503, 200]), await converse(create, [200])]
    const [key, ...same] = keysOf(first)
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(same).toEqual([key, key])
    expect(keysOf(second)).not.toEqual([key])
  })

  it.each([
    ['reads', read, undefined],
    ['merges', merge, undefined],
    ['deletes', remove, undefined],
    ['posts once', create, false as const],
  ])('is missing where a call %s', async (_, make, retries) => {
    expect(keysOf(await converse(make, [200], { retries }))).toEqual([null])
  })
})

describe('a body', () => {
  const bytes = new Uint8Array([137, 80, 78, 71])
  const form = new FormData()
  form.append('photos', new Blob([bytes]), 'a.png')

  it.each<[string, unknown, string | RegExp]>([
    ['a record', { name: 'Άννα' }, 'application/json'],
    ['bytes', bytes, 'image/*'],
    ['a buffer', bytes.buffer, 'image/*'],
    ['a blob', new Blob([bytes]), 'image/*'],
    ['a form', form, /^multipart\/form-data; boundary=/],
  ])('is the same to the byte each time: %s', async (_, sent, type) => {
    const path = { id: 7 }
    const make: Make = (call) => call('post', '/api/listings/{id}/photos', { path, body: sent })
    const { tries } = await converse(make, ['lost', 503, 200])
    const [first, ...others] = tries.map(({ body: text, headers }) => [text, headers.get('Content-Type')])
    expect(first?.[1]).toMatch(type)
    expect(first?.[0]).not.toBe('')
    expect(others).toEqual([first, first])
  })

  it('is what it was when the call was made', async () => {
    const changing = { first_name: 'Anna' }
    const make: Make = (call) => {
      setTimeout(() => Object.assign(changing, { first_name: 'Eleni' }), 10)
      return call('post', '/api/contacts', { body: changing })
    }
    const { tries } = await converse(make, ['lost', 200])
    expect(tries.map(({ body: text }) => text)).toEqual(Array(2).fill(toHex('{"first_name":"Anna"}')))
  })
})

describe('a delete', () => {
  const headers = { 'X-D1-Bookmark': '00000001-00000002-00000003-00000004' }
  const gone = { status: 404, headers, body: { status: 404, error_message: 'Contact not found' } }

  it.each<[string, Make, Reply[], number | undefined]>([
    ['that finds nothing after no answer has been done', remove, ['lost', gone], undefined],
    ['that finds nothing at first is an error', remove, [gone], 404],
    ['that finds nothing after it did nothing is an error', remove, [409, 429, gone], 404],
    ['of a picture is an error', removePhoto({ 'If-Match': '"a"' }), ['lost', gone], 404],
    ['that finds no service is an error', remove, ['lost', 404], 404],
    ['that a proxy finds nothing for is an error', remove, ['lost', { ...gone, headers: {} }], 404],
  ])('%s', async (_, make, replies, status) => {
    const { result } = await converse(make, replies)
    expect(result?.error?.status).toBe(status)
    if (!status) expect(result?.data).toEqual({ status: 200, deleted_id: 7 })
  })
})

it('whatever happens, no call is sent more often or longer than it may, nor sent twice where that does harm', async () => {
  const replies = fc.array(
    fc.constantFrom<Reply>('lost', 'cut', 200, 404, 409, AT_WORK, 429, 422, 503, 502, {
      status: 429,
      headers: { 'Retry-After': '60' },
    }),
    { minLength: 100, maxLength: 100 },
  )
  const calls = fc.constantFrom(read, create, merge, remove, order(), removePhoto())
  const limits = fc.record({
    tries: fc.integer({ min: 1, max: 8 }),
    seconds: fc.integer({ min: 0, max: 120 }),
  })
  await fc.assert(
    fc.asyncProperty(calls, replies, limits, async (make, told, retries) => {
      const { tries } = await converse(make, told, { retries })
      const seen = told.slice(0, tries.length)
      expect(seen.filter((reply) => reply !== AT_WORK).length).toBeLessThanOrEqual(retries.tries)
      expect(tries.at(-1)?.after).toBeLessThanOrEqual(retries.seconds * 1000)
      const before = seen.slice(0, -1)
      expect(before.filter((reply) => [200, 404, 422].includes(Number(reply)))).toEqual([])
      if (tries[0]?.url.includes('/photos')) {
        expect(before.filter((reply) => ['lost', 'cut', '502', '503'].includes(String(reply)))).toEqual([])
      }
      expect(new Set(tries.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
    }),
    { numRuns: 200 },
  )
})
