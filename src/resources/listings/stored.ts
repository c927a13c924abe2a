/**
 * Reads what a write needs of a listing. Of its seventy columns and nine lists, these are the ones that the rules and
 * the merge use for the keys of the body. Using a column that was not read is an error (`hasChanges`, `fieldsRead`).
 */
import { sql } from 'drizzle-orm'
import { location } from '../../catalogue/listing.ts'
import { prepared, type Statement, select } from '../../db/statements.ts'
import { listings } from '../../db/tables/listings.ts'
import type { ListingInput } from './input.ts'
import { FIELDS, type ListingRow } from './queries.ts'

/** Read for every write: for the guard, for matching, and for the rules about category and price. */
const ALWAYS_READ = [
  'id',
  'version',
  'status',
  'category',
  'subcategory',
  'price',
  'size',
  'price_per_sqm',
] as const satisfies Field[]

type Field = keyof typeof FIELDS

type StoredFields = Pick<typeof FIELDS, (typeof ALWAYS_READ)[number]> & Partial<typeof FIELDS>

/** Whether requests have it among their matches: then a change likely concerns them. */
const IS_MATCHED = sql<number>`exists (select 1 from request_matches where listing_id = listings.id)`

/** A listing as a write reads it. Fields outside `ALWAYS_READ` are present only if keys of the body need them. */
export type StoredListing = Pick<ListingRow, (typeof ALWAYS_READ)[number]> & Partial<ListingRow>

type ReadListing = StoredListing & { is_matched: number }

/** What the public point and address are made of, and what they are. */
export const STORED_LOCATION = [
  'display_address',
  'address_el',
  'latitude',
  'longitude',
  'fake_address_el',
  'fake_latitude',
  'fake_longitude',
  'checked_latitude',
  'checked_longitude',
] as const satisfies Field[]

/** The stored fields of keys in the body that have another name. */
const GROUPS: Record<string, Field[]> = {
  'the service': ['extra'],
  title: ['translations'],
  description: ['translations'],
  location: [
    ...(Object.keys(location) as (keyof typeof location)[]),
    ...STORED_LOCATION,
    ...(['address_en', 'area1', 'area2', 'area3'] as const),
  ],
}

/**
 * The rendered statements, by the fields that they read. Clients determine the combinations, so the number is limited.
 */
const builtStatements = new Map<string, ReturnType<typeof prepared<ReadListing>>>()
const MAX_BUILT = 200

/** The statement that reads the fields which a write of `input` needs. Other fields are missing from its row. */
export function selectStoredListing(id: number, input: Partial<ListingInput>): Statement<ReadListing> {
  const sent = Object.keys(input).flatMap((key) => GROUPS[key] ?? (isField(key) ? [key] : []))
  const names = [...new Set([...ALWAYS_READ, ...sent])].toSorted((a, b) => a.localeCompare(b))
  const key = names.join()
  let selectFields = builtStatements.get(key)
  if (!selectFields) {
    const fields = Object.fromEntries(names.map((name) => [name, FIELDS[name]])) as StoredFields
    selectFields = prepared(() =>
      select(
        { ...fields, is_matched: IS_MATCHED },
        sql`from ${listings} where id = ${sql.placeholder('id')}`,
      ),
    )
    if (builtStatements.size >= MAX_BUILT) builtStatements.clear()
    builtStatements.set(key, selectFields)
  }
  return selectFields({ id })
}

/** `stored` with the type of the fields `names`. Throws if one of them was not read. */
export function fieldsRead<Name extends Field & keyof ListingRow>(
  stored: StoredListing,
  names: readonly Name[],
): Pick<ListingRow, Name> {
  const missing = names.find((name) => stored[name] === undefined)
  if (missing) throw new Error(`${missing} is needed, but was not read`)
  return stored as Pick<ListingRow, Name>
}

function isField(key: string): key is Field {
  return key in FIELDS
}
