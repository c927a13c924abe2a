/**
 * Calls with an idempotency key when the storage fails, the Worker is terminated, or the claim expires.
 *
 * @module-tag slow
 */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { type Fault, Faults, withFaults } from '../../tools/faults/bindings.ts'
import {
  type Answer,
  Attempt,
  passTime,
  prepareRepeatable,
  REPEATABLE,
  type Repeatable,
  resultOf,
} from '../http/concurrency/repeatable.ts'
import { databaseOf } from '../support/database.ts'
import { expectTrueUsage } from './usage.ts'

let token = ''

prepareRepeatable((key) => {
  token = key
})

// After every failure the counters equal the stored rows.
afterEach(expectTrueUsage)

/** Also stops extensions of the claim: a terminated Worker makes none. */
const CLOCK: Parameters<typeof vi.useFakeTimers>[0] = { toFake: ['Date', 'setInterval', 'clearInterval'] }
/** Longer than a call may claim its key. */
const LEASE = 31_000

const FAULTS: [name: string, fault: Omit<Fault, 'at'>][] = [
  ['before it took effect', { when: 'before' }],
  ['after it took effect', { when: 'after' }],
  ['and all behind it', { when: 'before', isLasting: true }],
  ['and all behind it after they took effect', { when: 'after', isLasting: true }],
  ['with the Worker, before it took effect', { when: 'before', isCut: true }],
  ['with the Worker, after it took effect', { when: 'after', isCut: true }],
]

/** The reply, or null if it never arrives. */
async function sendThrough(attempt: Attempt, faults: Faults): Promise<Answer | null> {
  const bindings = withFaults({ DB: env.DB, PHOTOS: env.PHOTOS }, faults)
  return Promise.race([attempt.send(bindings), faults.cut.then(() => null)])
}

describe.each(REPEATABLE)('POST $pattern', (kind) => {
  it.each(FAULTS)('is done once when any call fails %s', { timeout: 120_000 }, async (_, fault) => {
    vi.useFakeTimers(CLOCK)
    for (let at = 1; ; at++) {
      const attempt = await Attempt.of(kind, token)
      const faults = new Faults({ ...fault, at })
      const first = await sendThrough(attempt, faults)
      if (first && first.status !== 200) expect([500, 503], String(at)).toContain(first.status)
      passTime(LEASE)
      const answer = await attempt.send()
      expect([at, answer.status]).toEqual([at, 200])
      if (first?.status === 200) expect(resultOf(answer)).toEqual(resultOf(first))
      expect(resultOf(await attempt.send())).toEqual(resultOf(answer))
      expect([at, await attempt.timesDone()]).toEqual([at, timesDoneOf(kind, answer)])
      if (faults.calls < at) {
        expect(at).toBeGreaterThan(2)
        break
      }
    }
  })

  it('is done once when 50 come at once and lose answers at every step', { timeout: 120_000 }, async () => {
    const { calls } = await countCalls(kind)
    const attempt = await Attempt.of(kind, token)
    let lost = 0
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        // Every third reply is lost, as if the connection had broken.
        if (index % 3 === 0) await attempt.send()
        for (let at = 1 + (index % calls); ; at = 1 + (at % calls)) {
          const faults = new Faults({ at, when: index % 2 === 0 ? 'after' : 'before' })
          const answer = await attempt.send(withFaults({ DB: env.DB, PHOTOS: env.PHOTOS }, faults))
          if (faults.calls >= at) lost++
          if (answer.status === 200) return answer
          expect([409, 500, 503]).toContain(answer.status)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }),
    )
    expect(lost).toBeGreaterThan(calls)
    const [first] = answers
    expect(answers.map(resultOf)).toEqual(answers.map(() => first && resultOf(first)))
    expect(await attempt.timesDone()).toBe(first && timesDoneOf(kind, first))
  })

  it('needs no second try when the answer to its write is lost', async () => {
    const attempt = await Attempt.of(kind, token)
    const before = await countAnswers()
    let isLost = false
    const lossy = databaseOf({
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await env.DB.batch(statements)
        if (isLost || (await countAnswers()) === before) return results
        isLost = true
        throw new Error('D1_ERROR: Network connection lost.')
      },
    })
    const first = await attempt.send({ DB: lossy })
    expect(isLost).toBe(true)
    expect(first).toMatchObject({ status: 200, isReplayed: false })
    expect(resultOf(await attempt.send())).toEqual(resultOf(first))
    expect(await attempt.timesDone()).toBe(1)
  })

  it.skipIf(kind.isUnclaimed)(
    'is done by the call that takes over, not by the one whose claim expired',
    {
      timeout: 60_000,
    },
    async () => {
      vi.useFakeTimers(CLOCK)
      const attempt = await Attempt.of(kind, token)
      let other: Answer | undefined
      const slow = databaseOf({
        batch: async (statements: D1PreparedStatement[]) => {
          if (!other && (await isHeld())) {
            expect((await attempt.send()).status).toBe(409)
            passTime(LEASE)
            other = await attempt.send()
          }
          return env.DB.batch(statements)
        },
      })
      const late = await attempt.send({ DB: slow })
      expect(other).toMatchObject({ status: 200, isReplayed: false })
      expect(late).toMatchObject({ ...(other && resultOf(other)), isReplayed: true })
      expect(await attempt.timesDone()).toBe(1)
    },
  )

  it.skipIf(kind.isUnclaimed)('keeps its key for as long as it is at work', { timeout: 60_000 }, async () => {
    vi.useFakeTimers(CLOCK)
    const attempt = await Attempt.of(kind, token)
    const waits: number[] = []
    let isSlow = true
    const slow = databaseOf({
      batch: async (statements: D1PreparedStatement[]) => {
        if (isSlow && (await isHeld())) {
          isSlow = false
          for (let wait = 0; wait < 5; wait++) {
            vi.advanceTimersByTime(LEASE / 3)
            waits.push((await attempt.send()).status)
          }
        }
        return env.DB.batch(statements)
      },
    })
    const answer = await attempt.send({ DB: slow })
    expect(waits).toEqual([409, 409, 409, 409, 409])
    expect(answer).toMatchObject({ status: 200, isReplayed: false })
    expect(vi.getTimerCount()).toBe(0)
    expect(resultOf(await attempt.send())).toEqual(resultOf(answer))
    // The time of photos is over by then.
    expect(await attempt.timesDone()).toBe(timesDoneOf(kind, answer))
  })
})

/** Sends a separate call and counts its storage calls. */
async function countCalls(kind: Repeatable): Promise<Faults> {
  const faults = new Faults(null)
  await sendThrough(await Attempt.of(kind, token), faults)
  return faults
}

const countAnswers = () =>
  env.DB.prepare('select count(*) as n from idempotency_keys where answer is not null').first<number>('n')

const isHeld = async () =>
  (await env.DB.prepare('select count(*) as n from idempotency_keys where answer is null').first('n')) !== 0

/** Only pictures in the reply count: the bucket may have refused one. */
function timesDoneOf({ pattern, makes }: Repeatable, { text }: Answer): number {
  if (!pattern.includes('photos')) return 1
  const { data } = JSON.parse(text) as { data: { success: boolean }[] }
  return data.filter(({ success }) => success).length / makes
}

it('a conversion whose Worker ends leaves no claim: a repetition is done at once', async () => {
  const kind = REPEATABLE.find(({ pattern }) => pattern.endsWith('/convert'))
  if (!kind) throw new Error('No conversion is tried')
  for (const when of ['before', 'after'] as const) {
    const { calls } = await countCalls(kind)
    for (let at = 1; at <= calls; at++) {
      const attempt = await Attempt.of(kind, token)
      await sendThrough(attempt, new Faults({ at, when, isCut: true }))
      const answer = await attempt.send()
      expect([at, answer.status]).toEqual([at, 200])
      expect(resultOf(await attempt.send())).toEqual(resultOf(answer))
      expect(await attempt.timesDone()).toBe(1)
    }
  }
})

it('a call that has claimed its key goes on without its client', async () => {
  const kept: Promise<unknown>[] = []
  const [kind] = REPEATABLE
  if (!kind) throw new Error('Nothing is tried')
  const attempt = await Attempt.of(kind, token)
  const context = createExecutionContext()
  vi.spyOn(context, 'waitUntil').mockImplementation((work) => void kept.push(Promise.resolve(work)))
  // What is kept alive at each call to the database: first the claim, then the work.
  const keptAt: number[] = []
  const watching = databaseOf({
    batch: (statements: D1PreparedStatement[]) => {
      keptAt.push(kept.length)
      return env.DB.batch(statements)
    },
  })
  await app.fetch(attempt.request(), { ...env, DB: watching }, context)
  expect(keptAt.slice(1).every((count) => count > 0)).toBe(true)
  expect(keptAt.length).toBeGreaterThan(1)
  await kept[0]
  expect(await attempt.timesDone()).toBe(1)
})

it('interrupted photos continue after the last stored one', async () => {
  vi.useFakeTimers(CLOCK)
  const kind = REPEATABLE.find(({ pattern }) => pattern.endsWith('}/photos'))
  if (!kind) throw new Error('No photos are tried')
  const photos = [1, 2, 3, 4].map((number) => `https://a.example/${number}`)
  const attempt = await Attempt.of({ ...kind, makes: 4, body: { photos } }, token)
  const fetched: string[] = []
  const picture = vi.mocked(fetch).getMockImplementation()
  vi.mocked(fetch).mockImplementation((url, init) => {
    fetched.push(String(url))
    return picture?.(url, init) ?? Promise.reject(new Error('no picture'))
  })
  const whole = new Faults(null)
  await sendThrough(await Attempt.of({ ...kind, body: { photos } }, token), whole)
  fetched.length = 0
  // The last two calls are the record of the fourth picture, and that of the whole answer.
  expect(
    await sendThrough(attempt, new Faults({ at: whole.calls - 1, when: 'before', isCut: true })),
  ).toBeNull()
  expect(await attempt.timesDone()).toBe(3 / 4)
  expect((await attempt.send()).status).toBe(409)
  passTime(LEASE)
  fetched.length = 0
  const answer = await attempt.send()
  expect(fetched).toEqual(['https://a.example/4'])
  const { data } = JSON.parse(answer.text) as { data: { url: string; ordernum: number }[] }
  expect(data.map(({ url, ordernum }) => [url, ordernum])).toEqual(
    photos.map((url, index) => [url, index + 1]),
  )
  expect(await attempt.timesDone()).toBe(1)
  expect(resultOf(await attempt.send())).toEqual(resultOf(answer))
})
