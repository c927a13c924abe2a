/** Presents requests and their matches: the only place where their JSON is made. */
import { z } from 'zod'
import * as enums from '../../catalogue/property-enums.ts'
import * as catalogue from '../../catalogue/request.ts'
import { CRITERIA, type CriteriaFields, SCALARS } from '../../catalogue/request.ts'
import { boundedOutputs, outputs, present, WITH_ALL } from '../../fields/derive.ts'
import { named } from '../../fields/values.ts'
import type { PresentedRequest } from './queries.ts'

/** The output schemas of criteria. A criterion that the request does not have is absent. */
function criteria(fields: CriteriaFields) {
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.map(([name, { schema, doc }]) => [name, schema.optional().describe(doc)]))
}

const { title, ...remarks } = outputs(catalogue.remarks)
const { elevator_min_floor, ...limits } = boundedOutputs(SCALARS)

export const request = named('BuyerRequest', 'What a buyer is looking for', {
  ...outputs(catalogue.record),
  ...outputs(catalogue.work),
  ...outputs(catalogue.kind),
  subcategories: z.array(z.enum(enums.ALL_SUBCATEGORIES)).describe('Subcategories of that category'),
  ...limits,
  extra_fields: z.looseObject(criteria(CRITERIA)).meta({
    id: 'BuyerRequestCriteria',
    description:
      'Search criteria by name, and custom-field values by custom-field id; absent if the request has none. HTML is ' +
      'stored as sent, so escape it',
  }),
  contacts: z.array(z.int()).describe('Buyers: ids of contacts'),
  users: z.array(z.int()).describe('Agents: ids of users'),
  tags: z.array(z.int()).describe('Ids from the tags lookup'),
  locations: z
    .array(
      named('BuyerRequestLocation', 'A requested place, with the places that contain it', {
        area_level1: z.int().describe('Region'),
        area_level2: z.int().nullable().describe('Municipality or district; null means the whole region'),
        area_level3: z.int().nullable().describe('Neighbourhood; null means the whole municipality'),
      }),
    )
    .describe('Places; a match must lie in one of them'),
  title,
  subtypes: z.array(z.int()).optional().describe(`Ids from the subtypes lookup of listings. ${WITH_ALL}`),
  ...remarks,
  elevator_min_floor,
})

export const matchBody = named('Match', 'A request and a listing that matches it', {
  request_id: z.int().describe('The request'),
  listing_id: z.int().describe('The listing'),
  score: z.int().describe('Share of the requested criteria that are met, 0 to 100; 100 without deviations'),
  deviations: z
    .array(
      named('MatchDeviation', 'A criterion that a listing does not meet', {
        criterion: z.string().describe('Name of the criterion'),
        wanted: z.unknown().describe('The value that the request asks for'),
        found: z.unknown().describe('The value of the listing; null if it has none'),
      }),
    )
    .describe('The criteria that are not met'),
})

/**
 * The JSON of a request.
 * @param all adds the stored fields that the standard representation leaves out
 */
export function presentRequest(row: PresentedRequest, all: boolean): z.output<typeof request> {
  const { subcategories, contacts, users, tags, areas } = row
  const { title, subtypes, notes, rating, elevator_min_floor } = row
  return {
    ...present(catalogue.record, row),
    ...present(catalogue.work, row),
    ...present(catalogue.kind, row),
    subcategories,
    ...present(SCALARS, row, false),
    extra_fields: { ...row.criteria, ...row.custom_fields },
    contacts,
    users,
    tags,
    locations: areas,
    ...(all ? { title, subtypes, notes, rating, elevator_min_floor } : {}),
  }
}
