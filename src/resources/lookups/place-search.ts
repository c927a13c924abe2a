/**
 * Keeps the texts by which places are searched as this version derives them. Imports store them; this is for what another
 * version of the service has written. Places are not in the change feed, so all of them are looked at when one changed.
 */
import { jsonParts } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import { selectTurn, storeCursor } from '../../db/derived.ts'
import { textStatement } from '../../db/statements.ts'
import form from './form.json' with { type: 'json' }
import { placeSearch } from './place-text.ts'

const NAME = 'place_search'

/** Rises with every write to places. */
const VERSION = `(select count from location_renames) + (select version from agency_versions where name = 'agency')`

/** A place that is renamed meanwhile has its new text already. */
const STORE = `update locations set search = made.value ->> 3 from json_each(?) made
  where locations.id = made.value ->> 0 and name_el = made.value ->> 1 and name_en = made.value ->> 2`

/** Stores the texts that differ. */
export async function keepPlaceSearch(db: Database): Promise<{ places: number } | undefined> {
  const { state, turns } = await batch(db, {
    state: textStatement<{ version: number; isKnown: number }>(
      `select ${VERSION} as version, exists (
        select 1 from derivations where name = ? and form = ? and cursor = ${VERSION}) as isKnown`,
      [NAME, form],
    ),
    turns: selectTurn(NAME, form),
  })
  const [now] = state
  const [turn] = turns
  if (!now || turn?.waits || (now.isKnown && !turn?.isDue)) return undefined
  const { places } = await batch(db, {
    places: textStatement<{ id: number; name_el: string; name_en: string; search: string }>(
      'select id, name_el, name_en, search from locations',
    ),
  })
  const changed = places.filter((place) => place.search !== placeSearch(place))
  const rows = changed.map((place) => [place.id, place.name_el, place.name_en, placeSearch(place)])
  const { parts } = jsonParts(rows)
  await batch(db, {
    texts: parts.map((part) => textStatement(STORE, [part])),
    noted: storeCursor(NAME, form, now.version),
  })
  return { places: changed.length }
}
