/** The features of listings, such as `elevator`: their names, and the categories that they apply to. */
import type { Names } from './enumeration.ts'
import type { Category } from './property-enums.ts'

/** The four groups of keys that listings have and requests search for. */
export const FEATURE_GROUPS = ['features', 'positioning', 'view', 'flooring'] as const

export type FeatureGroup = (typeof FEATURE_GROUPS)[number]

/** A feature key: its names in replies and bodies, its labels, and the categories that it applies to. */
export interface Feature {
  readonly group: FeatureGroup
  /** Name in replies: `storage`, `corner`, `sea_view`. */
  readonly key: string
  /** Name in the documented create body: `has_storage_room`, `is_corner`, `sea`. */
  readonly input: string
  readonly name_en: string
  readonly name_el: string
  readonly categories: readonly Category[]
}

type Row = readonly [
  key: string,
  input: string,
  name_en: string,
  name_el: string,
  categories: readonly Category[],
]

const ANY = ['residential', 'commercial', 'land', 'other'] as const
const BUILT = ['residential', 'commercial', 'other'] as const
const ROOMS = ['residential', 'commercial'] as const
const GROUNDS = ['residential', 'commercial', 'land'] as const
const HOME = ['residential'] as const
const WORK = ['commercial', 'other'] as const
const LAND = ['land'] as const

const ROWS: Readonly<Record<FeatureGroup, readonly Row[]>> = {
  features: [
    // Building and access
    ['elevator', 'has_elevator', 'Elevator', 'Ανελκυστήρας', BUILT],
    ['parking', 'has_parking', 'Parking', 'Θέση στάθμευσης', BUILT],
    ['storage', 'has_storage_room', 'Storage room', 'Αποθήκη', BUILT],
    ['ev_charger', 'has_ev_charger', 'Electric vehicle charger', 'Φορτιστής ηλεκτρικού οχήματος', BUILT],
    ['automatic_gate', 'has_automatic_gate', 'Automatic gate', 'Αυτόματη πόρτα εισόδου', BUILT],
    ['independent_entrance', 'has_independent_entrance', 'Independent entrance', 'Ανεξάρτητη είσοδος', BUILT],
    ['disabled_access', 'has_disabled_access', 'Disabled access', 'Πρόσβαση για ΑμεΑ', BUILT],
    ['concierge', 'has_concierge', 'Concierge', 'Θυρωρείο', ROOMS],
    ['interior_staircase', 'has_interior_staircase', 'Interior staircase', 'Εσωτερική σκάλα', ROOMS],

    // Outdoors
    ['balcony', 'has_balcony', 'Balcony', 'Μπαλκόνι', ROOMS],
    ['veranda', 'has_veranda', 'Veranda', 'Βεράντα', ROOMS],
    ['roof_terrace', 'has_roof_terrace', 'Roof terrace', 'Ταράτσα', ROOMS],
    ['garden', 'has_garden', 'Garden', 'Κήπος', BUILT],
    ['awnings', 'has_awnings', 'Awnings', 'Τέντες', BUILT],
    ['barbecue', 'has_barbecue', 'Barbecue', 'Ψησταριά', HOME],
    ['private_pool', 'has_private_pool', 'Private pool', 'Ιδιωτική πισίνα', ROOMS],
    ['shared_pool', 'has_shared_pool', 'Shared pool', 'Κοινόχρηστη πισίνα', ROOMS],
    ['tennis_court', 'has_tennis_court', 'Tennis court', 'Γήπεδο τένις', ROOMS],

    // Comfort and energy
    ['fireplace', 'has_fireplace', 'Fireplace', 'Τζάκι', ROOMS],
    ['energy_fireplace', 'has_energy_fireplace', 'Energy fireplace', 'Ενεργειακό τζάκι', HOME],
    ['air_condition', 'has_air_condition', 'Air conditioning', 'Κλιματισμός', BUILT],
    ['underfloor_heating', 'has_underfloor_heating', 'Underfloor heating', 'Ενδοδαπέδια θέρμανση', BUILT],
    ['gas_connection', 'has_gas_connection', 'Gas connection', 'Παροχή φυσικού αερίου', BUILT],
    ['solar_heater', 'has_solar_heater', 'Solar water heater', 'Ηλιακός θερμοσίφωνας', BUILT],
    ['photovoltaics', 'has_photovoltaics', 'Photovoltaic panels', 'Φωτοβολταϊκά', BUILT],
    ['thermal_insulation', 'has_thermal_insulation', 'Thermal insulation', 'Θερμομόνωση', BUILT],
    ['soundproofing', 'has_soundproofing', 'Soundproofing', 'Ηχομόνωση', BUILT],
    ['smart_home', 'has_smart_home', 'Smart home', 'Έξυπνο σπίτι', HOME],
    ['electric_shutters', 'has_electric_shutters', 'Electric shutters', 'Ηλεκτρικά ρολά', BUILT],
    ['window_screens', 'has_window_screens', 'Window screens', 'Σίτες', ROOMS],
    ['jacuzzi', 'has_jacuzzi', 'Jacuzzi', 'Τζακούζι', ROOMS],
    ['sauna', 'has_sauna', 'Sauna', 'Σάουνα', ROOMS],
    ['gym', 'has_gym', 'Gym', 'Γυμναστήριο', ROOMS],

    // Security and networks
    ['security_door', 'has_security_door', 'Security door', 'Πόρτα ασφαλείας', BUILT],
    ['alarm', 'has_alarm', 'Alarm', 'Συναγερμός', BUILT],
    ['cctv', 'has_cctv', 'Security cameras', 'Κάμερες ασφαλείας', BUILT],
    ['video_intercom', 'has_video_intercom', 'Video intercom', 'Θυροτηλεόραση', ROOMS],
    ['satellite_tv', 'has_satellite_tv', 'Satellite TV', 'Δορυφορική τηλεόραση', ROOMS],
    ['fibre_internet', 'has_fibre_internet', 'Fibre internet', 'Οπτική ίνα', BUILT],
    ['structured_cabling', 'has_structured_cabling', 'Structured cabling', 'Δομημένη καλωδίωση', WORK],
    ['three_phase_power', 'has_three_phase_power', 'Three-phase power', 'Τριφασικό ρεύμα', BUILT],

    // Interior
    ['furnished', 'is_furnished', 'Furnished', 'Επιπλωμένο', BUILT],
    ['appliances', 'has_appliances', 'Electrical appliances', 'Ηλεκτρικές συσκευές', BUILT],
    ['fitted_wardrobes', 'has_fitted_wardrobes', 'Fitted wardrobes', 'Εντοιχισμένες ντουλάπες', HOME],
    ['attic', 'has_attic', 'Attic', 'Σοφίτα', HOME],
    ['basement', 'has_basement', 'Basement', 'Υπόγειο', ROOMS],
    ['playroom', 'has_playroom', 'Playroom', 'Χώρος παιχνιδιού', HOME],
    ['guest_house', 'has_guest_house', 'Guest house', 'Ξενώνας', HOME],
    ['staff_room', 'has_staff_room', 'Staff room', 'Δωμάτιο προσωπικού', ROOMS],
    ['mezzanine', 'has_mezzanine', 'Mezzanine', 'Πατάρι', ROOMS],
    ['false_ceiling', 'has_false_ceiling', 'False ceiling', 'Ψευδοροφή', WORK],
    ['raised_floor', 'has_raised_floor', 'Raised floor', 'Υπερυψωμένο δάπεδο', WORK],
    ['shop_window', 'has_shop_window', 'Shop window', 'Βιτρίνα', WORK],
    ['loading_ramp', 'has_loading_ramp', 'Loading ramp', 'Ράμπα φόρτωσης', WORK],
    ['goods_lift', 'has_goods_lift', 'Goods lift', 'Ανελκυστήρας φορτίων', WORK],
    ['kitchen_exhaust', 'has_kitchen_exhaust', 'Kitchen exhaust duct', 'Καμινάδα εστίασης', WORK],

    // Character
    ['penthouse', 'is_penthouse', 'Penthouse', 'Ρετιρέ', HOME],
    ['luxurious', 'is_luxurious', 'Luxurious', 'Πολυτελές', ROOMS],
    ['bright', 'is_bright', 'Bright', 'Φωτεινό', BUILT],
    ['airy', 'is_airy', 'Airy', 'Ευάερο', BUILT],
    ['neoclassical', 'is_neoclassical', 'Neoclassical', 'Νεοκλασικό', ROOMS],
    ['listed_building', 'is_listed_building', 'Listed building', 'Διατηρητέο', BUILT],
    ['painted', 'is_painted', 'Freshly painted', 'Φρεσκοβαμμένο', BUILT],

    // Purpose
    ['pets_allowed', 'pets_allowed', 'Pets allowed', 'Επιτρέπονται κατοικίδια', HOME],
    ['suitable_for_students', 'suitable_for_students', 'Suitable for students', 'Για φοιτητές', HOME],
    ['suitable_for_families', 'suitable_for_families', 'Suitable for families', 'Για οικογένειες', HOME],
    ['professional_use', 'suitable_for_professional_use', 'Professional use', 'Επαγγελματική χρήση', ROOMS],
    ['medical_use', 'suitable_for_medical_use', 'Suitable for a medical practice', 'Για ιατρείο', ROOMS],
    ['tourist_use', 'suitable_for_tourist_use', 'Tourist use', 'Τουριστική χρήση', ANY],
    ['golden_visa', 'golden_visa', 'Golden visa', 'Χρυσή βίζα', ANY],
    ['investment', 'is_investment', 'Investment', 'Επενδυτικό', ANY],
    ['seafront', 'is_seaside', 'Seafront', 'Παραθαλάσσιο', ANY],
    ['near_metro', 'is_near_metro', 'Near a metro station', 'Κοντά σε μετρό', ANY],
    ['fenced', 'is_fenced', 'Fenced', 'Περιφραγμένο', GROUNDS],
    ['well', 'has_well', 'Well', 'Πηγάδι', GROUNDS],
    ['borehole', 'has_borehole', 'Borehole', 'Γεώτρηση', GROUNDS],
    ['irrigation', 'has_irrigation', 'Irrigation', 'Άρδευση', GROUNDS],

    // Land
    ['buildable', 'is_buildable', 'Buildable', 'Άρτιο και οικοδομήσιμο', LAND],
    ['building_permit', 'has_building_permit', 'Building permit', 'Οικοδομική άδεια', LAND],
    ['land_exchange', 'suitable_for_land_exchange', 'Exchange for flats', 'Αντιπαροχή', LAND],
    ['divisible', 'is_divisible', 'Divisible', 'Κατατμήσιμο', LAND],
    ['old_building', 'has_old_building', 'With an old building', 'Με παλαιό κτίσμα', LAND],
    ['roadside', 'is_roadside', 'Roadside', 'Επί δρόμου', LAND],
    ['water_supply', 'has_water_supply', 'Water supply', 'Παροχή νερού', LAND],
    ['power_supply', 'has_power_supply', 'Power supply', 'Παροχή ρεύματος', LAND],
    ['sewer', 'has_sewer', 'Sewer connection', 'Σύνδεση με αποχέτευση', LAND],
    ['trees', 'has_trees', 'Trees', 'Δέντρα', LAND],
    ['olive_grove', 'has_olive_grove', 'Olive grove', 'Ελαιώνας', LAND],
    ['vineyard', 'has_vineyard', 'Vineyard', 'Αμπελώνας', LAND],
  ],
  // Positioning applies to plots as well: a plot may be a whole city block, with a road on each side.
  positioning: [
    ['corner', 'is_corner', 'Corner', 'Γωνιακό', ANY],
    ['front_facing', 'is_front_facing', 'Front-facing', 'Προσόψεως', ANY],
    ['side_facing', 'is_side_facing', 'Side-facing', 'Πλαγίας όψεως', ANY],
    ['through', 'is_through', 'Dual aspect', 'Διαμπερές', ANY],
    ['interior', 'is_interior', 'Interior', 'Εσωτερικό', ANY],
    ['three_sided', 'is_three_sided', 'Three-sided', 'Τριών όψεων', ANY],
    ['four_sided', 'is_four_sided', 'Four-sided', 'Τεσσάρων όψεων', ANY],
  ],
  view: [
    ['sea_view', 'sea', 'Sea view', 'Θέα θάλασσα', ANY],
    ['mountain_view', 'mountain', 'Mountain view', 'Θέα βουνό', ANY],
    ['park_view', 'park', 'Park view', 'Θέα πάρκο', ANY],
    ['openspace_view', 'openspace', 'Open view', 'Ανοιχτή θέα', ANY],
    ['acropolis_view', 'acropolis', 'Acropolis view', 'Θέα Ακρόπολη', ANY],
    ['city_view', 'city', 'City view', 'Θέα πόλη', ANY],
    ['lake_view', 'lake', 'Lake view', 'Θέα λίμνη', ANY],
    ['river_view', 'river', 'River view', 'Θέα ποτάμι', ANY],
    ['forest_view', 'forest', 'Forest view', 'Θέα δάσος', ANY],
    ['panoramic_view', 'panoramic', 'Panoramic view', 'Πανοραμική θέα', ANY],
  ],
  flooring: [
    ['tile', 'tile', 'Tile', 'Πλακάκι', BUILT],
    ['marble', 'marble', 'Marble', 'Μάρμαρο', BUILT],
    ['wood', 'wood', 'Wood', 'Ξύλο', BUILT],
    ['parquet', 'parquet', 'Parquet', 'Παρκέ', BUILT],
    ['laminate', 'laminate', 'Laminate', 'Λαμινέιτ', BUILT],
    ['carpet', 'carpet', 'Carpet', 'Μοκέτα', BUILT],
    ['industrial', 'industrial', 'Industrial', 'Βιομηχανικό', BUILT],
    ['concrete', 'concrete', 'Concrete', 'Σκυρόδεμα', BUILT],
    ['stone', 'stone', 'Stone', 'Πέτρα', BUILT],
    ['epoxy_resin', 'epoxy_resin', 'Epoxy resin', 'Εποξειδική ρητίνη', BUILT],
    ['cement_screed', 'cement_screed', 'Cement screed', 'Τσιμεντοκονία', BUILT],
    ['plastic', 'plastic', 'Plastic', 'Πλαστικό', BUILT],
    ['vinyl', 'vinyl', 'Vinyl', 'Βινύλιο', BUILT],
    ['ceramic_tile', 'ceramic_tile', 'Ceramic tile', 'Κεραμικό πλακάκι', BUILT],
    ['mosaic', 'mosaic', 'Mosaic', 'Μωσαϊκό', BUILT],
    ['granite', 'granite', 'Granite', 'Γρανίτης', BUILT],
  ],
}

/** Every feature of every group, in the order of the table. */
export const FEATURES: readonly Feature[] = FEATURE_GROUPS.flatMap((group) =>
  ROWS[group].map(([key, input, name_en, name_el, categories]) => ({
    group,
    key,
    input,
    name_en,
    name_el,
    categories,
  })),
)

const BY_KEY: ReadonlyMap<string, Feature> = new Map(
  FEATURES.flatMap((feature) => [
    [`${feature.group} ${feature.input}`, feature] as const,
    [`${feature.group} ${feature.key}`, feature] as const,
  ]),
)

/** The feature with this input or output name; undefined if the group has none. */
export function featureKey(group: FeatureGroup, key: string): Feature | undefined {
  return BY_KEY.get(`${group} ${key}`)
}

/** Makes the transform of a list of input or output names of a group into those of one kind. Unknown names are problems. */
export const keysAs =
  (group: FeatureGroup, kind: 'key' | 'input') =>
  (names: readonly string[], context: { addIssue: (message: string) => void }): string[] => [
    ...new Set(
      names.flatMap((name) => {
        const feature = featureKey(group, name)
        if (!feature) context.addIssue(`${name} is not in the list that /api/listings/features serves`)
        return feature?.[kind] ?? []
      }),
    ),
  ]

/** The output names of one group. */
export function outputKeys(group: FeatureGroup): [string, ...string[]] {
  return featuresOf(group).map(({ key }) => key) as [string, ...string[]]
}

/** The input and output names of one group, all of which bodies accept. */
export function inputKeys(group: FeatureGroup): [string, ...string[]] {
  return [...new Set(featuresOf(group).flatMap(({ key, input }) => [key, input]))] as [string, ...string[]]
}

/** The features of one group, in the order of the table. */
export function featuresOf(group: FeatureGroup): readonly Feature[] {
  return FEATURES.filter((feature) => feature.group === group)
}

/** The names of the features of one group, by output name. */
export function featureNames(group: FeatureGroup): Record<string, Names> {
  return Object.fromEntries(featuresOf(group).map(({ key, name_el, name_en }) => [key, [name_el, name_en]]))
}
