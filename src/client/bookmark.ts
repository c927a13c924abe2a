const NAME = 'X-D1-Bookmark'

/** How far a client has seen the database, so that what it reads next is no older. */
export class Bookmark {
  private latest: string | undefined

  /** @param start a bookmark of before, or `any`; undefined: the first read is strictly current */
  constructor(start: string | undefined) {
    this.latest = start
  }

  /** The header of the next call. */
  get headers(): Record<string, string> {
    return this.latest === undefined ? {} : { [NAME]: this.latest }
  }

  /** Takes the bookmark of an answer, unless a later call was answered before and is further already. */
  advance({ status, headers }: Response): void {
    const told = headers.get(NAME)
    if (told !== null) {
      // Bookmarks sort by age.
      if (this.latest === undefined || this.latest === 'any' || told > this.latest) this.latest = told
    } else if (status === 400 ) this.latest = undefined
  }
}
