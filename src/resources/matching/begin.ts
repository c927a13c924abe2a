/**
 * Begins to match a listing in the batch that writes it. Most writes are done then: those of a listing that no request
 * wants, and those that cross no limit of a request that does.
 */
import { type Placeholder, sql } from 'drizzle-orm'
import type { Results } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { prepared, type SqlFragment, sqlStatement } from '../../db/statements.ts'
import { UNMATCHED } from '../../db/tables/listings.ts'
import { hasInterestedRequests, selectRequestPage } from './find.ts'
import { type Move, selectCandidates } from './listing-view.ts'
import { selectStoredMatches, selectUnmatched } from './store.ts'

/**
 * The last statements of a batch that writes a listing. Most listings have no matches, and no request could match them:
 * for these the mark is removed. For any other listing, the statements read what `finishBegunMatching` needs.
 * @param isLikely false if the batch has `matchedAfter` and no request has the listing among its matches: most of those stay
 *   matched, so nothing is read yet
 */
export function beginMatching(id: number, isLikely = true) {
  const ids = JSON.stringify([id])
  return {
    cleared: isLikely ? clearListingMark({ id, ids }) : null,
    marked: selectUnmatched([id]),
    read: isLikely ? selectMatching({ ids }) : null,
  }
}

/** The rows of a batch that begins to match a listing. */
export type BegunMatching = Pick<Results<ReturnType<typeof beginMatching>>, 'marked' | 'read'>

/**
 * Reads what matching needs: those of the listings that are marked, their stored matches, and the first page of
 * requests. Nothing is searched for listings whose mark is removed.
 */
function selectMatching(ids: { ids: string }) {
  return {
    listings: selectMarked(ids),
    stored: selectStoredOf(ids),
    requests: selectFirstPage(ids),
  }
}

export type ReadMatching = Results<ReturnType<typeof selectMatching>>

const IDS = sql.placeholder('ids')
const ID = sql.placeholder('id')

const MARKED = sql`select id from listings where ${isOneOf(sql`id`, IDS)} and ${UNMATCHED}`

/** The condition that a value is within the limits of the request `r`. */
const isWithinLimits = (column: Move['column'], value: Placeholder) => {
  const [min, max] = [sql.raw(`r.${column}_min`), sql.raw(`r.${column}_max`)]
  return sql`ifnull((${min} is null or ${value} >= ${min}) and (${max} is null or ${value} <= ${max}), 0)`
}

const crosses = (column: Move['column']) =>
  sql`${isWithinLimits(column, sql.placeholder(`from_${column}`))} <> ${isWithinLimits(column, sql.placeholder(`to_${column}`))}`

/** The rendered assignments, by the columns that move. */
const afterMoves = new Map<string, ReturnType<typeof prepared>>()

/**
 * The assignment of `matched_version` for a write that changes nothing but `moves` of what matching reads: the matches were
 * right before the batch, and stay so unless a limit of a request is crossed.
 */
export function matchedAfter(id: number, moves: Move[]): SqlFragment {
  const columns = moves.map(({ column }) => column)
  const key = columns.join()
  const assign =
    afterMoves.get(key) ??
    prepared(() => {
      const crossed = sql.join(columns.map(crosses), sql` or `)
      const stays = key ? sql`and not ${hasInterestedRequests(IDS, sql`(${crossed})`)}` : sql``
      return sqlStatement(sql`matched_version =
        case when matched_version = version ${stays} then version + 1 else matched_version end`)
    })
  afterMoves.set(key, assign)
  const values = moves.flatMap(({ column, from, to }) => [
    [`from_${column}`, from],
    [`to_${column}`, to],
  ])
  const { sql: text, params } = assign({ ids: JSON.stringify([id]), ...Object.fromEntries(values) })
  return { text, params }
}

const clearListingMark = prepared(() =>
  sqlStatement(sql`update listings set matched_version = version where id = ${ID} and ${UNMATCHED}
    and not exists (select 1 from request_matches where listing_id = ${ID}) and not ${hasInterestedRequests(IDS)}`),
)

const selectMarked = prepared(() => selectCandidates(MARKED))

const selectStoredOf = prepared(() => selectStoredMatches(MARKED))

const selectFirstPage = prepared(() => selectRequestPage(IDS, 0, UNMATCHED))
