/** Feeds for tests: made, and read as portals do. */
import { send } from '../http/send.ts'
import { importRecords, post, textOf } from '../support/api.ts'
import { databaseAround } from '../support/database.ts'
import { minimalListing } from '../support/factories/listing.ts'

export const PAGE = 'https://www.agency.example/{language}/listings/{id}'

/** Makes a feed and returns its path. */
export async function makeFeed(format: string, values: Record<string, unknown> = {}): Promise<string> {
  const { body } = await post('/admin/feeds', { name: 'Portal', format, page_url: PAGE, ...values })
  return new URL(body.data.url).pathname
}

/** Reads a feed. */
export async function readFeed(
  path: string,
  headers: Record<string, string> = {},
  changes: Partial<Env> = {},
) {
  const response = await send('GET', path, { headers }, changes)
  return { status: response.status, headers: response.headers, text: await textOf(response) }
}

/** The ids in a feed, in its order. */
export async function idsIn(path: string): Promise<number[]> {
  const { text } = await readFeed(path)
  const ids = text.startsWith('{')
    ? (JSON.parse(text) as { items: { id: string }[] }).items.map(({ id }) => id)
    : [...text.matchAll(/<id>(\d+)<\/id>|<loc>[^<]*\/en\/listings\/(\d+)<\/loc>/g)].map(([, a, b]) => a ?? b)
  return ids.map(Number)
}

/** Imports active listings with these values by id. */
export function importListings(listings: Record<number, Record<string, unknown>>): Promise<void> {
  return importRecords(
    Object.entries(listings).map(([id, values]) => [
      'listings',
      {
        ...minimalListing,
        ...{ id: Number(id), status: 'active', code: `L-${id}`, subcategory: 'apartment', price: 100_000 },
        location: { area_level1: 1, area_level2: 11 },
        ...values,
      },
    ]),
  )
}

/** The real database, which calls `onRead` before each reading of a portion of listings. */
export function databaseWith(onRead: () => void): D1Database {
  return databaseAround((send, texts) => {
    if (/octet_length\(shown\)\) over/.test(texts.join())) onRead()
    return send()
  })
}

export function fail(): never {
  throw new Error('D1_ERROR: broken')
}
