/** The header that names the state of the database of a reply; absent if the reply did not use the database. */
export const BOOKMARK = 'X-D1-Bookmark'

type Fetch = (request: Request) => Promise<Response>

/**
 * Wraps `fetch` so that it remembers the newest state its replies have seen, and never reads an older one.
 * @param start a stored bookmark, or `any`; undefined makes the first read strictly current
 */
export function keepBookmark(fetch: Fetch, start: string | undefined): Fetch {
  let latest = start
  return async (request) => {
    // A bookmark that the caller has set takes precedence for that call.
    if (latest !== undefined && !request.headers.has(BOOKMARK)) request.headers.set(BOOKMARK, latest)
    const response = await fetch(request)
    const bookmark = response.headers.get(BOOKMARK)
    // Bookmarks sort by age. Concurrent calls may return in any order.
    if (bookmark !== null && (latest === undefined || latest === 'any' || bookmark > latest))
      latest = bookmark
    // Perhaps the bookmark was refused. Without one, the next read is strictly current.
    if (bookmark === null && response.status === 400) latest = undefined
    return response
  }
}
