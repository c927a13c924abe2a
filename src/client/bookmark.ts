/** Names the state of the database that an answer has seen; an answer made without the database has none. */
export const BOOKMARK = 'X-D1-Bookmark'

type Fetch = (request: Request) => Promise<Response>

/**
 * A `fetch` that remembers how far its answers have seen the database, and asks for nothing older from then on.
 * @param start a bookmark of before, or `any`; undefined: the first read is strictly current
 */
export function keepBookmark(fetch: Fetch, start: string | undefined): Fetch {
  let latest = start
  return async (request) => {
    // A bookmark that the caller sends by itself counts for that call.
    if (latest !== undefined && !request.headers.has(BOOKMARK)) request.headers.set(BOOKMARK, latest)
    const response = await fetch(request)
    const bookmark = response.headers.get(BOOKMARK)
    // Bookmarks sort by age, and calls at the same time may be answered in any order.
    if (bookmark !== null && (latest === undefined || latest === 'any' || bookmark > latest))
      latest = bookmark
    // It may have been the bookmark that was refused; without one the next read is strictly current.
    if (bookmark === null && response.status === 400) latest = undefined
    return response
  }
}
