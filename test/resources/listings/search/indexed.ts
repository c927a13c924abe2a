/** An index that is filled without a database. */
import { KeysColumn } from '../../../../src/resources/listings/search/columns.ts'
import { ListingIndex, type SourceRow } from '../../../../src/resources/listings/search/listing-index.ts'
import { Places } from '../../../../src/resources/listings/search/places.ts'

/** An index of listings with these values, in this order; other columns are empty. */
export function indexOf(listings: readonly ({ id: number } & Record<string, unknown>)[]): ListingIndex {
  const index = new ListingIndex(0, new Places([]))
  const empty = Object.fromEntries(
    Object.entries(index.columns).map(([name, column]) => [name, column instanceof KeysColumn ? '[]' : null]),
  )
  index.apply(
    listings.map((values): SourceRow => ({ ...empty, is_shown: 1, code: null, titles: '[]', ...values })),
  )
  return index
}
