/**
 * The triggers that keep what visitors see (`public_listings`). They run in the transaction of each write, so it is
 * never older than the listing, and no write can be forgotten. Writes update the row of the listing before its pictures
 * and texts: a shown change has the `date_updated` that the listing has then.
 *
 * `npm run migrations:generate` writes the migration that a change needs.
 */
import { IS_PUBLIC, PUBLIC_COLUMNS } from './shown.ts'

const NAMES = Object.keys(PUBLIC_COLUMNS)

const insertShown = (condition: string) => `INSERT INTO public_listings (${NAMES.join(', ')})
  SELECT ${Object.values(PUBLIC_COLUMNS).join(',\n    ')}
  FROM listings WHERE ${condition} AND ${IS_PUBLIC}`

const SHOWN_CHANGES = 'public_listings.shown <> excluded.shown'

const newValue = (name: string) =>
  name === 'date_updated'
    ? `iif(${SHOWN_CHANGES}, excluded.date_updated, public_listings.date_updated)`
    : `excluded.${name}`

/**
 * Nothing is written if nothing that is shown differs. The date stays if only sizes of photos do, which cron finds out. Not `INSERT OR REPLACE`: within a trigger,
 * the conflict clause of the outer statement would take its place.
 */
const STORE = `${insertShown('id = new.id')}
  ON CONFLICT (id) DO UPDATE SET ${NAMES.map((name) => `${name} = ${newValue(name)}`).join(', ')}
  WHERE ${SHOWN_CHANGES} OR public_listings.photo_sizes <> excluded.photo_sizes;`

const trigger = (name: string, event: string, body: string) =>
  `CREATE TRIGGER public_${name} AFTER ${event}\nBEGIN\n  ${body}\nEND;`

/** An update that changes nothing, for the trigger of updates: what is shown is calculated in one place. */
const refresh = (id: string) =>
  `UPDATE listings SET tour_token = tour_token WHERE id = ${id} AND ${IS_PUBLIC};`

const LEAVE = 'DELETE FROM public_listings WHERE id = old.id;'

/** The SQL of all triggers. None is on a view: an export of D1 has triggers before views, and cannot be restored. */
export const PUBLIC_TRIGGERS: readonly string[] = [
  trigger('listings_insert', "INSERT ON listings WHEN new.status = 'active'", STORE),
  trigger('listings_update', "UPDATE OF version, tour_token ON listings WHEN new.status = 'active'", STORE),
  trigger(
    'listings_leave',
    "UPDATE OF status ON listings WHEN old.status = 'active' AND new.status <> 'active'",
    LEAVE,
  ),
  `CREATE TRIGGER public_listings_delete BEFORE DELETE ON listings\nBEGIN\n  ${LEAVE}\nEND;`,
  ...['listing_photos', 'listing_panoramas', 'listing_translations'].flatMap((table) => [
    trigger(`${table}_insert`, `INSERT ON ${table}`, refresh('new.listing_id')),
    trigger(`${table}_update`, `UPDATE ON ${table}`, refresh('new.listing_id')),
    trigger(`${table}_delete`, `DELETE ON ${table}`, refresh('old.listing_id')),
  ]),
]
