/**
 * The enumerations of properties: every closed set of values with the names that people read. Those of what an office does
 * are in `office-enums.ts`, and `enumerations.ts` has all of them as the API serves them.
 */
import { valuesIn } from './enumeration.ts'

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

/** By the name of the enumeration: that of the field. */
export const PROPERTY_ENUMERATIONS = {
  category: {
    residential: ['Κατοικία', 'Residential'],
    commercial: ['Επαγγελματικός χώρος', 'Commercial'],
    land: ['Γη', 'Land'],
    other: ['Άλλο ακίνητο', 'Other'],
  },
  availability: {
    sale: ['Πώληση', 'For sale'],
    rent: ['Ενοικίαση', 'To rent'],
    auction: ['Πλειστηριασμός', 'Auction'],
    shortterm: ['Βραχυχρόνια μίσθωση', 'Short-term rental'],
  },
  subcategory: SUBCATEGORY,
  property_condition: {
    under_construction: ['Υπό κατασκευή', 'Under construction'],
    new: ['Νεόδμητο', 'New'],
    renovated: ['Ανακαινισμένο', 'Renovated'],
    good: ['Καλή', 'Good'],
    average: ['Μέτρια', 'Average'],
    needs_renovation: ['Χρειάζεται ανακαίνιση', 'Needs renovation'],
    unfinished: ['Ημιτελές', 'Unfinished'],
  },
  orientation: {
    e: ['Ανατολικός', 'East'],
    ew: ['Ανατολικοδυτικός', 'East and west'],
    n: ['Βόρειος', 'North'],
    ne: ['Βορειοανατολικός', 'North-east'],
    w: ['Δυτικός', 'West'],
    nw: ['Βορειοδυτικός', 'North-west'],
    s: ['Νότιος', 'South'],
    se: ['Νοτιοανατολικός', 'South-east'],
    sw: ['Νοτιοδυτικός', 'South-west'],
  },
  shortterm_unit: {
    per_day: ['Ανά ημέρα', 'Per day'],
    per_week: ['Ανά εβδομάδα', 'Per week'],
    per_month: ['Ανά μήνα', 'Per month'],
    per_season: ['Ανά σεζόν', 'Per season'],
    per_year: ['Ανά έτος', 'Per year'],
  },
  heating_type: {
    individual: ['Ατομική', 'Individual'],
    autonomous: ['Αυτόνομη', 'Autonomous'],
    central: ['Κεντρική', 'Central'],
    none: ['Χωρίς θέρμανση', 'None'],
  },
  heating_source: {
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
  },
  frames: {
    aluminum: ['Αλουμίνιο', 'Aluminium'],
    wood: ['Ξύλο', 'Wood'],
    synthetic: ['Συνθετικά', 'Synthetic'],
    pvc: ['PVC', 'PVC'],
  },
  frames_glass: {
    single: ['Μονά τζάμια', 'Single glazing'],
    double: ['Διπλά τζάμια', 'Double glazing'],
    triple: ['Τριπλά τζάμια', 'Triple glazing'],
  },
  construction_type: {
    concrete: ['Σκυρόδεμα', 'Concrete'],
    wood: ['Ξύλινη', 'Wood'],
    metal: ['Μεταλλική', 'Metal'],
    prefab: ['Προκατασκευασμένη', 'Prefabricated'],
    portable: ['Λυόμενη', 'Portable'],
    stone: ['Πέτρινη', 'Stone'],
  },
  garden: {
    shared: ['Κοινόχρηστος', 'Shared'],
    private: ['Ιδιωτικός', 'Private'],
    roof_garden: ['Κήπος στην ταράτσα', 'Roof garden'],
  },
  zoning: {
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
  },
  land_slope: {
    flat: ['Επίπεδο', 'Flat'],
    sloped: ['Επικλινές', 'Sloped'],
    amphitheatrical: ['Αμφιθεατρικό', 'Amphitheatrical'],
  },
  access_type: {
    road: ['Άσφαλτος', 'Paved road'],
    dirt_road: ['Χωματόδρομος', 'Dirt road'],
    sea: ['Από θάλασσα', 'By sea'],
    pedestrian: ['Πεζόδρομος', 'Pedestrian way'],
    no_access: ['Χωρίς πρόσβαση', 'No access'],
  },
  assignment: {
    none: ['Χωρίς ανάθεση', 'None'],
    simple: ['Απλή ανάθεση', 'Non-exclusive'],
    exclusive: ['Αποκλειστική ανάθεση', 'Exclusive'],
  },
  assignment_fee_type: {
    fixed: ['Σταθερό ποσό', 'Fixed amount'],
    percent: ['Ποσοστό', 'Percentage'],
  },
  listing_status: {
    draft: ['Πρόχειρο', 'Draft'],
    pending: ['Σε αναμονή', 'Pending'],
    active: ['Ενεργό', 'Active'],
    inactive: ['Ανενεργό', 'Inactive'],
    archived: ['Αρχειοθετημένο', 'Archived'],
    deleted: ['Διαγραμμένο', 'Deleted'],
  },
  energy_class: {
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
  },
  land_use: {
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
  },
  planning_status: {
    within: ['Εντός σχεδίου', 'Within the urban plan'],
    outside: ['Εκτός σχεδίου', 'Outside the urban plan'],
    pending: ['Υπό ένταξη στο σχέδιο', 'Being added to the urban plan'],
  },
  display_address: {
    real: ['Ακριβής διεύθυνση', 'Exact address'],
    fake: ['Κατά προσέγγιση', 'Approximate address'],
    none: ['Χωρίς διεύθυνση', 'No address'],
  },
  /** How exactly a public listing shows its place. */
  precision: {
    exact: ['Ακριβές σημείο', 'Exact point'],
    circle: ['Κύκλος', 'Circle'],
    area: ['Περιοχή', 'Area only'],
  },
  /** What a photo of a listing shows. */
  photo_kind: {
    photo: ['Φωτογραφία', 'Photo'],
    floor_plan: ['Κάτοψη', 'Floor plan'],
  },
} as const

export const CATEGORIES = valuesIn(PROPERTY_ENUMERATIONS.category)
export const AVAILABILITIES = valuesIn(PROPERTY_ENUMERATIONS.availability)
export const ALL_SUBCATEGORIES = valuesIn(SUBCATEGORY)
export const PROPERTY_CONDITIONS = valuesIn(PROPERTY_ENUMERATIONS.property_condition)
export const ORIENTATIONS = valuesIn(PROPERTY_ENUMERATIONS.orientation)
export const SHORTTERM_UNITS = valuesIn(PROPERTY_ENUMERATIONS.shortterm_unit)
export const HEATING_TYPES = valuesIn(PROPERTY_ENUMERATIONS.heating_type)
export const HEATING_SOURCES = valuesIn(PROPERTY_ENUMERATIONS.heating_source)
export const FRAMES = valuesIn(PROPERTY_ENUMERATIONS.frames)
export const FRAMES_GLASS = valuesIn(PROPERTY_ENUMERATIONS.frames_glass)
export const CONSTRUCTION_TYPES = valuesIn(PROPERTY_ENUMERATIONS.construction_type)
export const GARDENS = valuesIn(PROPERTY_ENUMERATIONS.garden)
export const ZONINGS = valuesIn(PROPERTY_ENUMERATIONS.zoning)
export const LAND_SLOPES = valuesIn(PROPERTY_ENUMERATIONS.land_slope)
export const ACCESS_TYPES = valuesIn(PROPERTY_ENUMERATIONS.access_type)
export const ASSIGNMENTS = valuesIn(PROPERTY_ENUMERATIONS.assignment)
export const ASSIGNMENT_FEE_TYPES = valuesIn(PROPERTY_ENUMERATIONS.assignment_fee_type)
export const LISTING_STATUSES = valuesIn(PROPERTY_ENUMERATIONS.listing_status)
export const ENERGY_CLASSES = valuesIn(PROPERTY_ENUMERATIONS.energy_class)
export const LAND_USES = valuesIn(PROPERTY_ENUMERATIONS.land_use)
export const PLANNING_STATUSES = valuesIn(PROPERTY_ENUMERATIONS.planning_status)
export const ADDRESS_DISPLAYS = valuesIn(PROPERTY_ENUMERATIONS.display_address)
export const PRECISIONS = valuesIn(PROPERTY_ENUMERATIONS.precision)
export const PHOTO_KINDS = valuesIn(PROPERTY_ENUMERATIONS.photo_kind)

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
