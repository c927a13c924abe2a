/**
 * The scalar fields of a listing, one line each. Input schemas, columns, writes, presentation, import, export and
 * documentation are derived from this table (`fields/kinds.ts`).
 */
import { choice, count, date, flag, measure, number, reference, text } from '../fields/kinds.ts'
import * as enums from './property-enums.ts'

/** Fields at the top level of bodies and replies; each has its own column. */
export const core = {
  subcategory: choice(enums.ALL_SUBCATEGORIES, {
    doc: 'Must belong to the category',
    public: true,
    history: true,
  }),
  subtype: reference({
    doc: 'Id from the subtypes lookup; must belong to the subcategory',
    to: 'listing_subtypes',
    public: true,
    history: true,
  }),
  price: count({
    doc: 'Asking price, or rent per period, in whole units of currency',
    public: true,
    history: true,
  }),
  size: measure({ doc: 'Square metres', public: true, history: true }),
  price_per_sqm: measure({
    doc: 'Price per square metre; price / size to 2 decimals unless it is set',
    public: true,
    history: true,
  }),
  floor: number({ doc: 'Floor; 0 is the ground floor, -0.5 a semi-basement', landNull: true, public: true }),
  levels: count({ doc: 'Number of levels', landNull: true, public: true }),
  rooms: count({ doc: 'Number of bedrooms', landNull: true, public: true }),
  bathrooms: count({ doc: 'Number of bathrooms', landNull: true, public: true }),
  year_built: count({ doc: 'Year of construction', landNull: true, public: true }),
  property_condition: choice(enums.PROPERTY_CONDITIONS, {
    doc: 'State of the building',
    landNull: true,
    public: true,
  }),
  source_id: reference({ doc: 'Id from the listing sources lookup', to: 'listing_sources' }),
}

/** Fields of the group `location`. */
export const location = {
  area_level1: reference({
    doc: 'Region: id of a location of level 1',
    to: 'locations',
    public: true,
    history: true,
  }),
  area_level2: reference({
    doc: 'Municipality or district of that region: id of a location of level 2',
    to: 'locations',
    public: true,
    history: true,
  }),
  area_level3: reference({
    doc: 'Neighbourhood of that municipality: id of a location of level 3',
    to: 'locations',
    public: true,
    history: true,
  }),
  postal_code: text({ doc: 'Postal code', person: false, public: true }),
}

/** Fields of the group `details`, stored in one JSON column. */
export const details = {
  wcs: count({ doc: 'Number of separate toilets', public: true }),
  living_rooms: count({ doc: 'Number of living rooms', public: true }),
  kitchens: count({ doc: 'Number of kitchens', public: true }),
  master_bedrooms: count({ doc: 'Number of bedrooms with their own bathroom', public: true }),
  total_building_floors: count({ doc: 'Floors of the building', public: true }),
  year_renovated: count({ doc: 'Year of the last renovation', public: true }),
  completion_year: count({ doc: 'Year in which construction ends', writeOnly: true, public: true }),
  parking_open_sheltered: count({ doc: 'Roofed open parking spaces', public: true }),
  parking_open_unsheltered: count({ doc: 'Open parking spaces without a roof', public: true }),
  parking_garage: count({ doc: 'Garage spaces', public: true }),
  parking_total: count({ doc: 'Parking spaces in total', public: true }),
  assignment: choice(enums.ASSIGNMENTS, {
    doc: 'How the owner assigned the listing to the agency',
    history: true,
  }),
  assignment_fee_type: choice(enums.ASSIGNMENT_FEE_TYPES, { doc: 'Unit of `assignment_fee`', history: true }),
  heating_type: choice(enums.HEATING_TYPES, { doc: 'Whether the heating is shared', public: true }),
  heating_source: choice(enums.HEATING_SOURCES, { doc: 'Source of heating', public: true }),
  frames: choice(enums.FRAMES, { doc: 'Material of the window frames', public: true }),
  frames_glass: choice(enums.FRAMES_GLASS, { doc: 'Glazing of the windows', public: true }),
  construction_type: choice(enums.CONSTRUCTION_TYPES, { doc: 'Material of the building', public: true }),
  garden: choice(enums.GARDENS, { doc: 'Whether the garden is shared', public: true }),
  zoning: choice(enums.ZONINGS, { doc: 'Zone of the urban plan', public: true }),
  assignment_fee: measure({
    doc: 'Fee, as an amount or a percentage: see `assignment_fee_type`',
    history: true,
  }),
  land_size: measure({ doc: 'Plot, in square metres', public: true, history: true }),
  coverage_ratio: measure({ doc: 'Share of the plot that may be covered, percent', public: true }),
  build_ratio: measure({ doc: 'Floor area ratio', public: true }),
  max_height: measure({ doc: 'Height allowed, in metres', public: true }),
  assignment_expires: date({ doc: 'Day on which the assignment ends', history: true }),
  land_use: choice(enums.LAND_USES, { doc: 'Permitted use of the land', writeOnly: true, public: true }),
  thermal_break: flag({
    doc: 'Whether the window frames have a thermal break',
    writeOnly: true,
    public: true,
  }),
}

/** Fields of the extra group (input key `the service`, alias `extra`), stored in one JSON column. */
export const extra = {
  video_url: text({ doc: 'Link to a hosted video', person: false, public: true }),
  virtual_tour_url: text({
    doc: 'Link to a tour elsewhere; unrelated to `panorama_tour_url`',
    person: false,
    public: true,
  }),
  auction_code: text({ doc: 'Code of the auction', person: false, public: true }),
  auction_url: text({ doc: 'Link to the auction', person: false, public: true }),
  project_unit_name: text({ doc: 'Name of the unit within a project', person: false, writeOnly: true }),
  distance_sea: count({ doc: 'Metres to the sea', public: true }),
  distance_airport: count({ doc: 'Metres to the airport', public: true }),
  distance_city: count({ doc: 'Metres to the city', public: true }),
  distance_market: count({ doc: 'Metres to the market', public: true }),
  monthly_maintenance: count({
    doc: 'Monthly shared expenses, in whole units of currency',
    public: true,
    history: true,
  }),
  min_price: count({ doc: 'Lowest price the owner accepts', writeOnly: true, history: true }),
  shortterm_min_stay: count({ doc: 'Shortest stay, in units of `shortterm_unit`', public: true }),
  shortterm_max_guests: count({ doc: 'Maximum number of guests', public: true }),
  rating: count({ doc: "The agency's own rating", writeOnly: true }),
  tenant_contact_id: reference({ doc: 'Contact who is the tenant', to: 'contacts' }),
  available_from: date({ doc: 'First day on which it is available', public: true, history: true }),
  auction_date: date({ doc: 'Day of the auction', public: true, history: true }),
  lease_expiry_date: date({ doc: 'Last day of the lease', writeOnly: true, history: true }),
  has_keys: flag({ doc: 'Whether the agency has the keys', history: true }),
  is_rented: flag({ doc: 'Whether it is rented at present', history: true }),
  has_hidden_price: flag({ doc: 'Whether the price must not be published', public: true, history: true }),
  is_negotiable: flag({ doc: 'Whether the price is negotiable', public: true, history: true }),
  orientation: choice(enums.ORIENTATIONS, { doc: 'Compass orientation', public: true }),
  energy_class: choice(enums.ENERGY_CLASSES, { doc: 'Energy class; ap is A+, app A++, bp B+', public: true }),
  frontage_length: measure({ doc: 'Metres along the street', public: true }),
  shop_window_length: measure({ doc: 'Metres of shop window', writeOnly: true, public: true }),
  balcony_size: measure({ doc: 'Balcony, in square metres', writeOnly: true, public: true }),
  storage_size: measure({ doc: 'Storage, in square metres', writeOnly: true, public: true }),
  garden_size: measure({ doc: 'Garden, in square metres', writeOnly: true, public: true }),
  rooftop_size: measure({ doc: 'Rooftop, in square metres', writeOnly: true, public: true }),
  yield: measure({ doc: 'Yearly yield, percent', writeOnly: true }),
  land_slope: choice(enums.LAND_SLOPES, { doc: 'Slope of the land', public: true }),
  access_type: choice(enums.ACCESS_TYPES, { doc: 'How the land is reached', public: true }),
  shortterm_unit: choice(enums.SHORTTERM_UNITS, { doc: 'Period that the price is for', public: true }),
  planning_status: choice(enums.PLANNING_STATUSES, {
    doc: 'Inside or outside the urban plan',
    writeOnly: true,
    public: true,
  }),
}
