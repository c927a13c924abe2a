/** Reads all pages of a list. */
import type { CallInputs } from './call.ts'

interface Page {
  total_pages: number
  data: { id?: number }[]
}

/**
 * The records of a list from page `query.page` on, without duplicates, as a new record moves others to the next page.
 * Other filters, `per_page` and `sort` are those of `query` on each page, so the pages count alike.
 * @param get reads a page of the list; throws if the reply is not a success
 */
export async function* readPages(get: (inputs: CallInputs) => Promise<unknown>, inputs: CallInputs = {}) {
  const seen = new Set<number>()
  const query: { page?: number | null } = inputs.query ?? {}
  for (let page = query.page ?? 1, last = page; page <= last; page++) {
    const { data, total_pages } = (await get({ ...inputs, query: { ...query, page } })) as Page
    last = total_pages
    for (const record of data) {
      if (record.id !== undefined && seen.has(record.id)) continue
      if (record.id !== undefined) seen.add(record.id)
      yield record
    }
  }
}
