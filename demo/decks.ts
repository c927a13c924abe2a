import type { Random } from '../fixtures/random.ts'
import * as enums from '../src/catalogue/enums.ts'

/** The decks that every enumerated field is dealt from, so that each value turns up. */
export type Decks = ReturnType<typeof shuffleDecks>

/** One deck for each enumerated field. */
export function shuffleDecks(random: Random) {
  return {
    condition: random.deck(enums.PROPERTY_CONDITIONS),
    orientation: random.deck(enums.ORIENTATIONS),
    shortterm_unit: random.deck(enums.SHORTTERM_UNITS),
    heating_type: random.deck(enums.HEATING_TYPES),
    heating_source: random.deck(enums.HEATING_SOURCES),
    frames: random.deck(enums.FRAMES),
    frames_glass: random.deck(enums.FRAMES_GLASS),
    construction_type: random.deck([...enums.CONSTRUCTION_TYPES, ...CONCRETE_MOSTLY]),
    garden: random.deck(enums.GARDENS),
    zoning: random.deck(enums.ZONINGS),
    land_slope: random.deck(enums.LAND_SLOPES),
    access_type: random.deck(enums.ACCESS_TYPES),
    assignment: random.deck(enums.ASSIGNMENTS),
    assignment_fee_type: random.deck(enums.ASSIGNMENT_FEE_TYPES),
    land_use: random.deck(enums.LAND_USES),
    energy_class: random.deck(enums.ENERGY_CLASSES),
    planning_status: random.deck(enums.PLANNING_STATUSES),
    display_address: random.deck(enums.ADDRESS_DISPLAYS),
  }
}

const CONCRETE_MOSTLY = Array.from({ length: 12 }, () => 'concrete' as const)
