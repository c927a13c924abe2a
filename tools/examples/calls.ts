/** The types of the calls that become examples. */

/** A site that serves a picture for every address but `gone.jpg`. */
export const PICTURES = 'https://pictures.example'

/** A call worth an example. */
export interface ExampleCall {
  /** `GET /api/listings?search=RES-00089`; `{created}` is the id of the record created last. */
  call: string
  /** What it shows. */
  summary: string
  body?: unknown
  /** Bytes to send instead of JSON. */
  bytes?: () => Uint8Array | Promise<Uint8Array>
  headers?: Record<string, string>
  /** Made with a publishable key. */
  isVisitors?: true
  /** How many entries or lines of the reply are recorded. */
  keep?: number
}

/** Calls by operation and name. Of an error only the text is recorded. */
export type Calls = Record<string, Record<string, ExampleCall>>

type Shown = [
  summary: string,
  body?: unknown,
  more?: Pick<ExampleCall, 'bytes' | 'headers' | 'isVisitors' | 'keep'>,
]

/** Calls of one method and path, by their names. */
export function to(call: string, shown: Record<string, Shown>): Record<string, ExampleCall> {
  const calls = Object.entries(shown).map(([name, [summary, body, more]]) => [
    name,
    { ...one(call, summary, body), ...more },
  ])
  return Object.fromEntries(calls)
}

/** A single call. */
export const one = (call: string, summary: string, body?: unknown): ExampleCall => ({
  ...{ call, summary },
  ...(body === undefined ? {} : { body }),
})

/** A lookup, of which a few entries are shown. */
export const lookup = (path: string): Record<string, ExampleCall> => ({
  first: { call: `GET ${path}`, summary: 'The first entries', keep: 3 },
})

/** A list with few records on its page, and what can be wrong with its filters. */
export const list = (path: string, found: string, wrong: string): Record<string, ExampleCall> => ({
  found: { call: `GET ${path}?${encodeURI(found)}`, summary: `?${found}` },
  wrong: { call: `GET ${path}?${wrong}`, summary: 'A value that cannot be' },
  noPage: { call: `GET ${path}?page=0`, summary: 'No such page' },
  noJson: { call: `GET ${path}`, summary: 'A body that is no JSON', body: '{' },
})

/** One record, and what can be wrong with the options. */
export const single = (path: string, summary: string): Record<string, ExampleCall> => ({
  one: { call: `GET ${path}`, summary },
  noForm: { call: `GET ${path}?fields=some`, summary: 'No such form' },
  noJson: { call: `GET ${path}`, summary: 'A body that is no JSON', body: '{' },
})
