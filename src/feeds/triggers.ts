/**
 * The triggers that count changes of what feeds show (`feed_changes`), in the transaction of each write. So `ETag` and
 * `Last-Modified` of a feed cost one row, and no client sees in them that something private changed.
 *
 * `npm run migrations:generate` writes the migration that a change needs.
 */

const trigger = (name: string, counter: 'shown' | 'chosen', event: string) =>
  `CREATE TRIGGER feed_changes_${name} AFTER ${event}
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = '${counter}';
END;`

const differs = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')

const isPublic = (id: string) => `EXISTS (SELECT 1 FROM public_listings WHERE id = ${id})`

/** Where any difference of what visitors see is. */
const SHOWN = ['shown', 'photo_sizes', 'date_updated']

/** The names of a place that listings show. */
const NAMES = ['name_el', 'name_en', 'full_name_el', 'full_name_en']

/** The exact address of a listing that shows another: what is shown of that depends on it (`public/present.ts`). */
const HIDDEN_ADDRESS = ['address_el', 'display_address']
const HIDES_ADDRESS = `'fake' IN (old.display_address, new.display_address) AND new.fake_address_el IS NOT NULL`

export const FEED_TRIGGERS: readonly string[] = [
  ...['INSERT', 'DELETE'].map((event) =>
    trigger(`public_listings_${event.toLowerCase()}`, 'shown', `${event} ON public_listings`),
  ),
  trigger(
    'public_listings_update',
    'shown',
    `UPDATE OF ${SHOWN.join(', ')} ON public_listings WHEN ${differs(SHOWN)}`,
  ),
  trigger('locations_update', 'shown', `UPDATE OF ${NAMES.join(', ')} ON locations WHEN ${differs(NAMES)}`),
  trigger(
    'listings_address',
    'shown',
    `UPDATE OF ${HIDDEN_ADDRESS.join(', ')} ON listings
  WHEN ${HIDES_ADDRESS} AND (${differs(HIDDEN_ADDRESS)}) AND ${isPublic('new.id')}`,
  ),
  trigger('languages_insert', 'shown', 'INSERT ON languages'),
  trigger('languages_update', 'shown', `UPDATE OF code ON languages WHEN ${differs(['code'])}`),
  trigger('languages_delete', 'shown', 'DELETE ON languages'),
  ...['listing_tag_links', 'listing_users'].flatMap((table) => [
    trigger(`${table}_insert`, 'chosen', `INSERT ON ${table} WHEN ${isPublic('new.listing_id')}`),
    trigger(`${table}_delete`, 'chosen', `DELETE ON ${table} WHEN ${isPublic('old.listing_id')}`),
  ]),
  trigger(
    'listings_update',
    'chosen',
    `UPDATE OF date_created ON listings WHEN ${differs(['date_created'])}`,
  ),
]
