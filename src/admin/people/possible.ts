/** Finds records with an e-mail address or telephone of a person that no id links to them. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { havingKeys } from '../../db/person-keys.ts'
import { type Place, placeOf } from '../erasure/places.ts'
import { type Entry, readPage } from './read-page.ts'

/** Maximum records of each resource. */
const MAX_POSSIBLE = 100

/** Where the keys of records are, by their table. */
const PLACES = {
  contacts: ['contacts', 'contact_details'],
  enquiries: ['enquiries'],
  external_listings: ['external_listings'],
}

/** Contacts, enquiries and external listings that may be about the same person, deleted ones included. */
export async function findPossible(
  db: Database,
  { persons, of }: { persons: SQL; of: (place: Place) => SQL },
): Promise<Entry[]> {
  const keys = sql`(select json_group_array(value) from contacts cross join json_each(person_keys, '$.contacts')
    where contacts.id in (${persons}) and value not glob 'name:*')`
  const pages = await Promise.all(
    Object.entries(PLACES).map(([table, places]) => {
      const place = placeOf(table)
      if (!place) return []
      const isFound = sql`id in (select found.record_id ${havingKeys({ places, keys, deleted: true })})`
      return readPage(db, place, persons, sql`${isFound} and not (${of(place)})`, 0, MAX_POSSIBLE)
    }),
  )
  return pages.flat()
}
