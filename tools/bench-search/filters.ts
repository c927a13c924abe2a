/** The filters of searches, as calls send them. */

export interface Range {
  min?: number | string
  max?: number | string
}

export interface Circle {
  latitude: number
  longitude: number
  radius: number
}

export interface Filters {
  category?: string[]
  availability?: string[]
  subcategory?: string[]
  subtype?: number[]
  areas?: number[]
  area_level1?: number[]
  area_level2?: number[]
  area_level3?: number[]
  price?: Range
  price_per_sqm?: Range
  size?: Range
  land_size?: Range
  floor?: Range
  rooms?: Range
  bathrooms?: Range
  year_built?: Range
  date_listed?: Range
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
  near?: Circle
  /** Only for keys of the agency. */
  status?: string[]
  tags?: number[]
  users?: number[]
}
