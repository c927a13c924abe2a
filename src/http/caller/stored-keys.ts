/**
 * API keys in KV. A key is `estia_` (`estia_pub_` if it is publishable) and 192 random bits. KV stores an `ApiKey` under
 * the key's SHA-256 (hex). A secret key is shown once and never stored. The first 16 digits of the hash are the key's
 * id. Lookups use the hash, so their timing reveals nothing about a guessed key.
 *
 * Changes of a key are a second entry. KV cannot compare and set, so an update of the key's own entry could restore a
 * key that is revoked at the same time.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { formatDateTime, isDateTime } from '../../fields/values.ts'
import type { ApiKey, App, WebsiteAccess } from '../context.ts'
import { rememberDigests } from '../digests.ts'
import { describeFailure, log } from '../log.ts'
import { changesName, type KeyChanges, KV_LIFETIME, keyCacheOf, withChanges } from './key-cache.ts'

/** The form of every key. */
const SECRET = /^estia_(?:pub_)?[0-9a-f]{48}$/

/** Number of hash digits in a key's id. */
const ID_LENGTH = 16
export const KEY_ID = /^[0-9a-f]{16}$/

/** Number of keys of which an isolate remembers that their use is noted. */
const MAX_NOTED = 10_000

/**
 * The hash of a key. Synchronous, which is faster: every call waits for it. An isolate remembers those of 1,000 keys. Finding
 * one reveals nothing about a key either: a `Map` compares only texts whose own hashes are equal.
 */
const hashOf = rememberDigests(1000)

const PUBLISHABLE_PREFIX = 'estia_pub_'

/** Whether `text` has the form of a publishable key. */
export function looksPublishable(text: string): boolean {
  return text.startsWith(PUBLISHABLE_PREFIX)
}

/** What is decided about a new key. */
export interface NewKey extends Pick<ApiKey, 'name' | 'scopes' | 'expires' | 'user_id'> {
  website?: Omit<WebsiteAccess, 'key'>
}

/** Creates and stores a key. If it is not publishable, `secret` is the only copy of it. */
export async function createKey(
  keys: KVNamespace,
  { website, ...options }: NewKey,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = `${website?.publishable ? PUBLISHABLE_PREFIX : 'estia_'}${randomBytes(24).toString('hex')}`
  const hash = hashOf(secret)
  const key: ApiKey = {
    id: hash.slice(0, ID_LENGTH),
    ...options,
    date_created: formatDateTime(new Date()),
    ...(website ? { website: website.publishable ? { ...website, key: secret } : website } : {}),
  }
  await keys.put(hash, JSON.stringify(key))
  return { key, secret }
}

/** A key, and the hour in which it was last used. */
export interface ListedKey extends ApiKey {
  /** `YYYY-MM-DD HH:00:00`; null: never. */
  last_used: string | null
}

/** Every stored key, including expired ones, oldest first. */
export async function listKeys(keys: KVNamespace): Promise<ListedKey[]> {
  const entries = new Map<string, (ApiKey & KeyChanges & KeyUse) | null>()
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await keys.list({ cursor, limit: 100 })
    const names = page.keys.map(({ name }) => name)
    if (names.length > 0) {
      for (const entry of await keys.get<ApiKey & KeyChanges & KeyUse>(names, 'json')) entries.set(...entry)
    }
    cursor = page.list_complete ? null : page.cursor
  } while (cursor)
  const found = [...entries].flatMap(([name, key]) =>
    key && isKeyName(name)
      ? [
          {
            ...withChanges(key, entries.get(changesName(name))),
            last_used: entries.get(useName(key.id))?.last_used ?? null,
          },
        ]
      : [],
  )
  return found.toSorted((a, b) => a.date_created.localeCompare(b.date_created) || a.id.localeCompare(b.id))
}

/** The third entry of a key in KV: the hour in which it was last used. */
type KeyUse = Partial<Pick<ListedKey, 'last_used'>>

/** The name of that entry. As it begins with the id, it goes with the key. */
function useName(id: string): string {
  return `${id}:used`
}

/** The hour in which this isolate has last noted the use of each key. */
const notedUses = new Map<string, string>()

/** Notes behind the answer that a key is in use: once an hour and location. */
export function noteUse(c: Context<App>, { id }: ApiKey): void {
  const last_used = `${formatDateTime(new Date()).slice(0, 13)}:00:00`
  if (notedUses.get(id) === last_used) return
  if (notedUses.size >= MAX_NOTED) notedUses.clear()
  notedUses.set(id, last_used)
  // In the cache, which KV is not, others at this location see at once that it is noted.
  const mark = new URL(`/.used/${id}/${encodeURIComponent(last_used)}`, c.req.url).href
  c.executionCtx.waitUntil(storeUse(c.env.API_KEYS, { id, last_used, mark }))
}

/** Another isolate may have noted the same hour. */
async function storeUse(
  keys: KVNamespace,
  { id, last_used, mark }: { id: string; last_used: string; mark: string },
): Promise<void> {
  try {
    if (await caches.default.match(mark)) return
    await caches.default.put(mark, new Response(null, { headers: { 'Cache-Control': 'max-age=3600' } }))
    const noted = await keys.get<KeyUse>(useName(id), 'json')
    if (noted?.last_used !== last_used) await keys.put(useName(id), JSON.stringify({ last_used }))
  } catch (error) {
    log('error', { work: 'last use of a key', ...describeFailure(error) })
  }
}

/** A key and its name in KV. */
export interface StoredKey {
  hash: string
  key: ApiKey
  changes: KeyChanges
}

/** The key with this id; null if it is unknown. */
export async function findKeyById(keys: KVNamespace, id: string): Promise<StoredKey | null> {
  const hash = (await namesOf(keys, id)).find(isKeyName)
  if (hash === undefined) return null
  const entries = await keys.get<ApiKey & KeyChanges>([hash, changesName(hash)], {
    type: 'json',
    cacheTtl: KV_LIFETIME,
  })
  const key = entries.get(hash)
  const changes = entries.get(changesName(hash)) ?? {}
  return key ? { hash, key: withChanges(key, changes), changes } : null
}

/** Stores all changes of a key. They count immediately in this isolate, within a minute in others. */
export async function storeChanges(
  keys: KVNamespace,
  { hash, key }: StoredKey,
  changes: KeyChanges,
): Promise<void> {
  await keys.put(changesName(hash), JSON.stringify(changes))
  keyCacheOf(keys).replace(hash, withChanges(key, changes))
}

/** Revokes a key: immediately in this isolate, within a minute in others. False if the id is unknown. */
export async function revokeKey(keys: KVNamespace, id: string): Promise<boolean> {
  const names = await namesOf(keys, id)
  await Promise.all(
    names.map(async (name) => {
      await keys.delete(name)
      if (isKeyName(name)) keyCacheOf(keys).forget(name)
    }),
  )
  return names.some(isKeyName)
}

/**
 * The stored data of the key `secret`; null if it is no key, unknown, revoked or expired.
 * @param admit is called before KV is read for a text that was never a key, and throws if it must not be
 */
export async function findKey(
  keys: KVNamespace,
  secret: string,
  admit: () => Promise<void> = async () => {},
): Promise<ApiKey | null> {
  if (!SECRET.test(secret)) return null
  const key = await keyCacheOf(keys).find(hashOf(secret), admit)
  const expired = key?.expires && isDateTime(key.expires) && key.expires <= formatDateTime(new Date())
  return expired ? null : key
}

/** The names of the entries of a key in KV. */
async function namesOf(keys: KVNamespace, id: string): Promise<string[]> {
  if (!KEY_ID.test(id)) return []
  const { keys: found } = await keys.list({ prefix: id })
  return found.map(({ name }) => name)
}

/** Whether an entry of KV is a key, and not the changes of one. */
function isKeyName(name: string): boolean {
  return /^[0-9a-f]+$/.test(name)
}
