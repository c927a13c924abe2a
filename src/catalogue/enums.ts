/** The shared enumerations: every closed set of values in a record. */

/** What visitors of a website ask for. */
export const ENQUIRY_TYPES = ['information', 'viewing', 'offer', 'valuation', 'search'] as const
export const ENQUIRY_STATUSES = ['new', 'open', 'closed', 'spam'] as const

/** What a photo of a listing shows. */
export const PHOTO_KINDS = ['photo', 'floor_plan'] as const
export type PhotoKind = (typeof PHOTO_KINDS)[number]

export const CATEGORIES = ['residential', 'commercial', 'land', 'other'] as const
export const AVAILABILITIES = ['sale', 'rent', 'auction', 'shortterm'] as const

export const SUBCATEGORIES = {
  residential: [
    'apartment',
    'maisonette',
    'detached',
    'villa',
    'loft',
    'residential_building',
    'apartment_complex',
    'farmhouse',
    'houseboat',
    'other_residential',
  ],
  commercial: [
    'office',
    'store',
    'warehouse',
    'hotel',
    'commercial_building',
    'hall',
    'industrial_space',
    'craft_space',
    'other_commercial',
  ],
  land: ['plot', 'parcel', 'island'],
  other: ['parking', 'business', 'air', 'other'],
} as const

export const ALL_SUBCATEGORIES = [
  ...SUBCATEGORIES.residential,
  ...SUBCATEGORIES.commercial,
  ...SUBCATEGORIES.land,
  ...SUBCATEGORIES.other,
] as const

export const LISTING_STATUSES = ['draft', 'pending', 'active', 'inactive', 'archived', 'deleted'] as const
export const PROPERTY_CONDITIONS = [
  'under_construction',
  'new',
  'renovated',
  'good',
  'average',
  'needs_renovation',
  'unfinished',
] as const
export const ORIENTATIONS = ['e', 'ew', 'n', 'ne', 'w', 'nw', 's', 'se', 'sw'] as const
export const SHORTTERM_UNITS = ['per_day', 'per_week', 'per_month', 'per_season', 'per_year'] as const
export const HEATING_TYPES = ['individual', 'autonomous', 'central', 'none'] as const
export const HEATING_SOURCES = [
  'oil',
  'natural_gas',
  'gas',
  'ac',
  'heatpump',
  'wood',
  'pellet',
  'fan_coil',
  'geothermal_energy',
  'stove',
  'convection_heater',
  'storage_heater',
  'teleheating',
  'other',
] as const
export const FRAMES = ['aluminum', 'wood', 'synthetic', 'pvc'] as const
export const FRAMES_GLASS = ['single', 'double', 'triple'] as const
export const CONSTRUCTION_TYPES = ['concrete', 'wood', 'metal', 'prefab', 'portable', 'stone'] as const
export const GARDENS = ['shared', 'private', 'roof_garden'] as const
export const ZONINGS = [
  'residential',
  'unzoned',
  'commercial',
  'industrial',
  'light_industrial',
  'agricultural',
  'tourist',
  'archaeological',
  'forest',
  'protected',
  'redevelopment',
  'mixed',
] as const
export const LAND_SLOPES = ['flat', 'sloped', 'amphitheatrical'] as const
export const ACCESS_TYPES = ['road', 'dirt_road', 'sea', 'pedestrian', 'no_access'] as const
export const ASSIGNMENTS = ['none', 'simple', 'exclusive'] as const
export const ASSIGNMENT_FEE_TYPES = ['fixed', 'percent'] as const
export const LAND_USES = [
  'exclusive_residential',
  'general_residential',
  'commercial',
  'industrial',
  'tourism',
  'agricultural',
  'pasture',
  'forest',
  'mixed_use',
  'other',
] as const
export const ENERGY_CLASSES = ['app', 'ap', 'a', 'bp', 'b', 'c', 'd', 'e', 'f', 'g', 'pending'] as const
export const PLANNING_STATUSES = ['within', 'outside', 'pending'] as const
export const ADDRESS_DISPLAYS = ['real', 'fake', 'none'] as const

export const OFFER_STATUSES = [
  'draft',
  'submitted',
  'under_negotiation',
  'accepted',
  'rejected',
  'withdrawn',
] as const
export const ROUND_TYPES = [
  'offer_submitted',
  'counter_offer',
  'buyer_revision',
  'accepted',
  'rejected',
  'withdrawn',
  'note',
] as const

export const INCOME_CATEGORIES = ['contract', 'valuation', 'referral', 'other'] as const
export const COMMISSION_SIDES = ['owner_side', 'client_side'] as const
/** The statuses of incomes and expenses. */
export const PAYMENT_STATUSES = ['pending', 'confirmed'] as const

export const CUSTOM_FIELD_TYPES = [
  'text',
  'textarea',
  'wysiwyg',
  'number',
  'formatted_number',
  'select',
  'select_multi',
  'checkbox',
  'file',
  'image',
  'file_multi',
  'image_multi',
  'address',
  'url',
  'date',
  'datetime',
  'currency',
  'user',
  'user_multi',
  'contact',
  'contact_multi',
  'phone',
] as const

export type Category = (typeof CATEGORIES)[number]
export type Availability = (typeof AVAILABILITIES)[number]
export type Subcategory = (typeof ALL_SUBCATEGORIES)[number]
export type ListingStatus = (typeof LISTING_STATUSES)[number]
export type AddressDisplay = (typeof ADDRESS_DISPLAYS)[number]
export type OfferStatus = (typeof OFFER_STATUSES)[number]
export type RoundType = (typeof ROUND_TYPES)[number]
export type IncomeCategory = (typeof INCOME_CATEGORIES)[number]
export type CommissionSide = (typeof COMMISSION_SIDES)[number]
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]

/** Whether `subcategory` belongs to `category`. */
export function belongsTo(subcategory: string, category: Category): boolean {
  return (SUBCATEGORIES[category] as readonly string[]).includes(subcategory)
}
