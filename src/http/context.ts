/** What every request of ours carries: the bindings of the deployment, and what is known of who calls. */

/** What Hono knows about a request of ours. */
export interface App {
  Bindings: Env
  Variables: {
    requestId: string
    key: ApiKey
    /** Headers that mean the same wherever they are taken, once they are checked. */
    headers?: CommonHeaders
    /** What the record of the call is at, once that is known. */
    stamp?: RecordVersion
    /** Headers that tell of the call's result, as far as they are known. */
    result?: Record<string, string>
    /** Where idempotency keys are kept; under `/api/`. */
    keeper: IdempotencyStore
    /** What a call under `/api/` runs its queries in, once it is let in. */
    session?: Session
    /** What scopes can be for. */
    resources: readonly string[]
    /** Filters that came in the body, checked. */
    bodyFilters: Record<string, unknown>
  }
}

/** Common headers, parsed (`parameters.ts`); undefined where one was not sent, or means nothing to the endpoint. */
export interface CommonHeaders {
  /** Whether `handling=strict` is asked for. */
  Prefer?: boolean
  'X-D1-Bookmark'?: string
  'If-Match'?: EntityTags
  'If-None-Match'?: EntityTags
  'Idempotency-Key'?: string
}

/** Entity tags of a header without quotes and marks of weakness, or any (`entity-tags.ts`). */
export type EntityTags = '*' | readonly string[]

/** What a record is at: its entity tag is made of that. */
export interface RecordVersion {
  /** Its cursor in the feed of changes. */
  cursor: number
  /** How many names of places had changed before, where a record shows them: the feed does not tell. */
  names: number
}

/** A call that came with an idempotency key, as those that come with the same are told from it (`idempotency.ts`). */
export interface KeyHolder {
  /** SHA-256 of who calls and of the key, in hex. */
  digest: string
  /** SHA-256 of what is asked for, in hex; of a form its parts, whatever stands between them. */
  fingerprint: string
  /** Random: this call and no other. */
  token: string
  /** Id of the API key of the call. */
  apiKey: string
}

/** What is kept of an idempotency key. */
export interface StoredIdempotencyKey extends Pick<KeyHolder, 'fingerprint' | 'token'> {
  /** What is done of a call of several transactions, as JSON; null where there is none. */
  progress: string | null
  /** The body that was answered; null until then. */
  answer: string | null
  /** What else the answer is made of, as JSON; null until then. */
  told: string | null
  /** The stamp of what was written; null until then, and where there is none. */
  cursor: number | null
  names: number | null
}

/** Keeps idempotency keys. */
export interface IdempotencyStore {
  /**
   * Takes the key unless another call holds it or has answered, and gives what is kept of it then. Rejects with a violation
   * of `idempotency_room` where too many are kept.
   */
  claim: (env: Env, holder: KeyHolder) => Promise<StoredIdempotencyKey>
  /** Says that the call is still at work. Never rejects. */
  extend: (env: Env, holder: KeyHolder) => Promise<void>
  /** Lets go of the key unless it was answered, and gives what is kept of it then; null where nothing is, or nobody knows. */
  release: (env: Env, holder: KeyHolder) => Promise<StoredIdempotencyKey | null>
}

/** A call that holds its key: whatever it writes records its answer, or what is done, in the same transaction. */
export interface IdempotentCall extends KeyHolder {
  /** What was done before this call took over, as JSON; null: nothing. */
  progress: string | null
  /** What an answer is made of beside its body, as JSON, as far as it is known by now. */
  replyMetadata: () => string
}

/** What a call needs of a database: less than D1 offers, and all that a session has. */
export type Session = Pick<D1DatabaseSession, 'prepare' | 'batch' | 'getBookmark'>

/** What KV holds about a key. */
export interface ApiKey {
  id: string
  name: string
  /** `<resource>:read`, `<resource>:write`, `*:read` or `*:write`. */
  scopes: string[]
  /** `YYYY-MM-DD HH:MM:SS` in UTC; null: never. */
  expires: string | null
  date_created: string
}
