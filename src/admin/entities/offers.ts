/** Import and export of offers: the offer object with its rounds. */
import { asc, gt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { replaceLinkRows, replaceRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database, type Statement } from '../../db/client.ts'
import { idList } from '../../db/references.ts'
import * as tables from '../../db/tables/offers.ts'
import { formatDateTime } from '../../fields/values.ts'
import {
  checkListing,
  referencesOfListing,
  selectLevels,
  storedReference,
} from '../../resources/offers/listing-reference.ts'
import { selectOffers } from '../../resources/offers/queries.ts'
import { importedOffer, presentOffer } from '../../resources/offers/schema.ts'
import { type Entity, entity } from '../entity.ts'
import { checkChildIds, type StoredChild, type StoredDates, selectDates } from './stored.ts'

type Imported = z.output<typeof importedOffer>

interface Context {
  dates: StoredDates[]
  rounds: (StoredChild & { date_created: string })[]
  levels: { id: number; level: number }[]
}

const offers = entity<typeof importedOffer, Context>({
  name: 'offers',
  schema: importedOffer,
  references: ({ request_id, store_id, created_by, listing, contacts, rounds }) => [
    { field: 'request_id', table: 'requests', ids: idList(request_id) },
    { field: 'store_id', table: 'stores', ids: idList(store_id) },
    { field: 'created_by', table: 'users', ids: idList(created_by) },
    ...referencesOfListing(listing),
    { field: 'contacts', table: 'contacts', ids: idList(contacts) },
    { field: 'rounds.created_by', table: 'users', ids: (rounds ?? []).map((round) => round.created_by) },
  ],
  load: async (db, values) => {
    const ids = JSON.stringify(values.flatMap(({ rounds }) => (rounds ?? []).map(({ id }) => id)))
    const [dates, rounds, levels] = await batch(db, [
      selectDates(db, tables.offers, values),
      db.all<Context['rounds'][number]>(sql`select id, offer_id as owner, date_created from offer_rounds
        where id in (select value from json_each(${ids}))`),
      selectLevels(
        db,
        values.map(({ listing }) => listing),
      ),
    ])
    return { dates, rounds, levels }
  },
  check: (draft, { rounds, levels }, earlier) => {
    checkListing(draft, levels)
    checkChildIds(draft, 'rounds', rounds, earlier)
  },
  store: storeOffers,
  page: async (db, after, limit) => {
    const rows = await selectOffers(db, true)
      .where(gt(tables.offers.id, after))
      .orderBy(asc(tables.offers.id))
      .limit(limit)
    return rows.map(presentOffer)
  },
})

export const offerEntities: Entity[] = [offers]

function storeOffers(db: Database, lines: Imported[], context: Context): Statement[] {
  const ids = lines.map(({ id }) => id)
  const now = formatDateTime(new Date())
  return [
    upsertRows(
      db,
      tables.offers,
      lines.map((line) => columnsOf(line, context, now)),
    ),
    ...replaceLinkRows(db, tables.offer_contacts, ['offer_id', 'contact_id'], lines, (line) => line.contacts),
    ...replaceRows(
      db,
      tables.offer_rounds,
      'offer_id',
      ids,
      lines.flatMap((line) => roundsOf(line, context, now)),
    ),
  ]
}

/** Every column of an offer's row; dates that the line leaves open keep their stored values. */
function columnsOf(line: Imported, { dates }: Context, now: string) {
  const stored = dates.find(({ id }) => id === line.id)
  const created = line.date_created ?? stored?.date_created ?? now
  return {
    id: line.id,
    status: line.status,
    is_active: line.is_active,
    request_id: line.request_id ?? null,
    store_id: line.store_id,
    created_by: line.created_by,
    date_created: created,
    date_updated: line.date_updated ?? stored?.date_updated ?? created,
    currency: line.currency,
    current_listing_price: line.current_listing_price,
    loan_percentage: line.loan_percentage ?? 0,
    notes: line.notes ?? null,
    external_contact: line.external_contact ?? false,
    ...storedReference(line.listing),
  }
}

function roundsOf({ id, rounds }: Imported, context: Context, now: string) {
  return (rounds ?? []).map((round) => ({
    id: round.id,
    offer_id: id,
    type: round.type,
    amount: round.amount ?? null,
    current_listing_price: round.current_listing_price ?? null,
    notes: round.notes ?? null,
    created_by: round.created_by,
    date_created:
      round.date_created ?? context.rounds.find((stored) => stored.id === round.id)?.date_created ?? now,
  }))
}
