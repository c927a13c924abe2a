/** Rounds as they are stored: those of calls, and those that end offers when something else happens. */
import { sql } from 'drizzle-orm'
import { isOneOf } from '../../db/conditions.ts'
import { type SqlFragment, type Statement, sqlStatement, textStatement } from '../../db/statements.ts'
import { type offer_rounds, offers } from '../../db/tables/offers.ts'
import { enterChangesWhere, jsonNames } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { OfferStatus } from './transitions.ts'

export const MAX_ROUNDS = 500

/** Throws 409 if an offer cannot take another round. */
export function requireRoom(offer: string, hasRoom: boolean): void {
  if (!hasRoom) throw new ApiError(409, `${offer} has ${MAX_ROUNDS} rounds`)
}

export type NewRound = Omit<typeof offer_rounds.$inferInsert, 'id' | 'offer_id'>

/** The statement that adds a round to an offer. */
export function insertRound(offer: SqlFragment, round: NewRound): Statement<{ id: number }> {
  const { type, amount, current_listing_price, notes, created_by, date_created } = round
  return textStatement(
    `insert into offer_rounds
      (offer_id, type, amount, current_listing_price, notes, created_by, date_created)
    values (${offer.text}, ?, ?, ?, ?, ?, ?) returning id`,
    [...offer.params, type, amount, current_listing_price, notes, created_by, date_created],
  )
}

/** Why offers end. */
interface Ending {
  as: Extract<OfferStatus, 'rejected' | 'withdrawn'>
  notes: string
  created_by: number
}

/** The statements that end offers: a round for each, their status, and their entries in the trail. */
export function endOffers(ids: readonly number[], { as, notes, created_by }: Ending) {
  const now = formatDateTime(new Date())
  const ended = isOneOf(sql`id`, ids)
  return {
    rounds: sqlStatement(sql`insert into offer_rounds
        (offer_id, type, amount, current_listing_price, notes, created_by, date_created)
      select id, ${as}, null, ifnull((select price from listings where listings.id = offers.listing_id),
          external_property ->> 'price'), ${notes}, ${created_by},
        max(${now}, ifnull((select max(date_created) from offer_rounds where offer_id = offers.id), ''))
      from offers where ${ended}`),
    trail: enterChangesWhere(offers, ended, {
      changed: sql`json_patch(json_object('status', json_array(status, ${as})),
        iif(is_active, '{"is_active":[true,false]}', '{}'))`,
      others: jsonNames('rounds'),
    }),
    rows: sqlStatement(sql`update offers set status = ${as}, is_active = 0, version = version + 1, date_updated = ${now}
      where ${ended}`),
  }
}
