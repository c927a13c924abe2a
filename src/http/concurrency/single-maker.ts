/**
 * Lets one request of an isolate make what several ask for at the same time.
 *
 *     const picture = await makeOnce('sizes/640/webp/….jpg', { make: () => makeSize(), waitUntil, until })
 *
 * The others poll for the outcome (`waiting.ts`), which is plain data, not a body or another handle of a request.
 */
import { isWithin, poll } from './waiting.ts'

/** Polling interval in ms. */
const POLL_MS = 20

/** After so many ms without an outcome, the request that began counts as dead: it may end 30 seconds after its client. */
const MAX_MAKING_MS = 45_000

interface Making {
  startedAt: number
  outcome: { value: unknown } | { error: unknown } | null
}

/** The other request did not finish in time. */
export class MakingTakesTooLong extends Error {
  override readonly name = 'MakingTakesTooLong'
}

const makings = new Map<string, Making>()

/**
 * The value that `make` returns, called by one request at a time for each `name`; its errors go to all. The value is not
 * kept for later requests. Throws MakingTakesTooLong.
 * @param waitUntil keeps the work alive if the client of the request that does it leaves
 * @param until when to stop waiting for another request, as `Date.now()`
 */
export async function makeOnce<T>(
  name: string,
  {
    make,
    waitUntil,
    until,
  }: { make: () => Promise<T>; waitUntil: (work: Promise<unknown>) => void; until: number },
): Promise<T> {
  const current = makings.get(name)
  if (current && isWithin(current.startedAt, MAX_MAKING_MS)) return outcomeOf<T>(current, until)
  const making: Making = { startedAt: Date.now(), outcome: null }
  makings.set(name, making)
  const work = settle(name, making, make)
  waitUntil(work)
  await work
  return outcomeOf<T>(making, until)
}

/** Does the work and leaves its outcome for the others. Never throws. */
async function settle(name: string, making: Making, make: () => Promise<unknown>): Promise<void> {
  try {
    making.outcome = { value: await make() }
  } catch (error) {
    making.outcome = { error }
  }
  if (makings.get(name) === making) makings.delete(name)
}

async function outcomeOf<T>(making: Making, until: number): Promise<T> {
  const outcome = await poll(() => making.outcome, POLL_MS, until)
  if (!outcome) throw new MakingTakesTooLong()
  if ('error' in outcome) throw outcome.error
  return outcome.value as T
}
