/** Reads offers: whole records, and the pages of the list. */
import { eq, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { round } from '../../catalogue/offer.ts'
import type { Database } from '../../db/client.ts'
import { type Conditions, hasContact, whereClause, within } from '../../db/conditions.ts'
import { jsonList, jsonObject, jsonOf, linkedIds, type Page, pageWhere, readPage } from '../../db/page.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import { offer_contacts, type offer_rounds, offers } from '../../db/tables/offers.ts'
import type { offerFilters } from './schema.ts'

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

const selectPage = preparedAround((rest) => select(BRIEF, sql`from ${offers} ${rest}`))

const selectFullPage = preparedAround(selectOffers)

type Filters = z.output<typeof offerFilters>

const CONDITIONS = {
  status: (value) => eq(offers.status, value),
  is_active: (value) => eq(offers.is_active, value),
  listing_id: (id) => eq(offers.listing_id, id),
  request_id: (id) => eq(offers.request_id, id),
  store_id: (id) => eq(offers.store_id, id),
  created_by: (id) => eq(offers.created_by, id),
  contact_id: (id) => hasContact(offers, offer_contacts, id),
  date_created: (range) => within(offers.date_created, range),
  date_updated: (range) => within(offers.date_updated, range),
} satisfies Conditions<Filters>

/** One page of offers, and their total; one round trip. They have rounds only with `fields=all`. */
export function findPage(db: Database, filters: Filters): Promise<Page<OfferRow>> {
  const select = filters.fields === 'all' ? selectFullPage : selectPage
  return readPage(db, offers, pageWhere(offers, whereClause(CONDITIONS, filters), filters), select)
}
