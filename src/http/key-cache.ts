/**
 * What an isolate remembers of API keys, so that not every call asks KV. A key that is revoked elsewhere works on
 * for as long as KV keeps its own copy and then as long as this one: together a minute at most.
 *
 * Records only, no promises: workerd forbids one request to wait for what another has asked for.
 */
import type { ApiKey } from './app.ts'

/** How long an answer of KV counts, in ms, from the moment of asking. */
export const KEY_LIFETIME = 30_000
/** How long KV may answer from the copy near its reader, in seconds; the least that it takes. */
export const KV_LIFETIME = 30

/** Most keys remembered, and apart from them most hashes that no key has: strangers push nobody out. */
const MOST = 1000

interface Remembered<T> {
  value: T
  askedAt: number
}

/** The keys of one namespace by the hash that KV holds them under. */
export class KeyCache {
  readonly #known = new Map<string, Remembered<ApiKey>>()
  readonly #unknown = new Map<string, Remembered<null>>()
  readonly #namespace: KVNamespace

  constructor(namespace: KVNamespace) {
    this.#namespace = namespace
  }

  /** The key whose secret has this hash; null when there is none. */
  async find(hash: string): Promise<ApiKey | null> {
    const askedAt = Date.now()
    const remembered = fresh(this.#known, hash, askedAt) ?? fresh(this.#unknown, hash, askedAt)
    if (remembered) return remembered.value
    const key = await this.#namespace.get<ApiKey>(hash, { type: 'json', cacheTtl: KV_LIFETIME })
    // Revoked while KV was asked: its answer may be older than that.
    const revoked = fresh(this.#unknown, hash, Date.now())
    if (revoked && revoked.askedAt >= askedAt) return null
    if (key) remember(this.#known, hash, { value: key, askedAt })
    else remember(this.#unknown, hash, { value: null, askedAt })
    return key
  }

  /** Knows from now on that no key has this hash. */
  forget(hash: string): void {
    this.#known.delete(hash)
    remember(this.#unknown, hash, { value: null, askedAt: Date.now() })
  }
}

const caches = new WeakMap<KVNamespace, KeyCache>()

/** The isolate's cache of `namespace`. */
export function cacheOf(namespace: KVNamespace): KeyCache {
  let cache = caches.get(namespace)
  if (!cache) {
    cache = new KeyCache(namespace)
    caches.set(namespace, cache)
  }
  return cache
}

function fresh<T>(map: Map<string, Remembered<T>>, hash: string, now: number): Remembered<T> | undefined {
  const remembered = map.get(hash)
  const age = remembered ? now - remembered.askedAt : -1
  return age >= 0 && age < KEY_LIFETIME ? remembered : undefined
}

/** The latest last, the oldest gone. */
function remember<T>(map: Map<string, Remembered<T>>, hash: string, remembered: Remembered<T>): void {
  map.delete(hash)
  map.set(hash, remembered)
  if (map.size <= MOST) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
