/** Which URLs deliveries may go to. */
import { LONG_URL } from '../../fields/values.ts'
import { allowsPrivateHosts, isRefusedHost } from '../../net/address.ts'

/** The rule for the URL of a webhook, as error messages state it. */
export const WEBHOOK_URL_RULE = 'must be an https URL of a public host, without credentials'
export const TOO_LONG = `must be at most ${LONG_URL} characters once it is escaped`

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The URL as the parser writes it, which is what `fetch` calls. Null when it must not be called. */
export function parseWebhookUrl(address: string, env: Env): string | null {
  return isAllowedWebhookUrl(address, env) ? (URL.parse(address)?.href ?? null) : null
}

/** Whether deliveries may go to `address`: only https, except to the same machine during development. */
export function isAllowedWebhookUrl(address: string, env: Env): boolean {
  const url = URL.parse(address)
  if (!url) return false
  if (url.username !== '' || url.password !== '') return false
  const allowPrivate = allowsPrivateHosts(env)
  if (url.protocol === 'http:') return allowPrivate && LOOPBACK.test(url.hostname)
  return url.protocol === 'https:' && (allowPrivate || !isRefusedHost(url.hostname))
}
