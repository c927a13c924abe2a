/**
 * The fields of a listing as the interface names them, written out by hand and here alone: what the code calls them
 * must not be what the tests expect because the code says so.
 */

export type Kind =
  | { kind: 'int' | 'number' | 'signed' | 'text' | 'flag' | 'date' | 'id' }
  | { kind: 'enum'; values: readonly string[] }

const words = (text: string) => text.trim().split(/[\s,]+/)

const all = <K extends Kind>(kind: K, names: string): Record<string, Kind> =>
  Object.fromEntries(words(names).map((name) => [name, kind]))

const oneOf = (values: string): Kind => ({ kind: 'enum', values: words(values) })

/** Every field of a listing that is read back. */
export const SHOWN = words(`
  id store_id code category subcategory subtype availability price price_per_sqm size floor levels rooms bathrooms
  year_built property_condition status status_date source_id created_by date_created date_updated

  wcs living_rooms kitchens master_bedrooms total_building_floors year_renovated parking_open_sheltered
  parking_open_unsheltered parking_garage parking_total assignment assignment_fee assignment_fee_type
  assignment_expires heating_type heating_source frames frames_glass construction_type garden zoning land_size
  coverage_ratio build_ratio max_height

  video_url virtual_tour_url distance_sea distance_airport distance_city distance_market monthly_maintenance
  tenant_contact_id available_from has_keys is_rented has_hidden_price is_negotiable orientation energy_class
  frontage_length land_slope access_type floor_configuration shortterm_unit shortterm_min_stay shortterm_max_guests
  auction_code auction_url auction_date

  notes location features positioning view flooring tags contacts users photos panorama_photos panorama_tour_url
  translations`)

/** Every field of its location. */
export const SHOWN_LOCATION = words(`
  area_level1 area_level2 area_level3 postal_code display_address show_circle_on_map address_el fake_address_el
  longitude latitude fake_longitude fake_latitude`)

/** At the top of the body; subcategory and subtype have rules of their own. */
export const CORE: Record<string, Kind> = {
  ...all({ kind: 'int' }, 'price'),
  ...all({ kind: 'number' }, 'size price_per_sqm'),
  ...all({ kind: 'signed' }, 'floor'),
  ...all({ kind: 'int' }, 'levels rooms bathrooms year_built'),
  property_condition: oneOf('under_construction new renovated good average needs_renovation unfinished'),
  ...all({ kind: 'id' }, 'source_id'),
}

/** Core fields that land does not have. */
export const NOT_OF_LAND = words('floor levels rooms bathrooms year_built property_condition')

/** In the `location` of the body; the areas have rules of their own. */
export const LOCATION: Record<string, Kind> = {
  ...all({ kind: 'id' }, 'area_level1 area_level2 area_level3'),
  ...all({ kind: 'text' }, 'postal_code'),
}

export const DETAILS: Record<string, Kind> = {
  ...all(
    { kind: 'int' },
    `wcs living_rooms kitchens master_bedrooms total_building_floors year_renovated completion_year
    parking_open_sheltered parking_open_unsheltered parking_garage parking_total`,
  ),
  assignment: oneOf('none simple exclusive'),
  assignment_fee_type: oneOf('fixed percent'),
  heating_type: oneOf('individual autonomous central none'),
  heating_source: oneOf(
    `oil natural_gas gas ac heatpump wood pellet fan_coil geothermal_energy stove convection_heater
    storage_heater teleheating other`,
  ),
  frames: oneOf('aluminum wood synthetic pvc'),
  frames_glass: oneOf('single double triple'),
  construction_type: oneOf('concrete wood metal prefab portable stone'),
  garden: oneOf('shared private roof_garden'),
  zoning: oneOf(
    `residential unzoned commercial industrial light_industrial agricultural tourist archaeological forest
    protected redevelopment mixed`,
  ),
  ...all({ kind: 'number' }, 'assignment_fee land_size coverage_ratio build_ratio max_height'),
  ...all({ kind: 'date' }, 'assignment_expires'),
  land_use: oneOf(
    `exclusive_residential general_residential commercial industrial tourism agricultural pasture forest
    mixed_use other`,
  ),
  ...all({ kind: 'flag' }, 'thermal_break'),
}

/** Under the key `the service`, or its alias `extra`. */
export const EXTRA: Record<string, Kind> = {
  ...all({ kind: 'text' }, 'video_url virtual_tour_url auction_code auction_url project_unit_name'),
  ...all(
    { kind: 'int' },
    `distance_sea distance_airport distance_city distance_market monthly_maintenance min_price
    shortterm_min_stay shortterm_max_guests rating`,
  ),
  ...all({ kind: 'id' }, 'tenant_contact_id'),
  ...all({ kind: 'date' }, 'available_from auction_date lease_expiry_date'),
  ...all({ kind: 'flag' }, 'has_keys is_rented has_hidden_price is_negotiable'),
  orientation: oneOf('e ew n ne w nw s se sw'),
  energy_class: oneOf('app ap a bp b c d e f g pending'),
  ...all(
    { kind: 'number' },
    'frontage_length shop_window_length balcony_size storage_size garden_size rooftop_size yield',
  ),
  land_slope: oneOf('flat sloped amphitheatrical'),
  access_type: oneOf('road dirt_road sea pedestrian no_access'),
  shortterm_unit: oneOf('per_day per_week per_month per_season per_year'),
  planning_status: oneOf('within outside pending'),
}

const GROUPS = { core: CORE, details: DETAILS, 'the service': EXTRA } as const
export type Group = keyof typeof GROUPS

/** Every field with its group. */
export const FIELDS = (Object.entries(GROUPS) as [Group, Record<string, Kind>][]).flatMap(([group, fields]) =>
  Object.entries(fields).map(([name, kind]) => ({
    group,
    name,
    kind,
    /** As errors call it. */
    path: group === 'core' ? name : `${group}.${name}`,
  })),
)

/** The part of a body that sends these values. */
export function bodyOf(sent: { group: Group; name: string; value: unknown }[]): Record<string, unknown> {
  const groupOf = (wanted: Group) =>
    Object.fromEntries(sent.flatMap(({ group, name, value }) => (group === wanted ? [[name, value]] : [])))
  return { ...groupOf('core'), details: groupOf('details'), 'the service': groupOf('the service') }
}

/** A good value, different from field to field; `turn` goes through the values of an enumeration. */
export function goodValue(kind: Kind, index: number, turn = 0): unknown {
  switch (kind.kind) {
    case 'enum':
      return kind.values[turn % kind.values.length]
    case 'int':
      return 100 + index
    case 'number':
      return index + 0.25
    case 'signed':
      return -0.5
    case 'text':
      return `Κείμενο ${index}`
    case 'flag':
      return true
    case 'date':
      return `2026-02-${String((index % 28) + 1).padStart(2, '0')}`
    case 'id':
      return 2
  }
}

/** Values that a field does not take, each with what the error says after `Invalid <field>: `. */
export function badValues(kind: Kind): [value: unknown, says: string][] {
  switch (kind.kind) {
    case 'enum': {
      const says = `must be one of ${kind.values.join(', ')}`
      return [
        ['x', says],
        ['', says],
        [5, says],
        [[kind.values[0]], says],
        [kind.values[0]?.toUpperCase(), says],
      ]
    }
    case 'int':
      return [
        ['5', 'must be an integer'],
        ['', 'must be an integer'],
        [1.5, 'must be an integer'],
        [true, 'must be an integer'],
        [[1], 'must be an integer'],
        [{}, 'must be an integer'],
        [-1, 'must be at least 0'],
        [2 ** 53, 'must be at most 9007199254740991'],
      ]
    case 'number':
      return [
        ['5', 'must be a number'],
        [false, 'must be a number'],
        [[], 'must be a number'],
        [-0.01, 'must be at least 0'],
      ]
    case 'signed':
      return [
        ['5', 'must be a number'],
        [true, 'must be a number'],
      ]
    case 'text':
      return [
        [5, 'must be text'],
        [['a'], 'must be text'],
        ['x'.repeat(256), 'must be at most 255 characters'],
        ['a\0b', 'must not contain NUL or broken Unicode'],
        ['a\ud83d', 'must not contain NUL or broken Unicode'],
      ]
    case 'flag':
      return [
        ['true', 'must be true or false'],
        [1, 'must be true or false'],
        ['', 'must be true or false'],
      ]
    case 'date':
      return [
        ['2026-02-30', 'must be a date, YYYY-MM-DD'],
        ['2026-2-3', 'must be a date, YYYY-MM-DD'],
        ['2026-02-03 10:00:00', 'must be a date, YYYY-MM-DD'],
        ['', 'must be a date, YYYY-MM-DD'],
        [20260203, 'must be text'],
      ]
    case 'id':
      return [
        ['1', 'must be an integer'],
        [1.5, 'must be an integer'],
        [0, 'must be at least 1'],
        [-3, 'must be at least 1'],
      ]
  }
}
