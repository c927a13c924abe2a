/**
 * The enumerations of properties: every closed set of values with the names that people read. Those of what an office does
 * are in `office-enums.ts`, and `enumerations.ts` has all of them as the API serves them.
 */
import { valuesIn } from './enumeration.ts'

export const CATEGORY = {
  residential: ['Κατοικία', 'Residential'],
  commercial: ['Επαγγελματικός χώρος', 'Commercial'],
  land: ['Γη', 'Land'],
  other: ['Άλλο ακίνητο', 'Other'],
} as const
export const CATEGORIES = valuesIn(CATEGORY)

export const AVAILABILITY = {
  sale: ['Πώληση', 'For sale'],
  rent: ['Ενοικίαση', 'To rent'],
  auction: ['Πλειστηριασμός', 'Auction'],
  shortterm: ['Βραχυχρόνια μίσθωση', 'Short-term rental'],
} as const
export const AVAILABILITIES = valuesIn(AVAILABILITY)

/** The subcategories, by the category that they belong to. */
const SUBCATEGORY_BY_CATEGORY = {
  residential: {
    apartment: ['Διαμέρισμα', 'Apartment'],
    maisonette: ['Μεζονέτα', 'Maisonette'],
    detached: ['Μονοκατοικία', 'Detached house'],
    villa: ['Βίλα', 'Villa'],
    loft: ['Λοφτ', 'Loft'],
    residential_building: ['Κτίριο κατοικιών', 'Residential building'],
    apartment_complex: ['Συγκρότημα διαμερισμάτων', 'Apartment complex'],
    farmhouse: ['Αγροικία', 'Farmhouse'],
    houseboat: ['Πλωτή κατοικία', 'Houseboat'],
    other_residential: ['Άλλη κατοικία', 'Other home'],
  },
  commercial: {
    office: ['Γραφείο', 'Office'],
    store: ['Κατάστημα', 'Shop'],
    warehouse: ['Αποθήκη', 'Warehouse'],
    hotel: ['Ξενοδοχείο', 'Hotel'],
    commercial_building: ['Επαγγελματικό κτίριο', 'Commercial building'],
    hall: ['Αίθουσα', 'Hall'],
    industrial_space: ['Βιομηχανικός χώρος', 'Industrial space'],
    craft_space: ['Βιοτεχνικός χώρος', 'Workshop'],
    other_commercial: ['Άλλος επαγγελματικός χώρος', 'Other commercial space'],
  },
  land: {
    plot: ['Οικόπεδο', 'Plot'],
    parcel: ['Αγροτεμάχιο', 'Land parcel'],
    island: ['Νησί', 'Island'],
  },
  other: {
    parking: ['Θέση στάθμευσης', 'Parking space'],
    business: ['Επιχείρηση', 'Business'],
    air: ['Αέρας', 'Air rights'],
    other: ['Άλλο', 'Other'],
  },
} as const

export const SUBCATEGORIES = {
  residential: valuesIn(SUBCATEGORY_BY_CATEGORY.residential),
  commercial: valuesIn(SUBCATEGORY_BY_CATEGORY.commercial),
  land: valuesIn(SUBCATEGORY_BY_CATEGORY.land),
  other: valuesIn(SUBCATEGORY_BY_CATEGORY.other),
} as const

export const SUBCATEGORY = {
  ...SUBCATEGORY_BY_CATEGORY.residential,
  ...SUBCATEGORY_BY_CATEGORY.commercial,
  ...SUBCATEGORY_BY_CATEGORY.land,
  ...SUBCATEGORY_BY_CATEGORY.other,
} as const
export const ALL_SUBCATEGORIES = valuesIn(SUBCATEGORY)

export const PROPERTY_CONDITION = {
  under_construction: ['Υπό κατασκευή', 'Under construction'],
  new: ['Νεόδμητο', 'New'],
  renovated: ['Ανακαινισμένο', 'Renovated'],
  good: ['Καλή', 'Good'],
  average: ['Μέτρια', 'Average'],
  needs_renovation: ['Χρειάζεται ανακαίνιση', 'Needs renovation'],
  unfinished: ['Ημιτελές', 'Unfinished'],
} as const
export const PROPERTY_CONDITIONS = valuesIn(PROPERTY_CONDITION)

export const ORIENTATION = {
  e: ['Ανατολικός', 'East'],
  ew: ['Ανατολικοδυτικός', 'East and west'],
  n: ['Βόρειος', 'North'],
  ne: ['Βορειοανατολικός', 'North-east'],
  w: ['Δυτικός', 'West'],
  nw: ['Βορειοδυτικός', 'North-west'],
  s: ['Νότιος', 'South'],
  se: ['Νοτιοανατολικός', 'South-east'],
  sw: ['Νοτιοδυτικός', 'South-west'],
} as const
export const ORIENTATIONS = valuesIn(ORIENTATION)

export const SHORTTERM_UNIT = {
  per_day: ['Ανά ημέρα', 'Per day'],
  per_week: ['Ανά εβδομάδα', 'Per week'],
  per_month: ['Ανά μήνα', 'Per month'],
  per_season: ['Ανά σεζόν', 'Per season'],
  per_year: ['Ανά έτος', 'Per year'],
} as const
export const SHORTTERM_UNITS = valuesIn(SHORTTERM_UNIT)

export const HEATING_TYPE = {
  individual: ['Ατομική', 'Individual'],
  autonomous: ['Αυτόνομη', 'Autonomous'],
  central: ['Κεντρική', 'Central'],
  none: ['Χωρίς θέρμανση', 'None'],
} as const
export const HEATING_TYPES = valuesIn(HEATING_TYPE)

export const HEATING_SOURCE = {
  oil: ['Πετρέλαιο', 'Oil'],
  natural_gas: ['Φυσικό αέριο', 'Natural gas'],
  gas: ['Υγραέριο', 'Bottled gas'],
  ac: ['Κλιματισμός', 'Air conditioning'],
  heatpump: ['Αντλία θερμότητας', 'Heat pump'],
  wood: ['Ξύλο', 'Wood'],
  pellet: ['Πέλετ', 'Pellets'],
  fan_coil: ['Fan coil', 'Fan coils'],
  geothermal_energy: ['Γεωθερμία', 'Geothermal energy'],
  stove: ['Σόμπα', 'Stove'],
  convection_heater: ['Θερμοπομποί', 'Convection heaters'],
  storage_heater: ['Θερμοσυσσωρευτές', 'Storage heaters'],
  teleheating: ['Τηλεθέρμανση', 'District heating'],
  other: ['Άλλη', 'Other'],
} as const
export const HEATING_SOURCES = valuesIn(HEATING_SOURCE)

export const FRAME = {
  aluminum: ['Αλουμίνιο', 'Aluminium'],
  wood: ['Ξύλο', 'Wood'],
  synthetic: ['Συνθετικά', 'Synthetic'],
  pvc: ['PVC', 'PVC'],
} as const
export const FRAMES = valuesIn(FRAME)

export const FRAME_GLASS = {
  single: ['Μονά τζάμια', 'Single glazing'],
  double: ['Διπλά τζάμια', 'Double glazing'],
  triple: ['Τριπλά τζάμια', 'Triple glazing'],
} as const
export const FRAMES_GLASS = valuesIn(FRAME_GLASS)

export const CONSTRUCTION_TYPE = {
  concrete: ['Σκυρόδεμα', 'Concrete'],
  wood: ['Ξύλινη', 'Wood'],
  metal: ['Μεταλλική', 'Metal'],
  prefab: ['Προκατασκευασμένη', 'Prefabricated'],
  portable: ['Λυόμενη', 'Portable'],
  stone: ['Πέτρινη', 'Stone'],
} as const
export const CONSTRUCTION_TYPES = valuesIn(CONSTRUCTION_TYPE)

export const GARDEN = {
  shared: ['Κοινόχρηστος', 'Shared'],
  private: ['Ιδιωτικός', 'Private'],
  roof_garden: ['Κήπος στην ταράτσα', 'Roof garden'],
} as const
export const GARDENS = valuesIn(GARDEN)

export const ZONING = {
  residential: ['Οικιστική ζώνη', 'Residential'],
  unzoned: ['Εκτός ζώνης', 'Unzoned'],
  commercial: ['Εμπορική ζώνη', 'Commercial'],
  industrial: ['Βιομηχανική ζώνη', 'Industrial'],
  light_industrial: ['Βιοτεχνική ζώνη', 'Light industrial'],
  agricultural: ['Αγροτική ζώνη', 'Agricultural'],
  tourist: ['Τουριστική ζώνη', 'Tourist'],
  archaeological: ['Αρχαιολογική ζώνη', 'Archaeological'],
  forest: ['Δασική ζώνη', 'Forest'],
  protected: ['Ζώνη προστασίας', 'Protected'],
  redevelopment: ['Ζώνη ανάπλασης', 'Redevelopment'],
  mixed: ['Μικτή ζώνη', 'Mixed'],
} as const
export const ZONINGS = valuesIn(ZONING)

export const LAND_SLOPE = {
  flat: ['Επίπεδο', 'Flat'],
  sloped: ['Επικλινές', 'Sloped'],
  amphitheatrical: ['Αμφιθεατρικό', 'Amphitheatrical'],
} as const
export const LAND_SLOPES = valuesIn(LAND_SLOPE)

export const ACCESS_TYPE = {
  road: ['Άσφαλτος', 'Paved road'],
  dirt_road: ['Χωματόδρομος', 'Dirt road'],
  sea: ['Από θάλασσα', 'By sea'],
  pedestrian: ['Πεζόδρομος', 'Pedestrian way'],
  no_access: ['Χωρίς πρόσβαση', 'No access'],
} as const
export const ACCESS_TYPES = valuesIn(ACCESS_TYPE)

export const ASSIGNMENT = {
  none: ['Χωρίς ανάθεση', 'None'],
  simple: ['Απλή ανάθεση', 'Non-exclusive'],
  exclusive: ['Αποκλειστική ανάθεση', 'Exclusive'],
} as const
export const ASSIGNMENTS = valuesIn(ASSIGNMENT)

export const ASSIGNMENT_FEE_TYPE = {
  fixed: ['Σταθερό ποσό', 'Fixed amount'],
  percent: ['Ποσοστό', 'Percentage'],
} as const
export const ASSIGNMENT_FEE_TYPES = valuesIn(ASSIGNMENT_FEE_TYPE)

export const LISTING_STATUS = {
  draft: ['Πρόχειρο', 'Draft'],
  pending: ['Σε αναμονή', 'Pending'],
  active: ['Ενεργό', 'Active'],
  inactive: ['Ανενεργό', 'Inactive'],
  archived: ['Αρχειοθετημένο', 'Archived'],
  deleted: ['Διαγραμμένο', 'Deleted'],
} as const
export const LISTING_STATUSES = valuesIn(LISTING_STATUS)

export const LAND_USE = {
  exclusive_residential: ['Αποκλειστική κατοικία', 'Exclusively residential'],
  general_residential: ['Γενική κατοικία', 'General residential'],
  commercial: ['Εμπορική χρήση', 'Commercial'],
  industrial: ['Βιομηχανική χρήση', 'Industrial'],
  tourism: ['Τουρισμός', 'Tourism'],
  agricultural: ['Αγροτική χρήση', 'Agricultural'],
  pasture: ['Βοσκότοπος', 'Pasture'],
  forest: ['Δάσος', 'Forest'],
  mixed_use: ['Μικτή χρήση', 'Mixed use'],
  other: ['Άλλη χρήση', 'Other'],
} as const
export const LAND_USES = valuesIn(LAND_USE)

export const ENERGY_CLASS = {
  app: ['A++', 'A++'],
  ap: ['A+', 'A+'],
  a: ['A', 'A'],
  bp: ['B+', 'B+'],
  b: ['B', 'B'],
  c: ['C', 'C'],
  d: ['D', 'D'],
  e: ['E', 'E'],
  f: ['F', 'F'],
  g: ['G', 'G'],
  pending: ['Υπό έκδοση', 'Being issued'],
} as const
export const ENERGY_CLASSES = valuesIn(ENERGY_CLASS)

export const PLANNING_STATUS = {
  within: ['Εντός σχεδίου', 'Within the urban plan'],
  outside: ['Εκτός σχεδίου', 'Outside the urban plan'],
  pending: ['Υπό ένταξη στο σχέδιο', 'Being added to the urban plan'],
} as const
export const PLANNING_STATUSES = valuesIn(PLANNING_STATUS)

export const ADDRESS_DISPLAY = {
  real: ['Ακριβής διεύθυνση', 'Exact address'],
  fake: ['Κατά προσέγγιση', 'Approximate address'],
  none: ['Χωρίς διεύθυνση', 'No address'],
} as const
export const ADDRESS_DISPLAYS = valuesIn(ADDRESS_DISPLAY)

/** How exactly a public listing shows its place. */
export const PRECISION = {
  exact: ['Ακριβές σημείο', 'Exact point'],
  circle: ['Κύκλος', 'Circle'],
  area: ['Περιοχή', 'Area only'],
} as const
export const PRECISIONS = valuesIn(PRECISION)

/** What a photo of a listing shows. */
export const PHOTO_KIND = {
  photo: ['Φωτογραφία', 'Photo'],
  floor_plan: ['Κάτοψη', 'Floor plan'],
} as const
export const PHOTO_KINDS = valuesIn(PHOTO_KIND)

export type PhotoKind = (typeof PHOTO_KINDS)[number]
export type Category = (typeof CATEGORIES)[number]
export type Availability = (typeof AVAILABILITIES)[number]
export type Subcategory = (typeof ALL_SUBCATEGORIES)[number]
export type ListingStatus = (typeof LISTING_STATUSES)[number]
export type AddressDisplay = (typeof ADDRESS_DISPLAYS)[number]

/** Whether `subcategory` belongs to `category`. */
export function belongsTo(subcategory: string, category: Category): boolean {
  return (SUBCATEGORIES[category] as readonly string[]).includes(subcategory)
}
