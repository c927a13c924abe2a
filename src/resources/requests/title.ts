/** The title of a request that has none of its own: `Residential for sale: Athens, Piraeus`. */
import { sql } from 'drizzle-orm'
import type { ListingKind } from '../../catalogue/request.ts'
import { SHORT_TEXT } from '../../fields/values.ts'

/** Maximum places in a generated title. */
const TITLE_PLACES = 3

const CATEGORY_WORDS = {
  residential: 'Residential',
  commercial: 'Commercial',
  land: 'Land',
  other: 'Other property',
} as const

const AVAILABILITY_WORDS = {
  sale: 'for sale',
  rent: 'for rent',
  auction: 'for auction',
  shortterm: 'for short-term rent',
} as const

/** The title for the names of the places that are sought. */
export function generatedTitle({ category, availability }: ListingKind, places: readonly unknown[]): string {
  const names = places.slice(0, TITLE_PLACES).join(', ')
  const title = `${CATEGORY_WORDS[category]} ${AVAILABILITY_WORDS[availability]}: ${names}`
  return [...title].slice(0, SHORT_TEXT).join('')
}

const caseOf = (column: string, words: Record<string, string>) =>
  `case ${column} ${Object.entries(words)
    .map(([value, word]) => `when '${value}' then '${word}'`)
    .join(' ')} end`

/** The same as SQL over a row of `requests`. */
export const GENERATED_TITLE = sql.raw(`substr(${caseOf('category', CATEGORY_WORDS)} || ' ' ||
  ${caseOf('availability', AVAILABILITY_WORDS)} || ': ' || ifnull((select group_concat(name_en, ', ') from (
    select name_en from request_locations join locations on locations.id = location_id
    where request_id = requests.id order by position limit ${TITLE_PLACES})), ''), 1, ${SHORT_TEXT})`)
