/** The types of a call's context: bindings, variables, and what is known about the caller. */

/** Hono's environment type for this API. */
export interface App {
  Bindings: Env
  Variables: {
    requestId: string
    /** The key of the call, or the person who calls in the form of one. The holder of the admin token has none. */
    key: ApiKey
    /** Whether a person calls whom Cloudflare Access has signed in. */
    isPerson?: true
    /** The IP address of the visitor whom a website's server calls for, if it says so. */
    visitorAddress?: string
    /** Common headers, once they are validated. */
    headers?: CommonHeaders
    /** Version of the record that the call reads or writes, once known. */
    recordVersion?: RecordVersion
    /** Response headers that describe the result so far. A replay repeats them. */
    result?: Record<string, string | undefined>
    /** Stores idempotency keys; set under `/api/` and `/office/`. */
    idempotencyStore: IdempotencyStore
    /** The D1 session of a call under `/api/` or `/office/`, set after authentication. */
    session?: Session
    /** Set if the call asks for a picture: most calls do, so only errors among them have a line in the log. */
    isPicture?: true
    /** Reports how much of a large body was read. Throws 503 if there is no room for it. */
    reportRead?: (bytes: number) => void
    /** The filters that the endpoint knows: those of the body, and for visitors also those of the query. */
    knownFilters: Record<string, unknown>
  }
}

/** Common headers, parsed (`parameters.ts`). A header is undefined if it was not sent or the endpoint ignores it. */
export interface CommonHeaders {
  /** Whether the client sent `handling=strict`. */
  Prefer?: boolean
  'X-D1-Bookmark'?: string
  'If-Match'?: EntityTags
  'If-None-Match'?: EntityTags
  'Idempotency-Key'?: string
}

/** Entity tags of a header, without quotes and `W/`; `*` matches any tag (`entity-tags.ts`). */
export type EntityTags = '*' | readonly string[]

/** The version of a record, from which its entity tag is derived. */
export interface RecordVersion {
  /** Its cursor in the change feed. */
  cursor: number
  /** Number of earlier place renames, for records that show place names: the change feed does not include these. */
  names: number
}

/** Identifies a call that sent an idempotency key (`idempotency.ts`). */
export interface KeyHolder {
  /** SHA-256 of the API key's id and the idempotency key, in hex. */
  digest: string
  /** SHA-256 of method, URL and body, in hex. For multipart it covers the parts, not the boundary between them. */
  fingerprint: string
  /** Random; differs between two calls with the same key. */
  token: string
  /** Id of the API key of the call; of a publishable one with a digest of the address. */
  apiKey: string
}

export interface StoredIdempotencyKey extends Pick<KeyHolder, 'fingerprint' | 'token'> {
  /** Progress of a call that needs several transactions, as JSON; null if there is none. */
  progress: string | null
  /** The body of the reply; null until the call has succeeded. */
  answer: string | null
  /** Reply metadata: headers and representation, as JSON; null until the call has succeeded. */
  metadata: string | null
  /** Version of the written record; null until the call has succeeded, or if there is no record. */
  cursor: number | null
  names: number | null
}

export interface IdempotencyStore {
  /**
   * Claims the key unless another call holds it or has succeeded, and returns the stored state. Rejects with a violation
   * of the constraint `idempotency_room` when the API key has too many keys.
   */
  claim: (env: Env, holder: KeyHolder) => Promise<StoredIdempotencyKey>
  /** The stored state of the key; null if there is none. Writes nothing. */
  find: (env: Env, digest: string) => Promise<StoredIdempotencyKey | null>
  /** Extends the claim while the call is running. Never rejects. */
  extend: (env: Env, holder: KeyHolder) => Promise<void>
  /**
   * Releases the claim unless the call has succeeded, and returns the stored state; null if there is none or it is
   * unknown.
   */
  release: (env: Env, holder: KeyHolder) => Promise<StoredIdempotencyKey | null>
}

/** A call with a key. Its writes record the reply, or its progress, in the same transaction. */
export interface IdempotentCall extends KeyHolder {
  /**
   * Set if the call has not claimed its key: recording the reply claims it. With `maxKeys`, the reply is not recorded
   * once `apiKey` has so many keys, or all together have no room.
   */
  unclaimed?: { maxKeys?: number }
  /** Progress of an earlier attempt with the same key, as JSON; null if there is none. */
  progress: string | null
  /** The current reply metadata as JSON. */
  replyMetadata: () => string
}

/** The part of D1 that calls use, which a session offers too. */
export type Session = Pick<D1DatabaseSession, 'prepare' | 'batch' | 'getBookmark'>

/** The value stored in KV for an API key. */
export interface ApiKey {
  id: string
  name: string
  /** Those of `catalogue/scopes.ts`, and `*:read` or `*:write`. */
  scopes: string[]
  /** `YYYY-MM-DD HH:MM:SS` in UTC; null if it never expires. */
  expires: string | null
  date_created: string
  /** The user behind it; absent or null if a program is. */
  user_id?: number | null
  /** Set on website keys: their calls act for visitors of a website and reach only the endpoints for visitors. */
  website?: WebsiteAccess
}

/** What a website key may do. */
export interface WebsiteAccess {
  /** Whether visitors may know the key. Otherwise it is a secret of the website's server. */
  publishable: boolean
  /** The origins that browsers may call from; null: any. */
  origins: string[] | null
  /** The stores whose listings exist for the key; null: all. */
  stores: number[] | null
  /** The key itself, if it is publishable. */
  key?: string
}
