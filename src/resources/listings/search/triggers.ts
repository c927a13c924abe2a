/** The triggers that keep `searched_listings`, where keys that see all of the listings search. */
import { isKnownPoint, pictureColumns, searchColumns } from './columns.ts'

const HAS_POINT = isKnownPoint('latitude', 'longitude')
const ANY_PHOTO = 'true'

/** SQL of the columns of `searched_listings`, by name. */
export const STORED: Readonly<Record<string, string>> = {
  ...searchColumns({
    amount: (column) => column,
    coordinate: (column) => `case when ${HAS_POINT} then ${column} end`,
    photo: ANY_PHOTO,
  }),
  status: 'status',
  date_created: 'date_created',
}

const NAMES = Object.keys(STORED)
const PICTURES = pictureColumns(ANY_PHOTO)

const selectStored = (condition: string) =>
  `SELECT ${Object.values(STORED).join(',\n    ')}\n  FROM listings WHERE ${condition}`

const inBrackets = (names: string[]) => `(${names.join(', ')})`

/** Writes nothing if nothing differs. */
const STORE = `INSERT INTO searched_listings ${inBrackets(NAMES)}
  ${selectStored('id = new.id')}
  ON CONFLICT (id) DO UPDATE SET ${NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE ${inBrackets(NAMES.map((name) => `searched_listings.${name}`))} IS NOT ${inBrackets(NAMES.map((name) => `excluded.${name}`))};`

const storePictures = (id: string) => `UPDATE searched_listings
  SET ${inBrackets(Object.keys(PICTURES))} = (SELECT ${Object.values(PICTURES).join(', ')} FROM listings WHERE id = ${id})
  WHERE id = ${id} AND ${inBrackets(Object.keys(PICTURES))} IS NOT
    (SELECT ${Object.values(PICTURES).join(', ')} FROM listings WHERE id = ${id});`

const trigger = (name: string, event: string, body: string) =>
  `CREATE TRIGGER searched_${name} ${event}\nBEGIN\n  ${body}\nEND;`

/** The SQL of all triggers. */
export const SEARCH_TRIGGERS: readonly string[] = [
  trigger('listings_insert', 'AFTER INSERT ON listings', STORE),
  trigger('listings_update', 'AFTER UPDATE OF version ON listings', STORE),
  trigger('listings_delete', 'BEFORE DELETE ON listings', 'DELETE FROM searched_listings WHERE id = old.id;'),
  ...['listing_photos', 'listing_panoramas'].flatMap((table) => [
    trigger(`${table}_insert`, `AFTER INSERT ON ${table}`, storePictures('new.listing_id')),
    trigger(`${table}_delete`, `AFTER DELETE ON ${table}`, storePictures('old.listing_id')),
  ]),
]
