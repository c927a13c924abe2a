/** The fields of a listing in the groups of a body. `test/contract.json` shows which there are. */
import { z } from 'zod'
import { core, details, extra } from '../../../src/catalogue/listing.ts'
import type { Field, Fields } from '../../../src/fields/field.ts'
import type { Schema } from '../../support/bodies.ts'

const words = (text: string) => text.trim().split(/[\s,]+/)

/** Core fields that land does not have. */
export const NOT_OF_LAND = words('floor levels rooms bathrooms year_built property_condition')

// These two have rules of their own.
const { subcategory, subtype, ...CORE } = core
const GROUPS = { core: CORE, details, 'the service': extra } as const
type Group = keyof typeof GROUPS

/** Whether a field takes any text. */
function isText({ input }: Field): boolean {
  const { anyOf, ...own } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
  const schema = anyOf?.find(({ type }) => type !== 'null') ?? own
  return [schema.type].flat().includes('string') && !schema.enum && schema.format !== 'date'
}

/** Every field with its group. */
export const FIELDS = (Object.entries(GROUPS) as [Group, Fields][]).flatMap(([group, fields]) =>
  Object.entries(fields).map(([name, field]) => ({
    group,
    name,
    isText: isText(field),
  })),
)

/** The part of a body that sends these values. */
export function bodyOf(sent: { group: Group; name: string; value: unknown }[]): Record<string, unknown> {
  const groupOf = (wanted: Group) =>
    Object.fromEntries(sent.flatMap(({ group, name, value }) => (group === wanted ? [[name, value]] : [])))
  return { ...groupOf('core'), details: groupOf('details'), 'the service': groupOf('the service') }
}
