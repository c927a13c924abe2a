/** The columns of the search tables (`db/tables/public-listings.ts`) as SQL over a row of `listings`. */
import { cellOf } from './cells.ts'

/** What a table holds where the stored and the shown value differ. */
interface Variant {
  /** SQL for an amount of money; null if it is not shown. */
  amount: (column: 'price' | 'price_per_sqm') => string
  /** SQL for a coordinate of the point; null without a point. */
  coordinate: (column: 'latitude' | 'longitude') => string
  /** Condition on the row of a photo that counts. */
  photo: string
}

const holds = (path: string) => `trim(coalesce(${path}, '')) <> ''`
const exists = (table: string, condition = 'true') =>
  `exists (select 1 from ${table} where listing_id = listings.id and ${condition})`

/** SQL of the columns that both tables have, by name. */
export function searchColumns({ amount, coordinate, photo }: Variant): Record<string, string> {
  return {
    ...Object.fromEntries(SAME.map((name) => [name, name])),
    price: amount('price'),
    price_per_sqm: amount('price_per_sqm'),
    land_size: `details ->> '$.land_size'`,
    energy_class: `extra ->> '$.energy_class'`,
    is_negotiable: `coalesce(extra ->> '$.is_negotiable', 0)`,
    ...pictureColumns(photo),
    has_video: holds(`extra ->> '$.video_url'`),
    latitude: coordinate('latitude'),
    longitude: coordinate('longitude'),
    date_listed: 'status_date',
    area: 'coalesce(area_level3, area_level2, area_level1)',
    cell: cellOf(coordinate('latitude'), coordinate('longitude')),
  }
}

/** SQL of the columns that pictures have a part in. */
export const pictureColumns = (photo: string) => ({
  has_photos: exists('listing_photos', photo),
  has_tour: `${exists('listing_panoramas')} or ${holds(`extra ->> '$.virtual_tour_url'`)}`,
})

/** SQL for whether a point is known: 0, 0 stands for an unknown one. */
export const isKnownPoint = (latitude: string, longitude: string) =>
  `(${latitude} is not null and ${longitude} is not null and not (${latitude} = 0 and ${longitude} = 0))`

/** Columns that are named alike in `listings`. */
const SAME = [
  'id',
  'store_id',
  'code',
  'category',
  'availability',
  'subcategory',
  'subtype',
  'area_level1',
  'area_level2',
  'area_level3',
  'size',
  'floor',
  'rooms',
  'bathrooms',
  'year_built',
  'property_condition',
  'features',
  'positioning',
  'view',
  'flooring',
]
