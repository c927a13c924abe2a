/** Resolves the body of an external listing, after the rules have accepted it. */
import { owner, place, property, texts, watchers } from '../../catalogue/external-listing.ts'
import { divideToCents } from '../../fields/decimal.ts'
import { blankRecord, pick, toRow } from '../../fields/derive.ts'
import { emptyForNull, withoutUndefined } from '../../fields/values.ts'
import { externalListingKeys } from '../people/keys.ts'
import type { ExternalListingRow } from './queries.ts'
import type { ExternalListingFacts } from './references.ts'

/**
 * The columns that follow from `input` alone. Coordinates in `location` take precedence over those at the top level.
 * Callers replace status and price per square metre, as only the API has defaults for null.
 */
export function columnsOf(input: ExternalListingFacts) {
  const { location } = input
  const contacted = toRow(owner, input)
  return {
    ...toRow(watchers, input),
    ...toRow(property, input),
    ...toRow(texts, input),
    ...toRow(place, {
      ...location,
      latitude: location?.latitude ?? input.latitude,
      longitude: location?.longitude ?? input.longitude,
    }),
    ...contacted,
    person_keys: externalListingKeys(contacted),
  }
}

/** What a PUT changes: columns, and complete lists of ids. */
export interface ExternalListingChange {
  columns: Partial<Omit<ExternalListingRow, 'tags' | 'users'>>
  tags?: number[]
  users?: number[]
}

/**
 * What storing `input` changes in `current`. Null clears a key, and null for the location clears all of it. The price per
 * square metre is computed anew if the price or the size changes, unless it is sent.
 */
export function resolveChange(
  input: Partial<ExternalListingFacts>,
  current: ExternalListingRow,
): ExternalListingChange {
  const { tags, users, price, size } = input
  const columns: ExternalListingChange['columns'] = {
    ...pick(watchers, { store_id: input.store_id }),
    ...pick(property, input),
    ...pick(texts, input),
    ...pick(place, sentPlace(input)),
    ...pick(owner, input),
  }
  columns.person_keys = externalListingKeys({ ...current, ...columns })
  const isPriced =
    (price !== undefined && price !== current.price) || (size !== undefined && size !== current.size)
  if (isPriced && input.price_per_sqm === undefined) {
    columns.price_per_sqm = pricePerSqm({ ...current, ...withoutUndefined({ price, size }) })
  }
  return { columns, ...withoutUndefined({ tags: emptyForNull(tags), users: emptyForNull(users) }) }
}

/** The keys of the location that are sent. Coordinates within it take precedence over those at the top level. */
function sentPlace({ location, latitude, longitude }: Partial<ExternalListingFacts>) {
  return {
    ...(location === null ? blankRecord(place) : {}),
    ...withoutUndefined({ latitude, longitude }),
    ...withoutUndefined(location ?? {}),
  }
}

/** Price / size, rounded half up to two decimals; null if one is missing or the size is 0. */
export function pricePerSqm({ price, size }: Pick<ExternalListingFacts, 'price' | 'size'>): number | null {
  return !price || !size ? null : divideToCents(price, size)
}
