/**
 * What visitors may see of a listing, as SQL over its row. What is not named here, and is not public in the catalogue,
 * reaches no visitor.
 *
 *     select ${SHOWN_JSON} from listings where ${IS_PUBLIC}
 */
import { core, details, extra, location } from '../../../catalogue/listing.ts'
import { publicFields } from '../../../fields/derive.ts'
import type { Fields } from '../../../fields/field.ts'

/** The condition on a row of `listings` under which visitors may see it. */
export const IS_PUBLIC = "listings.status = 'active'"

/** Keys of one `json_object`: a function takes 32 arguments on D1. */
const MAX_KEYS = 16

/** 0, 0 stands for an unknown point. */
const HAS_EXACT_POINT =
  '(latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0))'

/** Which point visitors see: `exact`, `circle` or `area`. A public point of earlier code is shown once it was checked. */
const PRECISION = `(case
    when display_address = 'real' and ${HAS_EXACT_POINT} then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end)`

/** A number in JSON with every digit; SQLite itself writes 15. */
const exact = (column: string) =>
  `(case when ${column} is not null then json(format('%!.17g', ${column})) end)`

const pointOf = (name: string, value: (column: string) => string) =>
  `(case ${PRECISION} when 'exact' then ${value(name)} when 'circle' then ${value(`fake_${name}`)} end)`

const HAS_HIDDEN_PRICE = `coalesce(extra ->> '$.has_hidden_price', 0)`

const IMAGE = 'coalesce(watermark_image, original_image)'

/** A photo is its image alone, unless there is more to say of it. */
const PHOTO = `(case when kind = 'photo' and captions = '[]' then ${IMAGE}
      else json_object('image', ${IMAGE}, 'kind', kind, 'captions', json(captions)) end)`

const ofPictures = (
  table: string,
  picture: string,
  condition: string,
) => `(select json_group_array(${picture})
    from (select * from ${table} where listing_id = listings.id and ${condition} order by ordernum))`

/** SQL of values that need a rule, by name. */
const RULES: Record<string, string> = {
  price: `(case when not ${HAS_HIDDEN_PRICE} then price end)`,
  price_per_sqm: `(case when not ${HAS_HIDDEN_PRICE} then ${exact('price_per_sqm')} end)`,
  size: exact('size'),
  floor: exact('floor'),
  postal_code: `(case display_address when 'real' then postal_code end)`,
}

const columnsOf = (fields: Fields) =>
  Object.keys(publicFields(fields)).map((name): [string, string] => [name, RULES[name] ?? name])

const keysOf = (fields: Fields, column: string) =>
  Object.keys(publicFields(fields)).map((name): [string, string] => [name, `${column} -> '$.${name}'`])

const TEXTS = `(select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id))`

const PHOTOS = ofPictures('listing_photos', PHOTO, `${IMAGE} is not null`)
const PANORAMAS = ofPictures('listing_panoramas', `json_object('image', image, 'thumb', thumb)`, 'true')

/** The tour is shown if there are panoramas. */
const TOUR =
  '(case when exists (select 1 from listing_panoramas where listing_id = listings.id) then tour_token end)'

/** SQL of every shown value, by its key in the JSON. The order counts: `SHOWN_PICTURES` keeps it. */
const SHOWN: [string, string][] = [
  ['store_id', 'store_id'],
  ['code', 'code'],
  ['category', 'category'],
  ['availability', 'availability'],
  ['date_listed', 'status_date'],
  ...columnsOf(core),
  ...keysOf(details, 'details'),
  ...keysOf(extra, 'extra'),
  ...columnsOf(location),
  ['address', `(case display_address when 'real' then address_el when 'fake' then fake_address_el end)`],
  ['address_en', `(case display_address when 'real' then address_en end)`],
  ['latitude', pointOf('latitude', exact)],
  ['longitude', pointOf('longitude', exact)],
  ['precision', PRECISION],
  ...['features', 'positioning', 'view', 'flooring'].map((name): [string, string] => [name, `json(${name})`]),
  ['photos', PHOTOS],
  ['panoramas', PANORAMAS],
  ['tour_token', TOUR],
  ['translations', TEXTS],
]

/** SQL for shown values of a row of `listings` as a JSON object, without nulls. */
const jsonOf = (shown: [string, string][]) =>
  inParts(shown).reduce(
    (before, part) => `json_patch(${before}, json_object(
    ${part.map(([name, value]) => `'${name}', ${value}`).join(',\n    ')}))`,
    `'{}'`,
  )

const HAS_PHOTOS = `exists (select 1 from listing_photos where listing_id = listings.id and ${IMAGE} is not null)`
const SIZE = '(case when width > 0 then json_array(width, height) end)'
const SIZES = ofPictures('listing_photos', SIZE, `${IMAGE} is not null`)

/** SQL of the columns of `public_listings`, by name, made of the row, the pictures and the texts of a listing. */
export const PUBLIC_COLUMNS: Readonly<Record<string, string>> = {
  id: 'id',
  store_id: 'store_id',
  price: `(case when not ${HAS_HIDDEN_PRICE} then price end)`,
  price_per_sqm: `(case when not ${HAS_HIDDEN_PRICE} then price_per_sqm end)`,
  has_photos: HAS_PHOTOS,
  latitude: pointOf('latitude', (name) => name),
  longitude: pointOf('longitude', (name) => name),
  date_updated: 'date_updated',
  shown: jsonOf(SHOWN),
  photo_sizes: SIZES,
}

/** SQL for what is shown already; `anew` makes it of a listing that is not shown yet. */
const kept = (value: string, anew: string) =>
  `ifnull((select ${value} from public_listings where id = listings.id), ${anew})`

/** The same made of the row, where only the row has changed: what pictures and texts give is kept. */
export const COLUMNS_OF_ROW: Readonly<Record<string, string>> = {
  ...PUBLIC_COLUMNS,
  has_photos: kept('has_photos', HAS_PHOTOS),
  shown: jsonOf(
    SHOWN.map(([name, value]) =>
      ['photos', 'panoramas', 'translations'].includes(name)
        ? [name, `json(${kept(`shown -> '$.${name}'`, value)})`]
        : [name, value],
    ),
  ),
  photo_sizes: kept('photo_sizes', SIZES),
}

/** SQL of a row with what photos of `listings` give: read once for all of it. */
export const OF_PHOTOS = `(select json_group_array(${PHOTO}) as photos, json_group_array(${SIZE}) as photo_sizes,
    count(*) > 0 as has_photos
  from (select * from listing_photos where listing_id = new.id and ${IMAGE} is not null order by ordernum))`

/** SQL over `listings` and `OF_PHOTOS` for what is shown, its pictures made anew. Keys stay in order: the tour precedes the texts. */
export const SHOWN_PICTURES = `(select json_patch(json_remove(shown, '$.tour_token', '$.translations'), json_object(
    'photos', json(photos), 'panoramas', ${PANORAMAS}, 'tour_token', ${TOUR},
    'translations', json(shown -> '$.translations'))) from public_listings where id = listings.id)`

/** SQL over `listings` for what is shown, its texts made anew. */
export const SHOWN_TEXTS = `(select json_patch(shown, json_object('translations', ${TEXTS})) from public_listings where id = listings.id)`

function inParts(values: [string, string][]): [string, string][][] {
  return Array.from({ length: Math.ceil(values.length / MAX_KEYS) }, (_, index) =>
    values.slice(index * MAX_KEYS, (index + 1) * MAX_KEYS),
  )
}
