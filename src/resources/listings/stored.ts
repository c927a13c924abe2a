/**
 * What a write has to know of the listing that it changes: of seventy columns and nine lists those that its keys are
 * judged by, merged with and compared to. What is compared without having been read fails (`differs`).
 */
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { location } from '../../catalogue/listing.ts'
import type { Statement } from '../../db/client.ts'
import { fixed } from '../../db/statements.ts'
import { listings } from '../../db/tables/listings.ts'
import { type ListingRow, relations } from './queries.ts'
import type { ListingInput } from './schema.ts'

const PARTS = { ...getTableColumns(listings), ...relations }

type Part = keyof typeof PARTS

/** For every write: the guard, matching, and the rules about the category and the price. */
const ALWAYS: Part[] = [
  'id',
  'version',
  'status',
  'category',
  'subcategory',
  'price',
  'size',
  'price_per_sqm',
]

/** What keys of the body stand for that are not called as what is stored. */
const GROUPS: Record<string, Part[]> = {
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

type SelectStored = (values: { id: number }) => Statement & { _: { result: ListingRow[] } }

/** The statements built so far, by what they read. Clients choose that, so it is bounded. */
const built = new Map<string, SelectStored>()
const MOST_BUILT = 200

/** The statement for what a write of the keys of `input` has to know of a listing; other keys of its row are absent. */
export function selectStored(id: number, input: Partial<ListingInput>) {
  const sent = Object.keys(input).flatMap((key) => GROUPS[key] ?? (key in PARTS ? [key as Part] : []))
  const names = [...new Set([...ALWAYS, ...sent])].toSorted((a, b) => a.localeCompare(b))
  const key = names.join()
  let select = built.get(key)
  if (!select) {
    const parts = Object.fromEntries(names.map((name) => [name, PARTS[name]]))
    select = fixed((db) =>
      db
        .select(parts)
        .from(listings)
        .where(eq(listings.id, sql.placeholder('id'))),
    ) as unknown as SelectStored
    if (built.size >= MOST_BUILT) built.clear()
    built.set(key, select)
  }
  return select({ id })
}
