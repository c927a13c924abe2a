/** A request as it is read back, its matches too, and the only place where its JSON is made. */
import { z } from 'zod'
import * as enums from '../../catalogue/enums.ts'
import { CRITERIA, SCALARS, type Wishes } from '../../catalogue/request.ts'
import { WITH_ALL } from '../../fields/kinds.ts'
import { dateTime } from '../../fields/values.ts'
import type { ShownRequest } from './queries.ts'

/** The output schemas of `wishes`; what was not asked for is absent. */
function outputs(wishes: Wishes) {
  const entries = Object.entries(wishes)
  return Object.fromEntries(entries.map(([name, { schema, doc }]) => [name, schema.optional().describe(doc)]))
}

/** The limits, as they are read back: null for those that were not asked for. */
function limits() {
  const { has_elevator, elevator_min_floor, ...scalars } = SCALARS
  return Object.fromEntries(
    Object.entries(scalars).map(([name, { schema, doc }]) => [name, schema.nullable().describe(doc)]),
  ) as { [K in keyof typeof scalars]: z.ZodNullable<z.ZodType<number>> }
}

/** A request as it is read back. */
export const request = z
  .object({
    id: z.int().describe('Id of the request'),
    date_created: dateTime().describe('When it was created'),
    date_updated: dateTime().describe('When it last changed'),
    created_by: z.int().describe('User who created it'),
    store_id: z.int().describe('Owning office'),
    source_id: z.int().nullable().describe('Id from the sources lookup'),
    status: z.int().describe('Id from the statuses lookup'),
    availability: z.enum(enums.AVAILABILITIES).describe('How it is to be offered'),
    category: z.enum(enums.CATEGORIES).describe('Kind of property'),
    subcategories: z.array(z.enum(enums.ALL_SUBCATEGORIES)).describe('Of that category'),
    ...limits(),
    has_elevator: z.boolean().describe('Must have an elevator'),
    extra_fields: z.looseObject(outputs(CRITERIA)).meta({
      id: 'BuyerRequestCriteria',
      description:
        'Search criteria by name, and custom-field values by custom-field id; what was not asked for is absent. HTML ' +
        'is stored as sent, escape it',
    }),
    contacts: z.array(z.int()).describe('Buyers: ids of contacts'),
    users: z.array(z.int()).describe('Agents: ids of users'),
    tags: z.array(z.int()).describe('Ids from the tags lookup'),
    locations: z
      .array(
        z
          .object({
            area_level1: z.int().describe('Region'),
            area_level2: z.int().nullable().describe('Municipality or district; null means the whole region'),
            area_level3: z.int().nullable().describe('Neighbourhood; null means the whole municipality'),
          })
          .meta({ id: 'BuyerRequestLocation', description: 'A place asked for, with the places it lies in' }),
      )
      .describe('Places, one of which a match must lie in'),
    title: z.string().optional().describe(`Its title. ${WITH_ALL}`),
    subtypes: z.array(z.int()).optional().describe(`Ids from the subtypes lookup of listings. ${WITH_ALL}`),
    notes: z.string().nullish().describe(`Internal notes. ${WITH_ALL}`),
    rating: z.int().nullish().describe(`The agency's own rating, 1 to 5. ${WITH_ALL}`),
    elevator_min_floor: z.number().nullish().describe(`${SCALARS.elevator_min_floor.doc}. ${WITH_ALL}`),
  })
  .meta({ id: 'BuyerRequest', description: 'What a buyer is looking for' })

/** A listing that meets a request, and in what it does not. */
export const matchBody = z
  .object({
    request_id: z.int().describe('The request'),
    listing_id: z.int().describe('The listing'),
    score: z.int().describe('Share of the criteria asked for that are met, 0 to 100; 100 when none deviates'),
    deviations: z
      .array(
        z
          .object({
            criterion: z.string().describe('Name of the criterion'),
            wanted: z.unknown().describe('What the request asks for'),
            found: z.unknown().describe('What the listing has; null when it does not tell'),
          })
          .meta({ id: 'MatchDeviation', description: 'A criterion that a listing does not meet' }),
      )
      .describe('The criteria that are not met'),
  })
  .meta({ id: 'Match', description: 'A request and a listing that fit' })

/**
 * A request's JSON.
 * @param all adds the stored fields that the standard form leaves out
 */
export function presentRequest(row: ShownRequest, all: boolean): z.output<typeof request> {
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
