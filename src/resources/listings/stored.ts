/**
 * What a write has to know of the listing that it changes: of seventy columns and nine lists those that its keys are
 * judged by, merged with and compared to. What is compared without having been read fails (`differs`).
 */
import { sql } from 'drizzle-orm'
import { location } from '../../catalogue/listing.ts'
import { prepared, type Statement, select } from '../../db/statements.ts'
import { listings } from '../../db/tables/listings.ts'
import { FIELDS, type ListingRow } from './queries.ts'
import type { ListingInput } from './schema.ts'

/** For every write: the guard, matching, and the rules about the category and the price. */
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

/** A listing as a write reads it: the fields outside `ALWAYS` only where its keys need them. */
export type StoredListing = Pick<ListingRow, (typeof ALWAYS_READ)[number]> & Partial<ListingRow>

/** What keys of the body stand for that are not called as what is stored. */
const GROUPS: Record<string, Field[]> = {
  'the service': ['extra'],
  title: ['translations'],
  description: ['translations'],
  location: [
    ...(Object.keys(location) as (keyof typeof location)[]),
    'display_address',
    'address_el',
    'address_en',
    'latitude',
    'longitude',
    'fake_address_el',
    'fake_latitude',
    'fake_longitude',
    'area1',
    'area2',
    'area3',
  ],
}

/** The statements rendered so far, by what they read. Clients choose that, so it is bounded. */
const builtStatements = new Map<string, ReturnType<typeof prepared<StoredListing>>>()
const MAX_BUILT = 200

/** The statement for what a write of the keys of `input` has to know of a listing; other keys of its row are absent. */
export function selectStoredListing(id: number, input: Partial<ListingInput>): Statement<StoredListing> {
  const sent = Object.keys(input).flatMap((key) => GROUPS[key] ?? (isField(key) ? [key] : []))
  const names = [...new Set([...ALWAYS_READ, ...sent])].toSorted((a, b) => a.localeCompare(b))
  const key = names.join()
  let selectThese = builtStatements.get(key)
  if (!selectThese) {
    const fields = Object.fromEntries(names.map((name) => [name, FIELDS[name]])) as StoredFields
    selectThese = prepared(() => select(fields, sql`from ${listings} where id = ${sql.placeholder('id')}`))
    if (builtStatements.size >= MAX_BUILT) builtStatements.clear()
    builtStatements.set(key, selectThese)
  }
  return selectThese({ id })
}

/** `stored`, known to have the fields `names`. Throws where it was read without one. */
export function fieldsRead<Name extends Field & keyof ListingRow>(
  stored: StoredListing,
  names: readonly Name[],
): Pick<ListingRow, Name> {
  const absent = names.find((name) => stored[name] === undefined)
  if (absent) throw new Error(`${absent} is needed, but was not read`)
  return stored as Pick<ListingRow, Name>
}

function isField(key: string): key is Field {
  return key in FIELDS
}
