/** Bodies of the request endpoints, and the only place where a request's JSON is made. */
import { z } from 'zod'
import * as enums from '../../catalogue/enums.ts'
import { CRITERIA, limited, limitedIds, SCALARS, type Wishes } from '../../catalogue/request.ts'
import { dateTime, id, int, LONG_TEXT, optionalText, unique } from '../../fields/values.ts'
import { dateTimeRange, idFilter, listFilters, oneOf } from '../../http/filters.ts'
import type { RequestRow } from './queries.ts'

type Inputs<W extends Wishes> = { [K in keyof W]: z.ZodOptional<z.ZodNullable<W[K]['schema']>> }

/** The input schemas of `wishes`, all optional and nullable. */
function inputs<W extends Wishes>(wishes: W) {
  const entries = Object.entries(wishes)
  return Object.fromEntries(
    entries.map(([name, { schema, doc }]) => [name, schema.nullish().describe(doc)]),
  ) as Inputs<W>
}

/** The same, but an empty text or list clears a key as null does. */
function clearableInputs<W extends Wishes>(wishes: W) {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)
  const emptyAsNull = (value: unknown) => (isEmpty(value) ? null : value)
  return Object.fromEntries(
    Object.entries(wishes).map(([name, { schema, doc }]) => [
      name,
      z.preprocess(emptyAsNull, schema.nullable()).optional().describe(doc),
    ]),
  ) as unknown as Inputs<W>
}

const requiredIds = () => limitedIds().refine((list) => list.length > 0)

export const createRequest = z.object({
  availability: z.enum(enums.AVAILABILITIES),
  category: z.enum(enums.CATEGORIES),
  contacts: requiredIds().describe('Buyers, at least one'),
  locations: requiredIds().describe('Places of any level, at least one'),
  users: requiredIds().describe('Agents, at least one'),
  created_by: id().describe('User who creates it'),
  store_id: id().describe('Owning office'),
  title: optionalText().nullish().describe('Made of category, availability and up to 3 places when omitted'),
  subcategories: limited(z.array(z.enum(enums.ALL_SUBCATEGORIES)).transform(unique))
    .nullish()
    .describe('Must belong to the category; all of them when omitted'),
  subtypes: limitedIds().nullish().describe('Each must belong to one of the subcategories'),
  ...inputs(SCALARS),
  rating: int().min(1).max(5).nullish().describe("The agency's own rating, 1 to 5"),
  source_id: id().nullish().describe('Id from the sources lookup'),
  status: id().nullish().describe("Id from the statuses lookup; the account's default when omitted"),
  tags: limitedIds().nullish().describe('Ids from the tags lookup'),
  notes: optionalText(LONG_TEXT).nullish().describe('Internal notes'),
  extra_fields: z
    .looseObject(clearableInputs(CRITERIA))
    .nullish()
    .describe('Search criteria by name, and custom-field values by custom-field id; other keys are ignored'),
})

/** Every key may be left out; what is required on create cannot be cleared. */
export const updateRequest = createRequest
  .partial()
  .extend({ created_by: z.unknown().optional().describe('Ignored: the creator never changes') })

export type RequestInput = z.output<typeof updateRequest>

/** What import takes beside the create body. */
export const importedRequest = createRequest.extend({
  id: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  is_deleted: z.boolean().nullish(),
})

export const requestFilters = z.object({
  status: idFilter().describe('Id from the statuses lookup'),
  store_id: idFilter(),
  contact_id: idFilter().describe('Buyer'),
  user_id: idFilter().describe('Agent'),
  availability: oneOf(enums.AVAILABILITIES),
  category: oneOf(enums.CATEGORIES),
  date_created: dateTimeRange(),
  date_updated: dateTimeRange(),
  ...listFilters,
})

export const matchFilters = z.object({ page: listFilters.page })

const limit = () => z.int().nullable()
const withAll = 'With `fields=all`'

/** A request as it is read back. */
export const request = z.object({
  id: z.int(),
  date_created: dateTime(),
  date_updated: dateTime(),
  created_by: z.int(),
  store_id: z.int(),
  source_id: z.int().nullable(),
  status: z.int(),
  availability: z.enum(enums.AVAILABILITIES),
  category: z.enum(enums.CATEGORIES),
  subcategories: z.array(z.enum(enums.ALL_SUBCATEGORIES)),
  price_min: limit(),
  price_max: limit(),
  price_per_sqm_min: limit(),
  price_per_sqm_max: limit(),
  size_min: limit(),
  size_max: limit(),
  year_built_min: limit(),
  year_built_max: limit(),
  rooms_min: limit(),
  rooms_max: limit(),
  floor_min: z.number().nullable(),
  floor_max: z.number().nullable(),
  has_elevator: z.boolean(),
  extra_fields: z
    .record(z.string(), z.unknown())
    .describe(
      'Search criteria by name, and custom-field values by custom-field id; HTML is stored as sent, escape it',
    ),
  contacts: z.array(z.int()).describe('Buyers'),
  users: z.array(z.int()).describe('Agents'),
  tags: z.array(z.int()),
  locations: z.array(
    z.object({
      area_level1: z.int().describe('Region'),
      area_level2: z.int().nullable().describe('Municipality or district; null means the whole region'),
      area_level3: z.int().nullable().describe('Neighbourhood; null means the whole municipality'),
    }),
  ),
  title: z.string().optional().describe(withAll),
  subtypes: z.array(z.int()).optional().describe(withAll),
  notes: z.string().nullish().describe(withAll),
  rating: z.int().nullish().describe(withAll),
  elevator_min_floor: z.number().nullish().describe(withAll),
})

/** A listing that meets a request, and in what it does not. */
export const match = z.object({
  request_id: z.int(),
  listing_id: z.int(),
  score: z.int().describe('Share of the criteria asked for that are met, 0 to 100; 100 when none deviates'),
  deviations: z.array(z.object({ criterion: z.string(), wanted: z.unknown(), found: z.unknown() })),
})

/**
 * A request's JSON.
 * @param all adds the stored fields that the standard form leaves out
 */
export function presentRequest(row: RequestRow, all: boolean): z.output<typeof request> {
  return {
    id: row.id,
    date_created: row.date_created,
    date_updated: row.date_updated,
    created_by: row.created_by,
    store_id: row.store_id,
    source_id: row.source_id,
    status: row.status,
    availability: row.availability,
    category: row.category,
    subcategories: row.subcategories,
    price_min: row.price_min,
    price_max: row.price_max,
    price_per_sqm_min: row.price_per_sqm_min,
    price_per_sqm_max: row.price_per_sqm_max,
    size_min: row.size_min,
    size_max: row.size_max,
    year_built_min: row.year_built_min,
    year_built_max: row.year_built_max,
    rooms_min: row.rooms_min,
    rooms_max: row.rooms_max,
    floor_min: row.floor_min,
    floor_max: row.floor_max,
    has_elevator: row.has_elevator,
    extra_fields: { ...row.criteria, ...row.custom_fields },
    contacts: row.contacts,
    users: row.users,
    tags: row.tags,
    locations: row.areas,
    ...(all
      ? {
          title: row.title,
          subtypes: row.subtypes,
          notes: row.notes,
          rating: row.rating,
          elevator_min_floor: row.elevator_min_floor,
        }
      : {}),
  }
}
