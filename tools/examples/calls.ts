/** What the calls that become examples are made of. */

/** A site whose every `.png` is a picture, and nothing else. */
export const PICTURES = 'https://pictures.example'

/** A call worth an example. */
export interface Call {
  /** `GET /api/listings?search=RES-00089`; `{made}` is the id of what was made last. */
  call: string
  /** What it shows. */
  summary: string
  body?: unknown
  /** Bytes to send in place of JSON. */
  bytes?: () => Uint8Array
  headers?: Record<string, string>
  /** Entries or lines of the answer that are kept. */
  keep?: number
}

/** Calls by operation and name; where an answer is an error, its text is recorded. */
export type Calls = Record<string, Record<string, Call>>
