/**
 * The triggers that keep what visitors see (`public_documents`, `public_listings`). They run in the transaction of each
 * write, so it is never older than the listing, and no write can be forgotten. Writes update the row of the listing
 * before its pictures and texts: a shown change has the `date_updated` that the listing has then.
 *
 * They are created in a migration. A test compares them with this file and prints the migration that a change needs.
 */
import { IS_PUBLIC, SEARCHED, SHOWN_JSON } from './shown.ts'

const selectShown = (condition: string) =>
  `SELECT id, ${SHOWN_JSON} FROM listings WHERE ${condition} AND ${IS_PUBLIC}`

/** Statements that create a view. An insert of an id calculates what visitors see of that listing, in one place. */
const REFRESH = [
  'CREATE VIEW public_listing_refresh AS SELECT 0 AS id;',
  `CREATE TRIGGER public_refresh INSTEAD OF INSERT ON public_listing_refresh
BEGIN
  INSERT INTO public_documents (id, shown)
  ${selectShown('id = new.id')}
  ON CONFLICT (id) DO UPDATE SET shown = excluded.shown WHERE shown <> excluded.shown;
END;`,
]

const trigger = (name: string, event: string, body: string) =>
  `CREATE TRIGGER public_${name} AFTER ${event}\nBEGIN\n  ${body}\nEND;`

const refresh = (id: string) => `INSERT INTO public_listing_refresh (id) VALUES (${id});`

const NAMES = Object.keys(SEARCHED)

/** Not `INSERT OR REPLACE`: within a trigger, the conflict clause of the outer statement would take its place. */
const STORE_SEARCHED = `INSERT INTO public_listings (${NAMES.join(', ')})
  SELECT ${Object.values(SEARCHED).join(',\n    ')}
  FROM listings WHERE id = new.id
  ON CONFLICT (id) DO UPDATE SET ${NAMES.map((name) => `${name} = excluded.${name}`).join(', ')};`

const LEAVE = 'DELETE FROM public_documents WHERE id = old.id;'

/** The statements that create the view and all triggers. */
export const PUBLIC_TRIGGERS: readonly string[] = [
  ...REFRESH,
  trigger('documents_insert', 'INSERT ON public_documents', STORE_SEARCHED),
  trigger('documents_update', 'UPDATE ON public_documents', STORE_SEARCHED),
  trigger('documents_delete', 'DELETE ON public_documents', 'DELETE FROM public_listings WHERE id = old.id;'),
  trigger('listings_insert', "INSERT ON listings WHEN new.status = 'active'", refresh('new.id')),
  trigger(
    'listings_update',
    `UPDATE OF version, tour_token ON listings
WHEN new.status = 'active' AND (old.version <> new.version OR old.tour_token IS NOT new.tour_token)`,
    refresh('new.id'),
  ),
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

/** The statement that fills both tables, for a database that is older than they are. */
export const FILL = `INSERT INTO public_documents (id, shown) ${selectShown('true')};`
