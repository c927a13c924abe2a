/** Writes external listings: two round trips, with one download for each photo between them. */
import { batch, database } from '../../db/client.ts'
import { requireDefinitionsUnchanged } from '../../db/definitions.ts'
import { createRecord } from '../../db/merge.ts'
import { addLinks, insertRow, newRow } from '../../db/rows.ts'
import {
  external_listing_tag_links,
  external_listing_users,
  external_listings,
} from '../../db/tables/external-listings.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { WriteContext } from '../../http/concurrency/entity-tags.ts'
import type { Draft } from '../../http/request/check.ts'
import { type PhotoFailure, storePhotosFromUrls } from './photos.ts'
import type { ExternalListingRow } from './queries.ts'
import { columnsOf, pricePerSqm } from './resolve.ts'
import {
  checkExternalListing,
  type ExternalListingLookups,
  readLookups,
  referencesOf,
  selectLookups,
} from './rules.ts'
import type { ExternalListingInput } from './schema.ts'

const LINKS = {
  tags: external_listing_tag_links,
  users: external_listing_users,
}

/** How the reply is made. */
interface ReplyOptions {
  body: (row: ExternalListingRow) => unknown
  /** Receives the photos that failed, if any, before anything is stored. */
  failures: (failures: PhotoFailure[]) => void
}

/** Stores a new external listing with the photos that could be downloaded. Throws 400. */
export async function createExternalListing(
  env: Env,
  draft: Draft<ExternalListingInput>,
  context: WriteContext,
  reply: ReplyOptions,
): Promise<ExternalListingRow> {
  const db = database(env)
  const references = referencesOf(draft.values)
  let row: Omit<ExternalListingRow, 'id'> | undefined
  let photos: Promise<string[]> | undefined
  const rowOf = (id: number): ExternalListingRow => {
    if (!row) throw new Error('The external listing has not been resolved')
    return { ...row, id }
  }
  const creation = { ...context, table: external_listings, answer: (id: number) => reply.body(rowOf(id)) }
  const { id } = await createRecord(db, creation, async () => {
    const lookups = readLookups(await batch(db, selectLookups([draft.values], references)))
    checkExternalListing(draft, references, lookups)
    const input = draft.complete()
    // Only once, even if the write is tried again.
    photos ??= storePhotos(env, input, reply)
    row = newExternalListing(input, lookups, await photos)
    const { tags, users, ...columns } = row
    return {
      row: insertRow(external_listings, columns),
      rest: {
        definitions: lookups.areas.length > 0 ? requireDefinitionsUnchanged(lookups.definitions) : null,
        links: addLinks(LINKS, external_listings, { tags, users }),
      },
    }
  })
  return rowOf(id)
}

/** Stores the photos and returns the keys of those that could be downloaded. */
async function storePhotos(
  env: Env,
  input: ExternalListingInput,
  { failures: reportFailures }: ReplyOptions,
): Promise<string[]> {
  const { keys, failures } = await storePhotosFromUrls(env, input.photos ?? [])
  if (failures.length > 0) reportFailures(failures)
  return keys
}

function newExternalListing(
  input: ExternalListingInput,
  { default_status }: ExternalListingLookups,
  photos: string[],
) {
  const now = formatDateTime(new Date())
  const row = newRow(external_listings, {
    ...columnsOf(input),
    status: input.status ?? default_status,
    price_per_sqm: input.price_per_sqm ?? pricePerSqm(input),
    date_created: now,
    date_updated: now,
    photos,
  })
  return { ...row, tags: input.tags ?? [], users: input.users ?? [] }
}
