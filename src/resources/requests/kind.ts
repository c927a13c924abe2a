/** What a request is for after a body is merged into it. */
import { SUBCATEGORIES } from '../../catalogue/enums.ts'
import type { ListingKind } from '../../catalogue/request.ts'
import type { RequestRow } from './queries.ts'
import type { RequestInput } from './schema.ts'

/** The kind of listings that are wanted: all subcategories of the category unless the request names some of them. */
interface RequestKind extends ListingKind {
  subcategories: RequestRow['subcategories']
}

/** The kind after `input` is merged; null if category or availability is unknown. */
export function kindOf(input: Partial<RequestInput>, current: RequestRow | null): RequestKind | null {
  const { category = current?.category, availability = current?.availability } = input
  if (!category || !availability) return null
  const stored = current?.category === category ? current.subcategories : []
  const chosen = input.subcategories === undefined ? stored : (input.subcategories ?? [])
  return {
    category,
    availability,
    subcategories: chosen.length > 0 ? chosen : [...SUBCATEGORIES[category]],
  }
}
