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
    stamp?: Stamp
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
}

/** Entity tags of a header without quotes and marks of weakness, or any (`entity-tags.ts`). */
export type EntityTags = '*' | readonly string[]

/** What a record is at: its entity tag is made of that. */
export interface Stamp {
  /** Its cursor in the feed of changes. */
  cursor: number
  /** How many names of places had changed before, where a record shows them: the feed does not tell. */
  names: number
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
