/** Reading listings: whole records, and the pages of a list. */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PhotoKind } from '../../catalogue/property-enums.ts'
import { jsonList, jsonOf, linkedIds } from '../../db/relations.ts'
import { prepared, type RowOf, Statement, select } from '../../db/statements.ts'
import {
  type Caption,
  listing_contacts,
  listing_tag_links,
  listing_users,
  listings,
} from '../../db/tables/listings.ts'

export interface Area {
  id: number
  level: number
  parent_id: number | null
  name_el: string
  name_en: string
  full_name_el: string
  full_name_en: string
}

export interface Translation {
  language_id: number
  title: string | null
  description: string | null
}

const LINK = 'listing_id = listings.id'

/** SQL for an `Area`, as JSON of a row of `locations`. */
export const areaObject = `json_object('id', id, 'level', level, 'parent_id', parent_id, 'name_el', name_el,
  'name_en', name_en, 'full_name_el', full_name_el, 'full_name_en', full_name_en)`

const area = (level: number) =>
  jsonOf<Area | null>(`select ${areaObject} from locations where locations.id = listings.area_level${level}`)

/** Everything that a listing is read with. */
export const FIELDS = {
  ...getTableColumns(listings),
  tags: linkedIds(listings, listing_tag_links),
  contacts: linkedIds(listings, listing_contacts),
  users: linkedIds(listings, listing_users),
  area1: area(1),
  area2: area(2),
  area3: area(3),
  translations: jsonList<Translation>(
    'listing_translations',
    `json_object('language_id', language_id, 'title', title, 'description', description)`,
    LINK,
    'language_id',
  ),
  photos: jsonList<StoredPhoto>(
    'listing_photos',
    `case when kind = 'photo' and captions = '[]'
      then json_object('original_image', original_image, 'watermark_image', watermark_image)
      else json_object('original_image', original_image, 'watermark_image', watermark_image,
        'kind', kind, 'captions', json(captions)) end`,
    LINK,
    'ordernum',
  ),
  panoramas: jsonList<StoredPanorama>(
    'listing_panoramas',
    `case captions when '[]' then json_object('image', image, 'thumb', thumb)
      else json_object('image', image, 'thumb', thumb, 'captions', json(captions)) end`,
    LINK,
    'ordernum',
  ),
}

/** Whole listings, everything that belongs to them in sub-selects: one statement. */
export function selectListings(rest: SQL): Statement<ListingRow> {
  return select(FIELDS, sql`from ${listings} ${rest}`)
}

const sizesIn = (table: string) =>
  jsonList<[number | null, number | null]>(table, 'json_array(width, height)', LINK, 'ordernum')

const TRANSFERRED = {
  ...FIELDS,
  photo_sizes: sizesIn('listing_photos'),
  panorama_sizes: sizesIn('listing_panoramas'),
  sources: jsonList<{ image: string; address: string }>(
    'photo_downloads',
    `json_object('image', image, 'address', address)`,
    `${LINK} and image is not null`,
    'address',
  ),
}

/** Whole listings as exports have them: pictures with their sizes, and photos with the addresses that they come from. */
export function selectForTransfer(rest: SQL): Statement<ListingRow> {
  const { sql: text, params, read } = select(TRANSFERRED, sql`from ${listings} ${rest}`)
  return new Statement(text, params, (rows) =>
    read(rows).map(({ photo_sizes, panorama_sizes, sources, ...row }) => {
      const sourceOf = new Map(sources.map(({ image, address }) => [image, address]))
      return {
        ...row,
        photos: row.photos.map((photo, index) => {
          const source = sourceOf.get(photo.original_image ?? '')
          return { ...photo, ...sizeOf(photo_sizes[index]), ...(source === undefined ? {} : { source }) }
        }),
        panoramas: row.panoramas.map((panorama, index) => ({
          ...panorama,
          ...sizeOf(panorama_sizes[index]),
        })),
      }
    }),
  )
}

/** A size that is known. One that could not be measured may be elsewhere, or later. */
function sizeOf([width, height]: [number | null, number | null] = [null, null]): PictureSize {
  return width && height ? { width, height } : {}
}

/** In pixels; absent while unknown. Only imports and exports have it here. */
export interface PictureSize {
  width?: number
  height?: number
}

/** A photo with the keys or URLs of its files. Kind and captions are absent together, where they are the default. */
interface StoredPhoto extends PictureSize {
  original_image: string | null
  watermark_image: string | null
  kind?: PhotoKind
  captions?: Caption[]
  /** The address that it was downloaded from. Only imports and exports have it here. */
  source?: string
}

/** A panorama with the keys or URLs of its files. Captions are absent where there are none. */
interface StoredPanorama extends PictureSize {
  image: string
  thumb: string | null
  captions?: Caption[]
}

/** A stored listing with everything that belongs to it. */
export type ListingRow = RowOf<typeof FIELDS>

export const selectListing = prepared(() =>
  selectListings(sql`where ${listings.id} = ${sql.placeholder('id')}`),
)
