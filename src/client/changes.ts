/** Reads the change feed. */
import type { PathOf, RecordOf, RequestOptions } from './types.ts'

/** A resource of the feed: the path of a collection after `/api/`, or the matches of a request. */
export type Resource = CollectionOf<PathOf<'get'>> | 'matches'

type Feed = Extract<PathOf<'get'>, '/api/changes'>

type CollectionOf<Path> = Path extends `/api/${infer Collection}/{id}` ? Collection : never

/** The latest change of a record. `id` is that of the record; for `matches` it is that of the request. */
export type Change<Of extends Resource = Resource> = Omit<RecordOf<Feed>, 'resource'> & {
  resource: Of
}

export interface ChangePage<Of extends Resource = Resource> {
  changes: Change<Of>[]
  /** The cursor to continue from. Store it together with `changes`, preferably in one transaction. */
  next: string
}

export interface ChangesOptions<Of extends Resource = Resource> extends RequestOptions {
  /** The `next` that was stored last; null or absent means from the beginning. */
  after?: string | null | undefined
  /** Resources to read; absent or empty means all that the key may read. */
  resources?: readonly Of[] | undefined
  /** Maximum number of changes per page, up to 1000; 500 by default. */
  limit?: number | undefined
}

interface FeedReply {
  data: Change[]
  next: string
  more: boolean
}

/**
 * Reads the pages from `after` to the end of the feed: at least one, which may be empty.
 * @param get reads `/api/changes`; throws if the reply is not a success
 */
export async function* readChanges(
  get: (init: object) => Promise<unknown>,
  { after, resources, limit, ...options }: ChangesOptions = {},
): AsyncGenerator<ChangePage, void, undefined> {
  let query = { after: after ?? undefined, resources: resources?.join(), limit }
  for (let more = true; more; ) {
    const page = (await get({ ...options, query })) as FeedReply
    yield { changes: page.data, next: page.next }
    query = { ...query, after: page.next }
    more = page.more
  }
}
