/** Reading offers: whole records, and the pages of the list. */
import { desc, eq, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { round } from '../../catalogue/offer.ts'
import { type Database, within } from '../../db/client.ts'
import { type Conditions, hasContact, whereOf } from '../../db/conditions.ts'
import { jsonObject, listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
import { fixed, fixedAround } from '../../db/statements.ts'
import { offer_contacts, type offer_rounds, offers } from '../../db/tables/offers.ts'
import type { offerFilters } from './schema.ts'

type Round = Omit<InferSelectModel<typeof offer_rounds>, 'offer_id'>

/** A stored offer with its buyers, in their order, and its rounds, oldest first. */
export interface OfferRow extends InferSelectModel<typeof offers> {
  contacts: number[]
  rounds: Round[]
}

const LINK = 'offer_id = offers.id'

const contacts = listOf<number>('offer_contacts', 'contact_id', LINK)
const rounds = listOf<Round>('offer_rounds', jsonObject(round), LINK, 'date_created, id')
const noRounds = sql<Round[]>`'[]'`.mapWith(JSON.parse)

/** Whole offers, what belongs to them in sub-selects: one statement. */
export function selectOffers(db: Database, withRounds: boolean) {
  return db
    .select({ ...getTableColumns(offers), contacts, rounds: withRounds ? rounds : noRounds })
    .from(offers)
}

/** The offer `id`, with its rounds. */
export const selectOffer = fixed((db) => selectOffers(db, true).where(eq(offers.id, sql.placeholder('id'))))

const selectPage = fixedAround((db, ofPage) => selectOffers(db, false).where(ofPage).orderBy(desc(offers.id)))

const selectFullPage = fixedAround((db, ofPage) =>
  selectOffers(db, true).where(ofPage).orderBy(desc(offers.id)),
)

type Filters = z.output<typeof offerFilters>

const CONDITIONS = {
  status: (value) => eq(offers.status, value),
  is_active: (value) => eq(offers.is_active, value),
  listing_id: (id) => eq(offers.listing_id, id),
  request_id: (id) => eq(offers.request_id, id),
  store_id: (id) => eq(offers.store_id, id),
  created_by: (id) => eq(offers.created_by, id),
  contact_id: (id) => hasContact(offers, offer_contacts, 'offer_id', id),
  date_created: (range) => within(sql`${offers.date_created}`, range),
  date_updated: (range) => within(sql`${offers.date_updated}`, range),
} satisfies Conditions<Filters>

/** The offers of one page, newest first, and how many match in all; one round trip. Rounds only with `fields=all`. */
export function findPage(db: Database, filters: Filters): Promise<Page<OfferRow>> {
  const select = filters.fields === 'all' ? selectFullPage : selectPage
  return readPage(db, 'offers', pageWhere('offers', whereOf(CONDITIONS, filters), filters.page), select)
}
