import { getTableColumns } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { FEATURE_GROUPS, FEATURES, featureKey } from '../../src/catalogue/features.ts'
import { core, details, extra, location } from '../../src/catalogue/listing.ts'
import * as enums from '../../src/catalogue/property-enums.ts'
import { listings } from '../../src/db/tables/listings.ts'
import type { Fields } from '../../src/fields/field.ts'

const words = (text: string) => text.trim().split(/[\s,]+/)

describe('fields of a listing', () => {
  it('have one name across all groups', () => {
    const names = [core, details, extra].flatMap((group) => Object.keys(group))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('fields that land does not have are those of the interface', () => {
    const fields: Fields = { ...core, ...details, ...extra, ...location }
    expect(Object.keys(fields).filter((name) => fields[name]?.landNull)).toEqual(
      words('floor levels rooms bathrooms year_built property_condition'),
    )
  })

  it('are explained in a sentence', () => {
    for (const { doc } of Object.values({ ...core, ...details, ...extra, ...location })) {
      expect(doc).toMatch(/^[A-Z].{2,}[^.]$/)
    }
  })

  it('take fewer columns than D1 allows, with room to grow', () => {
    expect(Object.keys(getTableColumns(listings)).length).toBeLessThan(90)
  })
})

describe('enumerations', () => {
  it.each(
    Object.entries(enums).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value] as const] : [])),
  )('%s names each value once', (_, values) => {
    expect(values.length).toBeGreaterThan(0)
    expect(new Set(values).size).toBe(values.length)
    for (const value of values) expect(value).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })

  it.each([
    [
      'residential',
      'apartment maisonette detached villa loft residential_building apartment_complex farmhouse houseboat other_residential',
    ],
    [
      'commercial',
      'office store warehouse hotel commercial_building hall industrial_space craft_space other_commercial',
    ],
    ['land', 'plot parcel island'],
    ['other', 'parking business air other'],
  ] as const)('the subcategories of %s are those of the interface, and its alone', (category, values) => {
    expect(enums.SUBCATEGORIES[category]).toEqual(words(values))
    for (const subcategory of enums.ALL_SUBCATEGORIES) {
      expect(enums.belongsTo(subcategory, category)).toBe(words(values).includes(subcategory))
    }
  })
})

describe('features', () => {
  const inputsOf = (wanted: string) =>
    FEATURES.flatMap(({ group, input }) => (group === wanted ? [input] : []))

  it.each(FEATURE_GROUPS)('%s: a key names one entry, in either vocabulary', (group) => {
    const rows = FEATURES.filter((feature) => feature.group === group)
    const names = rows.flatMap(({ key, input }) => [...new Set([key, input])])
    expect(new Set(names).size).toBe(names.length)
    for (const row of rows) {
      expect(featureKey(group, row.key)).toBe(row)
      expect(featureKey(group, row.input)).toBe(row)
    }
    expect(featureKey(group, 'nothing')).toBeUndefined()
    expect(featureKey(group, 'toString')).toBeUndefined()
  })

  it('belong to categories there are, and have both labels', () => {
    for (const { categories, name_en, name_el } of FEATURES) {
      expect(categories.length).toBeGreaterThan(0)
      for (const category of categories) expect(enums.CATEGORIES).toContain(category)
      expect(name_en).toMatch(/^[A-Z][\x20-\x7e]*$/)
      expect(name_el).toMatch(/^\p{Script=Greek}/u)
    }
  })

  it('drop has_ and is_ in answers, but for the ones with a word of their own', () => {
    for (const { group, key, input } of FEATURES) {
      if (group === 'view') expect(key).toBe(`${input}_view`)
      else if (group === 'flooring') expect(key).toBe(input)
      else if (input === 'has_storage_room') expect(key).toBe('storage')
      else if (input === 'is_seaside') expect(key).toBe('seafront')
      else expect(key).toBe(input.replace(/^(has|is)_|^suitable_for_(?=\w+_(use|exchange)$)/, ''))
    }
  })

  it('hold everything that the interface names', () => {
    expect(inputsOf('positioning')).toEqual(
      words('is_corner is_front_facing is_side_facing is_through is_interior is_three_sided is_four_sided'),
    )
    expect(inputsOf('view')).toEqual(
      words('sea mountain park openspace acropolis city lake river forest panoramic'),
    )
    expect(inputsOf('flooring')).toEqual(
      words(
        `tile marble wood parquet laminate carpet industrial concrete stone epoxy_resin cement_screed plastic vinyl
        ceramic_tile mosaic granite`,
      ),
    )
    expect(inputsOf('features')).toEqual(
      expect.arrayContaining(
        words(
          `has_elevator has_parking has_storage_room has_balcony has_fireplace has_air_condition has_security_door
          is_furnished has_underfloor_heating has_private_pool has_shared_pool is_penthouse is_luxurious is_seaside
          is_bright pets_allowed suitable_for_students suitable_for_families golden_visa has_solar_heater
          is_investment has_disabled_access`,
        ),
      ),
    )
  })
})
