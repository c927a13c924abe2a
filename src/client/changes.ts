/** Following the feed of changes. */
import type { PathOf, RecordOf, RequestOptions } from './types.ts'

/** What the feed tells of: the path of a collection after `/api/`, or the matches of a request. */
export type Resource = Single<PathOf<'get'>> | 'matches'

type Feed = Extract<PathOf<'get'>, '/api/changes'>

type Single<Path> = Path extends `/api/${infer Collection}/{id}` ? Collection : never

/** The latest change of a record; `id` is that of the record, of `matches` that of the request. */
export type Change<Of extends Resource = Resource> = Omit<RecordOf<Feed>, 'resource'> & {
  resource: Of
}

/** A part of the feed. */
export interface ChangePage<Of extends Resource = Resource> {
  changes: Change<Of>[]
  /** Where to go on: to be stored when `changes` are, best in the same transaction. */
  next: string
}

export interface ChangesOptions<Of extends Resource = Resource> extends RequestOptions {
  /** The `next` that was stored last; null or absent: from the beginning. */
  after?: string | null | undefined
  /** Of what; absent or empty: of all that the key may read. */
  resources?: readonly Of[] | undefined
  /** Most changes of a page, up to 1000; 500 unless given. */
  limit?: number | undefined
}

interface Body {
  data: Change[]
  next: string
  more: boolean
}

/**
 * The pages from `after` to the end of the feed: at least one, which may be empty.
 * @param get reads `/api/changes`; throws what is no success
 */
export async function* readChanges(
  get: (init: object) => Promise<unknown>,
  { after, resources, limit, ...options }: ChangesOptions = {},
): AsyncGenerator<ChangePage, void, undefined> {
  let query = { after: after ?? undefined, resources: resources?.join(), limit }
  for (let more = true; more; ) {
    const page = (await get({ ...options, query })) as Body
    yield { changes: page.data, next: page.next }
    query = { ...query, after: page.next }
    more = page.more
  }
}
