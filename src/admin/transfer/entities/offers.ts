/** Import and export of offers: the offer object with its rounds. */
import { z } from 'zod'
import { offer, round } from '../../../catalogue/offer.ts'
import type { NamedArea } from '../../../db/areas.ts'
import { inIdOrder, replaceLinkRows, replaceRows, upsertRows } from '../../../db/bulk.ts'
import { batch } from '../../../db/client.ts'
import { fieldReferences, idList } from '../../../db/references.ts'
import * as tables from '../../../db/tables/offers.ts'
import { inputs, toRow } from '../../../fields/derive.ts'
import { ids, list } from '../../../fields/values.ts'
import { presentOffer } from '../../../resources/offers/present.ts'
import { type OfferRow, selectOffers } from '../../../resources/offers/queries.ts'
import { defineEntity, type Entity, type ImportedLine, type StoredLine } from '../entity.ts'
import { datesOf } from './dates.ts'
import {
  checkReference,
  importedReference,
  referencesOfListing,
  selectLevels,
  storedReference,
} from './listing-reference.ts'
import { checkChildIds, type StoredChild, selectOwners } from './stored.ts'

/** Maximum bytes of the rounds of an offer as JSON: they are read as one value, which D1 limits to 2 MB. */
const MAX_ROUND_BYTES = 1_000_000

/** The fields of an imported offer: the offer object. */
const importedOffer = z.object({
  ...inputs(offer),
  listing: importedReference.describe('The property'),
  contacts: ids().nullish().describe('Buyers'),
  rounds: list(z.object(inputs(round)), { bytes: MAX_ROUND_BYTES })
    .nullish()
    .describe('The negotiation so far'),
})

type Imported = z.output<typeof importedOffer>

interface Context {
  rounds: StoredChild[]
  levels: NamedArea[]
}

const offers = defineEntity<typeof importedOffer, OfferRow, Context>({
  name: 'offers',
  schema: importedOffer,
  read: (where, limit) => selectOffers(inIdOrder(tables.offers.id, where, limit)),
  present: presentOffer,
  references: (values) => [
    ...fieldReferences(offer, values),
    ...referencesOfListing(values.listing),
    { field: 'contacts', table: 'contacts', ids: idList(values.contacts) },
    ...(values.rounds ?? []).flatMap((line) => fieldReferences(round, line, 'rounds.')),
  ],
  nestedIds: ({ rounds }) =>
    (rounds ?? []).map(({ id }, index) => ({
      field: `rounds.${index}.id`,
      table: 'offer_rounds',
      ids: [id],
    })),
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
  check: (draft, { rounds, levels }, { changedKeys }, earlier) => {
    if (changedKeys.has('listing')) checkReference(draft, levels)
    checkChildIds(draft, 'rounds', rounds, earlier)
  },
  resolve: resolveLine,
  usesDefinitions: true,
  store: storeOffers,
})

export const offerEntities: Entity[] = [offers]

function storeOffers(entries: StoredLine<OfferRow>[]) {
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

/** Dates of rounds without a value in the line keep their stored values. */
function resolveLine(
  values: Imported,
  _: unknown,
  { stored }: ImportedLine<Imported, OfferRow>,
  now: string,
): OfferRow {
  return {
    ...toRow(offer, values),
    ...datesOf(values, stored, now),
    ...storedReference(values.listing),
    contacts: values.contacts ?? [],
    rounds: roundsOf(values, stored, now),
  }
}

/** The rounds in the order in which they are read. */
function roundsOf({ rounds }: Imported, stored: OfferRow | null, now: string): OfferRow['rounds'] {
  const before = new Map(stored?.rounds.map(({ id, date_created }) => [id, date_created]))
  return (rounds ?? [])
    .map((line) => ({
      ...toRow(round, line),
      date_created: line.date_created ?? before.get(line.id) ?? now,
    }))
    .toSorted((a, b) =>
      a.date_created === b.date_created ? a.id - b.id : a.date_created < b.date_created ? -1 : 1,
    )
}
