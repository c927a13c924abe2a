/**
 * The triggers that keep what visitors see (`public_listings`). They run in the transaction of each write, so it is
 * never older than the listing, and no write can be forgotten. What the row, the pictures and the texts of a listing give
 * is made anew by itself, only when its source changes. Writes update the row of the listing before its pictures
 * and texts: a shown change has the `date_updated` that the listing has then.
 *
 * `npm run migrations:generate` writes the migration that a change needs.
 */
import { COLUMNS_OF_ROW, IS_PUBLIC, OF_PHOTOS, PUBLIC_COLUMNS, SHOWN_PICTURES, SHOWN_TEXTS } from './shown.ts'

const NAMES = Object.keys(PUBLIC_COLUMNS)

const SHOWN_CHANGES = 'public_listings.shown <> excluded.shown'

const newValue = (name: string) =>
  name === 'date_updated'
    ? `iif(${SHOWN_CHANGES}, excluded.date_updated, public_listings.date_updated)`
    : `excluded.${name}`

/** Not `INSERT OR REPLACE`: within a trigger, the conflict clause of the outer statement would take its place. */
const STORE = `INSERT INTO public_listings (${NAMES.join(', ')})
  SELECT ${Object.values(COLUMNS_OF_ROW).join(',\n    ')}
  FROM listings WHERE id = new.id AND ${IS_PUBLIC}
  ON CONFLICT (id) DO UPDATE SET ${NAMES.map((name) => `${name} = ${newValue(name)}`).join(', ')}
  WHERE ${SHOWN_CHANGES};`

/** Stores what is made of the pictures or texts of a shown listing, if it differs. The date stays if only sizes of photos do. */
function change(id: string, columns: Readonly<Record<string, string>>, from = 'listings'): string {
  const names = Object.keys(columns)
  return `UPDATE public_listings SET ${names.map((name) => `${name} = made.${name}`).join(', ')},
    date_updated = iif(public_listings.shown <> made.shown, made.date_updated, public_listings.date_updated)
  FROM (SELECT date_updated, ${names.map((name) => `${columns[name]} AS ${name}`).join(',\n    ')}
    FROM ${from} WHERE id = ${id}) made
  WHERE public_listings.id = ${id} AND (${names.map((name) => `public_listings.${name} <> made.${name}`).join(' OR ')});`
}

const trigger = (name: string, event: string, body: string) =>
  `CREATE TRIGGER public_${name} AFTER ${event}\nBEGIN\n  ${body}\nEND;`

/** Has what pictures give made anew, unless a batch of them does so at its end (`pictures/batch.ts`). */
const refresh = (id: string) =>
  `UPDATE public_listings SET pictures_deferred = 0 WHERE id = ${id} AND pictures_deferred = 0;`

const changeTexts = (id: string) => change(id, { shown: SHOWN_TEXTS })

const LEAVE = 'DELETE FROM public_listings WHERE id = old.id;'

const hasText = (row: string) => `${row}.title IS NOT NULL OR ${row}.description IS NOT NULL`

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
  trigger(
    'pictures',
    'UPDATE OF pictures_deferred ON public_listings WHEN new.pictures_deferred = 0',
    change(
      'new.id',
      { has_photos: 'has_photos', photo_sizes: 'photo_sizes', shown: SHOWN_PICTURES },
      `listings, ${OF_PHOTOS}`,
    ),
  ),
  ...['listing_photos', 'listing_panoramas'].flatMap((table) => [
    trigger(`${table}_insert`, `INSERT ON ${table}`, refresh('new.listing_id')),
    trigger(`${table}_update`, `UPDATE ON ${table}`, refresh('new.listing_id')),
    trigger(`${table}_delete`, `DELETE ON ${table}`, refresh('old.listing_id')),
  ]),
  trigger(
    'listing_translations_insert',
    `INSERT ON listing_translations WHEN ${hasText('new')}`,
    changeTexts('new.listing_id'),
  ),
  trigger('listing_translations_update', 'UPDATE ON listing_translations', changeTexts('new.listing_id')),
  trigger(
    'listing_translations_delete',
    `DELETE ON listing_translations WHEN ${hasText('old')}`,
    changeTexts('old.listing_id'),
  ),
]
