/** Reads what the index needs of listings: ranges of ids, and what has changed since. */
import { type Statement, textStatement } from '../../../db/statements.ts'
import { LAST_FILL } from '../../../db/tables/public-listings.ts'
import { SOURCE_COLUMNS, SOURCE_TABLES, type SourceRow } from './listing-index.ts'
import { PLACES_VERSION } from './places.ts'

/** The first listings from `first` to `last`, at most `limit`, in the order of their ids. */
export function selectListingRange(first: number, last: number, limit: number): Statement<SourceRow> {
  return textStatement(
    `select ${SOURCE_COLUMNS} from ${SOURCE_TABLES} where listings.id between ? and ? order by listings.id limit ${limit}`,
    [first, last],
  )
}

/** A change of a listing: the listing as it is now, or nulls if it is gone. */
export type ChangedRow = { cursor: number; changed_id: number } & (SourceRow | { id: null })

/** The listings that have changed after `cursor`, in the order of the change feed. */
export function selectChangedListings(cursor: number, limit: number): Statement<ChangedRow> {
  return textStatement(
    `select changed.cursor, changed.id as changed_id, ${SOURCE_COLUMNS}
    from (select cursor, id from changes where resource = 'listings' and cursor > ? order by cursor limit ${limit}) changed
    left join listings on listings.id = changed.id
    left join public_listings visible on visible.id = listings.id
    order by changed.cursor`,
    [cursor],
  )
}

/** The state of the change feed. */
export interface Position {
  /** The highest cursor of the change feed. */
  cursor: number
  /** The highest cursor of a change that was forgotten. */
  purged: number
  /** Changes when the database is replaced, or what visitors see is filled anew. */
  deployment: string
  places: string
}

export const SELECT_POSITION: Statement<Position> = textStatement(
  `select ifnull((select max(cursor) from changes), 0) as cursor, purged, deployment || ${LAST_FILL} as deployment,
    ${PLACES_VERSION} as places from change_feed`,
)
