/** An API key that exists from the start. */
import { createHash } from 'node:crypto'
import type { Miniflare } from 'miniflare'

/** A key for tools, in the form of all keys. */
export const TOOLS_KEY = `estia_${'0'.repeat(48)}`

/** Stores `secret` as a key that may do everything, as `createKey` of the Worker would. */
export function storeKey(miniflare: Miniflare, secret: string): Promise<void> {
  return store(miniflare, secret, { scopes: ['*:read', '*:write'] })
}

/** Stores `key` as a publishable key for all stores. */
export function storePublishableKey(miniflare: Miniflare, key: string): Promise<void> {
  const website = { publishable: true, origins: null, stores: null, key }
  return store(miniflare, key, { scopes: ['listings:public'], website })
}

async function store(miniflare: Miniflare, secret: string, rights: object): Promise<void> {
  const keys = await miniflare.getKVNamespace('API_KEYS')
  const hash = createHash('sha256').update(secret).digest('hex')
  const key = {
    id: hash.slice(0, 16),
    name: 'tools',
    ...rights,
    expires: null,
    date_created: '2026-01-01 00:00:00',
  }
  await keys.put(hash, JSON.stringify(key))
}
