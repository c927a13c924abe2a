/** The tables of pictures: photos and panoramas. */
import type { InferSelectModel } from 'drizzle-orm'
import type { listing_panoramas, listing_photos } from '../../../db/tables/listings.ts'

export interface PictureTable {
  table: string
  field: 'photos' | 'panorama_photos'
  columns: readonly [string, string]
  /** SQL for the file that is shown. */
  shown: string
  /** The columns with what is said of a picture, and their defaults. */
  description: Readonly<Record<string, string>>
}

export interface PictureTableOf<Row> extends PictureTable {
  columns: readonly [keyof Row & string, keyof Row & string]
}

export type PhotoRow = Pick<
  InferSelectModel<typeof listing_photos>,
  'original_image' | 'watermark_image' | 'kind' | 'captions'
>
export type PanoramaRow = Pick<InferSelectModel<typeof listing_panoramas>, 'image' | 'thumb' | 'captions'>

export const PHOTOS: PictureTableOf<PhotoRow> = {
  table: 'listing_photos',
  field: 'photos',
  columns: ['original_image', 'watermark_image'],
  shown: 'coalesce(watermark_image, original_image)',
  description: { kind: 'photo', captions: '[]' },
}

export const PANORAMAS: PictureTableOf<PanoramaRow> = {
  table: 'listing_panoramas',
  field: 'panorama_photos',
  columns: ['image', 'thumb'],
  shown: 'image',
  description: { captions: '[]' },
}
