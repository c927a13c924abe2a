/** Presents an external listing: the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/external-listing.ts'
import { boundedOutputs, outputs, present } from '../../fields/derive.ts'
import { named } from '../../fields/values.ts'
import type { ExternalListingRow } from './queries.ts'

const { id, ...dates } = outputs(catalogue.record)
const { store_id, created_by } = outputs(catalogue.watchers)

const trailing = {
  created_by,
  ...dates,
  tags: z.array(z.int()).describe('Ids from the tags lookup'),
  users: z.array(z.int()).describe('Agents who follow it: ids of users'),
  photos: z.array(z.string()).describe('URLs of its pictures, in order'),
}

/** The schema of an external listing in a single read. */
export const externalListing = named(
  'ExternalListing',
  'A property offered elsewhere that the agency watches',
  {
    id,
    store_id,
    ...boundedOutputs(catalogue.property),
    ...outputs(catalogue.texts),
    location: named(
      'ExternalListingLocation',
      'The location of an external listing',
      outputs(catalogue.place),
    ),
    ...boundedOutputs(catalogue.owner),
    ...trailing,
  },
)

/** The schema of an external listing in a list: location at the top level, no e-mail and no phones. */
export const listedExternalListing = named('ExternalListingSummary', 'An external listing in a list', {
  id,
  store_id,
  system_id: z.null().describe('Always null'),
  ...boundedOutputs(catalogue.property),
  ...outputs(catalogue.texts),
  ...outputs(catalogue.place),
  contact_full_name: catalogue.owner.contact_full_name.stored,
  ...trailing,
})

/**
 * The JSON of an external listing.
 * @param url makes a public URL of a stored key
 */
export function presentExternalListing(
  row: ExternalListingRow,
  url: (key: string) => string,
): z.output<typeof externalListing> {
  return {
    id: row.id,
    store_id: row.store_id,
    ...present(catalogue.property, row),
    ...present(catalogue.texts, row),
    location: present(catalogue.place, row),
    ...present(catalogue.owner, row),
    ...presentTrailing(row, url),
  }
}

/** The JSON of an external listing in a list. */
export function presentListedExternalListing(
  row: ExternalListingRow,
  url: (key: string) => string,
): z.output<typeof listedExternalListing> {
  return {
    id: row.id,
    system_id: null,
    store_id: row.store_id,
    ...present(catalogue.property, row),
    ...present(catalogue.texts, row),
    ...present(catalogue.place, row),
    contact_full_name: row.contact_full_name,
    ...presentTrailing(row, url),
  }
}

function presentTrailing(row: ExternalListingRow, url: (key: string) => string) {
  const { created_by, date_created, date_updated, tags, users } = row
  return { created_by, date_created, date_updated, tags, users, photos: row.photos.map(url) }
}
