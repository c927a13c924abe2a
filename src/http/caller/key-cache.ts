/**
 * Caches API keys in the isolate, so that most calls need no read from KV. After a key is revoked elsewhere, both KV's
 * copy and this cache may still return it: for a minute at most.
 *
 * The cache holds records and no promises: workerd forbids a request to await the I/O of another.
 */
import type { ApiKey, WebsiteAccess } from '../context.ts'

/** How long a cached value is valid, in ms from the start of the read. */
export const KEY_LIFETIME = 30_000
/** How long KV may reply from its regional cache, in seconds. This is the minimum that KV accepts. */
export const KV_LIFETIME = 30

/** Maximum number of known keys, and separately of unknown hashes, so that invalid keys cannot evict valid ones. */
const MAX_CACHED = 1000

/** What was changed since a key was made, in its second entry in KV. */
export type KeyChanges = Partial<
  Pick<ApiKey, 'name' | 'expires' | 'user_id'> & Pick<WebsiteAccess, 'origins' | 'stores'>
>

/** The name in KV of the changes of the key with this hash. */
export function changesName(hash: string): string {
  return `${hash}:changes`
}

/** The key after its changes. */
export function withChanges(key: ApiKey, changes: KeyChanges | null | undefined): ApiKey {
  if (!changes) return key
  const { origins, stores, ...own } = changes
  const { website } = key
  if (!website) return { ...key, ...own }
  // Null is a value here: any origin, all stores.
  const access = {
    origins: origins === undefined ? website.origins : origins,
    stores: stores === undefined ? website.stores : stores,
  }
  return { ...key, ...own, website: { ...website, ...access } }
}

interface CacheEntry<T> {
  value: T
  readAt: number
}

/** The keys of one namespace, by their hash. */
class KeyCache {
  readonly #known = new Map<string, CacheEntry<ApiKey>>()
  readonly #unknown = new Map<string, CacheEntry<null>>()
  readonly #namespace: KVNamespace

  constructor(namespace: KVNamespace) {
    this.#namespace = namespace
  }

  /**
   * The key whose secret has this hash; null if there is none.
   * @param admit is called before KV is read for a hash that was never a key, and throws if it must not be
   */
  async find(hash: string, admit: () => Promise<void>): Promise<ApiKey | null> {
    const now = Date.now()
    const cached = readFresh(this.#known, hash, now) ?? readFresh(this.#unknown, hash, now)
    if (cached) return cached.value
    if (!this.#known.has(hash)) await admit()
    const readAt = Date.now()
    const names = [hash, changesName(hash)]
    const options = { type: 'json', cacheTtl: KV_LIFETIME } as const
    const stored = await this.#namespace.get<ApiKey & KeyChanges>(names, options)
    const found = stored.get(hash)
    const key = found ? withChanges(found, stored.get(changesName(hash))) : null
    // If the key was revoked or changed during the read, the result may be outdated.
    const newer = readFresh(this.#unknown, hash, Date.now()) ?? readFresh(this.#known, hash, Date.now())
    if (newer && newer.readAt >= readAt) return newer.value
    if (key) store(this.#known, hash, { value: key, readAt })
    else {
      this.#known.delete(hash)
      store(this.#unknown, hash, { value: null, readAt })
    }
    return key
  }

  /** Records that the key has changed, unless it was revoked. */
  replace(hash: string, key: ApiKey): void {
    const now = Date.now()
    if (!readFresh(this.#unknown, hash, now)) store(this.#known, hash, { value: key, readAt: now })
  }

  /** Records that no key has this hash. */
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

/** Adds the entry as the latest and evicts the oldest. */
function store<T>(map: Map<string, CacheEntry<T>>, hash: string, cached: CacheEntry<T>): void {
  map.delete(hash)
  map.set(hash, cached)
  if (map.size <= MAX_CACHED) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
