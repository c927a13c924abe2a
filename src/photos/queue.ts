/**
 * One thing at a time.
 *
 *     const oneAtATime = createQueue()
 *     const result = await oneAtATime(() => work())
 */

/** Runs a task when the one before it has ended; gives the task's result or error. */
export type Queue = <T>(task: () => Promise<T>) => Promise<T>

/**
 * A queue of its own. A task that fails does not hold up the ones behind it. Neither does a task that never ends, for
 * longer than `patienceMs`: the platform drops the work of a request whose client has gone without a word.
 */
export function createQueue(patienceMs = 30_000): Queue {
  let running: { ended: Promise<void>; since: number } | null = null
  return async (task) => {
    while (running) {
      const left = running.since + patienceMs - Date.now()
      if (left <= 0) break
      await endOrTimeout(running.ended, left)
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const mine = { ended, since: Date.now() }
    running = mine
    try {
      return await task()
    } finally {
      if (running === mine) running = null
      end()
    }
  }
}

async function endOrTimeout(ended: Promise<void>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([ended, promise])
  clearTimeout(timer)
}
