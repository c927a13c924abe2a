/** Bodies of the request endpoints. */
import { z } from 'zod'
import * as enums from '../../catalogue/property-enums.ts'
import {
  CRITERIA,
  type CriteriaFields,
  kind,
  record,
  remarks,
  SCALARS,
  work,
} from '../../catalogue/request.ts'
import { inputs } from '../../fields/derive.ts'
import { id, ids, list, named, unique } from '../../fields/values.ts'

type Inputs<W extends CriteriaFields> = { [K in keyof W]: z.ZodOptional<z.ZodNullable<W[K]['schema']>> }

/** The input schemas of criteria, all optional. An empty text or list clears a key, as null does. */
function clearableInputs<W extends CriteriaFields>(fields: W) {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)
  const emptyAsNull = (value: unknown) => (isEmpty(value) ? null : value)
  return Object.fromEntries(
    Object.entries(fields).map(([name, { schema, doc }]) => [
      name,
      z.preprocess(emptyAsNull, schema.nullable()).optional().describe(doc),
    ]),
  ) as unknown as Inputs<W>
}

const requiredIds = () => ids({ min: 1 })

const { created_by } = inputs(record)
const { store_id, ...progress } = inputs(work)
const { title, rating, notes } = inputs(remarks)

export const requestInput = named('BuyerRequestInput', 'The body that creates a request', {
  ...inputs(kind),
  contacts: requiredIds().describe('Buyers, at least one: ids of contacts'),
  locations: requiredIds().describe('Places of any level, at least one: ids from `/api/locations`'),
  users: requiredIds().describe('Agents, at least one: ids from `/api/users`'),
  created_by,
  store_id,
  title,
  subcategories: list(z.enum(enums.ALL_SUBCATEGORIES))
    .overwrite(unique)
    .nullish()
    .describe('Must belong to the category; all of its subcategories when omitted'),
  subtypes: ids().nullish().describe('Each must belong to one of the subcategories'),
  ...inputs(SCALARS),
  rating,
  ...progress,
  tags: ids().nullish().describe('Ids from the tags lookup'),
  notes,
  extra_fields: z
    .looseObject(clearableInputs(CRITERIA))
    .meta({
      id: 'BuyerRequestCriteriaInput',
      description:
        'Search criteria by name, and custom-field values by custom-field id; other keys are ignored. Null, an empty ' +
        'text or an empty list clears a key',
    })
    .nullish(),
})

const { special_locations, listing_tags, ...rest } = CRITERIA

/** The criteria that visitors may name; the others only the agency knows. */
export const PUBLIC_CRITERIA = rest

/** The fields of a request that say what is sought, all optional, as visitors may send them. */
export const soughtInput = named('Sought', 'What is sought, in the form of a request', {
  availability: kind.availability.input.nullish(),
  category: kind.category.input.nullish(),
  locations: ids().nullish().describe('Places of any level: ids from `/api/locations`'),
  subcategories: requestInput.shape.subcategories,
  subtypes: requestInput.shape.subtypes,
  ...inputs(SCALARS),
  extra_fields: named(
    'SoughtCriteria',
    'Further criteria, as those of a request',
    clearableInputs(PUBLIC_CRITERIA),
  ).nullish(),
})

export type Sought = z.output<typeof soughtInput>

/** A place by its id, or as a reply shows it: an object with its areas, of which the lowest level is used. */
const placeOrId = z.union([
  id(),
  z
    .object({
      area_level1: id().describe('Region'),
      area_level2: id().nullish().describe('Municipality or district'),
      area_level3: id().nullish().describe('Neighbourhood'),
    })
    .transform(({ area_level1, area_level2, area_level3 }) => area_level3 ?? area_level2 ?? area_level1)
    .meta({
      id: 'BuyerRequestLocationReference',
      description: 'A place as a reply shows it; its lowest level is used',
    }),
])

/** All keys are optional. Keys that are required for a new request cannot be cleared. */
export const requestUpdate = requestInput
  .partial()
  .extend({
    created_by: z.unknown().optional().describe('Ignored: the creator never changes'),
    locations: list(placeOrId, { min: 1 })
      .overwrite(unique)
      .optional()
      .describe(
        'Places of any level, at least one: ids from `/api/locations`, or places as replies show them',
      ),
  })
  .meta({ id: 'BuyerRequestUpdate', description: 'Changes of a request: only the keys that are sent' })

export type RequestInput = z.output<typeof requestUpdate>
