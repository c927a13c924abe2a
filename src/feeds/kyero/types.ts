/** The types of property that Kyero's format knows, by the subcategories and categories of listings. */
import type { Category, Subcategory } from '../../catalogue/property-enums.ts'
import type { FeedListing } from '../listing.ts'

type KyeroType =
  | 'Apartment'
  | 'Villa'
  | 'Town house'
  | 'Country house'
  | 'Land'
  | 'Garage'
  | 'Commercial property'

/** Those of single subcategories. */
const BY_SUBCATEGORY: Partial<Record<Subcategory, KyeroType>> = {
  apartment: 'Apartment',
  loft: 'Apartment',
  maisonette: 'Town house',
  detached: 'Villa',
  villa: 'Villa',
  farmhouse: 'Country house',
  parking: 'Garage',
  residential_building: 'Commercial property',
  apartment_complex: 'Commercial property',
}

/** Those of all listings of a category, with or without a subcategory. */
const BY_CATEGORY: Partial<Record<Category, KyeroType>> = {
  land: 'Land',
  commercial: 'Commercial property',
}

/** The type of a listing; null if Kyero has none for it. */
export function kyeroType({
  category,
  subcategory,
}: Pick<FeedListing, 'category' | 'subcategory'>): KyeroType | null {
  const own = subcategory === null ? undefined : BY_SUBCATEGORY[subcategory]
  return own ?? BY_CATEGORY[category] ?? null
}
