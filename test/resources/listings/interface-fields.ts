/** The fields of a listing in the groups of a body, with a value that each takes. `test/contract.json` shows which there are. */
import { z } from 'zod'
import { core, details, extra, location } from '../../../src/catalogue/listing.ts'
import type { Field, Fields } from '../../../src/fields/field.ts'
import { MAX_ID } from '../../../src/fields/values.ts'
import type { Schema } from '../../support/bodies.ts'

type Kind =
  | { kind: 'int' | 'number' | 'signed' | 'text' | 'flag' | 'date' | 'id' }
  | { kind: 'enum'; values: readonly unknown[] }

const words = (text: string) => text.trim().split(/[\s,]+/)

/** Every field of its location that is read back. */
export const SHOWN_LOCATION = words(`
  area_level1 area_level2 area_level3 postal_code display_address show_circle_on_map address_el fake_address_el
  longitude latitude fake_longitude fake_latitude`)

/** Core fields that land does not have. */
export const NOT_OF_LAND = words('floor levels rooms bathrooms year_built property_condition')

/** In the `location` of the body. */
export const LOCATION = location

// These two have rules of their own.
const { subcategory, subtype, ...CORE } = core
const GROUPS = { core: CORE, details, 'the service': extra } as const
type Group = keyof typeof GROUPS

/** What a field takes, by its schema. */
function kindOf({ input }: Field): Kind {
  const { anyOf, ...own } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
  const schema = anyOf?.find(({ type }) => type !== 'null') ?? own
  const type = [schema.type].flat().find((one) => one !== 'null')
  if (schema.enum) return { kind: 'enum', values: schema.enum.filter((value) => value !== null) }
  if (type === 'integer') return { kind: schema.maximum === MAX_ID ? 'id' : 'int' }
  if (type === 'number') return { kind: schema.minimum === 0 ? 'number' : 'signed' }
  if (type === 'boolean') return { kind: 'flag' }
  return { kind: schema.format === 'date' ? 'date' : 'text' }
}

/** Every field with its group. */
export const FIELDS = (Object.entries(GROUPS) as [Group, Fields][]).flatMap(([group, fields]) =>
  Object.entries(fields).map(([name, field]) => ({
    group,
    name,
    kind: kindOf(field),
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
