/** An API key that exists from the start. */
import { createHash } from 'node:crypto'
import type { Miniflare } from 'miniflare'

/** A key for tools, in the form of all keys. */
export const TOOLS_KEY = `estia_${'0'.repeat(48)}`

/** Stores `secret` as a key that may do everything, as `createKey` of the Worker would. */
export async function storeKey(miniflare: Miniflare, secret: string): Promise<void> {
  const keys = await miniflare.getKVNamespace('API_KEYS')
  const hash = createHash('sha256').update(secret).digest('hex')
  const key = {
    id: hash.slice(0, 16),
    name: 'tools',
    scopes: ['*:read', '*:write'],
    expires: null,
    date_created: '2026-01-01 00:00:00',
  }
  await keys.put(hash, JSON.stringify(key))
}
