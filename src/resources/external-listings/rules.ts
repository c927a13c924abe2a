/** The rules of an external listing: what a body refers to, whether it may be stored, and what is stored. */

import { sql } from 'drizzle-orm'
import { belongsTo, SUBCATEGORIES } from '../../catalogue/enums.ts'
import { property } from '../../catalogue/external-listing.ts'
import type { Database } from '../../db/client.ts'
import {
  fieldReferences,
  idList,
  type Missing,
  type Reference,
  readMissing,
  refuseMissing,
  selectMissing,
} from '../../db/references.ts'
import type { external_listings } from '../../db/tables/external-listings.ts'
import { divideToCents } from '../../fields/decimal.ts'
import type { Draft } from '../../http/check.ts'
import type { ExternalListingInput } from './schema.ts'

/** What import and the API have in common. */
export type ExternalListingFacts = Omit<ExternalListingInput, 'photos'>

type ExternalListingColumns = Omit<
  typeof external_listings.$inferInsert,
  'id' | 'date_created' | 'date_updated' | 'photos' | 'status' | 'price_per_sqm'
>

interface Area {
  id: number
  level: number
  parent_id: number | null
  /** The parent's parent. */
  grandparent_id: number | null
}

/** What the database knows about what bodies refer to. */
export interface Found {
  missing: Missing
  areas: Area[]
  /** The status of an external listing whose body names none. */
  default_status: number | null
}

const AREAS = ['area_level1', 'area_level2', 'area_level3'] as const

/** Everything that `input` refers to by id. */
export function referencesOf(input: Partial<ExternalListingFacts>): Reference[] {
  const { created_by, store_id, location, tags, users } = input
  return [
    { field: 'created_by', table: 'users', ids: idList(created_by) },
    { field: 'store_id', table: 'stores', ids: idList(store_id) },
    ...fieldReferences(property, input),
    ...AREAS.map((field) => ({
      field: `location.${field}`,
      table: 'locations',
      ids: idList(location?.[field]),
    })),
    { field: 'tags', table: 'external_listing_tags', ids: idList(tags) },
    { field: 'users', table: 'users', ids: idList(users) },
  ]
}

/** The statements, for one batch, whose answers `readFound` understands. */
export function selectFound(db: Database, inputs: Partial<ExternalListingFacts>[], references: Reference[]) {
  const areas = inputs.flatMap(({ location }) => AREAS.flatMap((field) => location?.[field] ?? []))
  return [
    selectMissing(references),
    db.all<FactsRow>(sql`select
      (select json_group_array(json_object('id', own.id, 'level', own.level, 'parent_id', own.parent_id,
          'grandparent_id', parent.parent_id))
        from locations own left join locations parent on parent.id = own.parent_id
        where own.id in (select value from json_each(${JSON.stringify(areas)}))) as areas,
      cast(coalesce((select value from settings where key = 'default_external_listing_status_id'),
        (select min(id) from external_listing_statuses)) as integer) as default_status`),
  ] as const
}

interface FactsRow {
  areas: string
  default_status: number | null
}

/** The answers of `selectFound`. */
export function readFound(missing: Parameters<typeof readMissing>[0], [facts]: FactsRow[]): Found {
  return {
    missing: readMissing(missing),
    areas: JSON.parse(facts?.areas ?? '[]'),
    default_status: facts?.default_status ?? null,
  }
}

/** Notes in `draft` whatever does not exist or does not fit. */
export function checkExternalListing(
  draft: Draft<ExternalListingFacts>,
  references: Reference[],
  found: Found,
): void {
  refuseMissing(draft, references, found.missing)
  checkSubcategory(draft)
  checkExternalAreas(draft, found)
}

/** A subcategory needs a category, and must be one of its own. */
export function checkSubcategory(draft: Draft<ExternalListingFacts>): void {
  const { category, subcategory } = draft.values
  if (!subcategory || draft.isRefused('category')) return
  if (!category) draft.refuse('subcategory', 'Invalid subcategory: requires category')
  else if (!belongsTo(subcategory, category)) {
    draft.refuse('subcategory', `Invalid subcategory: must be one of ${SUBCATEGORIES[category].join(', ')}`)
  }
}

/** Each area is of its level, and within those given above it; levels may be left out. */
export function checkExternalAreas(
  draft: Draft<ExternalListingFacts>,
  { areas }: Pick<Found, 'areas'>,
): void {
  const { location } = draft.values
  for (const [index, field] of AREAS.entries()) {
    const name = `location.${field}`
    const area = areas.find(({ id }) => id === location?.[field])
    if (!area || draft.isRefused(name)) continue
    const level = index + 1
    if (area.level !== level) {
      draft.refuse(name, `Invalid ${name}: must be a location of level ${level}`)
      continue
    }
    const ancestors = [area.parent_id, area.grandparent_id]
    for (const [distance, ancestor] of ancestors.entries()) {
      const above = AREAS[index - 1 - distance]
      const given = above && location?.[above]
      if (!given || draft.isRefused(`location.${above}`)) continue
      // Only the nearest one given is compared: what is above that is compared with it.
      if (given !== ancestor) draft.refuse(name, `Invalid ${name}: is not part of ${above} ${given}`)
      break
    }
  }
}

/**
 * What `input` decides alone; coordinates of the location win over those beside it. Status and price per square metre
 * depend on who asks: for the API null is the same as nothing.
 */
export function columnsOf(input: ExternalListingFacts): ExternalListingColumns {
  const { location } = input
  return {
    created_by: input.created_by,
    store_id: input.store_id,
    source_id: input.source_id ?? null,
    external_url: input.external_url ?? null,
    availability: input.availability ?? null,
    category: input.category ?? null,
    subcategory: input.subcategory ?? null,
    price: input.price ?? null,
    size: input.size ?? null,
    floor: input.floor ?? null,
    levels: input.levels ?? null,
    rooms: input.rooms ?? null,
    wcs: input.wcs ?? null,
    bathrooms: input.bathrooms ?? null,
    kitchens: input.kitchens ?? null,
    living_rooms: input.living_rooms ?? null,
    year_built: input.year_built ?? null,
    description: input.description ?? null,
    address: location?.address ?? null,
    area_level1: location?.area_level1 ?? null,
    area_level2: location?.area_level2 ?? null,
    area_level3: location?.area_level3 ?? null,
    latitude: location?.latitude ?? input.latitude ?? null,
    longitude: location?.longitude ?? input.longitude ?? null,
    contact_full_name: input.contact_full_name ?? null,
    contact_email: input.contact_email ?? null,
    contact_phones: input.contact_phones ?? null,
  }
}

/** Price / size rounded half up to two decimals; null when one is missing or the size is 0. */
export function pricePerSqm({ price, size }: Pick<ExternalListingFacts, 'price' | 'size'>): number | null {
  return price == null || !size ? null : divideToCents(price, size)
}
