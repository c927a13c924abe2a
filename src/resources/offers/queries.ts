/** Reads offers: whole records. */
import { getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import { round } from '../../catalogue/offer.ts'
import { jsonList, jsonObject, jsonOf, linkedIds } from '../../db/relations.ts'
import { prepared, type Statement, select } from '../../db/statements.ts'
import { offer_contacts, type offer_rounds, offers } from '../../db/tables/offers.ts'

type Round = Omit<InferSelectModel<typeof offer_rounds>, 'offer_id'>

/** A stored offer with its buyers, in their order, and its rounds, oldest first. */
export interface OfferRow extends InferSelectModel<typeof offers> {
  contacts: number[]
  rounds: Round[]
}

const LINK = 'offer_id = offers.id'

const BRIEF = {
  ...getTableColumns(offers),
  contacts: linkedIds(offers, offer_contacts),
  rounds: jsonOf<Round[]>("'[]'"),
}

const WHOLE = {
  ...BRIEF,
  rounds: jsonList<Round>('offer_rounds', jsonObject(round), LINK, 'date_created, id'),
}

/** The statement that reads whole offers. `rest` is the SQL after the table. */
export function selectOffers(rest: SQL): Statement<OfferRow> {
  return select(WHOLE, sql`from ${offers} ${rest}`)
}

/** Reads the offer `id` with its rounds. */
export const selectOffer = prepared(() => selectOffers(sql`where ${offers.id} = ${sql.placeholder('id')}`))

/** The statement that reads offers without their rounds. */
export function selectBriefOffers(rest: SQL): Statement<OfferRow> {
  return select(BRIEF, sql`from ${offers} ${rest}`)
}
