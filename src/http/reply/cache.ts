/** The Cache API. It may fail, hang or be missing, so no reply depends on it. Nothing but the URL is its key. */
import { describeFailure, log } from '../log.ts'

/** Maximum wait for the cache, in ms. After it the answer is made. */
const MAX_WAIT_MS = 250

/** What the line of the log says if the cache fails. */
interface Report {
  cache: string
  request_id: string
}

/** What `read` makes of the answer that is kept under `url`; null if there is none, or if the cache fails or takes too long. */
export async function readKept<T>(
  url: string,
  read: (kept: Response) => T | Promise<T>,
  report: Report,
): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const giveUp = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS, null)
  })
  let isLate = false
  const find = async () => {
    const found = await caches.default.match(url)
    if (isLate) await found?.body?.cancel()
    return !isLate && found?.status === 200 ? read(found) : null
  }
  try {
    return await Promise.race([find(), giveUp])
  } catch (error) {
    logFailure(report, error)
    return null
  } finally {
    isLate = true
    clearTimeout(timer)
  }
}

/** Keeps what `make` returns for so many seconds, unless that is null. Never rejects: the next call makes the answer anew. */
export async function keepAnswer(
  url: string,
  seconds: number,
  make: () => Response | null | Promise<Response | null>,
  report: Report,
): Promise<void> {
  try {
    const kept = await make()
    if (!kept) return
    kept.headers.set('Cache-Control', `public, max-age=${seconds}`)
    await caches.default.put(url, kept)
  } catch (error) {
    logFailure(report, error)
  }
}

function logFailure(report: Report, error: unknown): void {
  log('error', { ...report, ...describeFailure(error) })
}
