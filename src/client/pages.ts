/** Walking a list. */
import type { Sent } from './call.ts'

interface Page {
  total_pages: number
  data: { id?: number }[]
}

/**
 * The records of a list, each once, from page `query.page` on.
 * @param get reads a page of the list; throws what is no success
 */
export async function* readPages(get: (sent: Sent) => Promise<unknown>, sent: Sent = {}) {
  const given = new Set<number>()
  const query: { page?: number | null } = sent.query ?? {}
  for (let page = query.page ?? 1, last = page; page <= last; page++) {
    const { data, total_pages } = (await get({ ...sent, query: { ...query, page } })) as Page
    last = total_pages
    for (const record of data) {
      if (record.id !== undefined && given.has(record.id)) continue
      if (record.id !== undefined) given.add(record.id)
      yield record
    }
  }
}
