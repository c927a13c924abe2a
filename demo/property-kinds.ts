import type { Availability, Category, Subcategory } from '../src/catalogue/enums.ts'
import type { Character } from './places.ts'

/** What is plausible of one subcategory. */
export interface PropertyKind {
  readonly subcategory: Subcategory
  readonly category: Category
  readonly name_el: string
  readonly name_en: string
  /** Smallest and largest size, in square metres. */
  readonly size: readonly [number, number]
  /** Price per square metre, as a share of what a flat costs there. */
  readonly factor: number
  /** Of how many listings of the category, out of about a hundred. */
  readonly weight: number
  readonly where: readonly Character[]
}

type Row = readonly [
  subcategory: Subcategory,
  name_el: string,
  name_en: string,
  smallest: number,
  largest: number,
  factor: number,
  weight: number,
  where: readonly Character[],
]

const TOWN = ['urban', 'suburb', 'coast'] as const
const LIVED_IN = ['urban', 'suburb', 'coast', 'resort'] as const
const LEAFY = ['suburb', 'coast', 'resort'] as const
const BY_THE_SEA = ['coast', 'resort'] as const
const OPEN = ['rural', 'resort'] as const
const YARDS = ['industrial', 'rural'] as const
const OUTSKIRTS = ['industrial', 'rural', 'suburb'] as const
const BUILDING_LAND = ['suburb', 'coast', 'resort', 'rural', 'urban'] as const

const ROWS: Readonly<Record<Category, readonly Row[]>> = {
  residential: [
    ['apartment', 'Διαμέρισμα', 'Apartment', 28, 165, 1, 52, LIVED_IN],
    ['maisonette', 'Μεζονέτα', 'Maisonette', 90, 260, 1.05, 14, LEAFY],
    ['detached', 'Μονοκατοικία', 'Detached house', 95, 320, 0.95, 12, [...LEAFY, 'rural']],
    ['villa', 'Βίλα', 'Villa', 180, 620, 1.35, 8, LEAFY],
    ['loft', 'Λοφτ', 'Loft', 60, 190, 1.1, 4, ['urban']],
    ['residential_building', 'Κτίριο κατοικιών', 'Residential building', 220, 950, 0.7, 3, TOWN],
    ['apartment_complex', 'Συγκρότημα διαμερισμάτων', 'Apartment complex', 300, 1_500, 0.7, 3, BY_THE_SEA],
    ['farmhouse', 'Αγροικία', 'Farmhouse', 70, 220, 0.6, 3, OPEN],
    ['houseboat', 'Πλωτή κατοικία', 'Houseboat', 35, 110, 0.7, 2, ['coast']],
    ['other_residential', 'Κατοικία', 'Residence', 30, 120, 0.5, 3, [...TOWN, 'rural']],
  ],
  commercial: [
    ['office', 'Γραφείο', 'Office', 30, 420, 0.8, 30, TOWN],
    ['store', 'Κατάστημα', 'Store', 25, 320, 1.15, 28, LIVED_IN],
    ['warehouse', 'Αποθήκη', 'Warehouse', 100, 2_600, 0.4, 14, OUTSKIRTS],
    ['hotel', 'Ξενοδοχείο', 'Hotel', 400, 4_200, 1.1, 8, [...BY_THE_SEA, 'urban']],
    ['commercial_building', 'Επαγγελματικό κτίριο', 'Commercial building', 300, 3_200, 0.75, 8, TOWN],
    ['hall', 'Αίθουσα', 'Hall', 150, 900, 0.6, 5, TOWN],
    ['industrial_space', 'Βιομηχανικός χώρος', 'Industrial space', 500, 6_500, 0.35, 6, YARDS],
    ['craft_space', 'Βιοτεχνικός χώρος', 'Craft space', 100, 850, 0.4, 6, [...YARDS, 'urban']],
    ['other_commercial', 'Επαγγελματικός χώρος', 'Business premises', 50, 550, 0.5, 5, TOWN],
  ],
  land: [
    ['plot', 'Οικόπεδο', 'Plot of land', 160, 2_400, 0.3, 56, BUILDING_LAND],
    ['parcel', 'Αγροτεμάχιο', 'Parcel of land', 2_000, 24_000, 0.02, 36, OPEN],
    ['island', 'Νησί', 'Island', 40_000, 620_000, 0.005, 8, ['resort']],
  ],
  other: [
    ['parking', 'Θέση στάθμευσης', 'Parking space', 10, 22, 0.45, 50, TOWN],
    ['business', 'Επιχείρηση', 'Business', 40, 260, 0.4, 26, LIVED_IN],
    ['air', 'Αέρας', 'Air rights', 80, 320, 0.22, 14, TOWN],
    ['other', 'Ακίνητο', 'Property', 15, 160, 0.4, 10, TOWN],
  ],
}

/** Every subcategory of a category. */
export function kindsOf(category: Category): readonly PropertyKind[] {
  return ROWS[category].map(([subcategory, name_el, name_en, smallest, largest, factor, weight, where]) => ({
    subcategory,
    category,
    name_el,
    name_en,
    size: [smallest, largest],
    factor,
    weight,
    where,
  }))
}

/** How a title says what is done with a property. */
export const AVAILABILITY_NAMES: Readonly<Record<Availability, { el: string; en: string }>> = {
  sale: { el: 'προς πώληση', en: 'for sale' },
  rent: { el: 'προς ενοικίαση', en: 'for rent' },
  auction: { el: 'σε πλειστηριασμό', en: 'at auction' },
  shortterm: { el: 'για βραχυχρόνια μίσθωση', en: 'for short-term rent' },
}
