/** The filters of searches, as calls send them. */

export interface AskedRange {
  min?: number | string
  max?: number | string
}

export interface AskedCircle {
  latitude: number
  longitude: number
  radius: number
}

export interface AskedFilters {
  category?: string[]
  availability?: string[]
  subcategory?: string[]
  subtype?: number[]
  areas?: number[]
  area_level1?: number[]
  area_level2?: number[]
  area_level3?: number[]
  price?: AskedRange
  price_per_sqm?: AskedRange
  size?: AskedRange
  land_size?: AskedRange
  floor?: AskedRange
  rooms?: AskedRange
  bathrooms?: AskedRange
  year_built?: AskedRange
  date_listed?: AskedRange
  property_condition?: string[]
  energy_class?: string[]
  store_id?: number[]
  features?: string[]
  positioning?: string[]
  view?: string[]
  flooring?: string[]
  has_photos?: boolean
  has_tour?: boolean
  has_video?: boolean
  is_negotiable?: boolean
  bounds?: { south: number; west: number; north: number; east: number }
  near?: AskedCircle
  /** Only for keys of the agency. */
  status?: string[]
  tags?: number[]
  users?: number[]
}
