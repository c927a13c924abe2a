/** Which addresses deliveries may go to. */
import { LONG_URL } from '../../fields/values.ts'
import { allowsPrivateHosts, isRefusedHost } from '../../net/address.ts'

/** What an address has to be, in the words of the API. */
export const WEBHOOK_URL_RULE = 'must be an https URL of a public host, without credentials'
export const TOO_LONG = `must be at most ${LONG_URL} characters once it is escaped`

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The address as the URL parser writes it, which is what `fetch` calls; null when it must not be called. */
export function parseWebhookUrl(address: string, env: Env): string | null {
  return isAllowedWebhookUrl(address, env) ? (URL.parse(address)?.href ?? null) : null
}

/** Whether the service may be sent to `address`: by https alone, but for this machine while one develops. */
export function isAllowedWebhookUrl(address: string, env: Env): boolean {
  const url = URL.parse(address)
  if (!url) return false
  if (url.username !== '' || url.password !== '') return false
  const allowPrivate = allowsPrivateHosts(env)
  if (url.protocol === 'http:') return allowPrivate && LOOPBACK.test(url.hostname)
  return url.protocol === 'https:' && (allowPrivate || !isRefusedHost(url.hostname))
}
