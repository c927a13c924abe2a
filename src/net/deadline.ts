/** Deadlines for work that may not stop when its signal is aborted, such as reading a body. */

/** The result of `promise`. Rejects with `Out of time` as soon as `signal` is aborted. */
export async function withDeadline<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new Error('Out of time'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
