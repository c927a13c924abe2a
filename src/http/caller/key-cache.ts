/**
 * What an isolate remembers of API keys, so that not every call asks KV. A key that is revoked elsewhere works on
 * for as long as KV keeps its own copy and then as long as this one: together a minute at most.
 *
 * Records only, no promises: workerd forbids one request to wait for what another has asked for.
 */
import type { ApiKey } from '../context.ts'

/** How long an answer of KV counts, in ms, from the moment of asking. */
export const KEY_LIFETIME = 30_000
/** How long KV may answer from the copy near its reader, in seconds; the least that it takes. */
export const KV_LIFETIME = 30

/** Most keys remembered, and apart from them most hashes that no key has: strangers push nobody out. */
const MAX_CACHED = 1000

interface CacheEntry<T> {
  value: T
  readAt: number
}

/** The keys of one namespace by the hash that KV holds them under. */
export class KeyCache {
  readonly #known = new Map<string, CacheEntry<ApiKey>>()
  readonly #unknown = new Map<string, CacheEntry<null>>()
  readonly #namespace: KVNamespace

  constructor(namespace: KVNamespace) {
    this.#namespace = namespace
  }

  /** The key whose secret has this hash; null when there is none. */
  async find(hash: string): Promise<ApiKey | null> {
    const readAt = Date.now()
    const cached = readFresh(this.#known, hash, readAt) ?? readFresh(this.#unknown, hash, readAt)
    if (cached) return cached.value
    const key = await this.#namespace.get<ApiKey>(hash, { type: 'json', cacheTtl: KV_LIFETIME })
    // Revoked while KV was asked: its answer may be older than that.
    const revoked = readFresh(this.#unknown, hash, Date.now())
    if (revoked && revoked.readAt >= readAt) return null
    if (key) store(this.#known, hash, { value: key, readAt: readAt })
    else store(this.#unknown, hash, { value: null, readAt: readAt })
    return key
  }

  /** Knows from now on that no key has this hash. */
  forget(hash: string): void {
    this.#known.delete(hash)
    store(this.#unknown, hash, { value: null, readAt: Date.now() })
  }
}

const caches = new WeakMap<KVNamespace, KeyCache>()

/** The isolate's cache of `namespace`. */
export function keyCacheOf(namespace: KVNamespace): KeyCache {
  let cache = caches.get(namespace)
  if (!cache) {
    cache = new KeyCache(namespace)
    caches.set(namespace, cache)
  }
  return cache
}

function readFresh<T>(map: Map<string, CacheEntry<T>>, hash: string, now: number): CacheEntry<T> | undefined {
  const cached = map.get(hash)
  const age = cached ? now - cached.readAt : -1
  return age >= 0 && age < KEY_LIFETIME ? cached : undefined
}

/** The latest last, the oldest gone. */
function store<T>(map: Map<string, CacheEntry<T>>, hash: string, cached: CacheEntry<T>): void {
  map.delete(hash)
  map.set(hash, cached)
  if (map.size <= MAX_CACHED) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
