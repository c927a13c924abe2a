/** Keeps what Estia answers for half a minute, so that equal pages cost one call. Cloudflare does so on domains of your own only. */
import type { Settings } from './settings.ts'

/** As long as Estia itself keeps what it answers. */
const KEPT_SECONDS = 30

/** The answer at `url`: one that is kept, or what `call` gets. Only success is kept. */
export async function kept(env: Settings, url: string, call: () => Promise<Response>): Promise<Response> {
  // Each deployment has a publishable key of its own. The secret one, whose answers these are, is no name for a cache.
  const cache = await caches.open(env.PUBLISHABLE_KEY)
  const known = await cache.match(url)
  if (known) return known
  const answer = await call()
  if (answer.status === 200) {
    const headers = new Headers(answer.headers)
    headers.set('Cache-Control', `max-age=${KEPT_SECONDS}`)
    const copy = new Response(answer.clone().body, { headers })
    // A page does not need it to be kept.
    await cache.put(url, copy).catch((error: unknown) => console.error(error))
  }
  return answer
}
