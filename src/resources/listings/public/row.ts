/** A listing as it is read for visitors. */
import type { core, details, extra } from '../../../catalogue/listing.ts'
import type { Availability, Category, PhotoKind } from '../../../catalogue/property-enums.ts'
import type { Caption } from '../../../db/tables/listings.ts'
import type { PublicOf, Row } from '../../../fields/field.ts'
import type { RecordVersion } from '../../../http/context.ts'
import type { Area, Translation } from '../queries.ts'

/** What is stored in `shown`, by name; nulls are absent. */
export type ShownValues = Partial<
  Row<PublicOf<typeof core>> & Row<PublicOf<typeof details>> & Row<PublicOf<typeof extra>>
> & {
  store_id: number
  area_level1?: number
  area_level2?: number
  area_level3?: number
  code?: string
  category: Category
  availability: Availability
  date_listed?: string
  address?: string
  address_en?: string
  postal_code?: string
  latitude?: number
  longitude?: number
  precision: 'exact' | 'circle' | 'area'
  features: string[]
  positioning: string[]
  view: string[]
  flooring: string[]
  /** Keys or URLs of the pictures, with a watermark where there is one; an object if it has a kind or captions. */
  photos: (string | { image: string; kind: PhotoKind; captions: Caption[] })[]
  panoramas: { image: string; thumb: string | null }[]
  tour_token?: string
  translations: Translation[]
}

/** What visitors' replies are made of. */
export interface PublicListingRow {
  id: number
  date_updated: string
  shown: string
  photo_sizes: string
  /** The place of an id in `shown`. */
  areaOf: (id: number | undefined) => Area | null
  /** The exact address, if another one is shown. */
  exact_address: string | null
  /** 1 if the public address is shown in place of the exact one. */
  hides_number: number
}

/** The pages of listings on the agency's website, as a sitemap names them. */
interface PageUrl {
  /** With `{id}`, and `{language}` if there are several. */
  page_url: string
  /** Codes as JSON; null means all. */
  languages: string | null
}

/** What a document of schema.org is made of. */
export interface DocumentSource {
  row: PublicListingRow
  languages: { id: number; code: string }[]
  page: PageUrl | null
  /** The version of the listing; null for visitors. */
  version: RecordVersion | null
}
