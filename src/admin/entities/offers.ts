/** Import and export of offers: the offer object with its rounds. */
import { z } from 'zod'
import { OFFER_STATUSES, ROUND_TYPES } from '../../catalogue/enums.ts'
import type { NamedArea } from '../../db/areas.ts'
import { replaceLinkRows, replaceRows, upsertRows } from '../../db/bulk.ts'
import { batch } from '../../db/client.ts'
import { inIdOrder } from '../../db/page.ts'
import { idList } from '../../db/references.ts'
import * as tables from '../../db/tables/offers.ts'
import { count, dateTime, id, ids, LONG_TEXT, list, optionalText, text } from '../../fields/values.ts'
import { presentOffer } from '../../resources/offers/present.ts'
import { type OfferRow, selectOffers } from '../../resources/offers/queries.ts'
import { type Entity, type Entry, entity, type Incoming } from '../entity.ts'
import { datesOf } from './dates.ts'
import {
  checkReference,
  importedReference,
  referencesOfListing,
  selectLevels,
  storedReference,
} from './listing-reference.ts'
import { checkChildIds, type StoredChild, selectOwners } from './stored.ts'

/** Most bytes of the rounds of an offer as JSON: they are read as one value, and D1 has none above 2 MB. */
const MAX_ROUNDS = 1_000_000

/** What import takes: the offer object. */
const importedOffer = z.object({
  id: id(),
  status: z.enum(OFFER_STATUSES),
  is_active: z.boolean(),
  request_id: id().nullish(),
  store_id: id(),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  currency: text(),
  current_listing_price: count(),
  loan_percentage: count().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
  external_contact: z.boolean().nullish(),
  listing: importedReference,
  contacts: ids().nullish(),
  rounds: list(
    z.object({
      id: id(),
      type: z.enum(ROUND_TYPES),
      amount: count().nullish(),
      current_listing_price: count().nullish(),
      notes: optionalText(LONG_TEXT).nullish(),
      created_by: id(),
      date_created: dateTime().nullish(),
    }),
    { bytes: MAX_ROUNDS },
  ).nullish(),
})

type Imported = z.output<typeof importedOffer>

interface Context {
  rounds: StoredChild[]
  levels: NamedArea[]
}

const offers = entity<typeof importedOffer, OfferRow, Context>({
  name: 'offers',
  schema: importedOffer,
  read: (where, limit) => selectOffers(inIdOrder(tables.offers.id, where, limit)),
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
    return batch(db, {
      rounds: selectOwners(
        tables.offer_rounds,
        'offer_id',
        values.flatMap((value) => value.rounds ?? []),
      ),
      levels: selectLevels(values.map(({ listing }) => listing)),
    })
  },
  check: (draft, { rounds, levels }, { sent }, earlier) => {
    if (sent.has('listing')) checkReference(draft, levels)
    checkChildIds(draft, 'rounds', rounds, earlier)
  },
  resolve: resolveLine,
  usesDefinitions: true,
  store: storeOffers,
})

export const offerEntities: Entity[] = [offers]

function storeOffers(entries: Entry<OfferRow>[]) {
  const rows = entries.map(({ row }) => row)
  return [
    ...upsertRows(tables.offers, rows),
    ...replaceLinkRows(tables.offer_contacts, rows, ({ contacts }) => contacts),
    ...replaceRows(
      tables.offer_rounds,
      'offer_id',
      rows.map(({ id }) => id),
      rows.flatMap(({ id: offer_id, rounds }) => rounds.map((round) => ({ offer_id, ...round }))),
    ),
  ]
}

/** Dates of rounds that the line leaves open keep their stored values, too. */
function resolveLine(
  values: Imported,
  _: unknown,
  { stored }: Incoming<Imported, OfferRow>,
  now: string,
): OfferRow {
  return {
    id: values.id,
    status: values.status,
    is_active: values.is_active,
    request_id: values.request_id ?? null,
    store_id: values.store_id,
    created_by: values.created_by,
    ...datesOf(values, stored, now),
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
