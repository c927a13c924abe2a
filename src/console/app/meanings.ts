/** What the ids in records are ids of. */
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'

/** The lists whose ids fields hold; `*` stands for the resource. */
const LISTS: readonly (readonly [field: RegExp, list: string])[] = [
  [/^(?:users|user_id|created_by|shared_by|partner_id)$/, 'users'],
  [/^stores?(?:_id)?$/, 'stores'],
  [/^language_id$/, 'languages'],
  [/^(?:locations|area_level\d)$/, 'locations'],
  [/^subtypes?$/, 'listings/subtypes'],
  [/^status(?:_id)?$/, '*/statuses'],
  [/^source_id$/, '*/sources'],
  [/^special_locations$/, 'special-locations'],
  [/^listing_tags$/, 'listings/tags'],
  [/^tags$/, '*/tags'],
  [/^(other_)?category_id$/, '*/categories'],
]

/** An entry of a list, or a record. */
export type IdMeaning = { list: string } | { records: string }

/** The list under `/api/` whose ids a field holds, or the resource whose records it names; null for other fields. */
export function meaningOf(resource: string, field: string): IdMeaning | null {
  const last = field.slice(field.lastIndexOf('.') + 1)
  const found = LISTS.find(([pattern]) => pattern.test(last))
  if (found?.[1].startsWith('*') && !RECORD_RESOURCES.some((one) => one.resource === resource)) return null
  if (found) {
    const name = last.startsWith('other_') ? found[1].replace('/', '/other-') : found[1]
    return { list: name.replace('*', resource.split('/')[0] ?? '') }
  }
  const records = RECORD_RESOURCES.filter(
    ({ table, one }) =>
      last === table || `_${last}`.endsWith(`_${one.toLowerCase().replaceAll(' ', '_')}_id`),
    // An external listing is no listing.
  ).toSorted((a, b) => b.one.length - a.one.length)[0]
  return records ? { records: records.table } : null
}
