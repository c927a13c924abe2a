/** Import and export of offers: the offer object with its rounds. */
import { asc } from 'drizzle-orm'
import type { z } from 'zod'
import { replaceLinkRows, replaceRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import { idList } from '../../db/references.ts'
import * as tables from '../../db/tables/offers.ts'
import {
  checkReference,
  referencesOfListing,
  selectLevels,
  storedReference,
} from '../../resources/offers/listing-reference.ts'
import { presentOffer } from '../../resources/offers/present.ts'
import { type OfferRow, selectOffers } from '../../resources/offers/queries.ts'
import { importedOffer } from '../../resources/offers/schema.ts'
import { type Entity, type Entry, entity, type Incoming } from '../entity.ts'
import { checkChildIds, type StoredChild, selectOwners } from './stored.ts'

type Imported = z.output<typeof importedOffer>

interface Context {
  rounds: StoredChild[]
  levels: { id: number; level: number }[]
}

const offers = entity<typeof importedOffer, OfferRow, Context>({
  name: 'offers',
  schema: importedOffer,
  read: (db, where, limit) => selectOffers(db, true).where(where).orderBy(asc(tables.offers.id)).limit(limit),
  present: presentOffer,
  references: ({ request_id, store_id, created_by, listing, contacts, rounds }) => [
    { field: 'request_id', table: 'requests', ids: idList(request_id) },
    { field: 'store_id', table: 'stores', ids: idList(store_id) },
    { field: 'created_by', table: 'users', ids: idList(created_by) },
    ...referencesOfListing(listing),
    { field: 'contacts', table: 'contacts', ids: idList(contacts) },
    { field: 'rounds.created_by', table: 'users', ids: (rounds ?? []).map((round) => round.created_by) },
  ],
  load: async (db, lines) => {
    const values = lines.map((line) => line.values)
    const [rounds, levels] = await batch(db, [
      selectOwners(
        db,
        tables.offer_rounds,
        'offer_id',
        values.flatMap((value) => value.rounds ?? []),
      ),
      selectLevels(
        db,
        values.map(({ listing }) => listing),
      ),
    ])
    return { rounds, levels }
  },
  check: (draft, { rounds, levels }, { sent }, earlier) => {
    if (sent.has('listing')) checkReference(draft, levels)
    checkChildIds(draft, 'rounds', rounds, earlier)
  },
  resolve: resolveLine,
  store: storeOffers,
})

export const offerEntities: Entity[] = [offers]

function storeOffers(db: Database, entries: Entry<OfferRow>[]) {
  const rows = entries.map(({ row }) => row)
  return [
    ...upsertRows(db, tables.offers, rows),
    ...replaceLinkRows(
      db,
      tables.offer_contacts,
      ['offer_id', 'contact_id'],
      rows,
      ({ contacts }) => contacts,
    ),
    ...replaceRows(
      db,
      tables.offer_rounds,
      'offer_id',
      rows.map(({ id }) => id),
      rows.flatMap(({ id: offer_id, rounds }) => rounds.map((round) => ({ offer_id, ...round }))),
    ),
  ]
}

/** Dates that the line leaves open, its rounds' too, keep their stored values in any case. */
function resolveLine(
  values: Imported,
  _: unknown,
  { stored }: Incoming<Imported, OfferRow>,
  now: string,
): OfferRow {
  const created = values.date_created ?? stored?.date_created ?? now
  return {
    id: values.id,
    status: values.status,
    is_active: values.is_active,
    request_id: values.request_id ?? null,
    store_id: values.store_id,
    created_by: values.created_by,
    date_created: created,
    date_updated: values.date_updated ?? stored?.date_updated ?? created,
    currency: values.currency,
    current_listing_price: values.current_listing_price,
    loan_percentage: values.loan_percentage ?? 0,
    notes: values.notes ?? null,
    external_contact: values.external_contact ?? false,
    ...storedReference(values.listing),
    contacts: values.contacts ?? [],
    rounds: roundsOf(values, stored, now),
  }
}

/** In the order in which they are read. */
function roundsOf({ rounds }: Imported, stored: OfferRow | null, now: string): OfferRow['rounds'] {
  const before = new Map(stored?.rounds.map((round) => [round.id, round.date_created]))
  return (rounds ?? [])
    .map((round) => ({
      id: round.id,
      type: round.type,
      amount: round.amount ?? null,
      current_listing_price: round.current_listing_price ?? null,
      notes: round.notes ?? null,
      created_by: round.created_by,
      date_created: round.date_created ?? before.get(round.id) ?? now,
    }))
    .toSorted((a, b) =>
      a.date_created === b.date_created ? a.id - b.id : a.date_created < b.date_created ? -1 : 1,
    )
}
